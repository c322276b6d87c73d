"""Lesson 4: attention(Q, K, V, mask) and self_attention(X, W_q, W_k, W_v, causal), property by property."""

import numpy as np

from course_utils import query_key_value as ref

from ..exercise import Check, Exercise
from . import query_key_value_attention_accepted as ok
from . import query_key_value_attention_mistakes as wrong
from . import query_key_value_properties as has

# n_q, n_k, d_k, d_v: all different, no one the root of another or of 8, so that every wrong divisor shows
QUERIES, KEYS, WIDTH, VALUES = 3, 7, 5, 4


def qkv(rng, *batch, n_q=QUERIES, n_k=KEYS, d_k=WIDTH, d_v=VALUES):
    return tuple(rng.normal(size=(*batch, *shape)) for shape in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))


def square(rng, *batch):
    """All sizes equal: where a missing transpose has the right shape."""
    return qkv(rng, *batch, n_q=4, n_k=4, d_k=4, d_v=4)


def tiny(rng):
    """Two queries, two keys, two numbers each, all whole: no product fails, and every one can be followed by hand."""
    K, V = rng.permutation([[1.0, 0.0], [1.0, 2.0]]), rng.permutation([[3.0, 0.0], [-1.0, 2.0]])
    return np.array([[1.0, 2.0], [-1.0, 1.0]]), K, V


def some_open(rng, *shape):
    """A random mask with at least one open key for each query, and one closed where there are several."""
    mask = rng.random(shape) < 0.5
    order = rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
    return (mask | (order == 0)) & (order != 1)


def plain(rng):
    return [tiny(rng), qkv(rng), square(rng), (*qkv(rng), None)]


def masks(rng):
    return [(*tiny(rng), np.array([[True, False], [True, True]])), (*qkv(rng), some_open(rng, QUERIES, KEYS)),
            (*square(rng), ref.causal_mask(4)), (*square(rng), some_open(rng, 4, 4))]


def batches(rng):
    return [qkv(rng, 2), square(rng, 3), qkv(rng, 3, 2)]


def masked_batches(rng):
    """One mask for all, one each, and one for the heads of each; in some a query may look nowhere in one item."""
    each = some_open(rng, 2, QUERIES, KEYS)
    each[1, 2] = False
    return [(*qkv(rng, 2), some_open(rng, QUERIES, KEYS)), (*qkv(rng, 2), some_open(rng, 1, QUERIES, KEYS)),
            (*qkv(rng, 2), each), (*qkv(rng, 3, 2), some_open(rng, 3, 1, QUERIES, KEYS)),
            (*square(rng, 4), ref.causal_mask(4))]


def closed_rows(rng):
    mask = some_open(rng, QUERIES, KEYS)
    mask[rng.integers(QUERIES)] = False
    return [(*tiny(rng), np.array([[False, False], [True, True]])), (*qkv(rng), mask),
            (*square(rng), np.tri(4, k=-1, dtype=bool))]


def huge(rng):
    """Scores up to 10⁶ in size, in either direction, in rows that differ by as much, and some near each other."""
    Q, K, V = qkv(rng)
    near = np.array([[1e3, 0], [0, 1e3]]), np.array([[1e3, 1.0], [1e3, 1.001], [-1e3, 0.0]]), V[:3]
    up = np.ones((QUERIES, 1)) * [[1e3], [-1e3], [1e-3]]
    return [near, (up, rng.uniform(990, 1000, (KEYS, 1)), V), (2e5 / np.abs(Q @ K.T).max() * Q, K, V),
            (Q, 800 + K, V)]


def huge_masked(rng):
    """Closed keys far above the open ones, at ±30, where nothing overflows, up to ±10⁶; then all keys far below 0."""
    above = np.array([[False, True, True], [True, True, False]])
    below = np.array([[False, True, True], [False, True, True]])
    V = rng.normal(size=(3, 4))
    return [(np.array([[side], [-side]]), np.array([[side], [-side], [-side + 0.5 / side]]), V, above)
            for side in np.sqrt([30, 3e4, 1e6])] + [
        (np.ones((2, 1)), np.array([[-1.5 * size], [-2 * size], [-2 * size + 0.5]]), V, below)
        for size in (20, 1e4, 1e5)]


def types(rng):
    Q, K, V = qkv(rng)
    mask, ints = some_open(rng, QUERIES, KEYS), rng.integers(-2, 3, (QUERIES, WIDTH))
    return [(Q.astype(np.float32), K.astype(np.float32), V.astype(np.float32), mask),
            (ints, rng.integers(-2, 3, (KEYS, WIDTH)), rng.integers(-9, 10, (KEYS, VALUES)), mask),
            (ints, rng.integers(-2, 3, (KEYS, WIDTH)), V)]


