"""Attention with one step replaced: the wrong answers that lessons 4, 5 and 6 have in common.

``attention_with()`` is the right formula, unscaled; hand over a step to get it wrong there. ``shared_mistakes``
lists what goes wrong whatever the scale, so that lesson 4 (divisor ``one``) and lesson 5 (divisor ``root_d_k``)
name the same mistakes in the same words. What can be wrong about a mask is in ``attention_masks``.
"""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils.embedding_space import softmax
from course_utils.polysemy import mix
from course_utils.query_key_value import attention_scores, masked_softmax

from . import masks as attention_masks


def one(Q, K, V):
    """No scaling: lesson 4."""
    return 1.0


def root_d_k(Q, K, V):
    """√d_k: lessons 5 and 6."""
    return np.sqrt(Q.shape[-1])


def pair(output, weights, scores):
    return output, weights


def attention_with(divisor=one, scores=attention_scores, weigh=masked_softmax, blend=mix, pack=pair):
    """An attention from its five steps: scores(Q, K), divisor(Q, K, V), weigh(s, mask), blend(w, V), pack(o, w, s)."""

    def attention(Q, K, V, mask=None):
        s = scores(Q, K) / divisor(Q, K, V)
        weights = weigh(s, mask)
        return pack(blend(weights, V), weights, s)

    return attention


def shared_mistakes(divisor) -> tuple[Misconception, ...]:
    """The mistakes of attention(Q, K, V, mask=None) that have nothing to do with its scale, at the right scale."""

    def replaced(mistakes):
        return (Misconception(id, attention_with(divisor, **step), text) for id, step, text in mistakes)

    return (
        *replaced(_scores()),
        *_wrong_role(divisor),
        *replaced(_results()),
        *replaced(_weights()),
        *replaced(attention_masks.mistakes()),
        *_order(divisor),
        *_changing(divisor),
    )


def _scores():
    yield (
        "queries-and-keys-swapped",
        {"scores": lambda Q, K: attention_scores(K, Q)},
        "You multiplied K Qᵀ: there the keys ask. Rows must belong to queries: Q Kᵀ.",
    )
    yield (
        "keys-not-transposed",
        {"scores": lambda Q, K: Q @ K},
        "You multiplied Q by K as it is. A query meets each key's row, so swap the last two axes of K first. "
        "With as many keys as numbers in a key nothing complains.",
    )
    yield (
        "all-axes-reversed",
        {"scores": lambda Q, K: Q @ K.T},
        ".T turns round every axis, the batch's too. Swap the last two only: np.swapaxes(K, -1, -2).",
    )
    yield (
        "weights-transposed",
        {"blend": lambda w, V: mix(np.swapaxes(w, -1, -2), V)},
        "You transposed the weights before mixing. Row i of the weights belongs to query i: weights @ V.",
    )


def _wrong_role(divisor):
    right = attention_with(divisor)
    return (
        Misconception(
            "keys-as-values",
            lambda Q, K, V, mask=None: right(Q, K, K, mask),
            "You mixed the keys. Keys say where to look; what is taken away are the values V.",
        ),
        Misconception(
            "queries-as-values",
            lambda Q, K, V, mask=None: right(Q, K, Q, mask),
            "You mixed the queries. What is taken away are the rows of the values V.",
        ),
        Misconception(
            "values-as-keys",
            lambda Q, K, V, mask=None: right(Q, V, V, mask),
            "You compared the queries with the values. Scores come from the keys: Q Kᵀ; V is only mixed.",
        ),
    )


def _results():
    yield (
        "output-and-weights-swapped",
        {"pack": lambda output, weights, scores: (weights, output)},
        "You returned the weights first. The order is: output, then weights.",
    )
    yield (
        "output-only",
        {"pack": lambda output, weights, scores: output},
        "You returned the output alone. Return the weights too: output, weights.",
    )
    yield (
        "weights-only",
        {"pack": lambda output, weights, scores: weights},
        "You returned the weights alone. Mix the values with them, and return output, weights.",
    )
    yield (
        "scores-returned",
        {"pack": lambda output, weights, scores: (output, scores)},
        "The second result holds scores. Return what softmax made of them: the weights.",
    )


