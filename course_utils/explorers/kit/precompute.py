"""What an explorer computes before anybody moves it, so that a draw only draws."""

import functools
import time
from collections.abc import Callable, Iterable

from .learner_function import CannotDraw


def precompute(function: Callable, positions: Iterable[tuple], seconds: float = 0.5) -> Callable:
    """``function``, each result kept, and found beforehand for as many of ``positions`` as fit into ``seconds``.

    A learner's own function may be slow: what is not found in time is found where it is drawn. So is trouble.

    >>> square = precompute(lambda x: x * x, [(2,), (3,)])
    >>> square(3), square(4)
    (9, 16)
    """
    kept, until = functools.cache(function), time.monotonic() + seconds
    for position in positions:
        try:
            kept(*position)
        except CannotDraw:
            break
        if time.monotonic() > until:
            break
    return kept
