"""Lesson 3, references: one word, several senses, and what mixing in the context buys.

Every later stage of attention is ``mix(weights, X)``; only where the weights come from changes. Here they
are uniform, or come from the vectors themselves.
"""

import numpy as np

from .embedding_space import softmax
from .word_vectors import cosine_matrix


def uniform_weights(n, causal=False):
    """Weights with which every row looks at all rows alike, (n, n); causal: row i looks at rows 0 … i only.

    >>> uniform_weights(2, causal=True)
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    may_look = np.tril(np.ones((n, n))) if causal else np.ones((n, n))
    return may_look / may_look.sum(axis=-1, keepdims=True)


def mix(weights, X):
    """Weighted sums of the rows of X: (..., n_q, n_k), (..., n_k, d) → (..., n_q, d).

    The last line of equation 1 in Vaswani et al. 2017, with any weights at all.

    >>> mix(np.array([[0.5, 0.5]]), np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[1., 2.]])
    """
    return np.matmul(weights, X)


def context_average(X, position, window):
    """Mean of the rows within ``window`` of ``position``, that row left out: (n, d) → (d,).

    Without a neighbour the mean of nothing is taken to be zeros.

    >>> context_average(np.array([[1.0], [10.0], [3.0], [100.0]]), position=1, window=1)
    array([2.])
    """
    X = np.asarray(X)
    near = np.abs(np.arange(len(X)) - position) <= window
    near[position] = False
    return X[near].mean(axis=0) if near.any() else np.zeros(X.shape[1])


def nearest_sense(vector, senses):
    """Index of the sense, a row of (s, d), with the highest cosine to a vector (d,); a tie: the smaller index.

    >>> nearest_sense(np.array([1.0, 2.0]), np.array([[9.0, 0.0], [0.0, 1.0]]))
    1
    """
    return int(np.argmax(cosine_matrix(np.asarray(vector)[None], senses)))


def similarity_weights(X):
    """Attention with no trainable part: softmax over keys of X Xᵀ, (..., n, d) → (..., n, n).

    >>> similarity_weights(np.array([[0.0, 0.0], [0.0, 1.0]]))[0]
    array([0.5, 0.5])
    """
    X = np.asarray(X)
    return softmax(X @ np.swapaxes(X, -1, -2), axis=-1)


def sense_separation(A, B):
    """How much closer a word's uses lie within a sense than across: (p, d), (q, d) → float.

    Mean cosine over all pairs of different rows of one group, both groups' pairs pooled, minus the mean
    cosine over all pairs across. 0: the senses cannot be told apart.

    >>> sense_separation(np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([[0.0, 1.0], [0.0, 3.0]]))
    1.0
    """
    X = np.concatenate([A, B])
    cosines = cosine_matrix(X, X)
    group = np.arange(len(X)) < len(A)
    same = group[:, None] == group
    different_rows = ~np.eye(len(X), dtype=bool)
    return float(cosines[same & different_rows].mean() - cosines[~same].mean())