def _weights():
    yield (
        "no-softmax",
        {"weigh": lambda s, mask: s if mask is None else np.where(mask, s, 0)},
        "You mixed with the scores themselves. Softmax makes positive weights of them that sum to 1.",
    )
    yield (
        "scores-over-their-sum",
        {"weigh": lambda s, mask: over_sum(s if mask is None else s * mask)},
        "You divided the scores by their sum. Scores may be negative and their sum zero: take exponentials first.",
    )
    yield (
        "not-normalised",
        {"weigh": lambda s, mask: np.exp(s) if mask is None else np.exp(s) * mask},
        "Your weights are exponentials that nothing divides. Divide each row by its sum.",
    )
    yield (
        "softmax-twice",
        {"weigh": lambda s, mask: masked_softmax(masked_softmax(s, mask), mask)},
        "Softmax was applied twice, which levels the weights. Once is enough.",
    )
    yield (
        "softmax-overflows",
        {"weigh": lambda s, mask: _exponentials(s, mask, 0.0)},
        "Your softmax overflows: exp(710) is infinite. Subtract each row's largest score first; the weights stay.",
    )
    yield (
        "one-maximum-for-all",
        {"weigh": lambda s, mask: _exponentials(s, mask, s.max())},
        "You subtracted the largest score of the whole array, so rows far below it become 0 / 0. Subtract each "
        "row's own: max(axis=-1, keepdims=True).",
    )
    yield from _axes()


def _axes():
    yield (
        "softmax-over-queries",
        {"weigh": _along(lambda s: softmax(s, axis=-2))},
        "This is softmax over the queries (axis −2). Each query spreads its attention over the keys: axis −1.",
    )
    yield (
        "softmax-over-everything",
        {"weigh": _along(lambda s: softmax(s.ravel()).reshape(s.shape))},
        "All weights of the whole array sum to 1 together. Each query has a sum of its own: axis −1.",
    )
    yield (
        "softmax-over-each-table",
        {"weigh": _along(lambda s: softmax(s.reshape(*s.shape[:-2], -1)).reshape(s.shape))},
        "All weights of a sentence sum to 1 together. Each query has a sum of its own: axis −1.",
    )
    yield (
        "softmax-over-the-first-axis",
        {"weigh": _along(lambda s: softmax(s, axis=0))},
        "You took softmax along axis 0: a sentence's queries, or a batch's sentences. The keys are the last axis: −1.",
    )
    yield (
        "softmax-over-axis-1",
        {"weigh": lambda s, mask: masked_softmax(s, mask) if s.ndim == 2 else _along(lambda t: softmax(t, axis=1))(s, mask)},
        "Axis 1 holds the keys of one sentence, but the queries of a batch. Count from the end: axis −1.",
    )


def _order(divisor):
    def mixes_before_masking(Q, K, V, mask=None):
        right = attention_with(divisor)
        return right(Q, K, V)[0], right(Q, K, V, mask)[1]

    return (
        Misconception(
            "mixed-before-masking",
            mixes_before_masking,
            "Your weights obey the mask, your output does not: it was mixed before. Mask first, mix last.",
        ),
    )


def _changing(divisor):
    right = attention_with(divisor)

    def scales_its_argument(Q, K, V, mask=None):
        Q /= divisor(Q, K, V)
        return attention_with(one)(Q, K, V, mask)

    def turns_its_mask(Q, K, V, mask=None):
        result = right(Q, K, V, mask)
        if mask is not None:
            np.logical_not(mask, out=mask)
        return result

    return (
        Misconception(
            "changes-the-queries",
            scales_its_argument,
            "Q /= … writes into the caller's array, and fails for integers. Make a new array: Q / …",
        ),
        Misconception(
            "changes-the-mask",
            turns_its_mask,
            "Your function changes the mask it was given, so the next call gets another one. Make a new array: ~mask.",
        ),
    )


def _along(normalise):
    """Softmax along something else, with forbidden scores filled as a learner fills them."""
    return lambda s, mask: normalise(s if mask is None else np.where(mask, s, -1e9))


def _exponentials(s, mask, shift):
    """Softmax from exponentials of s − shift: right as long as nothing overflows or underflows."""
    allowed = np.broadcast_to(True if mask is None else mask, s.shape)
    weights = over_sum(np.where(allowed, np.exp(s - shift), 0))
    return np.where(allowed.any(axis=-1, keepdims=True), weights, 0)


def over_sum(x):
    return x / x.sum(axis=-1, keepdims=True)
