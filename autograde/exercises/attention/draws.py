"""Arguments of attention(Q, K, V, mask) for lessons 4 and 5, and the masks and weights that lesson 6 draws too."""

import numpy as np

from course_utils.query_key_value import causal_mask

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


def masks(rng):
    return [
        (*tiny(rng), np.array([[True, False], [True, True]])),
        (*qkv(rng), some_open(rng, QUERIES, KEYS)),
        (*square(rng), causal_mask(4)),
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
        (*square(rng, 4), causal_mask(4)),
    ]


def fully_masked_rows(rng):
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


def probabilities(rng, *shape, axis=-1):
    """Positive numbers that sum to 1 along the axis."""
    p = rng.uniform(0.05, 1, size=shape)
    return p / p.sum(axis=axis, keepdims=True)
