"""encoder_layer written differently, and right."""

import math

import numpy as np


def _softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _masked(scores, mask):
    return _softmax(scores if mask is None else np.where(mask, scores, -1e9))


def _norm(X, gamma, beta):
    return (X - X.mean(axis=-1, keepdims=True)) / np.sqrt(X.var(axis=-1, keepdims=True) + 1e-12) * gamma + beta


def _gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf, otypes=[float])(x / math.sqrt(2)))


def _rest(X, attended, p):
    X = _norm(X + attended, p["gamma_1"], p["beta_1"])
    return _norm(X + _gelu(X @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"], p["gamma_2"], p["beta_2"])


def _head_by_head(X, params, n_heads, mask=None):
    """Column blocks of the matrices, one head after another; its rows of W_o bring it back."""
    width, weights, attended = X.shape[-1] // n_heads, [], params["b_o"]
    for i in range(n_heads):
        part = slice(i * width, (i + 1) * width)
        Q, K, V = (X @ params[f"W_{role}"][:, part] + params[f"b_{role}"][part] for role in "qkv")
        allowed = (
            mask
            if mask is None or mask.ndim < 3
            else np.broadcast_to(mask, (*mask.shape[:-3], n_heads, *mask.shape[-2:]))[..., i, :, :]
        )
        weights.append(_masked(Q @ np.swapaxes(K, -1, -2) / math.sqrt(width), allowed))
        attended = attended + weights[-1] @ V @ params["W_o"][part]
    return _rest(X, attended, params), np.stack(weights, axis=-3)


def _with_einsum(X, params, n_heads, mask=None):
    width = X.shape[-1] // n_heads
    Q, K, V = ((X @ params[f"W_{role}"] + params[f"b_{role}"]).reshape(*X.shape[:-1], n_heads, width) for role in "qkv")
    weights = _masked(np.einsum("...qhc,...khc->...hqk", Q, K) * width**-0.5, mask)
    mixed = np.einsum("...hqk,...khc->...qhc", weights, V).reshape(X.shape)
    return [_rest(X, np.einsum("...d,de->...e", mixed, params["W_o"]) + params["b_o"], params), weights]


def _without_the_keys_bias(X, params, n_heads, mask=None):
    """b_k adds the same to every score of a query, and softmax does not see it."""
    width = X.shape[-1] // n_heads

    def split(part):
        return np.moveaxis(part.reshape(*part.shape[:-1], n_heads, width), -2, -3)

    Q, K, V = split(X @ params["W_q"] + params["b_q"]), split(X @ params["W_k"]), split(X @ params["W_v"])
    weights = _masked(Q @ np.swapaxes(K, -1, -2) / np.sqrt(width), mask)
    heads = np.moveaxis(weights @ V, -3, -2).reshape(X.shape)
    return _rest(X, heads @ params["W_o"] + params["b_v"] @ params["W_o"] + params["b_o"], params), weights  # weights sum to 1


def _stacked(X, params, n_heads, mask=None):
    """All three projections in one product, as the published code of several models has it."""
    W = np.hstack([params[f"W_{role}"] for role in "qkv"])
    b = np.concatenate([params[f"b_{role}"] for role in "qkv"])
    parts = np.split(X @ W + b, 3, axis=-1)
    Q, K, V = (np.stack(np.split(part, n_heads, axis=-1), axis=-3) for part in parts)
    weights = _masked(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), mask)
    merged = np.concatenate([np.take(weights @ V, i, axis=-3) for i in range(n_heads)], axis=-1)
    return _rest(X, merged @ params["W_o"] + params["b_o"], params), weights


def _single_precision(X, params, n_heads, mask=None):
    """Weights in double precision, all that follows in single."""
    _, weights = _with_einsum(X, params, n_heads, mask)
    p = {name: value.astype(np.float32) for name, value in params.items()}
    V = (X.astype(np.float32) @ p["W_v"] + p["b_v"]).reshape(*X.shape[:-1], n_heads, -1)
    mixed = np.einsum("...hqk,...khc->...qhc", weights.astype(np.float32), V).reshape(X.shape)
    return _rest(X, mixed @ p["W_o"] + p["b_o"], p).astype(np.float32), weights


ACCEPTED = (_head_by_head, _with_einsum, _without_the_keys_bias, _stacked, _single_precision)
