"""What is asked of a layer relative to itself, so that a mistake costs its own points alone.

The output must be what the answer's *own* weights make of the values, and its weights under a mask must be its
*own* weights without one, cut and summing to 1 again.
"""

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import compare
from autograde.engine.exercise import Problem
from course_utils import transformer as ref
from course_utils.multi_head import merge_heads, split_heads

from ...attention import properties as has


def output_of(X, p, n_heads, weights):
    """What the layer makes of X when its heads have these weights."""
    merged = merge_heads(weights @ split_heads(X @ p["W_v"] + p["b_v"], n_heads))
    X = ref.layer_norm(X + merged @ p["W_o"] + p["b_o"], p["gamma_1"], p["beta_1"])
    changed = ref.feed_forward(X, p["W_1"], p["b_1"], p["W_2"], p["b_2"])
    return ref.layer_norm(X + changed, p["gamma_2"], p["beta_2"])


def output_follows(trial):
    """The output is right for the weights that were returned, or for the weights that are due."""
    found, problem = has.results(trial, trial.outcome)
    if problem:
        return problem
    problem = compare(Outcome(found[has.OUTPUT]), trial.expected[has.OUTPUT])
    if problem is None:
        return None
    X, params, n_heads, *_ = trial.args
    weights = found[has.WEIGHTS]
    if weights.shape == trial.expected[has.WEIGHTS].shape and np.isfinite(weights).all() and np.ptp(weights.astype(float)):
        if compare(Outcome(found[has.OUTPUT]), output_of(X, params, n_heads, weights)) is None:
            return None
    told = "it is not what the layer makes of X" if problem.stage == "value" else problem.message
    return Problem(problem.stage, f"the output: {told.replace('it returned', 'it has')}")


def obeys_the_mask(trial):
    """What the mask closes weighs 0, what stays open keeps its proportions, in every head."""
    free, problem = has.results(trial, trial.ask(*trial.args[:3]))
    if problem:
        return problem
    found, problem = has.results(trial, trial.outcome)
    if problem:
        return problem
    allowed, weights = trial.expected[has.WEIGHTS] > 0, free[has.WEIGHTS]
    if weights.shape != allowed.shape or not np.isfinite(weights).all() or _idle(weights, trial.args):
        return "without a mask there are no weights for each head that could be cut"
    problem = compare(Outcome(found[has.WEIGHTS]), has.renormalised(weights * allowed, weights))
    if problem is None or problem.stage != "value":
        return problem
    return has.leak(found[has.WEIGHTS], allowed)


def _idle(weights, args) -> bool:
    """All weights are equal although they should not be: nobody has looked anywhere."""
    *_, due = ref.encoder_layer(*args[:3])
    return np.ptp(weights.astype(float)) == 0 and np.ptp(due) > 0


def sentence_by_sentence(trial):
    """A batch gives what its sentences give by themselves, each with its own part of the mask."""
    return has.same_item_by_item(_sentences)(trial)


def _sentences(args):
    X, params, n_heads, *mask = args
    lead = X.shape[:-2]
    masks = [np.broadcast_to(m, (*lead, n_heads, *m.shape[-2:])) for m in mask]
    return [(X[index], params, n_heads, *(m[index] for m in masks)) for index in np.ndindex(lead)]
