"""Lesson 2: right answers written differently. Each must get full marks."""

import math

import numpy as np

norm = np.linalg.norm


# ---- softmax


def _softmax_log_sum(x, axis=-1):
    x = np.asarray(x, dtype=float)
    top = np.max(x, axis=axis, keepdims=True)
    return np.exp(x - top - np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True)))


def _softmax_loop(x, axis=-1):
    rows = np.moveaxis(np.array(x, dtype=float), axis, -1)
    out = np.empty_like(rows)
    for at in np.ndindex(rows.shape[:-1]):
        top = max(rows[at])
        e = [math.exp(v - top) for v in rows[at]]
        out[at] = [v / math.fsum(e) for v in e]
    return np.moveaxis(out, -1, axis)


def _softmax_single(x, axis=-1):
    x = x.astype(np.float32)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _softmax_expand(x, axis=-1):
    e = np.exp(x - np.expand_dims(x.max(axis), axis))
    return (e / (np.expand_dims(e.sum(axis), axis) + 1e-12)).tolist()


def _softmax_reduce(x, axis=-1):
    e = np.exp(np.subtract(x, np.maximum.reduce(x, axis=axis, keepdims=True)))
    return np.divide(e, np.add.reduce(e, axis=axis, keepdims=True))


SOFTMAX = (_softmax_log_sum, _softmax_loop, _softmax_single, _softmax_expand, _softmax_reduce)


# ---- cross_entropy


def _entropy_loop(probs, targets):
    total = 0.0
    for row, target in zip(probs, targets):
        total += -math.log(row[target])
    return total / len(targets)


def _entropy_one_hot(probs, targets):
    hot = np.eye(probs.shape[1])[targets]
    return -np.log((probs * hot).sum(axis=1)).mean()


def _entropy_take(probs, targets):
    picked = np.take_along_axis(probs, np.asarray(targets)[:, None], axis=1)
    return np.mean(-np.log(picked + 1e-12))


def _entropy_clipped(probs, targets):
    p = np.clip(np.asarray(probs, dtype=np.float32), 1e-9, 1.0)
    return np.float32(np.average(-np.log(p[range(len(targets)), targets])))


def _entropy_guarded_matrix(probs, targets):
    logs = np.log(np.where(probs > 0, probs, 1.0))
    return -(np.eye(probs.shape[1])[list(targets)] * logs).sum() / probs.shape[0]


CROSS_ENTROPY = (_entropy_loop, _entropy_one_hot, _entropy_take, _entropy_clipped, _entropy_guarded_matrix)


# ---- predict_missing


def _plain_softmax(scores):
    e = np.exp(scores)
    return e / e.sum()


def _predict_loop(context, E, U):
    total = np.zeros(E.shape[1])
    for word in context:
        total += E[word]
    scores = [sum(total[j] / len(context) * U[j, v] for j in range(U.shape[0])) for v in range(U.shape[1])]
    return list(_plain_softmax(np.array(scores)))


def _predict_counts(context, E, U):
    weights = np.bincount(np.asarray(context), minlength=len(E)) / len(context)
    return _softmax_log_sum(weights @ E @ U)


def _predict_einsum(context, E, U):
    return _softmax_log_sum(np.einsum("md,dv->v", E[np.array(context)], U) / len(context))


def _predict_scores_first(context, E, U):
    return _plain_softmax((np.take(E, context, axis=0) @ U).mean(axis=0))


def _predict_single(context, E, U):
    return _softmax_single(np.mean(E[list(context)].astype(np.float32), axis=0) @ U.astype(np.float32))


PREDICT_MISSING = (_predict_loop, _predict_counts, _predict_einsum, _predict_scores_first, _predict_single)


# ---- cbow_gradients


def _gradients_loop(context, target, E, U):
    V, d = E.shape
    mean = [sum(E[w][j] for w in context) / len(context) for j in range(d)]
    p = _plain_softmax(np.array([sum(mean[j] * U[j][v] for j in range(d)) for v in range(V)]))
    error = [p[v] - (v == target) for v in range(V)]
    dE = [[0.0] * d for _ in range(V)]
    for w in context:
        for j in range(d):
            dE[w][j] += sum(U[j][v] * error[v] for v in range(V)) / len(context)
    return [-math.log(p[target]), dE, [[mean[j] * error[v] for v in range(V)] for j in range(d)]]


