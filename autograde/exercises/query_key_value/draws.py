"""Arguments that several exercises of the lesson draw, and how a batch of them comes apart."""


def normal(rng, *shapes):
    return tuple(rng.normal(size=shape) for shape in shapes)


def each_sentence(args):
    """The arguments for each sentence of a batch X (..., n, d), which is the first of them."""
    X, *rest = args
    return [(x, *rest) for x in X.reshape(-1, *X.shape[-2:])]
