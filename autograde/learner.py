"""What a notebook imports: check, hint and yours. Whatever a learner hands over, none of them raises, warns
or leaves a trace.

nbgrader takes a cell's last value as its points, so ``check`` returns a built-in float: one cell carries
the credit and the reason.
"""

from html import escape
from pathlib import Path

import numpy as np

from . import course_seed
from .engine import judge as engine
from .engine.exercise import PUBLIC_SEED, Quiz, Report, Status
from .engine.report import as_html, as_text
from .exercises import UnknownExercise, find

_shown: dict[str, int] = {}


class Shown:
    """Something said to the learner: HTML in a notebook, the same words as text elsewhere."""

    def __init__(self, text: str, html: str):
        self.text, self.html = text, html

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        return self.html


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
    _display(Shown(as_text(report, hidden), as_html(report, hidden)))
    if notice and "autograded" in Path.cwd().parts:  # where nbgrader grades, for the instructor: learners have no such seed
        say(notice[0].upper() + notice[1:] + ".")
    return float(report.score)


def hint(name) -> None:
    """Opens one more hint of the exercise at each call."""
    try:
        hints = find(name).hints
    except UnknownExercise as error:
        say(str(error))
        return
    opened = min(_shown.get(name, 0) + 1, len(hints))
    last = " That was the last one." if opened == len(hints) else ""
    _shown[name] = opened
    say(f"Hint {opened} of {len(hints)}: {hints[opened - 1]}{last}")


def yours(name, answer):
    """The learner's function once it passes its check, until then the reference; ``.whose`` says which.

    Raises TypeError for a quiz, which has no function.
    """
    record = find(name)
    if isinstance(record, Quiz):
        raise TypeError(f"{name!r} is a quiz, answered by a letter; yours() takes the name of a function")
    try:
        mine = judge(record, answer).passed
    except Exception:
        mine = False
    return Chosen(answer, "your") if mine else Chosen(record.reference, "the reference")


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


def say(sentence: str) -> None:
    _display(Shown(sentence, f'<div class="atg"><p>{escape(sentence)}</p></div>'))


def _display(shown: Shown) -> None:
    """IPython's display where there is a notebook, print elsewhere."""
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        print(shown.text)
        return
    if get_ipython() is None:
        print(shown.text)
    else:
        display(shown)


def _our_fault(name, error: Exception) -> Report:
    reason = (
        f"the checker itself failed ({type(error).__name__}: {str(error)[:100]}). This is our fault, not yours: "
        "please show it to your instructor"
    )
    return Report(str(name)[:60], Status.NOT_GRADABLE, (), reason=reason)
