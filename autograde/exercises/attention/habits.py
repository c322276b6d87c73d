"""Second flaws that any mistake of an attention may come with: rows that are left to NaN or uniform, a fill too small."""

from collections.abc import Callable

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import close
from autograde.engine.exercise import Habit

HUGE = 1e3  # scores beyond this undercut what learners fill in for −∞ when they do not take −∞ or −1e9


def attention_habits(scores: Callable, mask: Callable) -> tuple[Habit, ...]:
    """For results (output (..., n_q, d), weights (..., n_q, n_k) or (..., h, n_q, n_k)).

    scores: scores(args): the scores before the mask. mask: mask(args): the mask or None.
    """

    def undercuts(args: tuple) -> bool:
        return mask(args) is not None and np.abs(np.asarray(scores(args), dtype=float)).max() > HUGE

    def fill_explains(mistaken: Outcome, seen: Outcome, args: tuple) -> bool:
        return undercuts(args) and _side_by_side(mistaken, seen) is not None

    def fill_wrap(function):
        return lambda *args: function(*args[:-1], None) if len(args) > 1 and undercuts(args) else function(*args)

    def nan_explains(mistaken: Outcome, seen: Outcome, args: tuple) -> bool:
        nothing_open = mask(args) is not None and not np.any(mask(args))
        return _empty_rows(mistaken, seen, np.isnan) or nothing_open and _all_nan(mistaken, seen)

    return (
        Habit(
            "empty-rows-are-nan",
            nan_explains,
            _with_rows(np.nan),
            "A query that may look nowhere divides 0 by 0 and gets NaN. Its weights and its output are zeros.",
            same_as=("fully-masked-row-is-nan",),
        ),
        Habit(
            "empty-rows-look-somewhere",
            lambda mistaken, seen, args: _empty_rows(mistaken, seen, np.isfinite),
            _with_rows(0.5),
            "A query that may look nowhere still looks somewhere in your result. Its weights and its output are zeros.",
        ),
        Habit(
            "fill-too-small",
            fill_explains,
            fill_wrap,
            "What you put in for a forbidden score is not low enough: real scores can be lower. Use −np.inf, or −1e9.",
            same_as=("filled-with-10000", "filled-with-100000", "lowered-by-10000", "lowered-by-100000"),
        ),
    )


def _results(outcome: Outcome) -> tuple | None:
    """Output and weights; two results of one shape come as one array."""
    value = tuple(outcome.value) if isinstance(outcome.value, np.ndarray) and outcome.value.ndim else outcome.value
    both = isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, np.ndarray) for part in value)
    return value if both else None


def _side_by_side(mistaken: Outcome, seen: Outcome) -> tuple[tuple, tuple] | None:
    """(output, weights) of both; None where a shape differs."""
    ours, theirs = _results(mistaken), _results(seen)
    if ours is None or theirs is None or [part.shape for part in ours] != [part.shape for part in theirs]:
        return None
    return ours, theirs


def _all_nan(mistaken: Outcome, seen: Outcome) -> bool:
    both = _side_by_side(mistaken, seen)
    return both is not None and all(np.isnan(part).all() for part in both[1])


def _rows(output: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which rows of output and weights belong to a query whose weights are all zero; a token's output needs all heads."""
    empty = (weights == 0).all(axis=-1)
    return (empty if empty.shape == output.shape[:-1] or empty.ndim < 2 else empty.any(axis=-2)), empty


def _empty_rows(mistaken: Outcome, seen: Outcome, kind: Callable) -> bool:
    """Whether the results differ in such rows alone, and hold numbers of this kind there."""
    both = _side_by_side(mistaken, seen)
    if both is None:
        return False
    (output, weights), (their_output, their_weights) = both
    if weights.ndim < 2 or output.ndim < 1:
        return False
    in_output, in_weights = _rows(output, weights)
    if not in_weights.any() or in_output.shape != output.shape[:-1]:
        return False
    return (
        bool(kind(their_weights[in_weights]).all())
        and close(weights[~in_weights], their_weights[~in_weights])
        and close(output[~in_output], their_output[~in_output])
    )


def _with_rows(number: float) -> Callable:
    """Puts the number where a query whose weights are all zero has its results."""

    def wrap(function):
        def answer(*args):
            results = function(*args)
            if not isinstance(results, tuple) or len(results) != 2 or np.ndim(results[1]) < 2 or np.ndim(results[0]) < 1:
                return results
            output, weights = (np.array(part, dtype=float) for part in results)
            in_output, in_weights = _rows(output, weights)
            if in_output.shape == output.shape[:-1]:
                output[in_output], weights[in_weights] = number, number
            return output, weights

        return answer

    return wrap
