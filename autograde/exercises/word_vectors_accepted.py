"""Lesson 1: right answers written differently. Each must get full marks."""

import math

import numpy as np

# ---- one_hot


def _one_hot_loop(ids, vocab_size):
    rows = np.zeros((len(ids), vocab_size))
    for i, word in enumerate(ids):
        rows[i, word] = 1
    return rows


def _one_hot_lists(ids, vocab_size):
    if any(i >= vocab_size for i in ids):
        raise ValueError("an id is too large")
    return [[int(column == i) for column in range(vocab_size)] for i in ids]


def _one_hot_eye(ids, vocab_size):
    return np.eye(vocab_size)[ids]


def _one_hot_bytes(ids, vocab_size):
    return np.eye(vocab_size, dtype=np.int8)[np.array(ids)]


def _one_hot_bools(ids, vocab_size):
    ids = np.asarray(ids)
    if ids.max() >= vocab_size:
        raise IndexError(ids.max())
    return ids[:, None] == np.arange(vocab_size)


ONE_HOT = (_one_hot_loop, _one_hot_lists, _one_hot_eye, _one_hot_bytes, _one_hot_bools)


# ---- embed


def _embed_loop(ids, E):
    return [E[i] for i in ids]


def _embed_product(ids, E):
    return np.eye(len(E))[ids] @ E


def _embed_take(ids, E):
    return np.take(E, ids, axis=0)


def _embed_stack(ids, E):
    return np.vstack([E[int(i)] for i in ids]).astype(np.float32)


EMBED = (_embed_loop, _embed_product, _embed_take, _embed_stack)


# ---- dot_products


def _dots_loop(X, y):
    result = []
    for row in X:
        total = 0.0
        for a, b in zip(row, y):
            total += a * b
        result.append(total)
    return result


def _dots_sum(X, y):
    return (X * y).sum(axis=1)


def _dots_einsum(X, y):
    return np.einsum("nd,d->n", X, y)


def _dots_single(X, y):
    return X.astype(np.float32) @ y.astype(np.float32)


def _dots_other_way(X, y):
    return tuple(np.dot(y, X.T))


DOT_PRODUCTS = (_dots_loop, _dots_sum, _dots_einsum, _dots_single, _dots_other_way)


# ---- cosine_similarity


def _cosine_loop(u, v):
    dot = sum(float(a) * float(b) for a, b in zip(u, v))
    lengths = math.sqrt(sum(float(a) ** 2 for a in u)) * math.sqrt(sum(float(b) ** 2 for b in v))
    return dot / lengths if lengths else 0.0


def _cosine_unit_first(u, v):
    if not u.any() or not v.any():
        return 0
    return np.sum(u / np.sqrt(np.sum(u**2.0)) * (v / np.sqrt(np.sum(v**2.0))))


def _cosine_single(u, v):
    u, v = u.astype(np.float32), v.astype(np.float32)
    length = np.linalg.norm(u) * np.linalg.norm(v)
    return np.float32(0) if length == 0 else u @ v / length


def _cosine_small_number(u, v):
    return np.dot(u, v) / (np.linalg.norm(u) * np.linalg.norm(v) + 1e-9)


def _cosine_nan_to_num(u, v):
    return np.nan_to_num(np.inner(u, v) / np.sqrt(np.inner(u, u) * np.inner(v, v)))


def _cosine_law(u, v):
    """From the three sides of a triangle: |u - v|^2 = |u|^2 + |v|^2 - 2 |u| |v| cos."""
    u, v = np.asarray(u, float), np.asarray(v, float)
    a, b, c = (np.linalg.norm(x) for x in (u, v, u - v))
    return (a * a + b * b - c * c) / (2 * a * b) if a * b else 0.0


COSINE_SIMILARITY = (_cosine_loop, _cosine_unit_first, _cosine_single, _cosine_small_number, _cosine_nan_to_num, _cosine_law)


# ---- cosine_matrix


def _matrix_loops(X, Y):
    return [[_cosine_loop(x, y) for y in Y] for x in X]


def _matrix_outer(X, Y):
    lengths = np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(Y, axis=1))
    return np.where(lengths > 0, X @ Y.T / np.where(lengths > 0, lengths, 1), 0)


def _matrix_einsum(X, Y):
    X = X / np.maximum(np.sqrt(np.einsum("nd,nd->n", X, X)), 1e-12)[:, None]
    Y = Y / np.maximum(np.sqrt(np.einsum("md,md->m", Y, Y)), 1e-12)[:, None]
    return np.einsum("nd,md->nm", X, Y)


def _matrix_single(X, Y):
    X, Y = X.astype(np.float32), Y.astype(np.float32)
    return np.nan_to_num(X @ Y.T / np.linalg.norm(X, axis=1, keepdims=True) / np.linalg.norm(Y, axis=1))


def _matrix_broadcast(X, Y):
    products = (X[:, None, :] * Y[None, :, :]).sum(axis=-1)
    return products / (np.linalg.norm(X, axis=-1)[:, None] * np.linalg.norm(Y, axis=-1)[None, :] + 1e-10)


COSINE_MATRIX = (_matrix_loops, _matrix_outer, _matrix_einsum, _matrix_single, _matrix_broadcast)
