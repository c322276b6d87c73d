"""The properties of attention by several heads, each asked for by itself, so that a mistake costs its own points alone.

As in lesson 4: the output must be what the answer's *own* weights make of the values, weights under a mask must be its
*own* weights without one, cut and summing to 1 again, and a batch must give what its sentences give one by one. What
belongs to W_o is told from what belongs to the merge by asking with the identity for W_o.
"""

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import compare
from autograde.engine.exercise import Problem
from course_utils import multi_head as ref
from course_utils.query_key_value import attention_scores

from ...attention import properties as has
from ...attention.scale import Scale

W_O, N_HEADS, MASK = 4, 5, 6  # places among the arguments
NO_WEIGHTS = "there are no weights for each head that could mix the values"


def scores(args):
    """Every head's scores before the mask, not scaled."""
    return attention_scores(*SCALE.vectors(args))


def mask(args):
    return args[MASK] if len(args) > MASK else None


SCALE = Scale(
    vectors=lambda args: tuple(ref.split_heads(args[0] @ W, args[N_HEADS]) for W in args[1:3]),
    times=lambda args, c: (args[0], c * args[1], *args[2:]),
    right=lambda args: 1 / np.sqrt(args[0].shape[-1] // args[N_HEADS]),
)


def with_identity(args) -> tuple:
    """The same call without a mask, and with the identity for W_o: its output is what the heads found, merged."""
    return *args[:W_O], np.eye(len(args[W_O])), args[N_HEADS]


def mixes_and_merges(trial):
    """With the identity for W_o: each head's own weights times its part of the values, side by side."""
    args = with_identity(trial.args)
    found, problem = has.results(trial, trial.ask(*args))
    if problem is None and compare(Outcome(found[has.OUTPUT]), ref.multi_head_attention(*args)[has.OUTPUT]) is None:
        return None
    return problem or _mixed(found, trial.expected, args)


def applies_w_o(trial):
    """The output is the one that the identity gives, times W_o, whatever that is."""
    found, problem = has.results(trial, trial.outcome)
    if not problem:
        merged, problem = has.results(trial, trial.ask(*with_identity(trial.args)))
    if problem:
        return problem
    if _even(found[has.WEIGHTS]):
        return NO_WEIGHTS
    if merged[has.OUTPUT].shape != trial.args[0].shape:
        return f"the output has shape {merged[has.OUTPUT].shape}, not {trial.args[0].shape}"
    if compare(Outcome(found[has.OUTPUT]), merged[has.OUTPUT] @ trial.args[W_O]):
        return "the output is not what the heads found, merged, times W_o: output(W_o) is not output(identity) @ W_o"
    return None


def obeys_the_mask(trial):
    """What the mask closes weighs 0, what stays open keeps its proportions, in every head; and the output follows."""
    free, problem = has.results(trial, trial.ask(*trial.args[:MASK]))
    if not problem:
        found, problem = has.results(trial, trial.outcome)
    if problem:
        return problem
    allowed, weights = trial.expected[has.WEIGHTS] > 0, free[has.WEIGHTS]
    if weights.shape != allowed.shape or _even(weights):
        return "without a mask there are no weights for each head that could be cut"
    problem = has.not_cut(found[has.WEIGHTS], weights, trial.expected[has.WEIGHTS])
    if problem:
        return has.leak(found[has.WEIGHTS], allowed) if problem.stage == "value" else problem
    return _output_follows(trial, found)


def zeros_in_fully_masked_rows(trial):
    """The weights of a query that may look nowhere are 0 in every head, and so is what it takes away."""
    found, problem = has.results(trial, trial.outcome)
    if problem:
        return problem
    nowhere = ~trial.args[MASK].any(axis=-1)
    for part, name in zip(found, ("output", "weights")):
        if not np.isfinite(part).all():
            return Problem("finite", f"the {name} of a query that may look nowhere is not a number; it should be 0")
    weights = found[has.WEIGHTS]
    if weights.shape != trial.expected[has.WEIGHTS].shape or np.abs(weights[..., nowhere, :]).max() > 1e-5:
        return "the weights of a query that may look nowhere are not 0"
    return _output_follows(trial, found)


def stays_right(trial):
    """Weights as they should be, and an output that follows them: for sizes and scores at the edge of what is allowed."""
    found, problem = _with_right_weights(trial)
    if problem:
        return problem
    if not np.isfinite(found[has.OUTPUT]).all():
        return Problem("finite", "the output is not a number")
    return _output_follows(trial, found)


def keeps_closed(trial):
    """Closed keys weigh nothing, however large the scores. What overflows without a mask is no fault of it."""
    free, problem = has.results(trial, trial.ask(*trial.args[:MASK]))
    if problem is None and not np.isfinite(free[has.WEIGHTS]).all():
        return None
    found, wrong = _with_right_weights(trial)
    if wrong or problem or _mixed(free, None, trial.args[:MASK]):
        return wrong
    return _mixed(found, trial.expected, trial.args)


def _with_right_weights(trial):
    """(the results, None), or (None, what is wrong with their weights)."""
    found, problem = has.results(trial, trial.outcome)
    problem = problem or compare(Outcome(found[has.WEIGHTS]), trial.expected[has.WEIGHTS])
    if problem:
        return None, Problem(problem.stage, f"the weights: {problem.message.replace('it returned', 'they have')}")
    return found, None


def sentence_by_sentence(trial):
    """A batch gives what its sentences give by themselves, each with its own part of the mask."""
    return has.same_item_by_item(_sentences)(trial)


def follows_the_mask(trial):
    return has.same_item_by_item(_sentences, lambda args: args[:MASK])(trial)


def _sentences(args):
    X, *matrices, n_heads = args[:MASK]
    lead = X.shape[:-2]
    masks = [np.broadcast_to(m, (*lead, n_heads, *m.shape[-2:])) for m in args[MASK:]]
    return [(X[index], *matrices, n_heads, *(m[index].copy() for m in masks)) for index in np.ndindex(lead)]


def _output_follows(trial, found):
    """The output goes with the weights here, unless it does not go with them in a plain call either."""
    plain = _modest(trial.args)
    free, problem = has.results(trial, trial.ask(*plain))
    if problem or _mixed(free, None, plain):
        return None
    return _mixed(found, trial.expected, trial.args)


def _modest(args) -> tuple:
    """Three tokens, two heads of width 3, no mask, whatever the sizes here: a call without anything that is hard."""
    rng, d = np.random.default_rng(args[0].size), 6
    return rng.normal(size=(3, d)), *(rng.normal(size=(d, d)) / np.sqrt(d) for _ in range(4)), 2


def _mixed(found, expected, args):
    """None where the output is the found weights times each head's values, merged, times W_o."""
    X, _, _, W_v, W_o, n_heads = args[:MASK]
    output, weights = found
    shape = (*X.shape[:-2], n_heads, X.shape[-2], X.shape[-2])
    if weights.shape != shape:
        return f"the weights have shape {weights.shape}, not {shape}, so they mix nothing"
    if expected is not None and _even(weights) and not _even(expected[has.WEIGHTS]):
        return NO_WEIGHTS
    problem = compare(Outcome(output), ref.merge_heads(weights @ ref.split_heads(X @ W_v, n_heads)) @ W_o)
    if problem is None:
        return None
    told = "it is not what the heads' weights make of their values" if problem.stage == "value" else problem.message
    return Problem(problem.stage, f"the output: {told.replace('it returned', 'it has')}")


def _even(weights) -> bool:
    return not np.isfinite(weights).all() or np.ptp(weights.astype(float)) == 0
