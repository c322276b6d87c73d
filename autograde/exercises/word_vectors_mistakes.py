"""Lesson 1: what learners write instead, and the sentence that helps."""

import numpy as np

from course_utils import word_vectors as ref

from ..exercise import Misconception

norm = np.linalg.norm  # short, since it is in nearly every formula


def _lengths(X):
    lengths = norm(X, axis=1, keepdims=True)
    return np.where(lengths > 0, lengths, 1.0)


# ---- one_hot


def _by_columns(ids, vocab_size):
    return ref.one_hot(ids, vocab_size).T


def _ids_from_one(ids, vocab_size):
    return np.eye(vocab_size)[np.asarray(ids) - 1]


def _one_row_for_all(ids, vocab_size):
    return ref.one_hot(ids, vocab_size).max(axis=0)


def _width_of_largest_id(ids, vocab_size):
    return ref.one_hot(ids, max(ids) + 1)


def _ids_as_values(ids, vocab_size):
    return ref.one_hot(ids, vocab_size) * np.asarray(ids)[:, None]


def _identity(ids, vocab_size):
    return np.eye(vocab_size)


def _wraps_around(ids, vocab_size):
    return np.eye(vocab_size)[np.asarray(ids) % vocab_size]


def _zero_row_outside(ids, vocab_size):
    return (np.asarray(ids)[:, None] == np.arange(vocab_size)).astype(float)


def _last_word_outside(ids, vocab_size):
    return np.eye(vocab_size)[np.minimum(ids, vocab_size - 1)]


ONE_HOT = (
    Misconception("columns-for-words", _by_columns,
                  "Each word is a column here. In this course a token is a row: the result has one row per id."),
    Misconception("ids-from-one", _ids_from_one,
                  "The 1 stands one column too far left. Ids count from 0: word 0 has its 1 in the first column."),
    Misconception("one-row-for-all", _one_row_for_all,
                  "All ids share one row here. Each id needs a row of its own, so that the order of the words is kept."),
    Misconception("width-of-largest-id", _width_of_largest_id,
                  "The rows are as long as the largest id asks for. They must have vocab_size columns, whichever ids come."),
    Misconception("ids-as-values", _ids_as_values,
                  "The id itself was written into the row. The id says where the 1 stands; the entry is always 1."),
    Misconception("identity-for-all", _identity,
                  "This gives one row for every word of the vocabulary. Look up only the rows of the ids that were asked for."),
    Misconception("wraps-around", _wraps_around,
                  "An id beyond the vocabulary is folded back onto another word. It must raise IndexError or ValueError."),
    Misconception("zero-row-outside", _zero_row_outside,
                  "An id beyond the vocabulary gives a row without any 1, and nobody notices. It must raise IndexError or ValueError."),
    Misconception("last-word-outside", _last_word_outside,
                  "An id beyond the vocabulary becomes the last word. It must raise IndexError or ValueError."),
)


# ---- embed


def _columns_of_E(ids, E):
    return E.T[np.asarray(ids)]


def _rows_from_one(ids, E):
    return E[np.asarray(ids) - 1]


def _summed(ids, E):
    return E[np.asarray(ids)].sum(axis=0)


def _averaged(ids, E):
    return E[np.asarray(ids)].mean(axis=0)


def _each_row_once(ids, E):
    return E[np.unique(ids)]


def _first_rows(ids, E):
    return E[: len(ids)]


def _whole_table(ids, E):
    return E.copy()


def _unit_length(ids, E):
    return ref.unit_rows(E[np.asarray(ids)])


EMBED = (
    Misconception("columns-of-E", _columns_of_E,
                  "These are columns of E. Words are rows: the id picks a row, with all d numbers of the word."),
    Misconception("ids-from-one", _rows_from_one, "Each row is the one before the right one. Ids count from 0: word 0 is E[0]."),
    Misconception("rows-summed", _summed, "The rows were added up into one. Keep them apart: one row per id, of shape (n, d)."),
    Misconception("rows-averaged", _averaged, "The rows were averaged into one. Keep them apart: one row per id, of shape (n, d)."),
    Misconception("each-row-once", _each_row_once,
                  "Repeated ids were dropped and the rest sorted. A sentence may use a word twice, and its order matters."),
    Misconception("first-rows", _first_rows, "These are the first n rows of E, whatever the ids say. Use the ids as row numbers."),
    Misconception("whole-table", _whole_table, "This is all of E. Pick the rows whose numbers stand in ids."),
    Misconception("rows-normalised", _unit_length,
                  "The rows were divided by their lengths. embed only looks up: the numbers stay as they are."),
)


