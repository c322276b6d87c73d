"""Lesson 1, reference implementations: a word as a vector, and how near two words are.

V words in the vocabulary, n tokens, d the width of an embedding. A word is a row.
"""

import numpy as np


def one_hot(ids, vocab_size: int) -> np.ndarray:
    """Rows of zeros with a single 1 at each word's id: (n,) ints -> (n, V).

    Raises IndexError for an id outside 0 ... V - 1.

    >>> one_hot([2, 0], 3)
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """
    ids = np.asarray(ids, dtype=int)
    if ids.size and (ids.min() < 0 or ids.max() >= vocab_size):
        raise IndexError(f"ids must lie in 0 ... {vocab_size - 1}, found {ids.min()} ... {ids.max()}")
    rows = np.zeros((len(ids), vocab_size))
    rows[np.arange(len(ids)), ids] = 1.0
    return rows


def embed(ids, E) -> np.ndarray:
    """The rows of an embedding matrix E (V, d) that belong to the ids (n,): (n, d).

    A lookup, and the same as the product ``one_hot(ids, V) @ E``.

    >>> embed([1, 1, 0], np.array([[1, 2], [3, 4]]))
    array([[3, 4],
           [3, 4],
           [1, 2]])
    """
    return np.asarray(E)[np.asarray(ids, dtype=int)]


def dot_products(X, y) -> np.ndarray:
    """The dot product of each row of X (n, d) with y (d,): (n,).

    >>> dot_products(np.array([[4, 6], [3, -2]]), np.array([2, 3]))
    array([26,  0])
    """
    return np.asarray(X) @ np.asarray(y)


def cosine_similarity(u, v) -> float:
    """The cosine of the angle between u and v, both (d,): a float in [-1, 1].

    Length plays no part; 0.0 if either is the zero vector, which has no direction.

    >>> cosine_similarity([3, 0], [4, 3])
    0.8
    """
    u, v = np.asarray(u, dtype=float), np.asarray(v, dtype=float)
    lengths = np.linalg.norm(u) * np.linalg.norm(v)
    return float(np.clip(u @ v / lengths, -1.0, 1.0)) if lengths > 0 else 0.0


def cosine_matrix(X, Y) -> np.ndarray:
    """The cosine of every row of X (n, d) with every row of Y (m, d): (n, m).

    A zero row gives zeros.

    >>> cosine_matrix(np.array([[1, 0], [0, 0]]), np.array([[2, 0], [0, 5], [-1, 0]]))
    array([[ 1.,  0., -1.],
           [ 0.,  0.,  0.]])
    """
    return np.clip(unit_rows(X) @ unit_rows(Y).T, -1.0, 1.0) + 0.0  # + 0.0 turns -0.0 into 0.0


def unit_rows(X) -> np.ndarray:
    """X (..., n, d) with each row divided by its length; zero rows stay zero."""
    X = np.asarray(X, dtype=float)
    lengths = np.linalg.norm(X, axis=-1, keepdims=True)
    return np.divide(X, lengths, out=np.zeros_like(X), where=lengths > 0)
