"""nearest_neighbours: right answers written differently. Each must get full marks."""

import numpy as np

from ...cosine import cosine

norm = np.linalg.norm


def _loop(query, E, k, exclude=()):
    left = [i for i in range(len(E)) if i not in exclude]
    return sorted(left, key=lambda i: -cosine(query, E[i]))[:k]


def _epsilon(query, E, k, exclude=()):
    cosines = (E @ query) / (norm(E, axis=1) * norm(query) + 1e-12)
    order = np.argsort(-cosines, kind="stable")
    return [int(i) for i in order if i not in exclude][:k]


def _lexsort(query, E, k, exclude=()):
    lengths = norm(E, axis=1) * norm(query)
    cosines = np.where(lengths == 0, 0.0, E @ query / np.where(lengths == 0, 1.0, lengths))
    keep = np.setdiff1d(np.arange(len(E)), np.array(list(exclude), dtype=int))
    return keep[np.lexsort((keep, -cosines[keep]))][:k]


def _one_by_one(query, E, k, exclude=()):
    cosines = [cosine(query, row) for row in E]
    found: list[int] = []
    while len(found) < k and len(found) + len(set(exclude)) < len(E):
        best = max((i for i in range(len(E)) if i not in exclude and i not in found), key=lambda i: (cosines[i], -i))
        found.append(best)
    return tuple(found)


def _masked(query, E, k, exclude=()):
    unit = np.array(E, dtype=float)
    unit /= np.maximum(norm(unit, axis=1, keepdims=True), 1e-12)
    distance = 1 - unit @ (np.asarray(query, dtype=float) / max(norm(query), 1e-12))
    keep = np.ones(len(E), dtype=bool)
    keep[list(exclude)] = False
    ids = np.flatnonzero(keep)
    return ids[np.argsort(distance[keep], kind="mergesort")][:k].astype(np.int32)


ACCEPTED = (_loop, _epsilon, _lexsort, _one_by_one, _masked)
