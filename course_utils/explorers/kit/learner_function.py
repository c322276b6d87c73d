"""A function that an explorer did not write: the learner's own, or the reference in its place.

An explorer draws whatever the function returns. When that cannot be drawn, ``CannotDraw`` carries one plain
sentence, and the explorer shows it where the picture would be.
"""

import contextlib
import copy
import io
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np


class CannotDraw(Exception):
    """A sentence for the learner: why there is no picture now."""


class LearnerFunction:
    """``LearnerFunction(function, reference)`` calls ``function`` on copies and gives back arrays of the reference's shape.

    Whose code it is comes from the function's attribute ``whose`` ("your" or "the reference"); a function other than
    the reference is the learner's where it does not say.
    """

    def __init__(self, function: Callable | None, reference: Callable):
        self.given = function is not None
        self.function: Callable = function or reference
        self.reference = reference
        self.name = reference.__name__
        own = "the reference" if self.function is reference else "your"
        self.whose = getattr(self.function, "whose", own)

    def __call__(self, *args) -> Any:
        expected = self.reference(*map(_fresh, args))
        if self.function is self.reference:
            return expected
        found = self._ask(args)
        if isinstance(expected, tuple):
            return self._parts(found, expected)
        return self._array(found, expected, "")

    def _ask(self, args: tuple):
        nowhere = io.StringIO()
        with (
            warnings.catch_warnings(),
            np.errstate(all="ignore"),
            contextlib.redirect_stdout(nowhere),
            contextlib.redirect_stderr(nowhere),
        ):
            warnings.simplefilter("ignore")
            try:
                return self.function(*map(_fresh, args))
            except (Exception, SystemExit) as error:  # whatever a learner's code may raise
                reason = (str(error).strip().splitlines() or ["no message"])[0][:160]
                raise CannotDraw(f"{self} raised {type(error).__name__}: {reason}") from None

    def _parts(self, found, expected: tuple) -> tuple:
        if not isinstance(found, (tuple, list)) or len(found) != len(expected):
            raise CannotDraw(f"{self} gave back {type(found).__name__}; {len(expected)} parts were expected.")
        return tuple(self._array(part, wanted, f"part {i} of ") for i, (part, wanted) in enumerate(zip(found, expected), 1))

    def _array(self, found, expected, which: str) -> np.ndarray:
        if found is None:
            raise CannotDraw(f"{self} gave back None: is its return missing?")
        try:
            array = np.asarray(found)
        except (TypeError, ValueError):  # rows of unequal length
            array = np.asarray(None)
        if array.dtype.kind not in "biuf":
            raise CannotDraw(f"{self}: {which}its result is no array of numbers but {type(found).__name__}.")
        if array.shape != np.shape(expected):
            raise CannotDraw(f"{self}: {which}its result has shape {array.shape}; {np.shape(expected)} was expected.")
        if not np.isfinite(array).all():
            raise CannotDraw(f"{self}: {which}its result holds nan or inf.")
        return array

    def __str__(self) -> str:
        return f"{self.whose[0].upper()}{self.whose[1:]} {self.name}"


def rows_of(function: LearnerFunction, ids, count: int) -> list[int]:
    """Ids that ``function`` gave back, of ``count`` rows. Raises CannotDraw where one of them is no row."""
    for i in ids:
        if not float(i).is_integer() or not 0 <= i < count:
            raise CannotDraw(f"{function} gave back {i}, which is no row: they run from 0 to {count - 1}.")
    return [int(i) for i in ids]


def _fresh(arg):
    """A copy of what a function may change: arrays, and generators, so that both functions draw the same numbers."""
    if isinstance(arg, np.ndarray):
        return arg.copy()
    return copy.deepcopy(arg) if isinstance(arg, np.random.Generator) else arg


def credits(functions) -> str:
    """Whose code computed a picture, in words; empty where an explorer takes no function."""
    if not functions:
        return ""
    *most, last = (f"{function.whose} {function.name}" for function in functions)
    named = f"{', '.join(most)} and {last}" if most else last
    waiting = any(f.given for f in functions) and all(f.whose != "your" for f in functions)
    return f"Computed by {named}." + (" Once your own code passes its checks, run this cell again." if waiting else "")
