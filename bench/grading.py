"""What grading costs: CPU seconds a submission, all processes counted.

    python bench/grading.py [--students 100] [--many 1000] [--stock 10]

* ``nbgrader autograde`` as it comes, on some of the submissions (it needs seconds for each)
* ``autograde grade`` on all of them, in a class of ``--students`` and in one of ``--many``: the second is to
  cost in proportion, and the grader's own memory is to stay flat

One lesson, honest submissions (right, wrong and blank), one worker, the same files for both. The cost of a bare
fork that runs the cells without any safety is measured in ``bench/sandbox.py``.
"""

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import make_class  # noqa: E402

from autograde.exercises import folder, in_lesson  # noqa: E402
from autograde.release.layout import as_text  # noqa: E402
from autograde.release.script import to_notebook  # noqa: E402

GRADE = """
import io, json, resource, sys
from autograde.grading import grade
code = grade(sys.argv[1], sys.argv[2], jobs=1, seed=1, stream=io.StringIO())
print(json.dumps({"code": code, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lesson", default="word_vectors")
    parser.add_argument("--students", type=int, default=100)
    parser.add_argument("--many", type=int, default=1000)
    parser.add_argument("--stock", type=int, default=5, help="submissions that stock nbgrader grades; 0 leaves it out")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        honest_class(home / "submitted", chosen.lesson, chosen.students)
        few = graded(home, "submitted", chosen.students)
        if chosen.many > chosen.students:
            honest_class(home / "many", chosen.lesson, chosen.many)
            many = graded(home, "many", chosen.many)
            proportion = (many / chosen.many) / (few / chosen.students)
            print(f"{chosen.many} in proportion to {chosen.students}: {proportion:.2f}")
        if chosen.stock:
            stock = stock_nbgrader(home, chosen.lesson, chosen.stock)
            print(f"autograde grade is {stock / (few / chosen.students):.0f} times cheaper")


def honest_class(target: Path, lesson: str, students: int) -> None:
    rng = random.Random(1)
    bank = {record.name: (make_class.right(record), make_class.wrong(record)) for record in in_lesson(lesson)}
    for number in range(students):
        home = target / f"student_{number:05d}" / folder(lesson)
        home.mkdir(parents=True)
        kind = rng.choices(["right", "mixed", "blank"], [50, 42, 8])[0]
        (home / f"{lesson}.ipynb").write_bytes(make_class.submission(lesson, bank, kind, rng))


def measured(command: list[str], where: Path) -> tuple[float, float, str]:
    """CPU seconds of a command and all its children, real seconds, and what it printed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1",
                   "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, env=environment, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - start, done.stdout


def graded(home: Path, submitted: str, students: int) -> float:
    cpu, seconds, said = measured([sys.executable, "-c", GRADE, submitted, f"{submitted}-out"], home)
    memory = json.loads(said)["memory"] / 1024
    print(f"autograde grade, {students} submissions: {1000 * cpu / students:.1f} ms CPU each, {seconds:.1f} s in all, "
          f"parent's memory {memory:.0f} MB")
    again, _, _ = measured([sys.executable, "-c", GRADE, submitted, f"{submitted}-out"], home)
    print(f"  once more over unchanged files: {1000 * again / students:.1f} ms each")
    return cpu


def stock_nbgrader(home: Path, lesson: str, students: int) -> float:
    """CPU seconds a submission of ``nbgrader autograde`` with nothing of ours in its configuration."""
    course = home / "course"
    source = course / "source" / folder(lesson) / f"{lesson}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(as_text(to_notebook(make_class.script(lesson), lesson)))
    (course / "nbgrader_config.py").write_text(
        f'c = get_config()\nc.CourseDirectory.db_url = "sqlite:///{course}/gradebook.db"\n')
    for path in sorted((home / "submitted").iterdir())[:students]:
        shutil.copytree(path, course / "submitted" / path.name)
    measured([sys.executable, "-m", "nbgrader", "generate_assignment", folder(lesson)], course)
    cpu, seconds, _ = measured([sys.executable, "-m", "nbgrader", "autograde", folder(lesson)], course)
    print(f"nbgrader autograde, {students} submissions: {1000 * cpu / students:.0f} ms CPU each, {seconds:.1f} s in all")
    return cpu / students


if __name__ == "__main__":
    main()
