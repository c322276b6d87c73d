"""Attention with one step replaced: the wrong answers that lessons 4, 5 and 6 have in common.

``shared_mistakes`` lists what goes wrong whatever the scale, so that lesson 4 (divisor ``one``) and lesson 5 (divisor
``root_d_k``) name the same mistakes in the same words. What can be wrong about softmax is in ``weights``, about a mask
in ``masks``.
"""

from collections.abc import Iterable

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils.polysemy import mix
from course_utils.query_key_value import attention_scores, masked_softmax

from . import masks, weights
from .formula import attention_with, one


def shared_mistakes(divisor) -> tuple[Misconception, ...]:
    """The mistakes of attention(Q, K, V, mask=None) that have nothing to do with its scale, at the right scale."""
    return (
        *_replaced(divisor, _scores()),
        *_wrong_role(divisor),
        *_replaced(divisor, _results()),
        *_replaced(divisor, weights.mistakes()),
        *_replaced(divisor, masks.mistakes()),
        *_order(divisor),
        *_changing(divisor),
    )


def single_head_mistakes(divisor) -> tuple[Misconception, ...]:
    """What lessons 4 and 5 name besides, where nothing is split into heads; at the right scale too."""
    return tuple(_replaced(divisor, _single_head()))


def divided(id, divisor, text) -> Misconception:
    """The right formula with another divisor(Q, K, V) of the scores."""
    return Misconception(id, attention_with(divisor), text)


def _replaced(divisor, mistakes: Iterable[tuple]):
    """Misconceptions from (id, the steps that are wrong, explanation)."""
    return (Misconception(id, attention_with(divisor, **step), text) for id, step, text in mistakes)


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


def _single_head():
    yield (
        "sums-without-keepdims",
        {"weigh": _sums_not_kept},
        "Your row sums lost an axis, so NumPy divides columns by them where the shape allows it. "
        "Keep it: sum(axis=-1, keepdims=True).",
    )
    yield (
        "loudest-only",
        {"weigh": _loudest_only},
        "The best key gets everything. Softmax gives it most, and lets the others be heard too.",
    )
    yield "uniform", {"weigh": _uniform}, "Every open key gets the same weight: Q and K are not used."
    yield (
        "sigmoids",
        {"weigh": _sigmoids},
        "You took the sigmoid of each score by itself. Softmax lets the keys compete for a sum of 1.",
    )
    yield (
        "mask-not-broadcast",
        {"weigh": _mask_of_full_shape},
        "scores[~mask] needs a mask of the scores' own shape; one mask for a whole batch has fewer axes. "
        "np.where(mask, scores, -np.inf) lets it broadcast.",
    )
    yield (
        "batch-crossed",
        {"scores": lambda Q, K: np.dot(Q, np.swapaxes(K, -1, -2))},
        "np.dot of two batches crosses every item with every other. @ pairs each item with its own.",
    )


def _sums_not_kept(scores, mask):
    """e / e.sum(-1): without keepdims NumPy divides each column of a square array by the sum of a row."""
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape)
    shifted = np.where(allowed, scores, -np.inf)
    top = shifted.max(axis=-1, keepdims=True)
    e = np.exp(shifted - np.where(np.isfinite(top), top, 0))
    return e / np.where(e.sum(-1) > 0, e.sum(-1), 1)


def _loudest_only(scores, mask):
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape)
    first = np.where(allowed, scores, -np.inf).argmax(axis=-1)
    return (np.arange(scores.shape[-1]) == first[..., None]) & allowed


def _uniform(scores, mask):
    return masked_softmax(np.zeros(scores.shape), mask)


def _sigmoids(scores, mask):
    return np.where(True if mask is None else mask, 1 / (1 + np.exp(-np.clip(scores, -700, 700))), 0)


def _mask_of_full_shape(scores, mask):
    if mask is not None and np.shape(mask) != scores.shape:
        raise IndexError("boolean index did not match indexed array")
    return masked_softmax(scores, mask)
