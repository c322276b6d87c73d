"""Lesson 4: wrong attentions and self-attentions. What does not depend on the scale is shared with lesson 5."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import query_key_value as ref
from course_utils.embedding_space import softmax

from .attention.mistakes import attention_with, one, shared_mistakes

# ---- attention


def _divided(name, divisor, text):
    return Misconception(name, attention_with(divisor), text)


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
    return ref.masked_softmax(np.zeros(scores.shape), mask)


def _sigmoids(scores, mask):
    return np.where(True if mask is None else mask, 1 / (1 + np.exp(-np.clip(scores, -700, 700))), 0)


def _infinity_into(Q, K, V, mask=None):
    """scores[~mask] = −∞ in the scores' own type, which whole numbers do not have."""
    scores = Q @ np.swapaxes(K, -1, -2)
    if mask is not None:
        mask = np.broadcast_to(mask, scores.shape)
        scores[~mask & mask.any(axis=-1, keepdims=True)] = -np.inf
    weights = softmax(scores) * (True if mask is None else mask)
    return weights @ V, weights


def _mask_of_full_shape(scores, mask):
    if mask is not None and np.shape(mask) != scores.shape:
        raise IndexError("boolean index did not match indexed array")
    return ref.masked_softmax(scores, mask)


def _queries_in_place(Q, K, V, mask=None):
    result = ref.attention(Q, K, V, mask)
    Q *= 0
    return result


_SHARED = tuple(m for m in shared_mistakes(one) if m.id != "changes-the-queries")  # Q /= 1 changes nothing

ATTENTION = _SHARED + (
    _divided(
        "divided-by-root-d-k",
        lambda Q, K, V: np.sqrt(K.shape[-1]),
        "You divided the scores by √d_k. Right from lesson 5 on, where you will see why; here the plain scores are asked for.",
    ),
    _divided("divided-by-d-k", lambda Q, K, V: K.shape[-1], "You divided the scores by d_k. Here they are not scaled at all."),
    _divided(
        "divided-by-root-d-v",
        lambda Q, K, V: np.sqrt(V.shape[-1]),
        "You divided the scores by √d_v, the width of the values. Here they are not scaled at all.",
    ),
    _divided(
        "divided-by-root-n-k",
        lambda Q, K, V: np.sqrt(K.shape[-2]),
        "You divided the scores by the root of the number of keys. Here they are not scaled at all.",
    ),
    _divided(
        "divided-by-root-n-q",
        lambda Q, K, V: np.sqrt(Q.shape[-2]),
        "You divided the scores by the root of the number of queries. Here they are not scaled at all.",
    ),
    _divided(
        "times-root-d-k",
        lambda Q, K, V: 1 / np.sqrt(K.shape[-1]),
        "You multiplied the scores by √d_k. Here they are not scaled at all.",
    ),
    _divided(
        "divided-by-8",
        lambda Q, K, V: 8.0,
        "You divided the scores by 8, the √64 of the 2017 paper. Here they are not scaled at all.",
    ),
    _divided("negative-scores", lambda Q, K, V: -1.0, "Your scores have the opposite sign: the best key gets the least weight."),
    Misconception(
        "sums-without-keepdims",
        attention_with(weigh=_sums_not_kept),
        "Your row sums lost an axis, so NumPy divides columns by them where the shape allows it. "
        "Keep it: sum(axis=-1, keepdims=True).",
    ),
    Misconception(
        "loudest-only",
        attention_with(weigh=_loudest_only),
        "The best key gets everything. Softmax gives it most, and lets the others be heard too.",
    ),
    Misconception("uniform", attention_with(weigh=_uniform), "Every open key gets the same weight: Q and K are not used."),
    Misconception(
        "sigmoids",
        attention_with(weigh=_sigmoids),
        "You took the sigmoid of each score by itself. Softmax lets the keys compete for a sum of 1.",
    ),
    Misconception(
        "infinity-into-whole-numbers",
        _infinity_into,
        "scores[~mask] = -np.inf fails where the scores are whole numbers. np.where(mask, scores, -np.inf) makes floats.",
    ),
    Misconception(
        "mask-not-broadcast",
        attention_with(weigh=_mask_of_full_shape),
        "scores[~mask] needs a mask of the scores' own shape; one mask for a whole batch has fewer axes. "
        "np.where(mask, scores, -np.inf) lets it broadcast.",
    ),
    Misconception(
        "batch-crossed",
        attention_with(scores=lambda Q, K: np.dot(Q, np.swapaxes(K, -1, -2))),
        "np.dot of two batches crosses every item with every other. @ pairs each item with its own.",
    ),
    Misconception("changes-the-queries", _queries_in_place, "The call writes into Q, and whoever called needs it again."),
)


# ---- self_attention


def _self(attend=ref.attention, pick=(0, 1, 2), mask=ref.causal_mask, project=ref.project):
    """Self-attention with one part replaced; ``pick`` says which projection serves as Q, K and V."""

    def wrong(X, W_q, W_k, W_v, causal=False):
        parts = project(X, W_q, W_k, W_v)
        return attend(*(parts[i] for i in pick), mask(X.shape[-2]) if causal else None)

    return wrong


def _of_width(X, W_q, W_k, W_v, causal=False):
    mask = ref.causal_mask(X.shape[-2]) if causal else None
    return attention_with(lambda *_: np.sqrt(X.shape[-1]))(*ref.project(X, W_q, W_k, W_v), mask)