# ---- dot_products


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
    return norm(X - y, axis=1)


def _projections(X, y):
    length = norm(y)
    return X @ y / length if length else np.zeros(len(X))


def _as_column(X, y):
    return X @ y[:, None]


def _absolute(X, y):
    return np.abs(X @ y)


DOT_PRODUCTS = (
    Misconception("not-added", _not_added, "The products are there but not added. A dot product is one number per row: sum over axis 1."),
    Misconception("added-down-the-columns", _added_down,
                  "The products were added down the columns (axis 0). Add along each row (axis 1): one number per word."),
    Misconception("added-everything", _added_everything,
                  "All products of all rows went into one sum. Add along each row only: axis=1."),
    Misconception("columns-of-X", _columns_of_X, "The columns of X met y. Words are rows: X @ y, not X.T @ y."),
    Misconception("mean-for-sum", _mean_for_sum, "The products were averaged. A dot product is their sum, without dividing by d."),
    Misconception("cosine-for-dot", _cosines, "These are cosines: the lengths were divided out. The plain dot product keeps them."),
    Misconception("distance-for-dot", _distances, "These are distances, small when words are near. The dot product multiplies and adds."),
    Misconception("divided-by-length", _projections, "The result was divided by the length of y. That is the projection; the dot product keeps the length."),
    Misconception("column-for-vector", _as_column, "The numbers are right but stand in a column of shape (n, 1). The result is a vector of shape (n,)."),
    Misconception("sign-lost", _absolute, "The sign is lost. Opposite words have a negative dot product, and it must stay negative."),
)


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


