"""cosine_matrix: the cosine of every row with every row."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import word_vectors as ref

from ..cosine import cosine
from ..draws import integers
from ..inputs.layouts import and_read_only, every_form, varied
from ..inputs.vectors import SIZES, like_zero, table
from .draws import vectors

norm = np.linalg.norm

# ---- what is asked


def plain(rng):
    return [
        (np.array([[3, 0], [0, 2]]), np.array([[4, 3]])),
        (np.array([[3, 4]]), np.array([[4, 3], [0, 2]])),
        (np.array([[3.0], [0.5]]), np.array([[4.0], [1.0], [2.0]])),
        (np.array([[3, 0], [4, 3]]), np.array([[3, 4], [0, 1], [5, 0]])),
        (abs(vectors(rng, 4, 3)), abs(vectors(rng, 5, 3))),
        (abs(vectors(rng, 2, 6)).astype(np.float32), abs(vectors(rng, 3, 6)).astype(np.float32)),
    ]


def square(rng):
    X = abs(vectors(rng, 4, 4))
    return [(np.array([[3, 0], [4, 3]]), np.array([[0, 1], [3, 4]])), (X, abs(vectors(rng, 4, 4))), (X, X)]


def lengths(rng):
    X, Y = abs(vectors(rng, 3, 5)), abs(vectors(rng, 2, 5))
    return [(np.array([[30, 0], [1, 1]]), np.array([[4, 3]])), (X * [[100], [1], [0.2]], Y), (X, Y * [[0.2], [200]])]


def signs(rng):
    X = vectors(rng, 3, 4)
    return [(np.array([[1, 2], [3, 0]]), np.array([[-1, -2], [-4, 3]])), (X, -2 * X[:2]), (X[[0, 1, 1]], vectors(rng, 5, 4))]


def zero(rng):
    """Zero rows; and rows that look like them and are not, such as [1, -1], [0, 1] and [0, -3]."""
    others = np.array([np.zeros(4), *like_zero(4)])
    X, Y = abs(vectors(rng, 3, 4)), abs(vectors(rng, 2, 4))
    return [
        (np.array([[0, 0], [3, 4]]), np.array([[1, 0]])),
        (X * [[1], [0], [1]], Y * [[0], [1]]),
        (np.zeros((2, 3)), abs(vectors(rng, 4, 3))),
        (X, np.zeros((5, 4))),
        (np.array([[1, -1], [0, 0], [0, 1], [0, -3]]), np.array([[1, 0], [2, 1]])),
        (others, Y),
        (X, others),
    ]


def types(rng):
    X, Y = vectors(rng, 3, 4), vectors(rng, 2, 4)
    return [(integers(rng, 3, 2), integers(rng, 4, 2)), (X, integers(rng, 5, 4)), *every_form((X, Y))]


def every_kind(rng):
    """Tables of all families, square and not, one row and one dimension among them."""
    shapes = [(n, m, d) for n, m in ((2, 2), (1, 1), (1, 4), (4, 1), (3, 5), (7, 7)) for d in SIZES]
    cases = ((table(rng, n, d), table(rng, m, d)) for n, m, d in shapes * 5)
    return [(np.array([[2.0, 0.0], [0.0, 0.0]]), np.array([[1.0, 1.0], [0.0, 3.0]])), *varied(cases)]


# ---- what learners write instead


def _lengths(X):
    lengths = norm(X, axis=1, keepdims=True)
    return np.where(lengths > 0, lengths, 1.0)


def _over(formula):
    """The formula of X, Y and the lengths of their rows, (n, 1) and (m, 1), where a zero row counts as 1 long."""

    def answer(X, Y):
        X, Y = X.astype(float), Y.astype(float)
        return formula(X, Y, _lengths(X), _lengths(Y))

    return answer


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


MISTAKES = (
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


# ---- right answers written differently


def _loops(X, Y):
    return [[cosine(x, y) for y in Y] for x in X]


def _outer(X, Y):
    lengths = np.outer(norm(X, axis=1), norm(Y, axis=1))
    return np.where(lengths > 0, X @ Y.T / np.where(lengths > 0, lengths, 1), 0)


def _einsum(X, Y):
    X = X / np.maximum(np.sqrt(np.einsum("nd,nd->n", X, X)), 1e-12)[:, None]
    Y = Y / np.maximum(np.sqrt(np.einsum("md,md->m", Y, Y)), 1e-12)[:, None]
    return np.einsum("nd,md->nm", X, Y)


def _single(X, Y):
    X, Y = X.astype(np.float32), Y.astype(np.float32)
    return np.nan_to_num(X @ Y.T / norm(X, axis=1, keepdims=True) / norm(Y, axis=1))


def _broadcast(X, Y):
    products = (X[:, None, :] * Y[None, :, :]).sum(axis=-1)
    return products / (norm(X, axis=-1)[:, None] * norm(Y, axis=-1)[None, :] + 1e-10)


ACCEPTED = (_loops, _outer, _einsum, _single, _broadcast)


# ---- the exercise

EXERCISE = Exercise(
    name="cosine_matrix",
    lesson="word_vectors",
    reference=ref.cosine_matrix,
    checks=(
        Check("every row of X against every row of Y", 2, plain),
        Check("rows of X go down, rows of Y go across, where both are square", 1, square),
        Check("length plays no part", 1, lengths),
        Check("opposite directions give negative cosines", 1, signs),
        Check("a zero row gives zeros, and the other rows stay right", 1, zero, side=True),
        serves_any_array(and_read_only(types)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "First give every row length 1: divide it by its length. Then take all dot products.",
        "The length of each row: np.linalg.norm(X, axis=1, keepdims=True), of shape (n, 1), divides the rows of X. "
        "All dot products at once: X @ Y.T.",
        "Zero rows: set their length to 1 before dividing, so that 0 / 1 gives 0. Then (X / length_x) @ (Y / length_y).T.",
    ),
)
