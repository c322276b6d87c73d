"""Arguments of attention(Q, K, V, mask) for lessons 4 and 5, and the masks and weights that lesson 6 draws too."""

import numpy as np

from course_utils.query_key_value import causal_mask

from ..inputs.layouts import in_layouts

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


def at_right_angles(rng, *batch):
    """Many scores of exactly 0, each as open as any other, and in every row a score that is not."""
    axes, Q = np.eye(3), rng.permutation(3)
    K = axes[[*rng.permutation(3), *rng.integers(3, size=2)]] * rng.choice([-1.0, 1.0], (5, 1))
    return tuple(np.broadcast_to(a, (*batch, *a.shape)).copy() for a in (2 * axes[Q], K, rng.normal(size=(5, 2))))


def hard_sizes(rng):
    """d_k of 1, d_v larger than d_k, more of everything; scores of 0, equal keys, a query of zeros."""
    Q, K, V = qkv(rng)
    return [
        at_right_angles(rng),
        qkv(rng, d_k=1),
        qkv(rng, n_q=2, n_k=3, d_k=3, d_v=8),
        qkv(rng, n_q=9, n_k=10, d_k=11, d_v=2),
        (Q, K[[0, 1, 1, 2, 3, 4, 0]], V),
        (Q * [[1], [0], [1]], K, V),
    ]


def one_each(rng, n):
    """One open key for each query, another for each."""
    return rng.permutation(np.eye(n, dtype=bool))


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
        *hard_masks(rng),
    ]


def hard_masks(rng):
    """Scores of exactly 0 that are open, one open key for each query, all open, a single key."""
    return [
        (*at_right_angles(rng), some_open(rng, 3, 5)),
        (*square(rng), one_each(rng, 4)),
        (*qkv(rng), np.ones((QUERIES, KEYS), bool)),
        (*qkv(rng, n_k=1), np.ones((QUERIES, 1), bool)),
    ]


def batches(rng):
    return [qkv(rng, 2), square(rng, 3), qkv(rng, 3, 2), qkv(rng, 1), qkv(rng, 2, 1, 2, n_q=2, n_k=3)]


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
        (*qkv(rng), np.zeros((QUERIES, KEYS), bool)),
    ]


def huge(rng):
    """Scores up to 10⁶ in size, in either direction, in rows that differ by as much, and some near each other."""
    Q, K, V = qkv(rng)
    near = np.array([[1e3, 0], [0, 1e3]]), np.array([[1e3, 1.0], [1e3, 1.001], [-1e3, 0.0]]), V[:3]
    up = np.ones((QUERIES, 1)) * [[1e3], [-1e3], [1e-3]]
    behind = np.array([[2.0, 0.5], [1.0, -0.25]]), np.array([[1.0, 0.25], [4e5 + 0.25, 1.5], [-3.0, 0.0]]), V[:3]
    return [near, behind, (up, rng.uniform(990, 1000, (KEYS, 1)), V), (2e5 / np.abs(Q @ K.T).max() * Q, K, V), (Q, 800 + K, V)]


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
        (ints, 0.5 * K, V, mask),
        *in_layouts((Q, K, V, mask)),
    ]


def probabilities(rng, *shape, axis=-1):
    """Positive numbers that sum to 1 along the axis."""
    p = rng.uniform(0.05, 1, size=shape)
    return p / p.sum(axis=axis, keepdims=True)
