"""What the scale of attention is, read off its weights, so that a wrong scale costs the scale's points alone.

Softmax of c · scores has log-weights that rise by c for each unit of score, apart from what normalising takes off.
So c can be measured whatever the weights sum to; every other property is then asked of the answer at its own scale.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import compare, plain_expected
from autograde.engine.exercise import Problem
from course_utils.query_key_value import attention_scores

from .properties import WEIGHTS, results

CLOSE = 3e-5  # relative: a float32 answer is within 1e-6


@dataclass(frozen=True)
class Scale:
    """How an exercise's arguments make scores, and which factor belongs before them."""

    vectors: Callable[[tuple], tuple]  # args -> (Q, K)
    times: Callable[[tuple, float], tuple]  # (args, c) -> the same arguments with scores c times as large
    right: Callable[[tuple], float]  # args -> the factor before q · k that is due


def follows_dot_products(scale: Scale):
    """A test: the weights are exponentials of the dot products times any positive number, whatever they sum to."""

    def test(trial):
        found, problem = _shaped_weights(trial)
        if problem or found is None:
            return problem
        if inverse_temperature(found, scale.vectors(trial.args)) is None:
            return "the weights are not exponentials of the dot products of queries and keys"
        return None

    return test


def sums_to_1(trial):
    """Each query's weights sum to 1, whatever they are."""
    found, problem = _shaped_weights(trial)
    if problem or found is None:
        return problem
    if not np.isfinite(found).all():
        return Problem("finite", "there are weights that are not finite numbers")
    rows, columns = found.sum(axis=-1), found.sum(axis=-2)
    worst = np.unravel_index(np.argmax(np.abs(rows - 1)), rows.shape)
    if abs(rows[worst] - 1) <= CLOSE:
        return None
    head = f" of head {worst[-2]}" if len(worst) > 1 else ""
    beside = ", and column 0 to 1" if np.isclose(columns.flat[0], 1, atol=1e-4) else ""
    return f"row {worst[-1]}{head} sums to {rows[worst]:.3g}{beside}"


def has_right_factor(scale: Scale):
    """A test: the factor before the dot products is the one that is due."""

    def test(trial):
        found, problem = _weights(trial)
        if problem or found is None:
            return problem
        vectors = scale.vectors(trial.args)
        c = inverse_temperature(found, vectors)
        if c is None:
            return "no one number before the dot products explains the weights"
        if abs(c / scale.right(trial.args) - 1) > CLOSE:
            return f"where d_k is {vectors[0].shape[-1]}, the weights are those of scores divided by {1 / c:.4g}"
        return None

    return test


def at_own_scale(test, scale: Scale):
    """The test, with the reference's results replaced by those at the scale that the answer uses."""
    return lambda trial: test(_Rescaled(trial, scale))


class _Rescaled:
    """A trial whose expected results have the answer's own scale, measured on modest scores of the same shapes."""

    def __init__(self, trial, scale: Scale):
        self.args, self.outcome, self.ask, self.run = trial.args, trial.outcome, trial.ask, trial.run
        self.expected = trial.expected
        probe = _probe(trial.args)
        found, problem = results(trial, trial.ask(*probe))
        due = trial.run.exercise.reference(*probe)[WEIGHTS]
        if problem is None and compare(Outcome(found[WEIGHTS]), due) is None:  # rounding is no scale of its own
            return
        c = None if problem else inverse_temperature(found[WEIGHTS], scale.vectors(probe))
        factor = 1.0 if c is None else c / scale.right(trial.args)
        if abs(factor - 1) > CLOSE:
            self.expected = plain_expected(trial.run.exercise.reference(*scale.times(trial.args, factor)))

    def problem(self):
        return compare(self.outcome, self.expected)


def _probe(args: tuple) -> tuple:
    """Random arrays in the shapes of the arguments, and their whole numbers; masks and flags are left out."""
    rng = np.random.default_rng(args[0].size)
    return tuple(
        rng.normal(size=a.shape) if isinstance(a, np.ndarray) else a
        for a in args
        if a is not None and np.asarray(a).dtype != bool
    )


def _weights(trial):
    """(the weights, None), (None, what is wrong), or (None, None) where they are right within the course's tolerance:
    rounding may spoil the logarithm of a weight that is nearly 0."""
    found, problem = results(trial, trial.outcome)
    if problem:
        return None, problem
    right = compare(Outcome(found[WEIGHTS]), trial.expected[WEIGHTS]) is None
    return (None if right else found[WEIGHTS]), None


def _shaped_weights(trial):
    """As ``_weights``, and another shape than the reference's is what is wrong."""
    found, problem = _weights(trial)
    if found is not None and found.shape != trial.expected[WEIGHTS].shape:
        return None, compare(Outcome(found), trial.expected[WEIGHTS])
    return found, problem


def inverse_temperature(weights, vectors) -> float | None:
    """c where weights are exp(c · scores), each row and each column divided by anything; None where there is none."""
    scores = attention_scores(*vectors[:2])
    if weights.shape != scores.shape or not np.isfinite(weights).all() or weights.min() <= 0:
        return None
    logs, scores = _centred(np.log(weights)), _centred(scores)
    if not scores.any():  # a single query or key: no weight tells anything
        return None
    c = float((logs * scores).sum() / (scores * scores).sum())
    fits = np.abs(logs - c * scores).max() <= CLOSE * max(1.0, np.abs(logs).max())
    return c if fits and c > 0 else None


def _centred(x):
    """Rows and columns of every table with their means taken off: what no normalising can change."""
    x = x - x.mean(axis=-1, keepdims=True)
    return x - x.mean(axis=-2, keepdims=True)
