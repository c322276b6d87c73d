"""Lesson 6: multi-head attention written differently, and right."""

import numpy as np


def _softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _masked(scores, mask, fill=-1e9):
    if mask is None:
        return _softmax(scores)
    return _softmax(np.where(mask, scores, fill)) * mask.any(axis=-1, keepdims=True)


def _head_by_head(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """h separate attentions with column blocks of the matrices."""
    width = X.shape[-1] // n_heads
    if mask is not None:
        mask = np.broadcast_to(mask, (*X.shape[:-2], n_heads, X.shape[-2], X.shape[-2]))
    outputs, weights = [], []
    for i in range(n_heads):
        block = slice(i * width, (i + 1) * width)
        Q, K, V = X @ W_q[:, block], X @ W_k[:, block], X @ W_v[:, block]
        scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(width)
        weights.append(_masked(scores, None if mask is None else mask[..., i, :, :]))
        outputs.append(weights[-1] @ V)
    return np.concatenate(outputs, axis=-1) @ W_o, np.stack(weights, axis=-3)


def _einsum(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    d = X.shape[-1]
    Q, K, V = ((X @ W).reshape(*X.shape[:-1], n_heads, d // n_heads) for W in (W_q, W_k, W_v))
    scores = np.einsum("...qhd,...khd->...hqk", Q, K) * (d // n_heads) ** -0.5
    weights = _masked(scores, mask, -np.finfo(float).max)
    mixed = np.einsum("...hqk,...khd->...qhd", weights, V)
    return [mixed.reshape(X.shape) @ W_o, weights]


def _sum_of_heads(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Each head times its own rows of W_o, added up: the same as merging first."""
    width = X.shape[-1] // n_heads
    Q, K, V = (np.moveaxis((X @ W).reshape(*X.shape[:-1], n_heads, width), -2, -3) for W in (W_q, W_k, W_v))
    weights = _masked((Q / np.sqrt(width)) @ np.swapaxes(K, -1, -2), mask, -1e30)
    heads = weights @ V
    return sum(heads[..., i, :, :] @ W_o[i * width : (i + 1) * width] for i in range(n_heads)), weights


def _infinite_fill(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    width = X.shape[-1] // n_heads
    Q, K, V = (np.stack(np.split(X @ W, n_heads, axis=-1), axis=-3) for W in (W_q, W_k, W_v))
    scores = Q @ np.swapaxes(K, -1, -2) / width**0.5
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.nan_to_num(_softmax(scores))
    return np.concatenate(list(np.moveaxis(weights @ V, -3, 0)), axis=-1) @ W_o, weights


def _added_in_float32(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """An additive mask; scores and maximum in double precision, everything after them in single."""
    width = X.shape[-1] // n_heads
    Q, K, V = (np.moveaxis((X @ W).reshape(*X.shape[:-1], n_heads, width), -2, -3) for W in (W_q, W_k, W_v))
    scores = np.matmul(Q, np.swapaxes(K, -1, -2), dtype=float) / np.sqrt(width)
    if mask is not None:
        scores = scores + np.where(mask, 0, -1e15)
    weights = _softmax((scores - scores.max(axis=-1, keepdims=True)).astype(np.float32))
    if mask is not None:
        weights = weights * mask.any(axis=-1, keepdims=True)
    merged = np.moveaxis(weights @ V.astype(np.float32), -3, -2).reshape(X.shape)
    return merged @ W_o.astype(np.float32), weights


ACCEPTED = (_head_by_head, _einsum, _sum_of_heads, _infinite_fill, _added_in_float32)
