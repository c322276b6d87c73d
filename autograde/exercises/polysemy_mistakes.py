"""Lesson 3, telling senses apart: what learners write instead, and the sentence that helps."""

import itertools

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import polysemy as ref
from course_utils.word_vectors import cosine_matrix, unit_rows

norm = np.linalg.norm


# ---- nearest_sense


def _cosines(vector, senses):
    return cosine_matrix(np.asarray(vector)[None], senses)[0]


def _highest(scores):
    """nearest_sense with scores of another kind."""
    return lambda vector, senses: int(np.argmax(scores(vector, senses)))


def _last_of_a_tie(vector, senses):
    cosines = _cosines(vector, senses)
    return len(cosines) - 1 - int(np.argmax(cosines[::-1]))


def _nan_wins(vector, senses):
    return int(np.argmax(senses @ vector / (norm(senses, axis=1) * norm(vector))))


def _search_from_zero(vector, senses):
    best, highest = 0, 0.0
    for i, cosine in enumerate(_cosines(vector, senses)):
        if cosine > highest:
            best, highest = i, cosine
    return best


def _zero_row_never(vector, senses):
    cosines = _cosines(vector, senses)
    cosines[~senses.any(axis=1)] = -np.inf
    return int(np.argmax(cosines))


def _zero_row_is_like_everything(vector, senses):
    return int(np.argmax(np.where(senses.any(axis=1), _cosines(vector, senses), 1.0)))


def _centred(vector, senses):
    return _cosines(vector - vector.mean(), senses - senses.mean(axis=1, keepdims=True))


def _one_when_found(vector, senses):
    return np.arange(len(senses)) == ref.nearest_sense(vector, senses)


def _columns_normalised(vector, senses):
    return unit_rows(senses.T).T @ vector


def _squared_lengths(vector, senses):
    squares = (senses**2).sum(axis=1)
    return senses @ vector / np.where(squares == 0, 1, squares)


NEAREST_SENSE = (
    Misconception(
        "dot-product-for-cosine",
        _highest(lambda v, S: S @ v),
        "The largest dot product was taken, which favours long senses. Divide out the length of each sense.",
    ),
    Misconception(
        "distance-for-cosine",
        _highest(lambda v, S: -norm(S - v, axis=1)),
        "The nearest point was taken. Distance depends on length; the cosine looks at the direction alone.",
    ),
    Misconception(
        "smallest-cosine",
        lambda vector, senses: int(np.argmin(_cosines(vector, senses))),
        "The lowest cosine was taken (argmin). The nearest sense has the highest: argmax. Smallest is right for a distance.",
    ),
    Misconception(
        "sign-lost",
        _highest(lambda v, S: np.abs(_cosines(v, S))),
        "The sign of the cosine is lost. −1 points the other way: it is as far as a sense can be.",
    ),
    Misconception(
        "squared-cosine",
        _highest(lambda v, S: _cosines(v, S) ** 2 * (1 + 1e-9 * np.arange(len(S)))),
        "The cosine was squared, which loses its sign. −1 points the other way: it is as far as a sense can be.",
    ),
    Misconception(
        "search-starts-at-zero",
        _search_from_zero,
        "The search starts from a highest cosine of 0, so senses with negative cosines are never taken. "
        "Start below −1, or use np.argmax.",
    ),
    Misconception(
        "last-of-a-tie",
        _last_of_a_tie,
        "On a tie the last sense was taken. The smaller index wins: np.argmax does that, and > instead of ≥ in a loop.",
    ),
    Misconception(
        "counts-from-one",
        lambda vector, senses: ref.nearest_sense(vector, senses) + 1,
        "The index counts from 1. Rows count from 0, as in senses[0].",
    ),
    Misconception(
        "cosine-for-index",
        lambda vector, senses: float(_cosines(vector, senses).max()),
        "This is the highest cosine. Return where it stands: np.argmax.",
    ),
    Misconception(
        "sense-for-index",
        lambda vector, senses: senses[ref.nearest_sense(vector, senses)],
        "This is the row of the nearest sense. Return its index.",
    ),
    Misconception(
        "true-for-index", _one_when_found, "This marks the nearest sense with True. Return its index: np.argmax of the cosines."
    ),
    Misconception("all-cosines", _cosines, "These are all cosines. Return the index of the highest: np.argmax."),
    Misconception(
        "lengths-of-columns",
        _highest(_columns_normalised),
        "The columns of senses were made one long (axis 0). A sense is a row: its length is taken along axis 1.",
    ),
    Misconception(
        "squared-lengths",
        _highest(_squared_lengths),
        "The lengths have no root, so short senses win. The length is the root of the sum of squares.",
    ),
    Misconception(
        "absolute-sums",
        _highest(lambda v, S: S @ v / np.maximum(np.abs(S).sum(axis=1), 1e-9)),
        "Length was measured by adding absolute values. It is the root of the sum of squares.",
    ),
    Misconception(
        "centred-first",
        _highest(_centred),
        "The mean was taken off each vector first: that is a correlation. The cosine uses the vectors as they are.",
    ),
    Misconception(
        "zero-row-is-nan", _nan_wins, "A zero row makes 0 / 0, which is NaN, and np.argmax then picks it. Its cosine is 0."
    ),
    Misconception(
        "zero-row-never-chosen", _zero_row_never, "A zero row is never chosen. Its cosine is 0, which beats a negative one."
    ),
    Misconception(
        "zero-row-is-like-everything",
        _zero_row_is_like_everything,
        "A zero row is taken to be like everything (1). Its cosine is 0 by our convention.",
    ),
)


