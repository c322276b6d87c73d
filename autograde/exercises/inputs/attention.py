"""Queries, keys, values and masks, and sentences with projections: sizes, batches, right angles, equal keys, huge scores."""

from collections.abc import Iterator

import numpy as np

from . import masks, vectors
from .layouts import laid_out, varied

LEADS: tuple[tuple[int, ...], ...] = ((), (1,), (2,), (3, 2), (2, 1, 2))
SIZES = ((2, 2, 2, 2), (1, 1, 1, 1), (1, 3, 2, 2), (3, 1, 2, 4), (3, 7, 5, 4), (4, 4, 4, 4), (2, 3, 1, 6), (3, 5, 9, 12))
LARGE = (9, 13, 16, 3)  # n_q, n_k, d_k, d_v beyond what checks draw


def scores_and_values(rng, lead, n_q, n_k, d_k, d_v) -> list[tuple]:
    """(Q, K, V) of every family with modest scores."""
    V = rng.normal(size=(*lead, n_k, d_v))
    Q, K = rng.normal(size=(*lead, n_q, d_k)), rng.normal(size=(*lead, n_k, d_k))
    axes = np.eye(d_k)
    at_right_angles = 2 * axes[rng.integers(d_k, size=(*lead, n_q))], axes[rng.integers(d_k, size=(*lead, n_k))]
    equal_keys = np.repeat(K[..., :1, :], n_k, axis=-2)
    few_values = rng.integers(-1, 2, K.shape).astype(float)
    return [
        (Q, K, V),
        (*at_right_angles, V),
        (Q, equal_keys, V),
        (vectors.modest(rng, *Q.shape), vectors.modest(rng, *K.shape), np.round(3 * V)),
        (np.zeros_like(Q), K, V),
        (rng.integers(-1, 2, Q.shape).astype(float), few_values, V),
    ]


def huge(rng, Q, K, V) -> tuple:
    """The largest score brought to 10⁶, with either sign, where it is not 0."""
    largest = np.abs(Q @ np.swapaxes(K, -1, -2)).max()
    return rng.choice([-1e6, 1e6]) / max(largest, 1e-3) * Q, K, V


def leads_and_sizes() -> Iterator[tuple]:
    """All sizes without batch axes; with each kind of batch axes half of them."""
    yield from (((), sizes) for sizes in (*SIZES, LARGE))
    yield from ((lead, sizes) for number, lead in enumerate(LEADS[1:]) for sizes in SIZES[number % 2 :: 2])


def unmasked(rng) -> Iterator[tuple]:
    for lead, sizes in leads_and_sizes():
        yield from scores_and_values(rng, lead, *sizes)


def masked(rng) -> Iterator[tuple]:
    """(Q, K, V, mask), the kinds of both by turns."""
    for lead, sizes in leads_and_sizes():
        kinds = scores_and_values(rng, lead, *sizes)
        yield from ((*kinds[i % len(kinds)], mask) for i, mask in enumerate(masks.broadcast(rng, lead, *sizes[:2])))


def far_apart(rng) -> Iterator[tuple]:
    """The same with scores as large as 10⁶, with a mask and without."""
    for lead in LEADS:
        for sizes in SIZES[2:6]:
            for number, args in enumerate(scores_and_values(rng, lead, *sizes)[:4]):
                tables = masks.broadcast(rng, lead, *sizes[:2])
                yield huge(rng, *args) if number % 2 else (*huge(rng, *args), tables[rng.integers(len(tables))])


def unmasked_kinds(rng) -> list[tuple]:
    return [*varied(unmasked(rng))]


def all_kinds(rng) -> list[tuple]:
    """Arguments of attention(Q, K, V, mask): in all types where scores are modest, in double precision where they are huge."""
    without = [(*args, None) for args in unmasked(rng)][::3]
    return [*varied([*masked(rng)][::2]), *laid_out([*masked(rng), *without, *far_apart(rng)]), *unmasked_kinds(rng)[::2]]


def sentences(rng) -> Iterator[tuple]:
    """(X, W_q, W_k, W_v): rows of all families, matrices of any shape, scores of modest size."""
    for lead in LEADS:
        for n, _, d_k, d_v in SIZES:
            for d in (1, 2, 5):
                matrices = tuple(0.6 * rng.normal(size=shape) for shape in ((d, d_k), (d, d_k), (d, d_v)))
                yield vectors.modest(rng, *lead, n, d), *matrices
                yield rng.normal(size=(*lead, n, d)), *matrices
    yield rng.normal(size=(17, 6)), *(0.6 * rng.normal(size=(6, k)) for k in (9, 9, 4))
