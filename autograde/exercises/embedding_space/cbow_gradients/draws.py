"""cbow_gradients: what is asked."""

import numpy as np

from ...draws import integers
from ..draws import COLUMNS, WORDS, single, tables


def plain(rng):
    return [
        (np.array([0, 1]), 2, WORDS, COLUMNS),
        (np.array([3, 0, 4]), 1, *tables(rng, 7, 4)),
        (rng.permutation(9)[:4], 8, *tables(rng, 9, 3)),
        (np.array([1, 2]), 0, *tables(rng, 5, 6)),
        (np.array([0, 3]), 2, *tables(rng, 4, 4)),
    ]


def repeats(rng):
    return [
        (np.array([0, 0, 1]), 2, WORDS, COLUMNS),
        (np.array([4, 1, 4, 4, 2]), 3, *tables(rng, 6, 4)),
        (np.array([2, 0, 2, 0]), 1, *tables(rng, 5, 3)),
    ]


def edges(rng):
    """One word of context, and a target that stands in its own context."""
    return [
        (np.array([2]), 0, WORDS, COLUMNS),
        (np.array([1, 2]), 2, WORDS, COLUMNS),
        (np.array([4]), 4, *tables(rng, 6, 3)),
        (np.array([0, 5, 2]), 5, *tables(rng, 6, 4)),
    ]


def types(rng):
    E, U = tables(rng, 7, 4)
    return [
        (np.array([0, 2]), 1, integers(rng, 3, 2), integers(rng, 2, 3)),
        (np.array([1, 6, 3]), 0, *single(E, U)),
        (np.array([5, 2], dtype=np.int32), 6, E, U),
    ]


def lists(rng):
    return [([0, 2], 1, WORDS, COLUMNS), ([1], 0, WORDS, COLUMNS), ([3, 1, 3], 5, *tables(rng, 6, 4))]
