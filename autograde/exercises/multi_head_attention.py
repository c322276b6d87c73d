"""Lesson 6: multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask), property by property."""

import numpy as np

from course_utils import multi_head as ref
from course_utils.query_key_value import causal_mask

from ..calling import Outcome
from ..compare import compare
from ..exercise import Check, Exercise, Problem
from . import multi_head_attention_accepted as ok
from . import multi_head_attention_mistakes as wrong
from . import query_key_value_properties as has
from .query_key_value_attention import some_open

N, D, H = 5, 6, 3  # d_head = 2; no one the root of another


def sentence(rng, *batch, n=N, d=D, h=H, size=0.7):
    return (rng.normal(size=(*batch, n, d)), *(size * rng.normal(size=(d, d)) for _ in range(4)), h)


def readable(rng):
    """Two tokens of four numbers, two heads, matrices of zeros and ones."""
    X = np.array([[1.0, 0, 1, 0], [0, 2, 0, -1]])
    mixer = np.eye(4)[[1, 0, 3, 2]] + np.eye(4, k=1)
    return X, np.eye(4), rng.permutation(np.eye(4)), np.eye(4) + np.eye(4, k=-1), mixer, 2


def plain(rng):
    return [readable(rng), sentence(rng), sentence(rng, n=4, d=8, h=2), sentence(rng, n=3, d=9, h=3),
            (*sentence(rng), None)]


def ends(rng):
    return [sentence(rng, d=4, h=1), sentence(rng, n=4, d=5, h=5), sentence(rng, n=1), sentence(rng, n=2, d=12, h=4)]


def masks(rng):
    return [(*readable(rng), np.array([[True, False], [True, True]])), (*sentence(rng), causal_mask(N)),
            (*sentence(rng), some_open(rng, N, N)), (*sentence(rng, n=3, d=9, h=3), some_open(rng, 3, 3))]


def masks_by_head(rng):
    """A mask of each head's own: what is right for the first head is wrong for the others."""
    return [(*readable(rng), np.array([[[True, False], [True, True]], [[True, True], [False, True]]])),
            (*sentence(rng), some_open(rng, H, N, N)), (*sentence(rng, n=3, d=9, h=3), some_open(rng, 3, 3, 3)),
            (*sentence(rng), some_open(rng, 1, N, N))]


def batches(rng):
    return [sentence(rng, 2), sentence(rng, 3, n=3, d=9, h=3), sentence(rng, 2, 3, n=4, d=8, h=2)]


def masked_batches(rng):
    return [(*sentence(rng, 2), some_open(rng, N, N)), (*sentence(rng, 2), some_open(rng, 2, 1, N, N)),
            (*sentence(rng, 2), some_open(rng, 2, H, N, N)), (*sentence(rng, 3, n=3, d=9, h=3), some_open(rng, 3, 3, 3))]


def closed_rows(rng):
    mask = some_open(rng, N, N)
    mask[2] = False
    return [(*readable(rng), np.array([[False, False], [True, True]])), (*sentence(rng), mask),
            (*sentence(rng), np.tri(N, k=-1, dtype=bool))]


def huge(rng):
    return [scored(size, *sentence(rng)) for size in (1e3, 1e6, -1e6)]


def huge_masked(rng):
    return [(*scored(size, *sentence(rng)), causal_mask(N)) for size in (100, -100, 1e6, -1e6)] + [
        (*far_below(rng, size), causal_mask(N)) for size in (10, 300, 700)]


def far_below(rng, size):
    """Every score far below 0, where a fill of −100,000 is not low enough."""
    X, _, _, *rest = sentence(rng)
    return np.abs(X) + 0.5, size * np.eye(D), -size * np.eye(D), *rest


def scored(size, X, W_q, *rest):
    """The same sentence with its largest raw score brought to ``size``, with either sign."""
    Q, K = ref.split_heads(X @ W_q, rest[-1]), ref.split_heads(X @ rest[0], rest[-1])
    return X, size / np.abs(Q @ np.swapaxes(K, -1, -2)).max() * W_q, *rest


def types(rng):
    *arrays, h = sentence(rng)
    whole = tuple(rng.integers(-1, 2, a.shape) for a in arrays)
    return [(*(a.astype(np.float32) for a in arrays), h), (*whole, h), (*whole, h, causal_mask(N))]


# ---- properties


def part(number, name):
    """The weights, or the output, agree with the reference's, whatever the other is."""
    right = has.right_part(number, name)

    def test(trial):
        problem = right(trial)
        if problem and problem.rung == "value" and number == has.WEIGHTS:
            return _told(trial, problem)
        return problem

    return test


def _told(trial, problem):
    """Weights that sum to 1 but differ, and weights that do not, are two stories."""
    found = np.asarray(trial.outcome.value[has.WEIGHTS])
    sums = found.sum(axis=-1)
    if np.allclose(sums, 1, atol=1e-4):
        return problem
    head, query = np.unravel_index(np.argmax(np.abs(sums - 1)), sums.shape)[-2:]
    return Problem("value", f"in head {head} the weights of query {query} sum to {sums.reshape(-1, *sums.shape[-2:])[0, head, query]:.3g}")


