"""cbow_gradients: what is asked."""

import numpy as np

from ...draws import integers
from ...inputs import layouts
from ...inputs.ids import families
from ...inputs.layouts import each_array, in_layouts, laid_out
from ..draws import COLUMNS, WORDS, single, tables

SMALLEST = np.array([0, 1]), 2, WORDS, COLUMNS


def plain(rng):
    return [
        SMALLEST,
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
        (np.array([0, 1]), 3, *tables(rng, 4, 1)),
        (np.array([4, 0, 2]), 0, *tables(rng, 5, 2)),
    ]


def types(rng):
    E, U = tables(rng, 7, 4)
    return [
        (np.array([0, 2]), 1, integers(rng, 3, 2), integers(rng, 2, 3)),
        (np.array([1, 6, 3]), 0, *single(E, U)),
        (np.array([5, 2], dtype=np.int32), 6, E, U),
        (np.array([4, 6]), 6, integers(rng, 7, 4), 0.3 * U),
        (np.array([4, 6]), 2, 0.3 * E, integers(rng, 4, 7)),
        *in_layouts((np.array([0, 5, 3]), 1, E, U)),
    ]


def every_kind(rng):
    """Tables of one word and many, one dimension and many, context of all families, every target."""
    shapes = [(V, d) for V in (2, 3, 7, 1, 20) for d in (2, 1, 4)]
    cases = [
        (context, target, *tables(rng, V, d)) for V, d in shapes for context in families(rng, V) for target in {0, V - 1, V // 2}
    ]
    return [*plain(rng)[:1], *laid_out(cases), *(each_array(case, layouts.single) for case in cases)]


def lists(rng):
    return [([0, 2], 1, WORDS, COLUMNS), ([1], 0, WORDS, COLUMNS), ([3, 1, 3], 5, *tables(rng, 6, 4))]
