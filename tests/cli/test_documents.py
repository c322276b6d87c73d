"""README and CONTRIBUTING say what is so: tables are compared, the recipe is followed to the letter."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

from autograde.exercises import LESSONS, folder, in_lesson
from course_utils.explorers import query_key_value
from course_utils.explorers.kit.explorer import standalone

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def row(lesson: str) -> list[str]:
    records = in_lesson(lesson)
    return [
        f"[{folder(lesson)}](notebooks/{folder(lesson)}/{lesson}.ipynb)",
        str(len(records)),
        str(sum(record.points for record in records)),
    ]


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_lesson_table_counts_as_the_exercises_do(lesson):
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in README.splitlines() if line.startswith("| [")]
    assert row(lesson) in [[cells[0], cells[2], cells[3]] for cells in rows]


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_every_path_and_link_exists(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / target).exists(), target


def test_commands_of_the_documents_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"\bmake ([a-z][a-z-]*)", README + CONTRIBUTING)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_picture_is_the_panel_as_it_is_now():
    panel = query_key_value.panel()
    drawn = standalone(panel.draw(panel.start), panel.height)
    assert (ROOT / "docs" / "panel.svg").read_text(encoding="utf-8") == drawn + "\n", "draw it anew: make notebooks"


def recipe() -> list[str]:
    """The recipe's code blocks in order, without their indentation."""
    blocks = re.findall(r"^   ```python\n(.*?)^   ```$", CONTRIBUTING.split("## Add an exercise")[1], re.M | re.S)
    return [re.sub(r"^   ", "", block, flags=re.MULTILINE) for block in blocks]


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """A copy of the project in which the recipe was followed literally."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("course_utils", "autograde"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "solutions" / folder("word_vectors"), copy / "solutions" / folder("word_vectors"))
    shutil.copy(ROOT / "nbgrader_config.py", copy)
    reference, mistakes, accepted, exercise, cells = recipe()
    exercises = copy / "autograde" / "exercises"
    for path, block in (
        (copy / "course_utils" / "word_vectors.py", reference),
        (exercises / "word_vectors_mistakes.py", mistakes),
        (exercises / "word_vectors_accepted.py", accepted),
    ):
        path.write_text(f"{path.read_text(encoding='utf-8')}\n\n{block}", encoding="utf-8")
    listing = exercises / "word_vectors.py"
    before, after = listing.read_text(encoding="utf-8").rsplit("EXERCISES = (", 1)
    listing.write_text(f"{before}{exercise}\n\nEXERCISES = (EUCLIDEAN_DISTANCE, {after}", encoding="utf-8")
    script = copy / "solutions" / folder("word_vectors") / "word_vectors.py"
    head, tail = script.read_text(encoding="utf-8").split("# %% [markdown]\n# ## What you can do now", 1)
    script.write_text(f"{head}{cells}\n# %% [markdown]\n# ## What you can do now{tail}", encoding="utf-8")
    return copy


def run(copy: Path, *command: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTHONPATH": str(copy), "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, "-m", "autograde.cli", *command], cwd=copy, env=environment, capture_output=True, text=True, timeout=300
    )


def test_the_recipe_s_exercise_is_proven(followed):
    done = run(followed, "verify", "--lesson", "word_vectors", "--seeds", "2")
    assert "euclidean_distance: holds" in done.stdout, done.stdout + done.stderr


def test_the_recipe_s_notebook_is_built_with_its_points(followed):
    done = run(followed, "release", "--lesson", "word_vectors")
    assert done.returncode == 0, done.stdout + done.stderr
    learner = (followed / "notebooks" / folder("word_vectors") / "word_vectors.ipynb").read_text(encoding="utf-8")
    assert '"grade_id": "euclidean_distance"' in learner and "np.linalg.norm(u - v)" not in learner
    assert run(followed, "verify", "--lesson", "word_vectors", "--seeds", "1").returncode == 0
