"""Grades a class in a process of its own and measures it: computing time, and the memory of everybody who takes part.

python tests/class_run.py FOLDER --students 300
"""

import argparse
import resource
import subprocess
import sys
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import make_class
from small_submissions import LESSON, RUN

ONLY = RUN.replace("sys.exit(", "(")  # the exit code says that some files were not gradable, which is as it should be
LOOK = 0.1  # seconds between two looks at the workers
MB = 1 << 20


@dataclass(frozen=True)
class Measured:
    """seconds: of real and of computing time, of all processes. main: peak memory of the main process, in bytes; halfway:
    the same after half of the submissions. worker: most private memory of a sandboxed worker, in bytes; looks: at how many."""

    students: int
    real: float
    cpu: float
    main: int
    halfway: int
    worker: int
    looks: int

    def __str__(self):
        each = 1000 * self.cpu / self.students
        return (
            f"{self.students} submissions: {self.real:.1f} s, {self.cpu:.1f} s of computing ({each:.1f} ms each); "
            f"main process {self.main / MB:.0f} MB at its peak, {self.halfway / MB:.0f} MB halfway; "
            f"a worker's own memory at most {self.worker / MB:.1f} MB ({self.looks} looks)"
        )


def graded(home: Path, students: int, seed: int = 5) -> Measured:
    """Makes a class in ``home`` and grades it. Linux only."""
    make_class.make(home / "submitted", LESSON, students, seed)
    began, before = time.monotonic(), _children()
    with open(home / "said.txt", "w") as said:
        run = subprocess.Popen([sys.executable, "-c", ONLY, "submitted", "out"], cwd=home, stdout=said)
        watch = Watch(run.pid, home / "out", students)
        watch.start()
        code = run.wait()
    watch.join()
    if code:
        raise RuntimeError(f"the run ended with {code}")
    return Measured(
        students, time.monotonic() - began, _children() - before, watch.main, watch.halfway, watch.worker, watch.looks
    )


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Watch(threading.Thread):
    """Looks at a run's family: it, its pool, their warm parents, and the workers that these fork."""

    def __init__(self, process: int, out: Path, students: int):
        super().__init__(daemon=True)
        self.process, self.out, self.half = process, out / "events.log", students // 2
        self.main = self.halfway = self.worker = self.looks = 0

    def run(self) -> None:
        while memory := _status(self.process, "VmHWM"):
            self.main = max(self.main, memory)  # the system's own count of it is not exact
            self.halfway = self.halfway or (self.main if self._done() >= self.half else 0)
            for worker in _generation(self.process, 3):
                private = _private(worker)
                self.worker, self.looks = max(self.worker, private), self.looks + bool(private)
            time.sleep(LOOK)

    def _done(self) -> int:
        return self.out.read_bytes().count(b"\n") if self.out.exists() else 0


def _generation(process: int, number: int) -> list[int]:
    """Great-grandchildren for 3."""
    children = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            children[int(stat.read_text().rpartition(")")[2].split()[1])].append(int(stat.parent.name))
        except (OSError, IndexError):
            continue  # it has ended meanwhile
    found = [process]
    for _ in range(number):
        found = [child for parent in found for child in children[parent]]
    return found


def _private(process: int) -> int:
    """Bytes that a process shares with no other: what it has beyond its parent. 0 where it has ended."""
    return sum(_field(f"/proc/{process}/smaps_rollup", name) for name in ("Private_Dirty", "Private_Clean"))


def _status(process: int, name: str) -> int:
    return _field(f"/proc/{process}/status", name)


def _field(path: str, name: str) -> int:
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:")), 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--students", type=int, default=300)
    chosen = parser.parse_args()
    print(graded(chosen.folder, chosen.students))
