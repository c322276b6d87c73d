"""Lesson 2, reference implementations: neighbours and directions, and how an embedding is learnt.

V words in the vocabulary, d the width of an embedding, n rows, m words of context. A word is a row of
E (V, d), the words as they are read; U (d, V) holds a column for each word as it is predicted.
"""

import numpy as np

from .word_vectors import cosine_similarity, unit_rows


def nearest_neighbours(query, E, k: int, exclude=()) -> np.ndarray:
    """The ids of the k rows of E (V, d) with the highest cosine to ``query`` (d,), best first.

    Excluded ids are left out before counting; where fewer than k are left, all that are left are
    returned. Equal cosines: the smaller id first.

    >>> E = np.array([[2, 0], [3, 4], [0, 1], [-1, 0]])
    >>> nearest_neighbours(np.array([1, 0]), E, 2, exclude=(0,))
    array([1, 2])
    """
    # not E @ query: BLAS may round two equal rows differently, and a tie would no longer be one
    cosines = np.sum(unit_rows(E) * unit_rows(query), axis=1)
    best_first = np.argsort(-cosines, kind="stable")
    return best_first[~np.isin(best_first, list(exclude))][:k]


def analogy(a: int, b: int, c: int, E) -> int:
    """ "a is to b as c is to ?": the id of the row of E (V, d) that completes the parallelogram.

    All rows are brought to length 1, and the nearest row to b - a + c by cosine is taken, a, b and c left
    out: 3CosAdd, Mikolov, Yih & Zweig (2013), "Linguistic regularities in continuous space word representations".

    >>> analogy(0, 1, 2, np.array([[1, 0, 0], [1, 0, 1], [0, 1, 0], [0, 1, 1], [0, -1, 0]]))
    3
    """
    E = unit_rows(E)
    return int(nearest_neighbours(E[b] - E[a] + E[c], E, 1, exclude=(a, b, c))[0])


def offset_cosine(a: int, b: int, c: int, d: int, E) -> float:
    """How parallel two steps are: the cosine of E[b] - E[a] and E[d] - E[c]; 0.0 if one of them is zero.

    >>> offset_cosine(0, 1, 2, 3, np.array([[0, 0], [1, 0], [5, 5], [5, 7]]))
    0.0
    """
    E = np.asarray(E, dtype=float)
    return cosine_similarity(E[b] - E[a], E[d] - E[c])


def softmax(x, axis: int = -1) -> np.ndarray:
    """exp(x) divided by its sum along ``axis``: positive numbers that sum to 1, same shape as x.

    The maximum along the axis is subtracted first. That changes nothing in the result, and no exponential
    can overflow: right for entries of any finite size. float32 stays float32: mixed types make every product
    that follows slow.

    >>> softmax([[0.0, 0.0], [1000.0, 0.0]])
    array([[0.5, 0.5],
           [1. , 0. ]])
    """
    x = np.asarray(x)
    x = x if x.dtype.kind == "f" else x.astype(float)
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def cross_entropy(probs, targets) -> float:
    """The mean of -ln p[target] over the rows of ``probs`` (n, V), for targets (n,) of ids.

    Only the probability of the right word counts, so zeros elsewhere in a row change nothing.

    >>> cross_entropy([[1.0, 0.0], [0.5, 0.5]], [0, 1])  # (0 + ln 2) / 2
    0.34657359027997264
    """
    probs = np.asarray(probs, dtype=float)
    return float(-np.log(probs[np.arange(len(probs)), targets]).mean()) + 0.0  # + 0.0 turns -0.0 into 0.0


def predict_missing(context, E, U) -> np.ndarray:
    """Probabilities (V,) of the missing word, from the ids of the words around it (m,), m >= 1.

    softmax of the mean of the context's rows of E (V, d), times U (d, V): the continuous bag of words of
    Mikolov et al. (2013), "Efficient estimation of word representations in vector space", section 3.1.

    >>> predict_missing([0, 1], np.array([[2.0], [0.0]]), np.array([[0.0, 0.0]]))
    array([0.5, 0.5])
    """
    return softmax(_context_mean(context, E) @ np.asarray(U))


def cbow_gradients(context, target: int, E, U) -> tuple[float, np.ndarray, np.ndarray]:
    """(loss, dE, dU) for one missing word: loss = -ln p[target], and its gradients by E (V, d) and U (d, V).

    With p from ``predict_missing`` and the error p - one_hot(target), dU is the outer product of the mean and
    the error; each context word receives a share of U @ error, twice if it stands there twice.

    >>> loss, dE, dU = cbow_gradients([0], 1, np.array([[2.0], [0.0]]), np.array([[0.0, 0.0]]))
    >>> dU
    array([[ 1., -1.]])
    """
    mean = _context_mean(context, E)
    p = softmax(mean @ np.asarray(U))
    error = p.copy()
    error[target] -= 1.0
    dE = np.zeros(np.shape(E))
    np.add.at(dE, np.asarray(context), (np.asarray(U) @ error) / len(context))  # += would count a repeated word once
    return float(-np.log(p[target])), dE, np.outer(mean, error)


def project_to_2d(X) -> np.ndarray:
    """The rows of X (n, d), n >= 3 and d >= 2, seen in the plane in which they spread most: (n, 2).

    The first two principal components of the centred rows, larger variance first (Pearson, 1901). The sign of
    each column is free; here the entry of largest size is positive.

    >>> project_to_2d(np.array([[3.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0.0, -1.0]]))
    array([[ 3.,  0.],
           [-3.,  0.],
           [ 0.,  1.],
           [ 0., -1.]])
    """
    X = np.asarray(X, dtype=float)
    centred = X - X.mean(axis=0)
    directions = np.linalg.svd(centred, full_matrices=False)[2][:2]
    plane = centred @ directions.T
    return plane * _sign_of_largest(plane) + 0.0  # + 0.0 turns -0.0 into 0.0


def _context_mean(context, E) -> np.ndarray:
    return np.asarray(E, dtype=float)[np.asarray(context)].mean(axis=0)


def _sign_of_largest(columns) -> np.ndarray:
    largest = np.abs(columns).argmax(axis=0)
    return np.where(np.take_along_axis(columns, largest[None], axis=0)[0] < 0, -1.0, 1.0)
