"""Lesson 4: self_attention(X, W_q, W_k, W_v, causal), property by property."""

import numpy as np

from autograde.engine.exercise import Check, Exercise
from course_utils import query_key_value as ref

from . import query_key_value_attention_accepted as ok
from . import query_key_value_attention_mistakes as wrong
from .attention import properties as has
from .attention.scale import Scale, at_own_scale, follows_dot_products, has_right_factor, sums_to_1


def sentence(rng, *batch, n=7, d=5, d_k=3, d_v=4):
    """A sentence and three matrices, with scores of modest size."""
    return (rng.normal(size=(*batch, n, d)), *(0.6 * rng.normal(size=s) for s in ((d, d_k), (d, d_k), (d, d_v))))


def square_sentence(rng):
    return sentence(rng, n=4, d=4, d_k=4, d_v=4)


def short_sentence(rng):
    """Two words and matrices of two by two, all whole numbers."""
    W_q, W_k = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [-1.0, 1.0]])
    return np.array([[1.0, 0.0], [1.0, 1.0]]), W_q, W_k, rng.permutation([[2.0, 0.0], [1.0, -1.0]])


def sentences(rng):
    return [short_sentence(rng), sentence(rng), square_sentence(rng), (*sentence(rng), False)]


def with_short_sentences(rng):
    return sentences(rng) + [sentence(rng, n=1), sentence(rng, d_v=1)]


def causal_sentences(rng):
    return [(*args, True) for args in (short_sentence(rng), sentence(rng), square_sentence(rng), sentence(rng, n=3))]


def batches_of_sentences(rng):
    return [
        sentence(rng, 2),
        sentence(rng, 4, n=4, d=4, d_k=4, d_v=4),
        (*sentence(rng, 2), True),
        (*sentence(rng, 3, 2, n=4), True),
        (*sentence(rng, 3, n=4), False),
    ]


def scored(size, X, W_q, W_k, W_v):
    """The same sentence with its largest score brought to ``size``, with either sign."""
    largest = np.abs(X @ W_q @ np.swapaxes(X @ W_k, -1, -2)).max()
    return X, size / largest * W_q, W_k, W_v


def huge_sentences(rng):
    return [scored(size, *sentence(rng)) for size in (1e6, -1e6)]


def huge_causal(rng):
    args = sentence(rng)
    return [(*scored(size, *args), True) for size in (100, -100, 1e6, -1e6)]


def sentence_types(rng):
    X, *W = sentence(rng)
    whole = tuple(rng.integers(-1, 2, a.shape) for a in (X, *W))
    return [(*(a.astype(np.float32) for a in (X, *W)), True), (*whole, True), whole]


def each_of_sentences(args):
    X, *rest = args
    return [(X[index], *rest) for index in np.ndindex(X.shape[:-2])]


def without_causal(args):
    return (*args[:4], False)


def its_values(args):
    return args[0] @ args[3]


PROJECTED = Scale(
    vectors=lambda args: (args[0] @ args[1], args[0] @ args[2]),
    times=lambda args, c: (args[0], c * args[1], *args[2:]),
    right=lambda args: 1.0,
)


SELF_ATTENTION = Exercise(
    name="self_attention",
    lesson="query_key_value",
    reference=ref.self_attention,
    checks=(
        Check(
            "weights: exponentials of the dot products of projected queries and keys",
            2,
            sentences,
            follows_dot_products(PROJECTED),
        ),
        Check("the scores are taken as they are, not scaled", 1, sentences, has_right_factor(PROJECTED)),
        Check("each word's weights sum to 1", 1, with_short_sentences, sums_to_1, side=True),
        Check(
            "output: the projected values mixed with these weights",
            2,
            with_short_sentences,
            has.mixes_values(its_values),
            side=True,
        ),
        Check(
            "causal=True hides the words that come later",
            2,
            causal_sentences,
            has.cuts_weights(its_values, without_causal),
            side=True,
        ),
        Check(
            "a batch is answered sentence by sentence",
            1,
            batches_of_sentences,
            has.same_item_by_item(each_of_sentences),
            side=True,
        ),
        Check(
            "scores as large as 1,000,000",
            1,
            huge_sentences,
            at_own_scale(has.survives(its_values, lambda args: (args[0], args[1] / 1e6, *args[2:])), PROJECTED),
            side=True,
        ),
        Check(
            "later words stay hidden however large their scores",
            1,
            huge_causal,
            at_own_scale(has.hides_at_any_size(without_causal), PROJECTED),
            side=True,
        ),
        Check("float32 and whole numbers", 1, sentence_types, has.same_in_any_type, side=True),
        has.touches_nothing(lambda rng: sentences(rng) + causal_sentences(rng)),
    ),
    misconceptions=wrong.SELF_ATTENTION,
    accepted=ok.SELF_ATTENTION,
    hints=(
        "You have written every part: project, causal_mask, attention.",
        "Q, K, V = project(X, W_q, W_k, W_v). The mask is causal_mask(n) when causal is True, else None.",
        "n is the number of words: X.shape[-2], also in a batch. return attention(Q, K, V, mask).",
    ),
)