def _gradients_counts(context, target, E, U):
    counts = np.bincount(np.asarray(context), minlength=len(E)) / len(context)
    mean = counts @ E
    p = _softmax_log_sum(mean @ U)
    error = p - (np.arange(len(p)) == target)
    return -np.log(p[target]), counts[:, None] * (U @ error), mean[:, None] * error


def _gradients_one_hot(context, target, E, U):
    picks = np.eye(len(E))[np.asarray(context)]
    mean = picks.mean(axis=0) @ E
    p = _softmax_log_sum(mean @ U)
    error = (p - np.eye(len(p))[target])[None]
    shares = np.repeat(error @ U.T, len(context), axis=0) / len(context)
    return np.float64(-np.log(p[target])), picks.T @ shares, mean[None].T @ error


def _gradients_numerical(context, target, E, U):
    """Central differences: slow, and right to many digits."""
    E, U, h = np.array(E, dtype=float), np.array(U, dtype=float), 1e-5

    def loss():
        return -np.log(_softmax_log_sum(E[list(context)].mean(axis=0) @ U)[target])

    gradients = []
    for table in (E, U):
        slope = np.zeros_like(table)
        for at in np.ndindex(table.shape):
            kept = table[at]
            table[at] = kept + h
            above = loss()
            table[at] = kept - h
            slope[at] = (above - loss()) / (2 * h)
            table[at] = kept
        gradients.append(slope)
    return (loss(), *gradients)


def _gradients_single(context, target, E, U):
    loss, dE, dU = _gradients_counts(context, target, E.astype(np.float32), U.astype(np.float32))
    return [float(loss), dE.astype(np.float32), dU.astype(np.float32)]


CBOW_GRADIENTS = (_gradients_loop, _gradients_counts, _gradients_one_hot, _gradients_numerical, _gradients_single)


# ---- nearest_neighbours


def _length(vector):
    return math.sqrt(sum(float(v) ** 2 for v in vector))


def _loop_cosine(u, v):
    lengths = _length(u) * _length(v)
    return sum(float(a) * float(b) for a, b in zip(u, v)) / lengths if lengths else 0.0


def _neighbours_loop(query, E, k, exclude=()):
    left = [i for i in range(len(E)) if i not in exclude]
    return sorted(left, key=lambda i: -_loop_cosine(query, E[i]))[:k]


def _neighbours_epsilon(query, E, k, exclude=()):
    cosines = (E @ query) / (norm(E, axis=1) * norm(query) + 1e-12)
    order = np.argsort(-cosines, kind="stable")
    return [int(i) for i in order if i not in exclude][:k]


def _neighbours_lexsort(query, E, k, exclude=()):
    lengths = norm(E, axis=1) * norm(query)
    cosines = np.where(lengths == 0, 0.0, E @ query / np.where(lengths == 0, 1.0, lengths))
    keep = np.setdiff1d(np.arange(len(E)), np.array(list(exclude), dtype=int))
    return keep[np.lexsort((keep, -cosines[keep]))][:k]


def _neighbours_one_by_one(query, E, k, exclude=()):
    cosines, found = [_loop_cosine(query, row) for row in E], []
    while len(found) < k and len(found) + len(set(exclude)) < len(E):
        best = max((i for i in range(len(E)) if i not in exclude and i not in found), key=lambda i: (cosines[i], -i))
        found.append(best)
    return tuple(found)


def _neighbours_masked(query, E, k, exclude=()):
    unit = np.array(E, dtype=float)
    unit /= np.maximum(norm(unit, axis=1, keepdims=True), 1e-12)
    distance = 1 - unit @ (np.asarray(query, dtype=float) / max(norm(query), 1e-12))
    keep = np.ones(len(E), dtype=bool)
    keep[list(exclude)] = False
    ids = np.flatnonzero(keep)
    return ids[np.argsort(distance[keep], kind="mergesort")][:k].astype(np.int32)


NEAREST_NEIGHBOURS = (_neighbours_loop, _neighbours_epsilon, _neighbours_lexsort, _neighbours_one_by_one, _neighbours_masked)


# ---- analogy


def _unit(E):
    return E / norm(E, axis=1, keepdims=True)


