"""Lesson 3: right answers written differently. Each must get full marks."""

import itertools
import math

import numpy as np

# ---- uniform_weights


def _uniform_loops(n, causal=False):
    result = []
    for i in range(n):
        seen = i + 1 if causal else n
        result.append([1 / seen if j < seen else 0 for j in range(n)])
    return result


def _uniform_counts(n, causal=False):
    if not causal:
        return np.full((n, n), 1 / n)
    return np.tri(n) / np.arange(1, n + 1)[:, None]


def _uniform_softmax(n, causal=False):
    scores = np.zeros((n, n))
    if causal:
        scores[np.triu_indices(n, k=1)] = -1e9
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def _uniform_float32(n, causal=False):
    i, j = np.indices((n, n))
    may = (j <= i) | (not causal)
    return (may / may.sum(axis=-1, keepdims=True)).astype(np.float32)


def _uniform_in_place(n, causal=False):
    weights = np.zeros((n, n))
    for i in range(n):
        weights[i, : i + 1 if causal else n] = 1
        weights[i] /= weights[i].sum()
    return weights


UNIFORM_WEIGHTS = (_uniform_loops, _uniform_counts, _uniform_softmax, _uniform_float32, _uniform_in_place)


# ---- mix


def _mix_einsum(weights, X):
    return np.einsum("...qk,...kd->...qd", weights, X)


def _mix_broadcast(weights, X):
    return (weights[..., :, :, None] * X[..., None, :, :]).sum(axis=-2)


def _mix_transposed(weights, X):
    return np.swapaxes(np.swapaxes(X, -1, -2) @ np.swapaxes(weights, -1, -2), -1, -2)


def _mix_recursive_lists(weights, X):
    if weights.ndim > 2:
        return [_mix_recursive_lists(w, x) for w, x in zip(weights, X)]
    return [sum(w * row for w, row in zip(query, X)) for query in weights]


def _mix_float32(weights, X):
    return np.matmul(weights, X).astype(np.float32)


def _mix_by_keys(weights, X):
    total = np.zeros((*weights.shape[:-1], X.shape[-1]))
    for k in range(X.shape[-2]):
        total += weights[..., k, None] * X[..., None, k, :]
    return total


MIX = (_mix_einsum, _mix_broadcast, _mix_transposed, _mix_recursive_lists, _mix_float32, _mix_by_keys)


# ---- context_average


def _average_loop(X, position, window):
    near = [X[j] for j in range(len(X)) if j != position and abs(j - position) <= window]
    return sum(near) / len(near) if near else [0.0] * X.shape[1]


def _average_slices(X, position, window):
    left, right = X[max(0, position - window) : position], X[position + 1 : position + 1 + window]
    near = np.concatenate([left, right])
    return np.mean(near, axis=0) if len(near) else np.zeros_like(X[0], dtype=float)


def _average_minus_itself(X, position, window):
    low, high = max(0, position - window), min(len(X), position + window + 1)
    return (X[low:high].sum(axis=0) - X[position]) / max(high - low - 1, 1)


def _average_deleted(X, position, window):
    keep = np.delete(np.arange(len(X)), position)
    keep = keep[(keep >= position - window) & (keep <= position + window)]
    with np.errstate(all="ignore"):
        return np.nan_to_num(X[keep].mean(axis=0))


def _average_weights(X, position, window):
    weights = np.array([float(0 < abs(j - position) <= window) for j in range(len(X))])
    return weights / (weights.sum() + 1e-9) @ X


def _average_float32(X, position, window):
    padded = np.pad(X.astype(np.float32), ((window, window), (0, 0)))[position : position + 2 * window + 1]
    there = np.array([0 <= j < len(X) and j != position for j in range(position - window, position + window + 1)])
    return (padded * there[:, None]).sum(axis=0) / max(int(there.sum()), 1)


CONTEXT_AVERAGE = (_average_loop, _average_slices, _average_minus_itself, _average_deleted, _average_weights, _average_float32)


# ---- nearest_sense


def _cosine(u, v):
    length = math.sqrt(sum(float(a) ** 2 for a in u)) * math.sqrt(sum(float(b) ** 2 for b in v))
    return sum(float(a) * float(b) for a, b in zip(u, v)) / length if length else 0.0


def _nearest_loop(vector, senses):
    best, highest = 0, -2.0
    for i, sense in enumerate(senses):
        if _cosine(vector, sense) > highest:
            best, highest = i, _cosine(vector, sense)
    return best


def _nearest_max(vector, senses):
    return max(range(len(senses)), key=lambda i: _cosine(vector, senses[i]))


