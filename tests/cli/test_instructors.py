"""docs/instructors.md, followed to the letter: its blocks of commands, in their order, in a folder with nothing else."""

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from paths import ROOT

from autograde.exercises import in_lesson

PAGE = ROOT / "docs" / "instructors.md"
NEEDED = ("solutions/01_word_vectors", "notebooks/01_word_vectors", "nbgrader_config.py")
ALSO_FOR_RELEASE = ("autograde", "course_utils")
LESSON, BY_HAND = "word_vectors", 2


def blocks() -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


def copied(home: Path) -> Path:
    for name in (*NEEDED, *ALSO_FOR_RELEASE):
        source, target = ROOT / name, home / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return home


def run(home: Path, block: str) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    settings = {key: value for key, value in os.environ.items() if key != "AUTOGRADE_SEED"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        cwd=home,
        env={**settings, "PATH": path, "PYTHONPATH": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{block}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout + done.stderr


def rows(path: Path) -> list[dict]:
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def test_every_block_works_and_the_marks_are_right(tmp_path):
    home = copied(tmp_path / "course")
    for block in blocks():
        if "autograde marks" in block:  # between its two commands somebody marks
            sheets, marks = block.strip().splitlines()
            run(home, sheets)
            mark(home / "sheets" / f"{LESSON}-why_cosine.csv", "ada", "1.5")
            assert "1 marks, 1 of them new" in run(home, marks)
            continue
        assert "Traceback" not in run(home, block), block
    points = sum(record.points for record in in_lesson(LESSON))
    run(home, "autograde export gradebook.db --to export")  # after the lesson was graded again: the mark by hand is still there
    found = {row["student"]: (row["score"], row["points"]) for row in rows(home / "export" / "grades.csv")}
    assert found == {"ada": (f"{points + 1.5:g}", f"{points + BY_HAND}"), "bob": ("0", f"{points + BY_HAND}")}
    assert (home / "feedback/ada/01_word_vectors/word_vectors.html").exists()
    assert (home / "results/report/class.html").exists() and (home / "results/report/class.json").exists()
    assert not ignored_by_nobody(home)


def mark(sheet: Path, student: str, points: str) -> None:
    filled = [row | ({"mark": points} if row["student"] == student else {}) for row in rows(sheet)]
    with open(sheet, "w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, filled[0])
        writer.writeheader()
        writer.writerows(filled)


def ignored_by_nobody(home: Path) -> list[str]:
    """What the day has made that .gitignore would let into the repository."""
    shutil.copy(ROOT / ".gitignore", home)
    known = {name.split("/")[0] for name in (*NEEDED, *ALSO_FOR_RELEASE)} | {".gitignore"}
    made = [path.name for path in home.iterdir() if path.name not in known]
    subprocess.run(["git", "init", "-q"], cwd=home, check=True)
    seen = subprocess.run(["git", "status", "--porcelain"], cwd=home, check=True, capture_output=True, text=True).stdout
    return [name for name in made if f"?? {name}" in seen]


def test_the_readme_leads_here():
    assert "docs/instructors.md" in (ROOT / "README.md").read_text(encoding="utf-8")
