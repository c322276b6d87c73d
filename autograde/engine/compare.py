"""The ladder that a result climbs: limit, raised, None, type, shape, finite, value.

``compare`` stops at the first stage that breaks and says so in one sentence. It tells shapes and kinds,
which are part of the contract, and never an expected value.
"""

import numpy as np

from .calling import LONGEST, Failure, Outcome, Unsupported
from .exercise import Problem
from .plain_errors import in_other_words

RTOL, ATOL = 1e-4, 1e-5  # float32 passes; the nearest wrong attention formula is 3e-3 away


def compare(outcome: Outcome, expected, kind: str = "float") -> Problem | None:
    """None if the outcome agrees with ``expected`` (an array or a tuple of arrays), else the stage that broke."""
    return failed(outcome) or _compare(outcome.value, expected, kind, "it returned")


def failed(outcome: Outcome) -> Problem | None:
    """The problem of a call that ended without a result; None where there is one."""
    return None if outcome.failure is None else problem_of(outcome.failure)


def problem_of(failure: Failure) -> Problem:
    """How a call ended without a result."""
    where = f" ({failure.line})" if failure.line else ""
    if failure.kind == "raised":
        told = failure.message.partition(", with gufunc signature")[0]
        text = f": {told}" if told else ""
        meaning = in_other_words(failure.message)
        return Problem("raised", f"it raised {failure.type}{text}{where}{meaning and f'. In other words: {meaning}'}")
    return Problem(failure.kind, f"{failure.message}{where}")


def _compare(value, expected, kind, says) -> Problem | None:
    if value is None:
        return Problem("none", f"{says} None: does every way through the function end in return? (print only shows a value)")
    if isinstance(expected, tuple):
        return _compare_parts(value, expected, kind, says)
    if isinstance(value, Unsupported):
        return Problem("type", f"{says} {value.what}, not numbers")
    if isinstance(value, tuple):
        return Problem("type", f"{says} {_parts(value)}, expected {'one array of ' if expected.ndim else ''}{_sized(expected)}")
    return _first_difference(value, expected, kind, says)


def _compare_parts(value, expected, kind, says) -> Problem | None:
    if isinstance(value, Unsupported) or isinstance(value, np.ndarray) and not value.ndim:
        found = value.what if isinstance(value, Unsupported) else f"one array of shape {value.shape}"
        return Problem("type", f"{says} {found}, expected {len(expected)} results: return a, b")
    if len(value) != len(expected):
        return Problem("type", f"{says} {len(value)} results, expected {len(expected)}")
    parts = tuple(value)  # of an array its rows, now that they are known to be few
    for i, (part, wanted) in enumerate(zip(parts, expected), start=1):
        problem = _compare(np.asarray(part) if np.isscalar(part) else part, wanted, kind, f"its result no. {i} is")
        if problem:
            return problem
    return None


def _first_difference(value, expected, kind, says) -> Problem | None:
    if kind == "bool" and value.dtype != bool:
        return Problem("type", f"{says} numbers of type {value.dtype}, expected True and False (bool)")
    if kind == "int" and value.size and value.dtype.kind not in "iu":  # np.asarray([]) is float
        return Problem("type", f"{says} type {value.dtype}, expected whole numbers (int)")
    if value.shape != expected.shape:
        return Problem("shape", f"{says} {_sized(value)}, expected {_sized(expected, '')}{_hint(value, expected)}")
    if not np.isfinite(value).all():
        return Problem("finite", f"{says} {_count_bad(value)}")
    if not close(value, expected):
        return Problem("value", "right shape, wrong values")
    return None


def _sized(array, word: str = "shape ") -> str:
    """ "shape (2, 3)"; an array without axes is "one number"."""
    return f"{word}{array.shape}" if array.ndim else "one number"


def _parts(value: tuple) -> str:
    """ "2 parts (shape (2,), shape (1,))": what came back where one array was due, each kind named once."""
    kinds = dict.fromkeys(
        "None" if part is None else part.what if isinstance(part, Unsupported) else _sized(part) for part in value
    )
    return f"{len(value)} part{'s' if len(value) > 1 else ''} ({', '.join(list(kinds)[:3])})"


def _hint(value, expected) -> str:
    if value.ndim == expected.ndim:
        return ": rows and columns are exchanged" if value.shape == expected.shape[::-1] else ""
    if value.size == expected.size and value.squeeze().shape == expected.squeeze().shape:
        return f": an axis of length 1 is {'too many' if value.ndim > expected.ndim else 'missing'}"
    return ""


def _count_bad(value) -> str:
    nan, infinite = int(np.isnan(value).sum()), int(np.isinf(value).sum())
    kind = "NaN (not a number)" if nan else "infinite"
    return f"{nan or infinite} of {value.size} numbers that are {kind}" if value.size > 1 else f"a number that is {kind}"


def close(value, expected) -> bool:
    """Equal shapes, and values within the course's tolerance; NaN equals NaN, and an infinity only itself."""
    if value.shape != expected.shape:
        return False
    a, b = value.astype(float), expected.astype(float)
    with np.errstate(all="ignore"):
        near = (np.abs(a - b) <= ATOL + RTOL * np.abs(b)) & np.isfinite(b)
    return bool((near | (a == b) | (np.isnan(a) & np.isnan(b))).all())


def same_outcome(one: Outcome, other: Outcome, args: tuple = ()) -> bool:
    """Whether two outcomes show the same behaviour: the same kind of error, or equal results and the same arguments changed."""
    if one.failure is None or other.failure is None:
        return one.failure is other.failure and one.changed == other.changed and same_value(one.value, other.value)
    return (one.failure.kind, one.failure.type) == (other.failure.kind, other.failure.type)


def same_value(one, other) -> bool:
    if isinstance(one, tuple) or isinstance(other, tuple):
        parts = [tuple(v) if isinstance(v, np.ndarray) and v.ndim and len(v) <= LONGEST else v for v in (one, other)]
        return (
            all(isinstance(p, tuple) for p in parts)
            and len(parts[0]) == len(parts[1])
            and all(same_value(*pair) for pair in zip(*parts))
        )
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return close(one, other)
    return one == other if not isinstance(one, np.ndarray) and not isinstance(other, np.ndarray) else False


def plain_expected(value):
    """A reference's result in the form that outcomes have: an array, or a tuple of arrays."""
    return tuple(np.asarray(part) for part in value) if isinstance(value, tuple) else np.asarray(value)
