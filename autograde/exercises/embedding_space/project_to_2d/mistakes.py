"""project_to_2d: what learners write instead, and the sentence that helps."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import embedding_space as ref
from course_utils.word_vectors import unit_rows


def _centred(X):
    return X - np.mean(X, axis=0)


def _directions(C):
    return np.linalg.svd(np.asarray(C, dtype=float), full_matrices=True)[2]


def _not_centred(X):
    return X @ _directions(X)[:2].T


def _centred_for_directions_only(X):
    return X @ _directions(_centred(X))[:2].T


def _one_mean_for_all(X):
    C = X - np.mean(X)
    return C @ _directions(C)[:2].T


def _rows_centred(X):
    C = X - np.mean(X, axis=1, keepdims=True)
    return C @ _directions(C)[:2].T


def _whitened(X):
    return np.linalg.svd(_centred(X), full_matrices=False)[0][:, :2]


def _unit_variance(X):
    plane = ref.project_to_2d(X)
    return plane / plane.std(axis=0)


def _over_root_n(X):
    return ref.project_to_2d(X) / np.sqrt(len(X))


def _standardised(X):
    C = _centred(X) / np.maximum(np.std(X, axis=0), 1e-12)
    return C @ _directions(C)[:2].T


def _smallest_two(X):
    C = _centred(X)
    return C @ np.linalg.eigh(np.cov(C.T))[1][:, :2]


def _second_first(X):
    return ref.project_to_2d(X)[:, ::-1]


def _last_two_of_all(X):
    C = _centred(X)
    return C @ _directions(C)[-2:].T


def _first_two_columns(X):
    return np.array(X, dtype=float)[:, :2]


def _first_two_columns_centred(X):
    return _centred(X)[:, :2]


def _widest_columns(X):
    C = _centred(X)
    return C[:, np.argsort(-C.var(axis=0), kind="stable")[:2]]


def _directions_by_column(X):
    C = _centred(X)
    return C @ _directions(C)[:, :2]


def _directions_for_points(X):
    return _directions(_centred(X))[:2]


def _columns_for_rows(X):
    C = np.asarray(X, dtype=float).T
    C = C - C.mean(axis=0)
    return C @ _directions(C)[:2].T


def _one_component(X):
    return ref.project_to_2d(X)[:, :1]


def _rows_of_length_one(X):
    return ref.project_to_2d(unit_rows(X))


def _sizes(X):
    return np.abs(ref.project_to_2d(X))


MISTAKES = (
    Misconception(
        "not-centred",
        _not_centred,
        "The rows are not centred, so the first direction points at their mean instead of along their "
        "spread. Subtract X.mean(axis=0).",
    ),
    Misconception(
        "projected-uncentred",
        _centred_for_directions_only,
        "The directions are right, but the raw rows are projected: project the centred ones.",
    ),
    Misconception(
        "one-mean", _one_mean_for_all, "You subtract one mean of all numbers. Each column has its own: X.mean(axis=0)."
    ),
    Misconception("rows-centred", _rows_centred, "You subtract the mean of each row. The mean of each column is wanted: axis=0."),
    Misconception(
        "whitened",
        _whitened,
        "These are the columns of U alone, all of length 1, so the wide direction looks as narrow as the "
        "other. Multiply by the singular values.",
    ),
    Misconception(
        "unit-variance",
        _unit_variance,
        "Both columns are brought to variance 1. Keep their spread: the picture should show which is larger.",
    ),
    Misconception(
        "over-root-n",
        _over_root_n,
        "The coordinates are divided by √n. The rows themselves are projected, without a further factor.",
    ),
    Misconception(
        "standardised",
        _standardised,
        "The columns of X are divided by their standard deviation first. The rows are only centred.",
    ),
    Misconception(
        "smallest-two",
        _smallest_two,
        "These are the directions of smallest variance: np.linalg.eigh sorts upwards, so take the last two, the last one first.",
    ),
    Misconception("second-first", _second_first, "The two columns are exchanged: the larger variance comes first."),
    Misconception("last-two", _last_two_of_all, "These are the last two directions. np.linalg.svd has the largest first."),
    Misconception(
        "first-columns",
        _first_two_columns,
        "These are the first two columns of X. The directions of largest spread are seldom columns.",
    ),
    Misconception(
        "first-columns-centred",
        _first_two_columns_centred,
        "These are the first two columns, centred. The directions of largest spread are seldom columns.",
    ),
    Misconception(
        "widest-columns",
        _widest_columns,
        "These are the two columns with the largest variance. A direction may run across all columns: use an SVD.",
    ),
    Misconception(
        "directions-by-column",
        _directions_by_column,
        "NumPy's third SVD result has the directions as rows: take Vt[:2].T, not Vt[:, :2].",
    ),
    Misconception(
        "directions-for-points",
        _directions_for_points,
        "You return the two directions. The result is where each row lies along them: centred @ directions.T.",
    ),
    Misconception(
        "columns-for-rows",
        _columns_for_rows,
        "Columns are treated as points. Each row of X is a point: the result has one row per row of X.",
    ),
    Misconception("one-component", _one_component, "Only one coordinate per row: a plane needs two."),
    Misconception(
        "unit-rows", _rows_of_length_one, "The rows are brought to length 1 first. They are taken as they are, only centred."
    ),
    Misconception(
        "signs-lost", _sizes, "All coordinates are positive. The sign of a whole column is free, not that of each number."
    ),
)