# ---- sense_separation


def _within(X):
    return cosine_matrix(X, X)[~np.eye(len(X), dtype=bool)]


def _pooled(A, B):
    return np.concatenate([_within(A), _within(B)])


def _self_pairs(A, B):
    within = np.concatenate([cosine_matrix(A, A).ravel(), cosine_matrix(B, B).ravel()])
    return within.mean() - cosine_matrix(A, B).mean()


def _mean_of_means(A, B):
    return (_within(A).mean() + _within(B).mean()) / 2 - cosine_matrix(A, B).mean()


def _dot_products(A, B):
    within = np.concatenate([(X @ X.T)[~np.eye(len(X), dtype=bool)] for X in (A, B)])
    return within.mean() - (A @ B.T).mean()


def _centres(A, B):
    return 1 - cosine_matrix(A.mean(axis=0)[None], B.mean(axis=0)[None])[0, 0]


def _rows_in_pairs(A, B):
    pairs = [cosine_matrix(a[None], b[None])[0, 0] for a, b in zip(A, B)]
    return _pooled(A, B).mean() - np.mean(pairs)


def _neighbours_only(A, B):
    pairs = [cosine_matrix(u[None], v[None])[0, 0] for X in (A, B) for u, v in itertools.pairwise(X)]
    return np.mean(pairs) - cosine_matrix(A, B).mean()


def _sums(A, B):
    return _pooled(A, B).sum() / 2 - cosine_matrix(A, B).sum()


def _against_all(A, B):
    X = np.concatenate([A, B])
    return _pooled(A, B).mean() - _within(X).mean()


def _equal_rows_dropped(A, B):
    within = [
        cosine_matrix(u[None], v[None])[0, 0] for X in (A, B) for u, v in itertools.combinations(X, 2) if not np.array_equal(u, v)
    ]
    return (np.mean(within) if within else 0.0) - cosine_matrix(A, B).mean()


def _diagonal_of_ones(A, B):
    total = sum(cosine_matrix(X, X).sum() - len(X) for X in (A, B))
    return total / sum(len(X) * (len(X) - 1) for X in (A, B)) - cosine_matrix(A, B).mean()


def _zero_diagonal_counted(A, B):
    total = sum(_within(X).sum() for X in (A, B))
    return total / sum(len(X) ** 2 for X in (A, B)) - cosine_matrix(A, B).mean()


def _divided(X):
    return X / norm(X, axis=1, keepdims=True)


def _zero_rows_are_nan(A, B):
    A, B = _divided(A), _divided(B)
    within = np.concatenate([(X @ X.T)[~np.eye(len(X), dtype=bool)] for X in (A, B)])
    return within.mean() - (A @ B.T).mean()


