"""How long a learner waits: check() on failing answers, diagnosis included, and the import of autograde.

Ratios to something of the same run, since machines are noisy: the import beside NumPy's own, a check beside one call
of the reference.
"""

import contextlib
import io
import statistics
import subprocess
import sys
import time

from autograde import check
from autograde.engine.exercise import Exercise
from autograde.exercises import everything


def seconds(work, times: int) -> float:
    """The median of several runs, in CPU seconds of this process."""
    taken = []
    for _ in range(times):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return statistics.median(taken)


def importing(module: str) -> float:
    """CPU seconds that a new interpreter needs to import a module, beyond its own start."""
    code = f"import time; b = time.process_time(); import {module}; print(time.process_time() - b)"
    runs = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(5)
    ]
    return statistics.median(runs)


def checking(exercise: Exercise) -> list[float]:
    """Milliseconds of check() for each known mistake, warm."""
    with contextlib.redirect_stdout(io.StringIO()):
        check(exercise.name, exercise.misconceptions[0].function)
        return [1000 * seconds(lambda m=m: check(exercise.name, m.function), 3) for m in exercise.misconceptions]


def main() -> None:
    numpy, ours = importing("numpy"), importing("autograde")
    print(f"import autograde: {ours:.2f} s of CPU, {ours / numpy:.1f} times NumPy's own {numpy:.2f} s")
    print("check() on a failing answer, diagnosis included, ms of CPU: median and worst over the known mistakes")
    for exercise in everything():
        if isinstance(exercise, Exercise):
            taken = checking(exercise)
            print(f"  {exercise.name:32} {statistics.median(taken):6.1f} {max(taken):7.1f}")


if __name__ == "__main__":
    main()