def _analogy_masked(a, b, c, E):
    unit = _unit(E)
    scores = unit @ (unit[b] - unit[a] + unit[c])
    scores[[a, b, c]] = -np.inf
    return scores.argmax()


def _analogy_loop(a, b, c, E):
    rows = [[v / _length(row) for v in row] for row in E.tolist()]
    point = [q - p + r for p, q, r in zip(rows[a], rows[b], rows[c])]
    return max((i for i in range(len(E)) if i not in (a, b, c)), key=lambda i: _loop_cosine(point, rows[i]))


def _analogy_distance(a, b, c, E):
    unit = _unit(np.asarray(E, dtype=np.float32))
    distance = norm(unit - (unit[c] + (unit[b] - unit[a])), axis=1)
    return min(set(range(len(E))) - {a, b, c}, key=lambda i: distance[i])


def _analogy_ranking(a, b, c, E):
    unit = E / np.sqrt((E * E).sum(axis=1))[:, None]
    order = np.argsort(-(unit @ (unit[b] + unit[c] - unit[a])))
    return next(int(i) for i in order if i not in (a, b, c))


def _analogy_three_cosines(a, b, c, E):
    unit = _unit(E)
    scores = unit @ unit[b] - unit @ unit[a] + unit @ unit[c]
    return np.int64(np.argmax(np.where(np.isin(np.arange(len(E)), [a, b, c]), -9.0, scores)))


ANALOGY = (_analogy_masked, _analogy_loop, _analogy_distance, _analogy_ranking, _analogy_three_cosines)


# ---- offset_cosine


def _offset_loop(a, b, c, d, E):
    return _loop_cosine([q - p for p, q in zip(E[a], E[b])], [q - p for p, q in zip(E[c], E[d])])


def _offset_epsilon(a, b, c, d, E):
    u, v = E[b] - E[a], E[d] - E[c]
    return np.dot(u, v) / (norm(u) * norm(v) + 1e-10)


def _offset_both_reversed(a, b, c, d, E):
    u, v = E[a] - E[b], E[c] - E[d]
    lengths = np.sqrt(u @ u) * np.sqrt(v @ v)
    return 0 if lengths == 0 else (u * v).sum() / lengths


def _offset_matrix(a, b, c, d, E):
    steps = np.array(E, dtype=float)[[b, d]] - np.array(E, dtype=float)[[a, c]]
    lengths = norm(steps, axis=1, keepdims=True)
    unit = np.divide(steps, lengths, out=np.zeros_like(steps), where=lengths > 0)
    return np.array((unit @ unit.T)[0, 1])


def _offset_single(a, b, c, d, E):
    E = E.astype(np.float32)
    u, v = E[b] - E[a], E[d] - E[c]
    return np.float32(np.nan_to_num(u @ v / (norm(u) * norm(v))))


OFFSET_COSINE = (_offset_loop, _offset_epsilon, _offset_both_reversed, _offset_matrix, _offset_single)


# ---- project_to_2d


def _project_eigenvectors(X):
    C = X - X.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(C, rowvar=False))
    return C @ vectors[:, np.argsort(values)[::-1][:2]]


def _project_scaled_left(X):
    C = X - X.mean(axis=0, keepdims=True)
    U, S, _ = np.linalg.svd(C, full_matrices=False)
    return (U * S)[:, :2]


def _project_by_dot_products(X):
    """From the n x n matrix of dot products: classical scaling."""
    n = len(X)
    J = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(J @ X @ X.T @ J)
    return vectors[:, :-3:-1] * np.sqrt(values[:-3:-1])


def _project_power(X):
    C = np.asarray(X, dtype=float) - np.mean(X, axis=0)
    S, found = C.T @ C, []
    for _ in range(2):
        v = np.arange(1.0, len(S) + 1) ** 0.5
        for _ in range(3000):
            v = S @ v
            v /= norm(v)
        found.append(-v)
        S = S - (v @ S @ v) * np.outer(v, v)
    return C @ np.array(found).T


def _project_single(X):
    C = X.astype(np.float32) - X.astype(np.float32).mean(axis=0)
    return (C @ np.linalg.svd(C)[2][:2].T).tolist()


PROJECT_TO_2D = (_project_eigenvectors, _project_scaled_left, _project_by_dot_products, _project_power, _project_single)
