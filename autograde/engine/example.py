"""The smallest failing input in words: what came back and, for a visible case, what the rule asks."""

import inspect
import re
from typing import Any

import numpy as np

from .calling import LocalAnswer, Outcome, Unsupported
from .exercise import PUBLIC_SEED, Exercise, Rng

LARGEST = 24  # entries of an array that are still shown
LONGEST = 110  # letters of an example on one line; a longer one has a line for each array
DIGITS = (3, 6, 10)  # more, until what came and what is due look different


def show(exercise: Exercise, run) -> str:
    """ "cosine_similarity(u, v) with u = [2, 3], v = [4, 6] gave 26; 0.998 is due": hidden cases end at "gave 26"."""
    if not run.lost:
        return ""
    args, outcome = min(run.lost, key=lambda call: _size(call[0]))
    names = list(inspect.signature(exercise.reference).parameters)[: len(args)]
    given = [f"{name} = {in_words(value)}" for name, value in zip(names, args)]
    call = f"{exercise.name}({', '.join(names)}) with"
    if outcome.failure is not None:
        return _laid_out(call, given, [])
    gave, due = _told_apart(outcome.value, _due(exercise, args) if run.seed == PUBLIC_SEED else None)
    return _laid_out(call, given, [f"gave {gave}", f"{due} is due"] if due else [f"gave {gave}"])


def _laid_out(call: str, given: list[str], results: list[str]) -> str:
    line = f"{call} {', '.join(given)} {'; '.join(results)}".rstrip()
    return line if len(line) <= LONGEST else "\n    ".join([call, *given, *results])


def _size(args: tuple) -> int:
    return sum(np.size(value) if isinstance(value, (np.ndarray, list)) else 1 for value in args)


def _due(exercise: Exercise, args: tuple):
    """The reference's result; None where another could be right as well, or where an error is due."""
    if exercise.alike is not None:
        return None
    outcome: Outcome = LocalAnswer(exercise.reference).call(args)
    return outcome.value


def _told_apart(gave, due) -> tuple[str, str]:
    """Both in words, with so many digits that they differ; no second text where nothing is due or all digits agree."""
    for digits in DIGITS:
        texts = in_words(gave, digits), "" if due is None else in_words(due, digits)
        if texts[0] != texts[1]:
            return texts
    return in_words(gave), ""


def in_words(value, digits: int = 3) -> str:
    """A short text for an argument or a result; large arrays by their shape."""
    if isinstance(value, Unsupported):
        return value.what
    if isinstance(value, Rng):
        return f"numpy.random.default_rng({value.seed})"
    if isinstance(value, tuple) and any(isinstance(part, (np.ndarray, Unsupported)) for part in value):
        return "(" + ", ".join(in_words(part, digits) for part in value) + ")"
    if isinstance(value, np.ndarray):
        return _array(value, digits)
    if isinstance(value, (dict, list)) and len(value) > LARGEST:
        return f"a {type(value).__name__} of {len(value)}"
    return "a dict" if isinstance(value, dict) else repr(value)


def _array(array: np.ndarray, digits: int) -> str:
    if array.size > LARGEST:
        return f"an array of shape {array.shape}"
    floats: Any = {"float_kind": lambda x: _number(x, digits)}
    text = np.array2string(array, separator=", ", threshold=LARGEST + 1, formatter=floats)
    return re.sub(r"(?<=\[) | (?=[],])", "", " ".join(text.split()))  # [ 8, 12] → [8, 12]


def _number(x: float, digits: int) -> str:
    """1.5 for 1.500, 2 for 2.000: whole numbers read more easily without a point."""
    if not np.isfinite(x) or 0 < abs(x) < 10.0**-digits or abs(float(x)) >= 1e6:
        return f"{x:.{digits + 1}g}"
    return np.format_float_positional(x, precision=digits, trim="-")
