"""Lesson 5: right answers written differently. Each must get full marks."""

import math

import numpy as np

from course_utils.query_key_value import attention

from .attention.accepted import UNSCALED

# ---- dot_product_samples


def _pair_by_pair(n, d, rng):
    return [rng.normal(size=d) @ rng.normal(size=d) for _ in range(n)]


def _number_by_number(n, d, rng):
    def vector():
        return rng.standard_normal(d).tolist()

    return [sum(a * b for a, b in zip(vector(), vector())) for _ in range(n)]


def _one_draw(n, d, rng):
    X, Y = rng.normal(size=(2, n, d))
    return np.einsum("ij,ij->i", X, Y)


def _interleaved(n, d, rng):
    pairs = rng.standard_normal((n, d, 2))
    return pairs.prod(axis=-1).sum(axis=-1)


def _diagonal(n, d, rng):
    return np.diag(rng.normal(0, 1, (n, d)) @ rng.normal(0, 1, (n, d)).T)


def _single(n, d, rng):
    X, Y = (rng.standard_normal((n, d), dtype=np.float32) for _ in "XY")
    return (X * Y).sum(-1)


def _many_normal(n, d, rng):
    X, Y = (rng.multivariate_normal(np.zeros(d), np.eye(d), size=n) for _ in "XY")
    return (X * Y).sum(axis=1)


def _by_matmul(n, d, rng):
    return np.matmul(rng.standard_normal((n, 1, d)), rng.standard_normal((n, d, 1)))[:, 0, 0]


DOT_PRODUCT_SAMPLES = (_pair_by_pair, _number_by_number, _one_draw, _interleaved, _diagonal, _single, _many_normal, _by_matmul)


# ---- scaled_dot_product_attention


def _queries_first(function):
    """The queries divided before anything else, which is the same: every accepted attention of lesson 4 serves."""

    def scaled(Q, K, V, mask=None):
        return function(Q / np.sqrt(Q.shape[-1]), K, V, mask)

    return scaled


def _both_by_the_fourth_root(Q, K, V, mask=None):
    root = Q.shape[-1] ** 0.25
    return attention(Q / root, K / root, V, mask)


def _keys_times_power(Q, K, V, mask=None):
    return attention(Q, K * K.shape[-1] ** -0.5, V, mask)


def _filled_then_scaled(Q, K, V, mask=None):
    scores = np.einsum("...id,...jd->...ij", Q, K)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    scores = scores / math.sqrt(K.shape[-1])
    e = np.exp(scores - scores.max(-1, keepdims=True))
    weights = e / e.sum(-1, keepdims=True)
    if mask is not None:
        weights = np.where(np.any(mask, axis=-1, keepdims=True), weights, 0)
    return np.einsum("...ij,...jv->...iv", weights, V), weights


def _root_in_the_exponent(Q, K, V, mask=None):
    """exp(s)^(1/√d_k) in logarithms: the temperature √d_k of a softmax."""
    temperature = np.sqrt(np.array(Q).shape[-1])
    scores = (Q @ np.moveaxis(K, -1, -2)).astype(float)
    open_ = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=open_, initial=-1e12)
    weights = np.where(open_, np.exp(np.minimum(scores - top, 0) / temperature), 0)
    weights = weights / np.maximum(weights.sum(axis=-1, keepdims=True), 1e-300)
    return weights @ V, weights


SCALED_ATTENTION = (
    *(_queries_first(function) for function in UNSCALED),
    _both_by_the_fourth_root,
    _keys_times_power,
    _filled_then_scaled,
    _root_in_the_exponent,
)


# ---- entropy


def _entropy_loop(p, axis=-1):
    rows = np.moveaxis(np.asarray(p, dtype=float), axis, -1)
    total = np.zeros(rows.shape[:-1])
    for index in np.ndindex(rows.shape[:-1]):
        total[index] = sum(-x * math.log(x) for x in rows[index] if x > 0)
    return total


def _entropy_mended(p, axis=-1):
    return -np.nan_to_num(p * np.log(p)).sum(axis=axis)


def _entropy_small_number(p, axis=-1):
    return -np.sum(p * np.log(p + 1e-12), axis)


def _entropy_clipped(p, axis=-1):
    return -(p * np.log(np.clip(p, 1e-9, None))).sum(axis)


def _entropy_where(p, axis=-1):
    p = np.array(p, dtype=np.float64)
    logs = np.log(p, where=p > 0, out=np.zeros_like(p))
    return np.einsum("...i,...i->...", np.moveaxis(p, axis, -1), -np.moveaxis(logs, axis, -1))


def _entropy_of_surprise(p, axis=-1):
    with np.errstate(divide="ignore"):
        surprise = np.log(1 / np.asarray(p, float))
    return np.where(np.asarray(p) == 0, 0, p * np.minimum(surprise, 1e9)).sum(axis=axis)


def _entropy_by_bits(p, axis=-1):
    return -math.log(2) * np.sum(np.where(p == 0, 0.0, p * np.log2(np.where(p == 0, 1.0, p))), axis=axis)


def _entropy_single(p, axis=-1):
    p = p.astype(np.float32)
    return -(p * np.log(np.maximum(p, np.float32(1e-30)))).sum(axis=axis)


ENTROPY = (
    _entropy_loop,
    _entropy_mended,
    _entropy_small_number,
    _entropy_clipped,
    _entropy_where,
    _entropy_of_surprise,
    _entropy_by_bits,
    _entropy_single,
)


# ---- softmax_jacobian


def _jacobian_loops(p):
    n = len(p)
    return [[p[i] * ((i == j) - p[j]) for j in range(n)] for i in range(n)]


def _jacobian_factored(p):
    return p[:, None] * (np.eye(len(p)) - p[None, :])


def _jacobian_filled(p):
    J = -np.outer(p, p).astype(float)
    np.fill_diagonal(J, p * (1 - p))
    return J


def _jacobian_product(p):
    column = p.reshape(-1, 1)
    return np.diagflat(p) - column @ column.T


def _jacobian_einsum(p):
    return np.eye(p.size) * p - np.einsum("i,j->ij", p, p)


def _jacobian_single(p):
    p = p.astype(np.float32)
    return np.diag(p) - np.multiply.outer(p, p)


def _jacobian_by_columns(p):
    """Column j: the derivative of the weights when score j rises."""
    unit = np.eye(len(p))
    return np.stack([p * (unit[j] - p[j]) for j in range(len(p))], axis=1)


SOFTMAX_JACOBIAN = (
    _jacobian_loops,
    _jacobian_factored,
    _jacobian_filled,
    _jacobian_product,
    _jacobian_einsum,
    _jacobian_single,
    _jacobian_by_columns,
)
