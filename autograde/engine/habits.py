"""Second flaws that any answer may have beside its mistake: each hides the mistake on the calls that it touches.

A habit never names a mistake. It says which calls tell nothing against one.
"""

import numpy as np

from .calling import Outcome, fresh
from .compare import close, same_value
from .exercise import Habit


def parts(outcome: Outcome) -> tuple | None:
    """The arrays of a result, one or several; None where it is not made of arrays."""
    value = outcome.value if isinstance(outcome.value, tuple) else (outcome.value,)
    return value if all(isinstance(part, np.ndarray) for part in value) else None


def _pairs(mistaken: Outcome, seen: Outcome):
    """The arrays of both results side by side; None where their number or a shape differs."""
    ours, theirs = parts(mistaken), parts(seen)
    if ours is None or theirs is None or [part.shape for part in ours] != [part.shape for part in theirs]:
        return None
    return list(zip(ours, theirs))


def _raises(mistaken: Outcome, seen: Outcome, args: tuple) -> bool:
    return seen.failure is not None and not seen.limited


def _not_finite(mistaken: Outcome, seen: Outcome, args: tuple) -> bool:
    pairs = _pairs(mistaken, seen)
    if not pairs:
        return False
    finite = [np.isfinite(theirs) for _, theirs in pairs]
    if all(kept.all() for kept in finite) or not any(kept.any() for kept in finite):
        return False
    return all(close(ours[kept], theirs[kept]) for kept, (ours, theirs) in zip(finite, pairs))


def _whole_numbers(mistaken: Outcome, seen: Outcome, args: tuple) -> bool:
    pairs = _pairs(mistaken, seen)
    if not pairs or not any(isinstance(arg, np.ndarray) and arg.dtype.kind in "iu" for arg in args):
        return False
    with np.errstate(all="ignore"):
        return all(close(np.trunc(ours.astype(float)), theirs) or close(ours, theirs) for ours, theirs in pairs)


def _changes_arguments(mistaken: Outcome, seen: Outcome, args: tuple) -> bool:
    return mistaken.failure is seen.failure is None and same_value(mistaken.value, seen.value)


def _raising_on_float32(function):
    def answer(*args):
        if any(isinstance(arg, np.ndarray) and arg.dtype == np.float32 for arg in args):
            raise TypeError("float32 is not supported")
        return function(*args)

    return answer


def _with_nan(function):
    def answer(*args):
        results = function(*args)
        many = isinstance(results, tuple)
        holed = [np.array(part, dtype=float) for part in (results if many else (results,))]
        if holed[0].size > 2:
            holed[0].flat[0] = np.nan
        return tuple(holed) if many else holed[0]

    return answer


def _in_the_type_of_the_input(function):
    def answer(*args):
        results = function(*args)
        kind = ([arg.dtype for arg in args if isinstance(arg, np.ndarray)] or [np.dtype(float)])[-1]
        if kind.kind not in "iu":
            return results
        if isinstance(results, tuple):
            return tuple(np.asarray(part).astype(kind) for part in results)
        return np.asarray(results).astype(kind)

    return answer


def _counting_up(function):
    def answer(*args):
        results = fresh(function(*args))  # a view of an argument must not change with it
        for arg in args:
            if isinstance(arg, np.ndarray) and arg.flags.writeable and arg.size and arg.dtype.kind in "iuf":
                arg.flat[0] += 1
                break
        return results

    return answer


HABITS = (
    Habit("raises-elsewhere", _raises, _raising_on_float32, ""),
    Habit("not-finite-elsewhere", _not_finite, _with_nan, ""),
    Habit(
        "result-in-whole-numbers",
        _whole_numbers,
        _in_the_type_of_the_input,
        "For whole numbers the result was written into an array of whole numbers, which cuts off what stands "
        "behind the point: make that array with dtype=float.",
    ),
    Habit(
        "changes-arguments",
        _changes_arguments,
        _counting_up,
        "",
        same_as=("changes-its-input", "changes-the-queries", "changes-the-mask"),
    ),
)
