"""Arguments that several exercises of the lesson draw, and how a batch of them comes apart."""

import numpy as np


def normal(rng, *shapes):
    return tuple(rng.normal(size=shape) for shape in shapes)


def in_types(args):
    """The same arrays as float32, and doubled as whole numbers."""
    return [tuple(a.astype(np.float32) for a in args), tuple((2 * a).astype(int) for a in args)]


def each_sentence(args):
    """The arguments for each sentence of a batch X (..., n, d), which is the first of them."""
    X, *rest = args
    return [(x, *rest) for x in X.reshape(-1, *X.shape[-2:])]
