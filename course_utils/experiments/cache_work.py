"""What a cache of keys and values saves: multiplications of ``decode`` on the whole text, and of one token's steps.

Counted are the products of matrices, which are nearly all of the work: a product of (a, b) and (b, c) takes a · b · c
multiplications.
"""


def whole(n: int, model) -> int:
    """Multiplications of ``decode`` on n tokens."""
    return _products(n, n, model)


def step(n: int, model) -> int:
    """Multiplications of the n-th token alone, through ``decode_step`` of every layer, to its logits."""
    return _products(1, n, model)


def gain(n: int, model) -> float:
    """How many times the work to write n tokens shrinks: a whole pass for each token, against one step for each."""
    lengths = range(1, n + 1)
    return sum(whole(t, model) for t in lengths) / sum(step(t, model) for t in lengths)


def _products(queries: int, keys: int, model) -> int:
    """``queries`` tokens go through the layers and look at ``keys``; then each is held against every word."""
    V, d = model["embeddings"]["word"].shape
    total = queries * d * V
    for params in model["layers"]:
        inner = params["W_1"].shape[1]
        rows = 4 * d * d + 2 * d * inner  # Q, K, V and W_o; there and back through the net
        total += queries * (rows + 2 * keys * d)  # scores, and values mixed
    return total
