"""What the scale of attention is, read off its weights, so that a wrong scale costs the scale's points alone.

Softmax of c · scores has log-weights that rise by c for each unit of score, apart from what normalising takes off.
So c can be measured whatever the weights sum to; every other property is then asked of the answer at its own scale.
"""

import numpy as np

from course_utils.query_key_value import attention, attention_scores

from ..calling import Outcome
from ..compare import compare
from ..exercise import Problem
from .query_key_value_properties import WEIGHTS, results

CLOSE = 3e-5  # relative: a float32 answer is within 1e-6


def follows_dot_products(trial):
    """The weights are exponentials of the dot products times any positive number, whatever they sum to."""
    found, problem = _weights(trial, trial.outcome)
    if problem:
        return problem
    expected = trial.expected[WEIGHTS]
    if found.shape != expected.shape:
        return compare(Outcome(found), expected)
    if steepness(found, trial.args) is None:
        return "the weights are not exponentials of the dot products of queries and keys"
    return None


def sums_to_1(trial):
    """Each query's weights sum to 1, whatever they are."""
    found, problem = _weights(trial, trial.outcome)
    if problem:
        return problem
    if not np.isfinite(found).all():
        return Problem("finite", "there are weights that are not finite numbers")
    rows, columns = found.sum(axis=-1).ravel(), found.sum(axis=-2).ravel()
    worst = int(np.argmax(np.abs(rows - 1)))
    if abs(rows[worst] - 1) <= CLOSE:
        return None
    beside = ", and column 0 to 1" if np.isclose(columns[0], 1, atol=1e-4) else ""
    return f"row {worst} sums to {rows[worst]:.3g}{beside}"


def divides_by_root_d_k(trial):
    """The factor before the dot products is 1 / √d_k."""
    found, problem = _weights(trial, trial.outcome)
    if problem:
        return problem
    c, d_k = steepness(found, trial.args), trial.args[0].shape[-1]
    if c is None:
        return "no one number before the dot products explains the weights"
    if abs(c * np.sqrt(d_k) - 1) > CLOSE:
        return f"where d_k is {d_k}, the weights are those of scores divided by {1 / c:.4g}"
    return None


def at_own_scale(test):
    """The test, with the reference's results replaced by those at the scale that the answer uses."""
    return lambda trial: test(_Rescaled(trial))


class _Rescaled:
    """A trial whose expected results have the answer's own scale, measured on modest scores of the same shapes."""

    def __init__(self, trial):
        self.args, self.outcome, self.ask = trial.args, trial.outcome, trial.ask
        Q, K, V, *mask = trial.args
        probe = _probe(Q, K, V)
        found, problem = _weights(trial, trial.ask(*probe))
        c = None if problem else steepness(found, probe)
        same = c is None or np.isclose(c * np.sqrt(Q.shape[-1]), 1, rtol=CLOSE)
        self.expected = trial.expected if same else attention(c * Q, K, V, *mask)

    def problem(self):
        return compare(self.outcome, self.expected)


def _probe(*arrays):
    rng = np.random.default_rng(arrays[0].size)
    return tuple(rng.normal(size=array.shape) for array in arrays)


def _weights(trial, outcome):
    found, problem = results(trial, outcome)
    return (None, problem) if problem else (found[WEIGHTS], None)


def steepness(weights, args) -> float | None:
    """c where the weights are exp(c · scores), each row and each column divided by anything; None where there is none."""
    scores = attention_scores(*args[:2])
    if weights.shape != scores.shape or not np.isfinite(weights).all() or weights.min() <= 0:
        return None
    logs, scores = _centred(np.log(weights)), _centred(scores)
    c = float((logs * scores).sum() / (scores * scores).sum())
    fits = np.abs(logs - c * scores).max() <= CLOSE * max(1.0, np.abs(logs).max())
    return c if fits and c > 0 else None


def _centred(x):
    """Rows and columns of every table with their means taken off: what no normalising can change."""
    x = x - x.mean(axis=-1, keepdims=True)
    return x - x.mean(axis=-2, keepdims=True)
