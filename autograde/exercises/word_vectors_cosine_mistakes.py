"""Lesson 1: what learners write instead of a cosine and a table of cosines, and the sentence that helps."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import word_vectors as ref

norm = np.linalg.norm  # short, since it is in nearly every formula


def _lengths(X):
    lengths = norm(X, axis=1, keepdims=True)
    return np.where(lengths > 0, lengths, 1.0)


# ---- cosine_similarity


def _guarded(formula):
    """The formula, with the zero vector handled as the contract says."""

    def cosine(u, v):
        u, v = u.astype(float), v.astype(float)
        a, b = norm(u), norm(v)
        return formula(u, v, a, b) if a and b else 0.0

    return cosine


def _right(u, v, a, b):
    return u @ v / (a * b)


def _correlation(u, v, a, b):
    u, v = u - u.mean(), v - v.mean()
    return ref.cosine_similarity(u, v)


def _zero_is_nan(u, v):
    return u @ v / (norm(u) * norm(v))


def _zero_is_one(u, v):
    return ref.cosine_similarity(u, v) if norm(u) and norm(v) else 1.0


def _any_zero_entry(u, v):
    return ref.cosine_similarity(u, v) if u.all() and v.all() else 0.0


COSINE_SIMILARITY = (
    Misconception(
        "dot-product-only",
        lambda u, v: u @ v,
        "This is the dot product. Divide it by both lengths, so that only the angle is left.",
    ),
    Misconception(
        "divided-by-first-length",
        _guarded(lambda u, v, a, b: u @ v / a),
        "Only the length of u was divided out, so a longer v still scores more. Divide by both lengths.",
    ),
    Misconception(
        "divided-by-second-length",
        _guarded(lambda u, v, a, b: u @ v / b),
        "Only the length of v was divided out, so a longer u still scores more. Divide by both lengths.",
    ),
    Misconception(
        "missing-parentheses",
        _guarded(lambda u, v, a, b: u @ v / a * b),
        "Python reads u @ v / a * b as (u @ v / a) * b, which multiplies by the second length. Write u @ v / (a * b).",
    ),
    Misconception(
        "sum-of-lengths",
        _guarded(lambda u, v, a, b: u @ v / (a + b)),
        "The lengths were added. Divide by their product: first by one, then by the other.",
    ),
    Misconception(
        "squared-lengths",
        _guarded(lambda u, v, a, b: u @ v / (a * b) ** 2),
        "These lengths have no root: u @ u is the square of the length. Take np.sqrt, or np.linalg.norm(u).",
    ),
    Misconception(
        "root-of-lengths",
        _guarded(lambda u, v, a, b: u @ v / np.sqrt(a * b)),
        "One root too many: np.linalg.norm has taken it already. Divide by the product of the lengths as it is.",
    ),
    Misconception(
        "sums-of-absolutes",
        _guarded(lambda u, v, a, b: u @ v / (np.abs(u).sum() * np.abs(v).sum())),
        "Length was measured by adding absolute values. The length of an arrow is the root of the sum of squares.",
    ),
    Misconception(
        "largest-entry-as-length",
        _guarded(lambda u, v, a, b: u @ v / (np.abs(u).max() * np.abs(v).max())),
        "The largest entry stood in for the length. The length of an arrow is the root of the sum of squares.",
    ),
    Misconception(
        "mean-for-lengths",
        _guarded(lambda u, v, a, b: u @ v / len(u)),
        "The dot product was divided by the number of entries d. Divide by the two lengths instead.",
    ),
    Misconception(
        "len-for-length",
        _guarded(lambda u, v, a, b: u @ v / len(u) ** 2),
        "len(u) says how many numbers u has. The length of the arrow is np.linalg.norm(u).",
    ),
    Misconception(
        "absolute-values",
        _guarded(lambda u, v, a, b: u @ v / (abs(u) * abs(v))),
        "|u| in the formula is the length of the arrow, np.linalg.norm(u). abs(u) only takes the minus signs away.",
    ),
    Misconception(
        "length-of-products",
        _guarded(lambda u, v, a, b: u @ v / norm(u * v)),
        "This divides by the length of u * v. Take the length of u and the length of v, and multiply the two.",
    ),
    Misconception(
        "not-added",
        _guarded(lambda u, v, a, b: u * v / (a * b)),
        "The products are there but not added. The dot product is their sum: u @ v.",
    ),
    Misconception(
        "np-cos",
        _guarded(lambda u, v, a, b: np.cos(u @ v)),
        "np.cos turns an angle into its cosine, and a dot product is no angle. Divide it by both lengths: "
        "that is the cosine already.",
    ),
    Misconception(
        "rounded",
        _guarded(lambda u, v, a, b: np.round(_right(u, v, a, b), 2)),
        "The result was rounded. Return all its digits; rounding is for printing.",
    ),
    Misconception(
        "cosine-distance",
        _guarded(lambda u, v, a, b: 1 - _right(u, v, a, b)),
        "This is 1 − cosine, a distance: near words get small numbers. The similarity is the cosine itself.",
    ),
    Misconception(
        "angle-for-cosine",
        _guarded(lambda u, v, a, b: np.arccos(np.clip(_right(u, v, a, b), -1, 1))),
        "This is the angle. Its cosine is wanted: leave out arccos.",
    ),
    Misconception(
        "sign-lost",
        _guarded(lambda u, v, a, b: abs(_right(u, v, a, b))),
        "The sign is lost. Opposite directions have cosine −1, not +1.",
    ),
    Misconception(
        "negative-cut-off",
        _guarded(lambda u, v, a, b: max(_right(u, v, a, b), 0.0)),
        "Negative cosines were cut off at 0. A cosine runs from −1 to 1.",
    ),
    Misconception(
        "squared-cosine",
        _guarded(lambda u, v, a, b: _right(u, v, a, b) ** 2),
        "The cosine was squared, which loses its sign and makes it smaller. Leave it as it is.",
    ),
    Misconception(
        "centred-first",
        _guarded(_correlation),
        "The mean was taken off both vectors first: that is a correlation. The cosine uses the vectors as they are.",
    ),
    Misconception(
        "distance-for-similarity",
        _guarded(lambda u, v, a, b: norm(u - v)),
        "This is the distance between the two points, which grows with length. The cosine looks at the angle.",
    ),
    Misconception(
        "zero-vector-divides",
        _zero_is_nan,
        "A zero vector makes this 0 / 0, which is NaN. It has no direction: return 0.0 for it before dividing.",
    ),
    Misconception(
        "zero-vector-is-one",
        _zero_is_one,
        "A zero vector is said to be like everything (1.0). It has no direction: its cosine is 0.0 by our convention.",
    ),
    Misconception(
        "only-u-tested",
        lambda u, v: _zero_is_nan(u, v) if u.any() else 0.0,
        "Only u is tested for zeros. v may be the zero vector as well: then this is still 0 / 0.",
    ),
    Misconception(
        "only-v-tested",
        lambda u, v: _zero_is_nan(u, v) if v.any() else 0.0,
        "Only v is tested for zeros. u may be the zero vector as well: then this is still 0 / 0.",
    ),
    Misconception(
        "any-zero-entry",
        _any_zero_entry,
        "A single 0 among the numbers is enough here to give 0.0. The zero vector has only zeros: its length is 0.",
    ),
)


# ---- cosine_matrix


def _over(formula):
    def matrix(X, Y):
        X, Y = X.astype(float), Y.astype(float)
        return formula(X, Y, _lengths(X), _lengths(Y))

    return matrix


def _transposed(X, Y):
    return ref.cosine_matrix(Y, X)


def _paired_rows(X, Y):
    return (ref.unit_rows(X) * ref.unit_rows(Y)).sum(axis=1)


def _zipped_rows(X, Y):
    return [ref.cosine_similarity(x, y) for x, y in zip(X, Y)]


def _without_keepdims(X, Y):
    return X / norm(X, axis=1) @ (Y / norm(Y, axis=1)).T


def _lengths_not_turned(X, Y):
    return X @ Y.T / (_lengths(X) * _lengths(Y))


def _not_transposed(X, Y):
    return ref.unit_rows(X) @ ref.unit_rows(Y)


def _columns_normalised(X, Y):
    return ref.unit_rows(X.T).T @ ref.unit_rows(Y.T)


def _zero_rows_are_nan(X, Y):
    return (X @ Y.T) / (norm(X, axis=1)[:, None] * norm(Y, axis=1))


def _one_zero_row_zeroes_all(X, Y):
    cosines = ref.cosine_matrix(X, Y)
    return cosines if norm(X, axis=1).all() and norm(Y, axis=1).all() else np.zeros_like(cosines)


def _centred(X, Y):
    return ref.cosine_matrix(X - X.mean(axis=1, keepdims=True), Y - Y.mean(axis=1, keepdims=True))


COSINE_MATRIX = (
    Misconception(
        "dot-products-only", lambda X, Y: X @ Y.T, "These are dot products. Divide each by the lengths of its two rows."
    ),
    Misconception(
        "result-transposed",
        _transposed,
        "The table is turned: rows of X must go down and rows of Y across, so its shape is (n, m).",
    ),
    Misconception(
        "only-X-normalised",
        _over(lambda X, Y, a, b: X / a @ Y.T),
        "Only the rows of X were brought to length 1. Divide the rows of Y by their lengths too.",
    ),
    Misconception(
        "only-Y-normalised",
        _over(lambda X, Y, a, b: X @ (Y / b).T),
        "Only the rows of Y were brought to length 1. Divide the rows of X by their lengths too.",
    ),
    Misconception(
        "length-of-whole-matrix",
        _over(lambda X, Y, a, b: X @ Y.T / ((norm(X) or 1) * (norm(Y) or 1))),
        "np.linalg.norm(X) without axis is one length for the whole matrix. Each row needs its own: axis=1, keepdims=True.",
    ),
    Misconception(
        "lengths-of-columns",
        _columns_normalised,
        "The columns were brought to length 1 (axis 0). A word is a row: its length is taken along axis 1.",
    ),
    Misconception(
        "Y-not-transposed",
        _not_transposed,
        "Y was not transposed. X @ Y meets the columns of Y, and goes through only where shapes happen to fit: use Y.T.",
    ),
    Misconception(
        "rows-in-pairs",
        _paired_rows,
        "Row i of X met only row i of Y. The table needs every row of X against every row of Y: (n, m).",
    ),
    Misconception(
        "rows-zipped",
        _zipped_rows,
        "zip(X, Y) lets row i of X meet only row i of Y. Every row of X meets every row of Y: a loop inside a loop, or @.",
    ),
    Misconception(
        "one-long-list",
        lambda X, Y: ref.cosine_matrix(X, Y).ravel(),
        "The cosines stand in one long list. The table has a row for each row of X: its shape is (n, m).",
    ),
    Misconception(
        "lengths-without-keepdims",
        _without_keepdims,
        "Lengths of shape (n,) are lined up with the columns. With keepdims=True they have shape (n, 1): "
        "one length for each row.",
    ),
    Misconception(
        "lengths-of-Y-not-turned",
        _lengths_not_turned,
        "The lengths of Y, of shape (m, 1), go down; in the table the rows of Y go across. Turn them: "
        "lengths.T has shape (1, m).",
    ),
    Misconception(
        "tables-as-vectors",
        lambda X, Y: X @ Y / (norm(X) * norm(Y)),
        "cosine_similarity takes two vectors, and here it got two whole tables. Give it one row of each at a time.",
    ),
    Misconception(
        "missing-parentheses",
        _over(lambda X, Y, a, b: X @ Y.T / a * b.T),
        "Python reads p / a * b as (p / a) * b, which multiplies by the second lengths. Put a * b in parentheses.",
    ),
    Misconception(
        "sum-of-lengths", _over(lambda X, Y, a, b: X @ Y.T / (a + b.T)), "The lengths were added. Divide by their product."
    ),
    Misconception(
        "squared-lengths",
        _over(lambda X, Y, a, b: X @ Y.T / (a * b.T) ** 2),
        "These lengths have no root: (X * X).sum(axis=1) is the square of the length. Take np.sqrt.",
    ),
    Misconception(
        "cosine-distance",
        _over(lambda X, Y, a, b: 1 - X @ Y.T / (a * b.T)),
        "This is 1 − cosine, a distance. The similarity is the cosine itself.",
    ),
    Misconception(
        "sign-lost",
        _over(lambda X, Y, a, b: np.abs(X @ Y.T / (a * b.T))),
        "The sign is lost. Opposite directions have cosine −1, not +1.",
    ),
    Misconception(
        "X-with-itself",
        lambda X, Y: ref.cosine_matrix(X, X),
        "The rows of X met each other, and Y was not used. Compare each row of X with each row of Y.",
    ),
    Misconception(
        "centred-first",
        _centred,
        "The mean of each row was taken off first: that is a correlation. The cosine uses the rows as they are.",
    ),
    Misconception(
        "zero-rows-divide",
        _zero_rows_are_nan,
        "A zero row makes 0 / 0, which is NaN. Set its length to 1 before dividing: 0 / 1 is 0.",
    ),
    Misconception(
        "one-zero-row-zeroes-all",
        _one_zero_row_zeroes_all,
        "One zero row has set the whole table to 0. Only its own row or column is 0; the others keep their cosines.",
    ),
)