def _nearest_eps(vector, senses):
    cosines = senses @ vector / (np.linalg.norm(senses, axis=1) * np.linalg.norm(vector) + 1e-8)
    return np.argmax(cosines)


def _nearest_sorted(vector, senses):
    unit = senses / np.maximum(np.linalg.norm(senses, axis=1, keepdims=True), 1e-8)
    return np.argsort(-(unit @ (vector / max(np.linalg.norm(vector), 1e-8))), kind="stable")[0]


def _nearest_without_the_vectors_length(vector, senses):
    lengths = np.linalg.norm(senses, axis=1)
    return int(np.argmax((senses @ vector) / np.where(lengths == 0, 1, lengths)))


def _nearest_distance(vector, senses):
    with np.errstate(all="ignore"):
        distances = 1 - np.nan_to_num(senses @ vector / np.linalg.norm(senses, axis=1) / np.linalg.norm(vector))
    return np.array(distances.argmin(), dtype=np.int32)


NEAREST_SENSE = (
    _nearest_loop,
    _nearest_max,
    _nearest_eps,
    _nearest_sorted,
    _nearest_without_the_vectors_length,
    _nearest_distance,
)


# ---- similarity_weights


def _similarity_loops(X):
    if X.ndim > 2:
        return [_similarity_loops(sentence) for sentence in X]
    result = []
    for x in X:
        scores = [float(np.dot(x, y)) for y in X]
        exps = [math.exp(score - max(scores)) for score in scores]
        result.append([e / sum(exps) for e in exps])
    return result


def _similarity_einsum(X):
    scores = np.einsum("...id,...jd->...ij", X, X)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _similarity_logs(X):
    scores = X @ np.moveaxis(X, -1, -2)
    return np.exp(scores - np.logaddexp.reduce(scores, axis=-1)[..., None])


def _similarity_float32(X):
    scores = (X @ X.swapaxes(-2, -1)).astype(np.float32)
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return (e / np.sum(e, axis=-1, keepdims=True)).astype(np.float32)


def _similarity_differences(X):
    scores = X @ np.swapaxes(X, -1, -2)
    with np.errstate(over="ignore"):  # 1 / inf is the 0 that is wanted
        return 1 / np.exp(scores[..., None, :] - scores[..., :, None]).sum(axis=-1)


SIMILARITY_WEIGHTS = (_similarity_loops, _similarity_einsum, _similarity_logs, _similarity_float32, _similarity_differences)


# ---- sense_separation


def _separation_loops(A, B):
    within = [_cosine(u, v) for group in (A, B) for u, v in itertools.combinations(group, 2)]
    across = [_cosine(u, v) for u in A for v in B]
    return sum(within) / len(within) - sum(across) / len(across)


def _unit(X):
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    return X / np.where(lengths == 0, 1, lengths)


def _separation_triangles(A, B):
    A, B = _unit(A), _unit(B)
    within = np.concatenate([(X @ X.T)[np.triu_indices(len(X), k=1)] for X in (A, B)])
    return np.mean(within) - np.mean(A @ B.T)


def _separation_trace(A, B):
    A, B = _unit(A), _unit(B)
    total = sum((X @ X.T).sum() - np.trace(X @ X.T) for X in (A, B))
    return float(total / sum(len(X) * (len(X) - 1) for X in (A, B)) - (A @ B.T).mean())


def _separation_eps(A, B):
    A, B = (X / (np.linalg.norm(X, axis=1, keepdims=True) + 1e-8) for X in (A, B))
    pairs = [A[i] @ A[j] for i in range(len(A)) for j in range(len(A)) if i != j]
    pairs += [B[i] @ B[j] for i in range(len(B)) for j in range(len(B)) if i != j]
    return np.average(pairs) - np.average([a @ b for a in A for b in B])


def _separation_sums(A, B):
    """The cosines of all pairs add up to the product of the sums of unit vectors."""
    A, B = _unit(A), _unit(B)
    a, b = A.sum(axis=0), B.sum(axis=0)
    within = (a @ a - (A**2).sum() + b @ b - (B**2).sum()) / (len(A) * (len(A) - 1) + len(B) * (len(B) - 1))
    return within - a @ b / (len(A) * len(B))


def _separation_float32(A, B):
    return np.float32(_separation_triangles(A.astype(np.float32), B.astype(np.float32)))


SENSE_SEPARATION = (
    _separation_loops,
    _separation_triangles,
    _separation_trace,
    _separation_eps,
    _separation_sums,
    _separation_float32,
)
