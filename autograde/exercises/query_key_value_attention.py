"""Lesson 4: attention(Q, K, V, mask), property by property. Lesson 5 uses the same cases."""

import numpy as np

from autograde.engine.exercise import Check, Exercise
from course_utils import query_key_value as ref

from . import query_key_value_attention_accepted as ok
from . import query_key_value_attention_mistakes as wrong
from .attention import properties as has
from .attention.scale import Scale, at_own_scale, follows_dot_products, has_right_factor, sums_to_1

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
    """A random mask in which each query and each key has something open, and each query something closed."""
    while True:
        mask = rng.random(shape) < 0.5
        if mask.any(axis=-1).all() and mask.any(axis=-2).all() and not mask.all(axis=-1).any():
            return mask


def plain(rng):
    return [tiny(rng), qkv(rng), square(rng), (*qkv(rng), None)]


def with_single(rng):
    """And a single query, a single key, a single number per value: shapes that a squeeze would lose."""
    return plain(rng) + [qkv(rng, n_q=1), qkv(rng, n_k=1), qkv(rng, d_v=1)]


def widths(rng):
    """Keys of several widths, no size equal to another or to its root."""
    return [tiny(rng), qkv(rng), qkv(rng, n_q=4, n_k=3, d_k=2, d_v=5), qkv(rng, n_q=2, n_k=7, d_k=20, d_v=3)]


def masks(rng):
    return [
        (*tiny(rng), np.array([[True, False], [True, True]])),
        (*qkv(rng), some_open(rng, QUERIES, KEYS)),
        (*square(rng), ref.causal_mask(4)),
        (*square(rng), some_open(rng, 4, 4)),
    ]


def batches(rng):
    return [qkv(rng, 2), square(rng, 3), qkv(rng, 3, 2)]


def masked_batches(rng):
    """One mask for all, one each, and one for the heads of each; in some a query may look nowhere in one item."""
    each = some_open(rng, 2, QUERIES, KEYS)
    each[1, 2] = False
    return [
        (*qkv(rng, 2), some_open(rng, QUERIES, KEYS)),
        (*qkv(rng, 2), some_open(rng, 1, QUERIES, KEYS)),
        (*qkv(rng, 2), each),
        (*qkv(rng, 3, 2), some_open(rng, 3, 1, QUERIES, KEYS)),
        (*square(rng, 4), ref.causal_mask(4)),
    ]


def closed_rows(rng):
    mask = some_open(rng, QUERIES, KEYS)
    mask[rng.integers(QUERIES)] = False
    return [
        (*tiny(rng), np.array([[False, False], [True, True]])),
        (*qkv(rng), mask),
        (*square(rng), np.tri(4, k=-1, dtype=bool)),
    ]


def huge(rng):
    """Scores up to 10⁶ in size, in either direction, in rows that differ by as much, and some near each other."""
    Q, K, V = qkv(rng)
    near = np.array([[1e3, 0], [0, 1e3]]), np.array([[1e3, 1.0], [1e3, 1.001], [-1e3, 0.0]]), V[:3]
    up = np.ones((QUERIES, 1)) * [[1e3], [-1e3], [1e-3]]
    return [near, (up, rng.uniform(990, 1000, (KEYS, 1)), V), (2e5 / np.abs(Q @ K.T).max() * Q, K, V), (Q, 800 + K, V)]


def huge_masked(rng):
    """Closed keys far above the open ones, at ±30, where nothing overflows, up to ±10⁶; then all keys far below 0."""
    above = np.array([[False, True, True], [True, True, False]])
    below = np.array([[False, True, True], [False, True, True]])
    V = rng.normal(size=(3, 4))
    return [
        (np.array([[side], [-side]]), np.array([[side], [-side], [-side + 0.5 / side]]), V, above)
        for side in np.sqrt([30, 3e4, 1e6])
    ] + [(np.ones((2, 1)), np.array([[-1.5 * size], [-2 * size], [-2 * size + 0.5]]), V, below) for size in (20, 1e4, 1e5)]


def types(rng):
    Q, K, V = qkv(rng)
    mask, ints = some_open(rng, QUERIES, KEYS), rng.integers(-2, 3, (QUERIES, WIDTH))
    return [
        (Q.astype(np.float32), K.astype(np.float32), V.astype(np.float32), mask),
        (ints, rng.integers(-2, 3, (KEYS, WIDTH)), rng.integers(-9, 10, (KEYS, VALUES)), mask),
        (ints, rng.integers(-2, 3, (KEYS, WIDTH)), V),
    ]


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


PLAIN = Scale(vectors=lambda args: args[:2], times=lambda args, c: (c * args[0], *args[1:]), right=lambda args: 1.0)


ATTENTION = Exercise(
    name="attention",
    lesson="query_key_value",
    reference=ref.attention,
    checks=(
        Check("weights: exponentials of the dot products of queries and keys", 2, plain, follows_dot_products(PLAIN)),
        Check("the scores are taken as they are, not scaled", 1, widths, has_right_factor(PLAIN)),
        Check("each query's weights sum to 1", 1, with_single, sums_to_1, side=True),
        Check("output: the values mixed with these weights", 2, with_single, has.mixes_values(the_values), side=True),
        Check(
            "mask: where it is False a query does not look, and the rest sums to 1",
            3,
            masks,
            has.cuts_weights(the_values, without_mask),
            side=True,
        ),
        Check("a batch is answered item by item", 1, batches, has.same_item_by_item(each_item), side=True),
        Check(
            "a mask with or without batch axes serves a batch",
            1,
            masked_batches,
            has.same_item_by_item(each_item, without_mask),
            side=True,
        ),
        Check("a query that may look nowhere gets zeros", 1, closed_rows, has.closes_rows, side=True),
        Check(
            "scores as large as 1,000,000",
            1,
            huge,
            at_own_scale(has.survives(the_values, lambda args: (args[0] / 1e6, *args[1:])), PLAIN),
            side=True,
        ),
        Check(
            "closed keys stay closed however large their scores",
            1,
            huge_masked,
            at_own_scale(has.hides_at_any_size(without_mask), PLAIN),
            side=True,
        ),
        Check("float32 and whole numbers", 1, types, has.same_in_any_type, side=True),
        has.touches_nothing(lambda rng: masks(rng) + masked_batches(rng)),
    ),
    misconceptions=wrong.ATTENTION,
    accepted=ok.ATTENTION,
    hints=(
        ("Three steps: scores of every query with every key, softmax over the keys, and mix(weights, V). Return both results."),
        (
            "A closed key must get weight 0 and let the others sum to 1: give it the score −∞ before softmax, "
            "np.where(mask, scores, -np.inf). A row that is −∞ everywhere needs a thought of its own."
        ),
        (
            "For rows with nowhere to look: nowhere = ~mask.any(axis=-1, keepdims=True). Leave their scores as they are "
            "(np.where(mask | nowhere, scores, -np.inf)), and set their weights to 0 after softmax."
        ),
    ),
)
