"""What grading costs: CPU seconds a submission, all processes counted, the start of the command apart.

    python bench/grading.py [--lesson word_vectors] [--students 100] [--many 1000] [--stock 5]

* ``autograde grade`` on a class of ``--students`` and on one of ``--many``: the second is to cost in proportion,
  and the memory of the grader itself is to stay flat
* ``nbgrader autograde`` as it comes, on ``--stock`` of the same submissions (it needs seconds for each)

The lesson's own notebook with right, wrong and blank answers; one worker. The cost of a bare fork that runs the
cells without any safety is measured in ``bench/sandbox.py``.
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
sys.path.insert(0, str(ROOT / "tests" / "support"))

import make_class

from autograde.exercises import folder, in_lesson

GRADE = """
import json, resource, sys
from autograde.grading.run import grade
grade(sys.argv[1], sys.argv[2], jobs=1, seed=1)
print(json.dumps({"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))
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
        start = graded(home, chosen.lesson, 1)
        few, many = (graded(home, chosen.lesson, count, start) for count in (chosen.students, chosen.many))
        print(f"{chosen.many} in proportion to {chosen.students}: {many / few:.2f}")
        if chosen.stock:
            stock = stock_nbgrader(home, chosen.lesson, chosen.stock)
            print(f"autograde grade is {stock / many:.0f} times cheaper")


def honest_class(target: Path, lesson: str, students: int) -> None:
    rng = random.Random(1)
    bank = {record.name: (make_class.right(record), make_class.wrong(record)) for record in in_lesson(lesson)}
    for number in range(students):
        home = target / f"student_{number:05d}" / folder(lesson)
        home.mkdir(parents=True)
        kind = rng.choices(["right", "mixed", "blank"], [50, 42, 8])[0]
        (home / f"{lesson}.ipynb").write_bytes(make_class.submission(lesson, bank, kind, rng, make_class.handed_out))


def measured(command: list[str], where: Path) -> tuple[float, float, str]:
    """CPU seconds of a command and all its children, real seconds, and what it printed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {
        **os.environ,
        "OPENBLAS_NUM_THREADS": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, env=environment, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - start, done.stdout


def graded(home: Path, lesson: str, students: int, start: float = 0.0) -> float:
    """CPU seconds of a class of one; of a larger class, seconds for each submission beyond that."""
    submitted, out = f"class-{students}", f"results-{students}"
    honest_class(home / submitted, lesson, students)
    cpu, seconds, said = measured([sys.executable, "-c", GRADE, submitted, out], home)
    if students == 1:
        print(f"autograde grade, one submission and the start of everything: {cpu:.1f} s CPU")
        return cpu
    each, memory = (cpu - start) / (students - 1), json.loads(said)["memory"] / 1024
    again, _, _ = measured([sys.executable, "-c", GRADE, submitted, out], home)
    print(
        f"autograde grade, {students} submissions: {1000 * each:.1f} ms CPU each, {seconds:.1f} s in all, parent's memory "
        f"{memory:.0f} MB; once more over unchanged files: {again:.1f} s CPU in all"
    )
    return each


def stock_nbgrader(home: Path, lesson: str, students: int) -> float:
    """CPU seconds a submission of ``nbgrader autograde`` with nothing of ours in its configuration."""
    course = home / "course"
    source = course / "source" / folder(lesson) / f"{lesson}.ipynb"
    source.parent.mkdir(parents=True)
    shutil.copy(ROOT / "solutions" / folder(lesson) / f"{lesson}.ipynb", source)
    (course / "nbgrader_config.py").write_text(
        f'c = get_config()\nc.CourseDirectory.db_url = "sqlite:///{course}/gradebook.db"\nc.Execute.timeout = 300\n'
    )
    largest = max(home.glob("class-*"), key=lambda path: len(list(path.iterdir())))
    chosen = sorted(largest.iterdir())[: students + 1]
    for path in chosen:
        shutil.copytree(path, course / "submitted" / path.name)
    measured([sys.executable, "-m", "nbgrader", "generate_assignment", folder(lesson)], course)
    command = [sys.executable, "-m", "nbgrader", "autograde", folder(lesson)]
    start, _, _ = measured([*command, "--student", chosen[0].name], course)
    cpu, seconds, _ = measured(command, course)  # the first is done already
    each = (cpu - start) / (students - 1) if students > 1 else cpu
    print(f"nbgrader autograde, {students} submissions: {1000 * each:.0f} ms CPU each, {seconds:.1f} s in all")
    return each


if __name__ == "__main__":
    main()
