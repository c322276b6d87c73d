"""Lesson 4: a word asks (query), is found (key), and hands something over (value).

Attention without its scale, after Bahdanau, Cho and Bengio 2014 (arXiv:1409.0473) and, in this form,
Vaswani et al. 2017 (arXiv:1706.03762, section 3.2). Lesson 5 adds the division by √d_k, lesson 6 the heads.

Tokens are rows. Shapes use the course's letters: n tokens, n_q queries, n_k keys, d width of an embedding,
d_k width of a query or key, d_v width of a value. Leading ``...`` axes are batch axes.
"""

import numpy as np

from .embedding_space import softmax
from .polysemy import mix


def project(X, W_q, W_k, W_v):
    """One vector per token in three roles: (..., n, d) → Q (..., n, d_k), K (..., n, d_k), V (..., n, d_v).

    >>> Q, K, V = project(np.array([[1, 2]]), np.eye(2), 2 * np.eye(2), np.array([[1], [1]]))
    >>> Q.tolist(), K.tolist(), V.tolist()
    ([[1.0, 2.0]], [[2.0, 4.0]], [[3]])
    """
    X = np.asarray(X)
    return X @ W_q, X @ W_k, X @ W_v


def attention_scores(Q, K):
    """The dot product of every query with every key: (..., n_q, d_k), (..., n_k, d_k) → (..., n_q, n_k).

    >>> attention_scores(np.array([[1, 2]]), np.array([[3, 4], [0, 1]])).tolist()
    [[11, 2]]
    """
    return np.asarray(Q) @ np.swapaxes(K, -1, -2)


def causal_mask(n):
    """Who may look at whom when the future is hidden: (n, n) of bool, True where key ≤ query.

    >>> causal_mask(3).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    return np.tri(n, dtype=bool)


def masked_softmax(scores, mask=None):
    """Softmax over the keys that each query may look at: (..., n_q, n_k) → (..., n_q, n_k).

    mask: bool, True where a query may look; its leading axes broadcast against those of the scores.
    A query that may look nowhere gets weights of zero, not NaN. Raises TypeError for a mask of numbers,
    because an additive mask (0 and −∞) would be read the wrong way round.

    >>> masked_softmax(np.array([[5.0, 5.0, 9.0]]), np.array([[True, True, False]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    if mask is None:
        return softmax(scores)
    mask = np.asarray(mask)
    if mask.dtype != bool:
        raise TypeError(
            f"mask holds {mask.dtype}, but it must be boolean: True where a query may look. "
            "If yours holds 1 and 0, pass mask.astype(bool)"
        )
    nowhere = ~mask.any(axis=-1, keepdims=True)
    weights = softmax(np.where(mask | nowhere, scores, -np.inf))  # fully masked rows stay finite on the way
    return np.where(nowhere, 0.0, weights)


def attention(Q, K, V, mask=None):
    """Scores, weights, weighted sum of the values. No scaling yet (lesson 5).

    (..., n_q, d_k), (..., n_k, d_k), (..., n_k, d_v) → output (..., n_q, d_v), weights (..., n_q, n_k).
    mask: as in :func:`masked_softmax`; a query that may look nowhere takes nothing away: its output is zero.

    >>> output, weights = attention(np.array([[0.0]]), np.array([[1.0], [2.0]]), np.array([[10.0], [30.0]]))
    >>> weights.tolist(), output.tolist()
    ([[0.5, 0.5]], [[20.0]])
    """
    weights = masked_softmax(attention_scores(Q, K), mask)
    return mix(weights, V), weights


def self_attention(X, W_q, W_k, W_v, causal=False):
    """Every token asks every token: X (..., n, d) → output (..., n, d_v), weights (..., n, n).

    causal: each token looks at itself and at what came before it, as a model that predicts must.

    >>> output, weights = self_attention(np.array([[1.0], [3.0]]), np.zeros((1, 1)), np.eye(1), np.eye(1), True)
    >>> weights.tolist(), output.tolist()
    ([[1.0, 0.0], [0.5, 0.5]], [[1.0], [2.0]])
    """
    X = np.asarray(X)
    mask = causal_mask(X.shape[-2]) if causal else None
    Q, K, V = project(X, W_q, W_k, W_v)
    return attention(Q, K, V, mask)


def design_query(K, wanted):
    """The shortest query q (d_k,) for which softmax(K q) is exactly ``wanted``.

    K (n, d_k) has independent rows, n ≤ d_k; wanted (n,) is positive and sums to 1. Softmax undoes the
    logarithm, so K q = ln(wanted) is enough; of all solutions the one of least length is taken.

    >>> design_query(np.array([[2.0, 0.0], [0.0, 1.0]]), np.array([0.5, 0.5])).round(3).tolist()
    [-0.347, -0.693]
    """
    return np.linalg.lstsq(np.asarray(K, dtype=float), np.log(wanted), rcond=None)[0]
