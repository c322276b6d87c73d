"""Unscaled attentions written differently, and right: lesson 4 accepts them, and lesson 5 with its queries divided."""

import numpy as np


def _softmax(s, axis=-1):
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _mask_where(fill):
    """A fill as low as −1e9 is −∞ for scores up to 10⁶; fully masked rows need a thought of their own."""

    def attention(Q, K, V, mask=None):
        scores = Q @ np.swapaxes(K, -1, -2)
        if mask is None:
            weights = _softmax(scores)
        else:
            weights = _softmax(np.where(mask, scores, fill)) * mask.any(axis=-1, keepdims=True)
        return weights @ V, weights

    return attention


def _mask_added(fill):
    def attention(Q, K, V, mask=None):
        scores = Q @ np.swapaxes(K, -1, -2)
        allowed = np.ones(scores.shape, bool) if mask is None else mask
        scores = scores + np.where(allowed, 0.0, fill)
        weights = np.where(allowed.any(axis=-1, keepdims=True), _softmax(scores), 0)
        return [np.matmul(weights, V), weights]

    return attention


def _infinite(Q, K, V, mask=None):
    """−∞, and 0 / 0 mended afterwards; warnings cost nothing."""
    scores = np.einsum("...qd,...kd->...qk", Q, K)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.nan_to_num(_softmax(scores))
    return np.einsum("...qk,...kv->...qv", weights, V), weights


def _only_open(Q, K, V, mask=None):
    """exp for the open keys alone, no fill anywhere."""
    scores = (Q @ np.swapaxes(K, -1, -2)).astype(float)
    mask = np.broadcast_to(True if mask is None else mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=mask, initial=-np.inf)
    e = np.exp(scores - top, out=np.zeros_like(scores), where=mask)
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total > 0, total, 1)
    return weights @ V, weights


def _by_query(Q, K, V, mask=None):
    """One query after the other, one item after the other."""
    lead = Q.shape[:-2]
    weights = np.zeros((*lead, Q.shape[-2], K.shape[-2]))
    output = np.zeros((*lead, Q.shape[-2], V.shape[-1]))
    allowed = np.broadcast_to(True if mask is None else mask, weights.shape)
    for item in np.ndindex(lead):
        for i, q in enumerate(Q[item]):
            keys = np.flatnonzero(allowed[item][i])
            if len(keys):
                weights[item][i, keys] = _softmax(np.array([float(q @ K[item][j]) for j in keys]))
            output[item][i] = sum(w * v for w, v in zip(weights[item][i], V[item]))
    return output, weights


def _divides_last(Q, K, V, mask=None):
    """The values are mixed by exponentials; the division comes at the very end."""
    scores = (Q @ np.swapaxes(K, -1, -2)).astype(float)
    allowed = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    top = np.where(allowed, scores, -np.inf).max(axis=-1, keepdims=True)
    e = np.where(allowed, np.exp(np.minimum(scores - np.where(np.isfinite(top), top, 0), 0)), 0)
    total = np.maximum(e.sum(axis=-1, keepdims=True), 1e-300)
    return (e @ V) / total, e / total


def _in_float32(Q, K, V, mask=None):
    """Scores and maximum in double precision, everything after them in single."""
    scores = np.matmul(Q, np.swapaxes(K, -1, -2), dtype=float)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    e = np.exp((scores - scores.max(axis=-1, keepdims=True)).astype(np.float32))
    weights = e / e.sum(axis=-1, keepdims=True)
    if mask is not None:
        weights = weights * mask.any(axis=-1, keepdims=True)
    return weights @ V.astype(np.float32), weights


def _turned(Q, K, V, mask=None):
    """Keys down, queries across: softmax over axis −2, and everything turned back at the end."""
    scores = np.asarray(K @ np.swapaxes(Q, -1, -2), dtype=float)
    if mask is not None:
        turned = np.swapaxes(mask, -1, -2)
        scores = np.where(turned | ~turned.any(axis=-2, keepdims=True), scores, -np.inf)
    weights = _softmax(scores, axis=-2)
    if mask is not None:
        weights = weights * turned.any(axis=-2, keepdims=True)
    return np.swapaxes(np.swapaxes(V, -1, -2) @ weights, -1, -2), np.swapaxes(weights, -1, -2)


def _on_copies(Q, K, V, mask=None):
    """In place, but on arrays of its own; scores[~mask] after the mask was spread out."""
    scores = np.array(Q @ np.swapaxes(K, -1, -2), dtype=float)
    if mask is not None:
        closed = ~np.broadcast_to(mask, scores.shape)
        scores[closed] = -np.inf
        scores[closed.all(axis=-1)] = 0
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    if mask is not None:
        scores[closed] = 0
    return scores @ V, scores


UNSCALED = (
    _mask_where(-1e9),
    _mask_where(-1e30),
    _mask_where(np.finfo(float).min),
    _mask_added(-1e9),
    _mask_added(-1e12),
    _mask_added(-np.inf),
    _infinite,
    _only_open,
    _by_query,
    _divides_last,
    _in_float32,
    _turned,
    _on_copies,
)
