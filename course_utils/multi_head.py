"""Lesson 6, references: the width split into heads, several attentions side by side, and put together again.

("Attention is all you need", 2017, section 3.2.2: d_head = d_model / h, so the budget does not grow with h.)
"""

import numpy as np

from .query_key_value import project
from .scaling import scaled_dot_product_attention


def split_heads(X, n_heads):
    """Cut the width into heads: (..., n, d) → (..., h, n, d/h). Head i holds columns i·d/h … (i+1)·d/h − 1.

    Raises ValueError if h does not divide d.

    >>> split_heads(np.array([[1, 2, 3, 4], [5, 6, 7, 8]]), 2).tolist()
    [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]
    """
    X = np.asarray(X)
    *batch, n, d = X.shape
    d_head = _head_width(d, n_heads)
    return np.swapaxes(X.reshape(*batch, n, n_heads, d_head), -2, -3)  # (..., n, h, d_head) → (..., h, n, d_head)


def merge_heads(H):
    """The inverse of ``split_heads``: (..., h, n, d_head) → (..., n, h · d_head).

    >>> merge_heads(np.array([[[1, 2], [5, 6]], [[3, 4], [7, 8]]])).tolist()
    [[1, 2, 3, 4], [5, 6, 7, 8]]
    """
    H = np.asarray(H)
    *batch, n_heads, n, d_head = H.shape
    return np.swapaxes(H, -2, -3).reshape(*batch, n, n_heads * d_head)  # (..., n, h, d_head) → (..., n, d)


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Self-attention by several heads, scaled by √d_head ("Attention is all you need", 2017, section 3.2.2).

    X (..., n, d), four (d, d) matrices → (output (..., n, d), weights (..., h, n, n)).
    mask: bool, True where a query may look, broadcast against (..., h, n, n).
    Raises ValueError if h does not divide d.

    >>> I = np.eye(2)
    >>> output, weights = multi_head_attention(np.zeros((3, 2)), I, I, I, I, n_heads=2)
    >>> output.shape, weights.shape
    ((3, 2), (2, 3, 3))
    """
    Q, K, V = (split_heads(part, n_heads) for part in project(X, W_q, W_k, W_v))
    heads, weights = scaled_dot_product_attention(Q, K, V, mask)  # (..., h, n, d_head), (..., h, n, n)
    return merge_heads(heads) @ W_o, weights


def head_budget(d_model, n_heads):
    """(d_head, parameters): the width of one head, and the entries of W_q, W_k, W_v and W_o, the same for any h.

    Raises ValueError if h does not divide d.

    >>> head_budget(768, 12)  # BERT-base
    (64, 2359296)
    """
    return _head_width(d_model, n_heads), 4 * int(d_model) ** 2


def previous_token_score(weights):
    """Mean weight that tokens 1 … n−1 give to the token just before them: (h, n, n) → (h,), between 0 and 1.

    >>> previous_token_score(np.array([[[1.0, 0.0], [0.25, 0.75]]])).tolist()
    [0.25]
    """
    return np.diagonal(weights, offset=-1, axis1=-2, axis2=-1).mean(axis=-1)


def _head_width(d_model, n_heads):
    if n_heads < 1 or d_model % n_heads:
        raise ValueError(
            f"a width of {d_model} cannot be cut into {n_heads} equal heads; choose a number of heads that divides {d_model}."
        )
    return int(d_model) // int(n_heads)