def _zero_rows_dropped(A, B):
    A, B = A[A.any(axis=1)], B[B.any(axis=1)]
    return _pooled(A, B).mean() - (cosine_matrix(A, B).mean() if len(A) and len(B) else 0.0)


def _distances(A, B):
    within = [norm(u - v) for X in (A, B) for u, v in itertools.combinations(X, 2)]
    return np.mean([norm(a - b) for a in A for b in B]) - np.mean(within)


SENSE_SEPARATION = (
    Misconception(
        "rows-with-themselves",
        _self_pairs,
        "Each row was also compared with itself, which always gives 1. Pairs are of two different rows: leave the diagonal out.",
    ),
    Misconception(
        "zero-diagonal-counted",
        _zero_diagonal_counted,
        "The diagonal was left out of the sum but not out of the count. p rows make p · (p − 1) ordered pairs, not p².",
    ),
    Misconception(
        "across-minus-within",
        lambda A, B: -ref.sense_separation(A, B),
        "The sign is turned round: within minus across, so that senses that lie apart give a positive number.",
    ),
    Misconception(
        "mean-of-two-means",
        _mean_of_means,
        "The mean of A and the mean of B were averaged, so that pairs of the smaller group count more. "
        "Put both groups' pairs on one pile first.",
    ),
    Misconception(
        "first-group-only",
        lambda A, B: _within(A).mean() - cosine_matrix(A, B).mean(),
        "Only pairs within A were used. Pairs within B belong on the same pile.",
    ),
    Misconception(
        "second-group-only",
        lambda A, B: _within(B).mean() - cosine_matrix(A, B).mean(),
        "Only pairs within B were used. Pairs within A belong on the same pile.",
    ),
    Misconception(
        "within-only",
        lambda A, B: _pooled(A, B).mean(),
        "This is the mean within the senses. What counts is how far it lies above the mean across: subtract that.",
    ),
    Misconception(
        "across-only",
        lambda A, B: cosine_matrix(A, B).mean(),
        "This is the mean across the senses. It has to be subtracted from the mean within.",
    ),
    Misconception(
        "ratio-for-difference",
        lambda A, B: _pooled(A, B).mean() / cosine_matrix(A, B).mean(),
        "The means were divided. Take their difference: a mean near 0 would make a ratio meaningless.",
    ),
    Misconception(
        "dot-products-for-cosines", _dot_products, "These are dot products, in which long rows count more. Use cosines."
    ),
    Misconception("distances-for-cosines", _distances, "These are distances. Use cosines, within minus across."),
    Misconception(
        "middles-only",
        _centres,
        "Only the middles of the two groups were compared. Take all pairs of rows: how a sense scatters counts too.",
    ),
    Misconception(
        "rows-in-pairs", _rows_in_pairs, "Across, row i of A met only row i of B. Every row of A meets every row of B."
    ),
    Misconception("neighbours-only", _neighbours_only, "Within a sense, each row met only the next one. Take all pairs."),
    Misconception("sums-for-means", _sums, "The cosines were added up, so that more pairs give more. Take means."),
    Misconception(
        "against-all-pairs",
        _against_all,
        "The second mean holds all pairs, those within a sense too. It is for pairs across alone.",
    ),
    Misconception(
        "sign-lost",
        lambda A, B: np.abs(_pooled(A, B)).mean() - np.abs(cosine_matrix(A, B)).mean(),
        "The signs of the cosines are lost. A cosine of −1 is as far as two uses can be.",
    ),
    Misconception(
        "equal-rows-dropped",
        _equal_rows_dropped,
        "Pairs of equal rows were left out. Two uses with the same vector are still two uses: leave out "
        "the diagonal, not the value 1.",
    ),
    Misconception(
        "diagonal-taken-as-one",
        _diagonal_of_ones,
        "The diagonal was taken off as if it held p ones. The cosine of a zero row with itself is 0: take off the trace.",
    ),
    Misconception(
        "zero-rows-are-nan", _zero_rows_are_nan, "A zero row makes 0 / 0, which is NaN. Its cosine with everything is 0."
    ),
    Misconception(
        "zero-rows-dropped", _zero_rows_dropped, "Zero rows were left out. They count, with a cosine of 0 to everything."
    ),
)
