"""The smallest failing input in words, for a mistake that has no name."""

import inspect
import re

import numpy as np

from .calling import Outcome, Unsupported
from .exercise import Exercise, Rng

LARGEST = 24  # entries of an array that are still shown


def show(exercise: Exercise, run) -> str:
    """ "cosine_similarity(u, v) with u = [2 3], v = [4 6] gave 26": never an expected value."""
    if run.failing is None:
        return ""
    check, args, outcome, problem = run.failing
    names = list(inspect.signature(exercise.reference).parameters)
    told = [f"{name} = {in_words(value)}" for name, value in zip(names, args)]
    call = f"{exercise.name}({', '.join(names[: len(args)])}) with {', '.join(told)}"
    return f"{call} gave {_gave(outcome)}" if outcome.failure is None else call


def _gave(outcome: Outcome) -> str:
    return in_words(outcome.value)


def in_words(value) -> str:
    """A short text for an argument or a result; large arrays by their shape."""
    if isinstance(value, Unsupported):
        return value.what
    if isinstance(value, Rng):
        return f"numpy.random.default_rng({value.seed})"
    if isinstance(value, tuple) and any(isinstance(part, (np.ndarray, Unsupported)) for part in value):
        return "(" + ", ".join(in_words(part) for part in value) + ")"
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, (dict, list)) and len(value) > LARGEST:
        return f"a {type(value).__name__} of {len(value)}"
    return "a dict" if isinstance(value, dict) else repr(value)


def _array(array: np.ndarray) -> str:
    if array.size > LARGEST:
        return f"an array of shape {array.shape}"
    if array.ndim == 0:
        return f"{array.item():.4g}" if array.dtype.kind == "f" else str(array.item())
    text = np.array2string(array, precision=3, suppress_small=True, separator=", ", threshold=LARGEST + 1)
    return re.sub(r"(?<=\[) | (?=[],])", "", " ".join(text.split()))  # [ 8, 12] → [8, 12]
