"""Lesson 5, references: attention whose scores are divided by √d_k, and the tools that show why.

A dot product of two independent vectors with unit-variance entries has variance d. Softmax over such
scores saturates as d grows, and a saturated softmax passes no gradient back. Dividing by √d_k brings
the variance back to one at every width ("Attention is all you need", 2017, section 3.2.1, footnote 4).
"""

import math

import numpy as np

from .polysemy import mix
from .query_key_value import attention_scores, masked_softmax


def dot_product_samples(n, d, rng):
    """Dot products of n pairs of independent standard-normal vectors of width d: (n,), mean 0 and variance d.

    Each pair has vectors of its own, and all randomness comes from ``rng``.

    >>> dot_product_samples(3, 64, np.random.default_rng(0)).shape
    (3,)
    """
    X = rng.standard_normal((n, d))
    Y = rng.standard_normal((n, d))
    return np.einsum("nd,nd->n", X, Y)


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Attention with scores divided by √d_k ("Attention is all you need", 2017, equation 1).

    Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v), equal batch axes
    → (output (..., n_q, d_v), weights (..., n_q, n_k)).
    mask: bool, True where a query may look, broadcast against the scores. A query that may look nowhere
    gets all-zero weights, and so a zero output.

    >>> Q, K, V = np.ones((1, 4)), np.zeros((2, 4)), np.array([[2.0], [4.0]])
    >>> output, weights = scaled_dot_product_attention(Q, K, V)
    >>> output.tolist(), weights.tolist()
    ([[3.0]], [[0.5, 0.5]])
    """
    d_k = np.shape(Q)[-1]
    scores = attention_scores(Q, K) / math.sqrt(d_k)  # (..., n_q, n_k)
    weights = masked_softmax(scores, mask)
    return mix(weights, V), weights


def entropy(p, axis=-1):
    """How undecided probabilities are, in nats: −Σ p ln p along ``axis``, with 0 ln 0 = 0 (Shannon 1948).

    0 for a one-hot row, ln n for n equal weights.

    >>> round(float(entropy(np.array([0.5, 0.5]))), 4)
    0.6931
    """
    p = np.asarray(p)
    logs = np.log(np.where(p > 0, p, 1))  # where p is 0 its logarithm is never taken: 0 · ln 1 = 0
    return 0.0 - (p * logs).sum(axis=axis)  # a minus sign alone would turn 0 into −0


def softmax_jacobian(p):
    """Derivatives of softmax's output p by its input scores: (n,) → (n, n) = diag(p) − p pᵀ.

    Entry (i, j) is ∂p_i / ∂score_j: how much any weight can still move. Raises ValueError unless p has one axis.

    >>> softmax_jacobian(np.array([0.5, 0.5])).tolist()
    [[0.25, -0.25], [-0.25, 0.25]]
    """
    p = np.asarray(p)
    if p.ndim != 1:
        raise ValueError(f"p has shape {p.shape}; the Jacobian is of one row of probabilities, of shape (n,).")
    return np.diag(p) - np.outer(p, p)