def each_item(args):
    """A batch's items, each with its own (n_q, n_k) part of the mask."""
    Q, K, V, *mask = args
    lead = Q.shape[:-2]
    mask = [np.broadcast_to(m, (*lead, *m.shape[-2:])) for m in mask]
    return [tuple(a[index] for a in (Q, K, V, *mask)) for index in np.ndindex(lead)]


def the_values(args):
    return args[2]


def without_mask(args):
    return args[:3]


ATTENTION = Exercise(
    name="attention",
    lesson="query_key_value",
    reference=ref.attention,
    checks=(
        Check("weights: for each query, the softmax of its scores over the keys", 3, plain, has.right_weights),
        Check("output: the values mixed with these weights", 2, plain, has.mixes_values(the_values)),
        Check("mask: where it is False a query does not look, and the rest sums to 1", 3, masks,
              has.cuts_weights(the_values, without_mask)),
        Check("a batch is answered item by item", 1, batches, has.same_item_by_item(each_item), side=True),
        Check("a mask with or without batch axes serves a batch", 1, masked_batches,
              has.same_item_by_item(each_item, without_mask), side=True),
        Check("a query that may look nowhere gets zeros", 1, closed_rows, has.closes_rows, side=True),
        Check("scores as large as 1,000,000", 1, huge,
              has.survives(the_values, lambda args: (args[0] / 1e6, *args[1:])), side=True),
        Check("closed keys stay closed however large their scores", 1, huge_masked,
              has.hides_at_any_size(without_mask), side=True),
        Check("float32 and whole numbers", 1, types, has.same_in_any_type, side=True),
        has.touches_nothing(lambda rng: masks(rng) + masked_batches(rng)),
    ),
    misconceptions=wrong.ATTENTION,
    accepted=ok.ATTENTION,
    hints=(
        ("Three steps: scores of every query with every key, softmax over the keys, and mix(weights, V). Return both "
        "results."),
        ("A closed key must get weight 0 and let the others sum to 1: give it the score −∞ before softmax, "
        "np.where(mask, scores, -np.inf). A row that is −∞ everywhere needs a thought of its own."),
        ("For rows with nowhere to look: nowhere = ~mask.any(axis=-1, keepdims=True). Leave their scores as they are "
        "(np.where(mask | nowhere, scores, -np.inf)), and set their weights to 0 after softmax."),
    ),
)


# ---- self_attention


def sentence(rng, *batch, n=7, d=5, d_k=3, d_v=4):
    """A sentence and three matrices, with scores of modest size."""
    return (rng.normal(size=(*batch, n, d)), *(0.6 * rng.normal(size=s) for s in ((d, d_k), (d, d_k), (d, d_v))))


def square_sentence(rng):
    return sentence(rng, n=4, d=4, d_k=4, d_v=4)


def short_sentence(rng):
    """Two words and matrices of two by two, all whole numbers."""
    W_q, W_v = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[2.0, 0.0], [1.0, -1.0]])
    return np.array([[1.0, 0.0], [1.0, 1.0]]), W_q, rng.permutation([[1.0, 0.0], [-1.0, 1.0]]), W_v


def sentences(rng):
    return [short_sentence(rng), sentence(rng), square_sentence(rng), (*sentence(rng), False)]


def causal_sentences(rng):
    return [(*args, True) for args in (short_sentence(rng), sentence(rng), square_sentence(rng), sentence(rng, n=3))]


def batches_of_sentences(rng):
    return [sentence(rng, 2), sentence(rng, 4, n=4, d=4, d_k=4, d_v=4), (*sentence(rng, 2), True),
            (*sentence(rng, 3, 2, n=4), True), (*sentence(rng, 3, n=4), False)]


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


SELF_ATTENTION = Exercise(
    name="self_attention",
    lesson="query_key_value",
    reference=ref.self_attention,
    checks=(
        Check("weights: queries and keys are projections of the same words", 2, sentences, has.right_weights),
        Check("output: the projected values mixed with these weights", 2, sentences, has.mixes_values(its_values)),
        Check("causal=True hides the words that come later", 2, causal_sentences,
              has.cuts_weights(its_values, without_causal)),
        Check("a batch is answered sentence by sentence", 1, batches_of_sentences,
              has.same_item_by_item(each_of_sentences), side=True),
        Check("scores as large as 1,000,000", 1, huge_sentences,
              has.survives(its_values, lambda args: (args[0], args[1] / 1e6, *args[2:])), side=True),
        Check("later words stay hidden however large their scores", 1, huge_causal,
              has.hides_at_any_size(without_causal), side=True),
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
