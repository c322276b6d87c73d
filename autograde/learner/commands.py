"""What a notebook imports: check, hint and yours. None of them ever raises, warns or leaves a trace.

nbgrader takes a cell's last value as its points, so ``check`` returns a built-in float: one cell carries
the credit and the reason.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from autograde import course_seed
from autograde.engine import judge as engine
from autograde.engine.exercise import PUBLIC_SEED, Quiz, Report, Status
from autograde.engine.report import as_html, as_text
from autograde.exercises import UnknownExercise, find

from . import cell_notes
from .shown import Shown, say, show, without_number

_opened: dict[str, int] = {}  # how many hints of each exercise


def judge(exercise, answer, seed: int = PUBLIC_SEED) -> Report:
    """Judges a function (or a quiz's letter) and says which mistake was made.

    exercise: a name, or the record itself. answer: a callable, None, or a quiz's letter.
    Raises UnknownExercise for a name that the course does not have.
    """
    return engine.judge(find(exercise) if isinstance(exercise, str) else exercise, answer, seed)


def check(name, answer, hidden: bool = False) -> float:
    """Shows what is right and which mistake was made; returns the points as a float.

    name: the exercise's name. answer: the function (or a quiz's letter). hidden: other cases than the
    visible ones, for grading: from the course's secret seed.
    """
    seed, notice = course_seed.hidden() if hidden else (PUBLIC_SEED, "")
    try:
        report = judge(name, answer, seed=seed)
    except UnknownExercise as error:
        say(str(error))
        return 0.0
    except Exception as error:
        report = _our_fault(name, error)
    report = replace(report, example="") if hidden else report  # a hidden input stays hidden, in feedback too
    before = cell_notes.note(name)
    if before:
        say(before)
    show(Shown(as_text(report, hidden), as_html(report, hidden)))
    if notice and "autograded" in Path.cwd().parts:  # where nbgrader grades, for the instructor: learners have no such seed
        say(notice[0].upper() + notice[1:] + ".")
    return without_number(float(report.score))


def hint(name, number: int | None = None) -> None:
    """Opens one more hint of the exercise at each call, below those that are open already.

    number: shows that hint alone (1 is the first), and opens those before it.
    """
    try:
        hints = find(name).hints
    except UnknownExercise as error:
        say(str(error))
        return
    if number is not None and (not isinstance(number, int) or not 1 <= number <= len(hints)):
        say(f'{name} has {len(hints)} hints: hint("{name}", 1) shows the first again. There is none numbered {number!r}.')
        return
    opened = min(_opened.get(name, 0) + 1, len(hints)) if number is None else max(_opened.get(name, 0), number)
    _opened[name] = opened
    shown = range(1, opened + 1) if number is None else [number]
    last = ["That was the last one."] if number is None and opened == len(hints) else []
    say(*(f"Hint {i} of {len(hints)}: {hints[i - 1]}" for i in shown), *last)


def yours(name, answer):
    """The learner's function once it passes its check, until then the reference, and a line that says so.

    ``.whose`` of what is given back is "your" or "the reference". Raises TypeError for a quiz, which has no function.
    """
    record = find(name)
    if isinstance(record, Quiz):
        raise TypeError(f"{name!r} is a quiz, answered by a letter; yours() takes the name of a function")
    try:
        mine = judge(record, answer).passed
    except Exception:
        mine = False
    if mine:
        return Chosen(answer, "your")
    say(f"{name}: the course's own function stands in here until yours passes its check.")
    return Chosen(record.reference, "the reference")


class Chosen:
    """A function and whose it is: "your" or "the reference"."""

    def __init__(self, function, whose: str):
        self.function, self.whose = function, whose
        self.__name__ = getattr(function, "__name__", "function")

    def __call__(self, *args, **more):
        value = self.function(*args, **more)
        return _as_array(value) if isinstance(value, list) else value

    def __repr__(self):
        return f"{self.whose} {self.__name__}"


def _as_array(value: list):
    """Rows in a list earn the points as well, but the cells that follow compute with an array."""
    try:
        return np.asarray(value)
    except ValueError:  # several results of unlike shapes
        return value


def _our_fault(name, error: Exception) -> Report:
    reason = (
        f"the checker itself failed ({type(error).__name__}: {str(error)[:100]}). This is our fault, not yours: "
        "please show it to your instructor"
    )
    return Report(str(name)[:60], Status.NOT_GRADABLE, (), reason=reason)


cell_notes.watch()