def mixes_by_head(trial):
    """The output is what the answer's own weights make of the values, head by head, merged and multiplied by W_o."""
    found, problem = has.results(trial, trial.outcome)
    if problem:
        return problem
    X, _, _, W_v, W_o, h = trial.args[:6]
    weights = found[has.WEIGHTS]
    if weights.shape != trial.expected[has.WEIGHTS].shape or _even(weights):
        return "there are no weights for each head that could mix the values"
    wanted = ref.merge_heads(weights @ ref.split_heads(X @ W_v, h)) @ W_o
    problem = compare(Outcome(found[has.OUTPUT]), wanted)
    return problem and Problem(problem.rung, f"the output: {problem.message.replace('it returned', 'it has')}")


def _even(weights) -> bool:
    return weights.shape[-1] > 1 and (not np.isfinite(weights).all() or np.ptp(weights.astype(float)) == 0)


def cuts_each_head(trial):
    """Under the mask each head's weights are those it has without, cut and summing to 1 again."""
    free, problem = has.results(trial, trial.ask(*trial.args[:6]))
    found, problem = (None, problem) if problem else has.results(trial, trial.outcome)
    if problem:
        return problem
    allowed, weights = trial.expected[has.WEIGHTS] > 0, free[has.WEIGHTS]
    if weights.shape != allowed.shape or _even(weights):
        return "without a mask there are no weights for each head that could be cut"
    kept = weights * allowed
    problem = compare(Outcome(found[has.WEIGHTS]), kept / np.maximum(kept.sum(axis=-1, keepdims=True), 1e-300))
    if problem is None:
        return None
    leak = np.where(allowed, 0, np.abs(found[has.WEIGHTS])) if problem.rung == "value" else np.zeros(1)
    if leak.max() > 1e-5:
        head, query, key = np.unravel_index(np.argmax(leak), leak.shape)[-3:]
        return f"in head {head}, query {query} gives weight to key {key}, where it may not look"
    return problem


def closes_rows(trial):
    found, problem = has.results(trial, trial.outcome)
    if problem:
        return problem
    nowhere = ~trial.args[6].any(axis=-1)
    for numbers, name in zip(found, ("output", "weights")):
        if not np.isfinite(numbers).all():
            return Problem("finite", f"the {name} of a query that may look nowhere is not a number; it should be 0")
        if np.abs(numbers[..., nowhere, :]).max() > 1e-5:
            return f"the {name} of a query that may look nowhere is not 0"
    return None


def item_by_item(trial):
    """A batch gives what its sentences give by themselves, each with its own part of the mask."""
    X, *matrices = trial.args[:5]
    lead, mask = X.shape[:-2], trial.args[6:]
    whole = has.results(trial, trial.outcome)
    if whole[1]:
        return whole[1]
    for index in np.ndindex(lead):
        own = tuple(np.broadcast_to(m, (*lead, trial.args[5], *m.shape[-2:]))[index] for m in mask)
        single, problem = has.results(trial, trial.ask(X[index], *matrices, trial.args[5], *own))
        if problem:
            return problem
        for numbers, alone in zip(whole[0], single):
            if numbers.shape[:len(lead)] != lead or compare(Outcome(numbers[index]), alone):
                return "a batch does not give what its sentences give one by one"
    return None


def follows_the_mask(trial):
    if has.same_value(trial.ask(*trial.args[:6]).value, trial.outcome.value):
        return "the result is the same with and without the mask"
    return item_by_item(trial)


MULTI_HEAD_ATTENTION = Exercise(
    name="multi_head_attention",
    lesson="multi_head",
    reference=ref.multi_head_attention,
    checks=(
        Check("weights: each head its own, from its part of the queries and keys", 3, plain, part(1, "the weights")),
        Check("output: each head mixes its part of the values; merged, then times W_o", 3, plain, mixes_by_head),
        Check("one head, heads of width 1, and a single token", 1, ends, side=True),
        Check("a mask holds in every head, and the rest sums to 1", 2, masks, cuts_each_head),
        Check("each head obeys a mask of its own", 1, masks_by_head, cuts_each_head),
        Check("a batch is answered sentence by sentence", 1, batches, item_by_item, side=True),
        Check("a mask with or without batch axes serves a batch", 1, masked_batches, follows_the_mask, side=True),
        Check("a query that may look nowhere gets zeros", 1, closed_rows, closes_rows, side=True),
        Check("scores as large as 1,000,000", 1, huge, side=True),
        Check("closed keys stay closed however large their scores", 1, huge_masked, side=True),
        Check("float32 and whole numbers", 1, types, has.same_in_any_type, side=True),
        has.touches_nothing(lambda rng: masks(rng) + masks_by_head(rng)),
    ),
    misconceptions=wrong.MULTI_HEAD_ATTENTION,
    accepted=ok.MULTI_HEAD_ATTENTION,
    hints=(
        "You have every part: project, split_heads, scaled_dot_product_attention, merge_heads. Only W_o is new.",
        "Project first, with the whole width. Then split Q, K and V. The heads are a batch axis: one call of "
        "scaled_dot_product_attention serves all of them.",
        "Q, K, V = X @ W_q, X @ W_k, X @ W_v, each through split_heads; heads, weights = "
        "scaled_dot_product_attention(Q, K, V, mask); return merge_heads(heads) @ W_o, weights.",
    ),
)