def _similar(X, W_q, W_k, W_v, causal=False):
    return ref.attention(X, X, X @ W_v, ref.causal_mask(X.shape[-2]) if causal else None)


def _raw_values(X, W_q, W_k, W_v, causal=False):
    return ref.attention(X @ W_q, X @ W_k, X, ref.causal_mask(X.shape[-2]) if causal else None)


def _flag_turned(X, W_q, W_k, W_v, causal=False):
    return ref.self_attention(X, W_q, W_k, W_v, not causal)


def _always_causal(X, W_q, W_k, W_v, causal=False):
    return ref.self_attention(X, W_q, W_k, W_v, True)


def _mask_of_batch(X, W_q, W_k, W_v, causal=False):
    """len(X) is the number of words in one sentence, and the number of sentences in a batch."""
    mask = ref.causal_mask(len(X)) if causal else None
    return ref.attention(*ref.project(X, W_q, W_k, W_v), mask)


def _transposed_weights(X, *W):
    return tuple(X @ w.T for w in W)


def _in_place(X, W_q, W_k, W_v, causal=False):
    result = ref.self_attention(X, W_q, W_k, W_v, causal)
    X -= X
    return result


_PARTS = {m.id: m for m in ATTENTION}
_SAME_IN_SELF = (
    "divided-by-root-d-k",
    "divided-by-d-k",
    "divided-by-root-d-v",
    "divided-by-root-n-k",
    "times-root-d-k",
    "divided-by-8",
    "keys-not-transposed",
    "all-axes-reversed",
    "weights-transposed",
    "output-and-weights-swapped",
    "output-only",
    "weights-only",
    "scores-returned",
    "no-softmax",
    "not-normalised",
    "softmax-twice",
    "softmax-overflows",
    "one-maximum-for-all",
    "softmax-over-queries",
    "softmax-over-everything",
    "softmax-over-each-table",
    "softmax-over-the-first-axis",
    "sums-without-keepdims",
    "mask-after-softmax",
    "masked-scores-are-zero",
    "mask-added",
    "filled-with-20",
    "mixed-before-masking",
    "infinity-into-whole-numbers",
    "batch-crossed",
    "uniform",
)

SELF_ATTENTION = tuple(Misconception(name, _self(_PARTS[name].function), _PARTS[name].explanation) for name in _SAME_IN_SELF) + (
    Misconception(
        "divided-by-root-d",
        _of_width,
        "You divided the scores by √d, the width of an embedding. Here they are not scaled at all; lesson "
        "5 tells which width counts.",
    ),
    Misconception(
        "causal-ignored",
        _self(mask=lambda n: None),
        "causal=True changes nothing in your result. Then the mask is causal_mask(n).",
    ),
    Misconception(
        "always-causal", _always_causal, "You hide the future even where causal is False. Without causal the mask is None."
    ),
    Misconception("flag-turned", _flag_turned, "causal works the wrong way round: True hides the future, False hides nothing."),
    Misconception(
        "future-only",
        _self(mask=lambda n: np.triu(np.ones((n, n), bool))),
        "causal=True hides the past in your result. A word may look at itself and at what came before: key ≤ query.",
    ),
    Misconception(
        "not-itself",
        _self(mask=lambda n: np.tri(n, k=-1, dtype=bool)),
        "With causal=True a word cannot look at itself in your result. The diagonal is open: key ≤ query.",
    ),
    Misconception(
        "one-too-far",
        _self(mask=lambda n: np.tri(n, k=1, dtype=bool)),
        "With causal=True each word still sees one word of the future. The diagonal is the last that is open: key ≤ query.",
    ),
    Misconception(
        "mask-of-the-batch", _mask_of_batch, "len(X) counts sentences when X is a batch. The number of words is X.shape[-2]."
    ),
    Misconception(
        "queries-and-keys-swapped",
        _self(pick=(1, 0, 2)),
        "Q and K have changed places: the keys ask. attention(Q, K, V) takes the queries first.",
    ),
    Misconception(
        "queries-as-keys",
        _self(pick=(0, 0, 2)),
        "W_q made both queries and keys, so scores are symmetric again. Keys come from W_k.",
    ),
    Misconception(
        "keys-as-queries",
        _self(pick=(1, 1, 2)),
        "W_k made both queries and keys, so scores are symmetric again. Queries come from W_q.",
    ),
    Misconception("keys-as-values", _self(pick=(0, 1, 1)), "You mixed the keys. What is taken away are the values, X @ W_v."),
    Misconception(
        "queries-as-values", _self(pick=(0, 1, 0)), "You mixed the queries. What is taken away are the values, X @ W_v."
    ),
    Misconception(
        "values-as-keys",
        _self(pick=(0, 2, 2)),
        "Your scores compare queries with values. They compare queries with keys, X @ W_k.",
    ),
    Misconception("no-projection", _similar, "Your scores compare X with itself, as in lesson 3. Compare X @ W_q with X @ W_k."),
    Misconception("raw-values", _raw_values, "You mixed the rows of X. What is taken away are the values, X @ W_v."),
    Misconception(
        "weights-of-projection-transposed",
        _self(project=_transposed_weights),
        "You projected with X @ W.T. A token is a row: X @ W.",
    ),
    Misconception("changes-its-input", _in_place, "The call writes into X, and whoever called needs it again."),
)