COSINE_SIMILARITY = (
    Misconception("dot-product-only", lambda u, v: u @ v,
                  "This is the dot product. Divide it by both lengths, so that only the angle is left."),
    Misconception("divided-by-first-length", _guarded(lambda u, v, a, b: u @ v / a),
                  "Only the length of u was divided out, so a longer v still scores more. Divide by both lengths."),
    Misconception("divided-by-second-length", _guarded(lambda u, v, a, b: u @ v / b),
                  "Only the length of v was divided out, so a longer u still scores more. Divide by both lengths."),
    Misconception("missing-parentheses", _guarded(lambda u, v, a, b: u @ v / a * b),
                  "Python reads u @ v / a * b as (u @ v / a) * b, which multiplies by the second length. Write u @ v / (a * b)."),
    Misconception("sum-of-lengths", _guarded(lambda u, v, a, b: u @ v / (a + b)),
                  "The lengths were added. Divide by their product: first by one, then by the other."),
    Misconception("squared-lengths", _guarded(lambda u, v, a, b: u @ v / (a * b) ** 2),
                  "These lengths have no root: u @ u is the square of the length. Take np.sqrt, or np.linalg.norm(u)."),
    Misconception("root-of-lengths", _guarded(lambda u, v, a, b: u @ v / np.sqrt(a * b)),
                  "One root too many: np.linalg.norm has taken it already. Divide by the product of the lengths as it is."),
    Misconception("sums-of-absolutes", _guarded(lambda u, v, a, b: u @ v / (np.abs(u).sum() * np.abs(v).sum())),
                  "Length was measured by adding absolute values. The length of an arrow is the root of the sum of squares."),
    Misconception("largest-entry-as-length", _guarded(lambda u, v, a, b: u @ v / (np.abs(u).max() * np.abs(v).max())),
                  "The largest entry stood in for the length. The length of an arrow is the root of the sum of squares."),
    Misconception("mean-for-lengths", _guarded(lambda u, v, a, b: u @ v / len(u)),
                  "The dot product was divided by the number of entries d. Divide by the two lengths instead."),
    Misconception("cosine-distance", _guarded(lambda u, v, a, b: 1 - _right(u, v, a, b)),
                  "This is 1 − cosine, a distance: near words get small numbers. The similarity is the cosine itself."),
    Misconception("angle-for-cosine", _guarded(lambda u, v, a, b: np.arccos(np.clip(_right(u, v, a, b), -1, 1))),
                  "This is the angle. Its cosine is wanted: leave out arccos."),
    Misconception("sign-lost", _guarded(lambda u, v, a, b: abs(_right(u, v, a, b))),
                  "The sign is lost. Opposite directions have cosine −1, not +1."),
    Misconception("negative-cut-off", _guarded(lambda u, v, a, b: max(_right(u, v, a, b), 0.0)),
                  "Negative cosines were cut off at 0. A cosine runs from −1 to 1."),
    Misconception("squared-cosine", _guarded(lambda u, v, a, b: _right(u, v, a, b) ** 2),
                  "The cosine was squared, which loses its sign and makes it smaller. Leave it as it is."),
    Misconception("centred-first", _guarded(_correlation),
                  "The mean was taken off both vectors first: that is a correlation. The cosine uses the vectors as they are."),
    Misconception("distance-for-similarity", _guarded(lambda u, v, a, b: norm(u - v)),
                  "This is the distance between the two points, which grows with length. The cosine looks at the angle."),
    Misconception("zero-vector-divides", _zero_is_nan,
                  "A zero vector makes this 0 / 0, which is NaN. It has no direction: return 0.0 for it before dividing."),
    Misconception("zero-vector-is-one", _zero_is_one,
                  "A zero vector is said to be like everything (1.0). It has no direction: its cosine is 0.0 by our convention."),
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
    Misconception("dot-products-only", lambda X, Y: X @ Y.T,
                  "These are dot products. Divide each by the lengths of its two rows."),
    Misconception("result-transposed", _transposed,
                  "The table is turned: rows of X must go down and rows of Y across, so its shape is (n, m)."),
    Misconception("only-X-normalised", _over(lambda X, Y, a, b: X / a @ Y.T),
                  "Only the rows of X were made one long. Divide the rows of Y by their lengths too."),
    Misconception("only-Y-normalised", _over(lambda X, Y, a, b: X @ (Y / b).T),
                  "Only the rows of Y were made one long. Divide the rows of X by their lengths too."),
    Misconception("length-of-whole-matrix", _over(lambda X, Y, a, b: X @ Y.T / ((norm(X) or 1) * (norm(Y) or 1))),
                  "np.linalg.norm(X) without axis is one length for the whole matrix. Each row needs its own: axis=1, keepdims=True."),
    Misconception("lengths-of-columns", _columns_normalised,
                  "The columns were made one long (axis 0). A word is a row: its length is taken along axis 1."),
    Misconception("Y-not-transposed", _not_transposed,
                  "Y was not transposed. X @ Y meets the columns of Y, and goes through only where shapes happen to fit: use Y.T."),
    Misconception("rows-in-pairs", _paired_rows,
                  "Row i of X met only row i of Y. The table needs every row of X against every row of Y: (n, m)."),
    Misconception("missing-parentheses", _over(lambda X, Y, a, b: X @ Y.T / a * b.T),
                  "Python reads p / a * b as (p / a) * b, which multiplies by the second lengths. Put a * b in parentheses."),
    Misconception("sum-of-lengths", _over(lambda X, Y, a, b: X @ Y.T / (a + b.T)),
                  "The lengths were added. Divide by their product."),
    Misconception("squared-lengths", _over(lambda X, Y, a, b: X @ Y.T / (a * b.T) ** 2),
                  "These lengths have no root: (X * X).sum(axis=1) is the square of the length. Take np.sqrt."),
    Misconception("cosine-distance", _over(lambda X, Y, a, b: 1 - X @ Y.T / (a * b.T)),
                  "This is 1 − cosine, a distance. The similarity is the cosine itself."),
    Misconception("sign-lost", _over(lambda X, Y, a, b: np.abs(X @ Y.T / (a * b.T))),
                  "The sign is lost. Opposite directions have cosine −1, not +1."),
    Misconception("X-with-itself", lambda X, Y: ref.cosine_matrix(X, X),
                  "The rows of X met each other, and Y was not used. Compare each row of X with each row of Y."),
    Misconception("centred-first", _centred,
                  "The mean of each row was taken off first: that is a correlation. The cosine uses the rows as they are."),
    Misconception("zero-rows-divide", _zero_rows_are_nan,
                  "A zero row makes 0 / 0, which is NaN. Set its length to 1 before dividing: 0 / 1 is 0."),
    Misconception("one-zero-row-zeroes-all", _one_zero_row_zeroes_all,
                  "One zero row has set the whole table to 0. Only its own row or column is 0; the others keep their cosines."),
)
