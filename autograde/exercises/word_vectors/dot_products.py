"""dot_products: multiply number by number and add, for every row."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import word_vectors as ref

from ..draws import integers
from ..inputs import vectors
from ..inputs.layouts import and_read_only, every_form, varied

# ---- what is asked


def small(rng):
    return [
        (np.array([[4, 6]]), np.array([2, 3])),
        (np.array([[4, 6], [3, -2]]), np.array([2, 3])),
        (np.array([[2.0], [-3.0], [0.5]]), np.array([4.0])),
        (rng.uniform(0.5, 3, size=(5, 3)), rng.uniform(0.5, 3, size=3)),
        (rng.uniform(0.5, 3, size=(2, 7)).astype(np.float32), rng.uniform(0.5, 3, size=7).astype(np.float32)),
    ]


def square(rng):
    return [(np.array([[1, 2], [3, 4]]), np.array([1, 2])), (rng.uniform(0.5, 3, size=(4, 4)), rng.uniform(0.5, 3, size=4))]


def lengths(rng):
    X, y = rng.uniform(0.5, 3, size=(4, 3)), rng.uniform(0.5, 3, size=3)
    return [
        (np.array([[2, 3], [20, 30]]), np.array([2, 3])),
        (50 * X, y),
        (X, 0.02 * y),
        (X, np.zeros(3)),
        (X * [[0], [1], [0], [1]], y),
        (X[[0, 1, 1, 0]], y),
    ]


def signs(rng):
    X = rng.normal(size=(4, 5))
    return [(np.array([[3, -2], [-4, -6]]), np.array([2, 3])), (X, rng.normal(size=5)), (X, -X[0])]


def types(rng):
    X, y = rng.normal(size=(3, 5)), rng.normal(size=5)
    return [(integers(rng, 3, 2), integers(rng, 2)), (X, integers(rng, 5)), *every_form((X, y))]


def every_kind(rng):
    """Rows of all families, one dimension and many, one row and many."""
    shapes = [(n, d) for n in (2, 1, 4, 9) for d in (2, 1, 3, 8)]
    cases = ((vectors.modest(rng, n, d), y) for n, d in shapes for y in vectors.families(rng, d) if np.abs(y).max() < 5)
    return [*small(rng)[:1], *varied(cases)]


# ---- what learners write instead


def _not_added(X, y):
    return X * y


def _added_down(X, y):
    return (X * y).sum(axis=0)


def _added_everything(X, y):
    return (X * y).sum()


def _columns_of_X(X, y):
    return X.T @ y


def _mean_for_sum(X, y):
    return (X * y).mean(axis=1)


def _cosines(X, y):
    return ref.cosine_matrix(X, y[None])[:, 0]


def _distances(X, y):
    return np.linalg.norm(X - y, axis=1)


def _projections(X, y):
    length = np.linalg.norm(y)
    return X @ y / length if length else np.zeros(len(X))


def _as_column(X, y):
    return X @ y[:, None]


def _absolute(X, y):
    return np.abs(X @ y)


def _rows_against_numbers(X, y):
    return sum(row * number for row, number in zip(X, y))


def _running_total(X, y):
    return np.cumsum(X @ y)


def _one_long_list(X, y):
    return (X * y).ravel()


MISTAKES = (
    Misconception(
        "not-added", _not_added, "The products are there but not added. A dot product is one number per row: sum over axis 1."
    ),
    Misconception(
        "added-down-the-columns",
        _added_down,
        "The products were added down the columns (axis 0). Add along each row (axis 1): one number per word.",
    ),
    Misconception(
        "rows-against-numbers",
        _rows_against_numbers,
        "zip(X, y) pairs a whole row with one number of y. Go through the rows of X first, and for each row through its numbers.",
    ),
    Misconception(
        "running-total",
        _running_total,
        "The sum of the row before is still in the total. Set it back to 0 at the beginning of every row.",
    ),
    Misconception(
        "return-inside-loop",
        lambda X, y: (X @ y)[0],
        "Only the first row has a result. Does the return stand inside the loop? It ends it: collect one "
        "result per row, then return.",
    ),
    Misconception(
        "last-row-only",
        lambda X, y: (X @ y)[-1],
        "Only the last row's result came back. Keep each of them, for example in a list, and return them all.",
    ),
    Misconception(
        "one-long-list",
        _one_long_list,
        "The products stand in one long list and are not added. A dot product is one number per row: their sum.",
    ),
    Misconception(
        "added-everything", _added_everything, "All products of all rows went into one sum. Add along each row only: axis=1."
    ),
    Misconception("columns-of-X", _columns_of_X, "The columns of X met y. Words are rows: X @ y, not X.T @ y."),
    Misconception(
        "mean-for-sum", _mean_for_sum, "The products were averaged. A dot product is their sum, without dividing by d."
    ),
    Misconception(
        "cosine-for-dot", _cosines, "These are cosines: the lengths were divided out. The plain dot product keeps them."
    ),
    Misconception(
        "distance-for-dot", _distances, "These are distances, small when words are near. The dot product multiplies and adds."
    ),
    Misconception(
        "divided-by-length",
        _projections,
        "The result was divided by the length of y. That is the projection; the dot product keeps the length.",
    ),
    Misconception(
        "column-for-vector",
        _as_column,
        "The numbers are right but stand in a column of shape (n, 1). The result is a vector of shape (n,).",
    ),
    Misconception(
        "sign-lost", _absolute, "The sign is lost. Opposite words have a negative dot product, and it must stay negative."
    ),
)


# ---- right answers written differently


def _loop(X, y):
    result = []
    for row in X:
        total = 0.0
        for a, b in zip(row, y):
            total += a * b
        result.append(total)
    return result


def _sum(X, y):
    return (X * y).sum(axis=1)


def _einsum(X, y):
    return np.einsum("nd,d->n", X, y)


def _single(X, y):
    return X.astype(np.float32) @ y.astype(np.float32)


def _other_way(X, y):
    return tuple(np.dot(y, X.T))


ACCEPTED = (_loop, _sum, _einsum, _single, _other_way)


# ---- the exercise

EXERCISE = Exercise(
    name="dot_products",
    lesson="word_vectors",
    reference=ref.dot_products,
    checks=(
        Check("multiply number by number, then add: one result per row", 2, small),
        Check("rows, not columns, where X is square", 1, square),
        Check("length counts: a row ten times as long scores ten times as much", 1, lengths),
        Check("unlike signs count as negative", 1, signs),
        serves_any_array(and_read_only(types)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "For one row x: multiply x[0]·y[0], x[1]·y[1], … and add the products.",
        "X * y multiplies every row with y at once; what is left is to add along the row.",
        "(X * y).sum(axis=1) and X @ y are the same thing. The result has one number per row of X.",
    ),
)
