"""What several exercises of this lesson draw."""

import numpy as np

TYPES = "whole numbers and float32 as well as float64"  # the check that most exercises have
GAP = 0.003  # least difference between two cosines: float32, and a tiny epsilon in a denominator, keep the order


def real(numbers):
    """Whole numbers as floats: easy to read, and without the traps of integer arrays, which ``types`` have."""
    return np.array(numbers, dtype=float)


def single(*arrays):
    return tuple(array.astype(np.float32) for array in arrays)


def draw(rng, make, good):
    """The first ``make(rng)`` that is ``good``: a few tries for the conditions used here."""
    while not good(*(value := make(rng))):
        pass
    return value


def any_lengths(rng, n):
    """(n, 1) lengths from 0.2 to 500, in any order."""
    return rng.permutation(np.geomspace(0.2, 500, n))[:, None]


def spread(values):
    return np.diff(np.sort(values)).min() > GAP


WORDS = real([[1, 0], [0, 2], [3, 1]])
COLUMNS = real([[1, 0, 2], [0, 1, -1]])


def tables(rng, V, d):
    return rng.normal(size=(V, d)), rng.normal(size=(d, V))
