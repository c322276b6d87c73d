"""Lesson 1: what learners write instead of one-hot rows, lookup and dot products, and the sentence that helps."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import word_vectors as ref

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


def _limit_let_in(ids, vocab_size):
    if max(ids) > vocab_size:
        raise ValueError
    return _zero_row_outside(ids, vocab_size)


def _ids_in_every_row(ids, vocab_size):
    return np.tile(_one_row_for_all(ids, vocab_size), (len(ids), 1))


def _first_id_only(ids, vocab_size):
    return ref.one_hot(ids[:1], vocab_size)


def _position_for_id(ids, vocab_size):
    return np.eye(len(ids), vocab_size)


ONE_HOT = (
    Misconception(
        "columns-for-words",
        _by_columns,
        "Each word is a column here. In this course a token is a row: the result has one row per id.",
    ),
    Misconception(
        "ids-from-one",
        _ids_from_one,
        "The 1 stands one column too far left. Ids count from 0: word 0 has its 1 in the first column.",
    ),
    Misconception(
        "one-row-for-all",
        _one_row_for_all,
        "All ids share one row here. Each id needs a row of its own, so that the order of the words is kept.",
    ),
    Misconception(
        "width-of-largest-id",
        _width_of_largest_id,
        "The rows are as long as the largest id asks for. They must have vocab_size columns, whichever ids come.",
    ),
    Misconception(
        "ids-as-values",
        _ids_as_values,
        "The id itself was written into the row. The id says where the 1 stands; the entry is always 1.",
    ),
    Misconception(
        "identity-for-all",
        _identity,
        "This gives one row for every word of the vocabulary. Look up only the rows of the ids that were asked for.",
    ),
    Misconception(
        "wraps-around",
        _wraps_around,
        "An id beyond the vocabulary is folded back onto another word. It must raise IndexError or ValueError.",
    ),
    Misconception(
        "zero-row-outside",
        _zero_row_outside,
        "An id beyond the vocabulary gives a row without any 1, and nobody notices. It must raise IndexError or ValueError.",
    ),
    Misconception(
        "last-word-outside",
        _last_word_outside,
        "An id beyond the vocabulary becomes the last word. It must raise IndexError or ValueError.",
    ),
    Misconception(
        "limit-let-in",
        _limit_let_in,
        "The id vocab_size itself slips through. Ids run from 0 to vocab_size - 1: test with >= instead of >.",
    ),
    Misconception(
        "ids-in-every-row",
        _ids_in_every_row,
        "Every row holds the 1s of all ids. Row i gets the 1 of ids[i] alone. (A list times n is one row under n names.)",
    ),
    Misconception(
        "return-inside-loop",
        _first_id_only,
        "Only the first id has its row. Does the return stand inside the loop? It ends it: move it to the left.",
    ),
    Misconception(
        "position-for-id", _position_for_id, "Row i has its 1 in column i, whatever the ids say. It belongs in column ids[i]."
    ),
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


def _columns_picked(ids, E):
    return E[:, np.asarray(ids)]


def _first_id_alone(ids, E):
    return E[ids[0]]


def _one_long_row(ids, E):
    return E[np.asarray(ids)].ravel()


def _single_numbers(ids, E):
    return E.take(ids)


def _rows_in_their_place(ids, E):
    return np.where(np.isin(np.arange(len(E)), ids)[:, None], E, 0)


EMBED = (
    Misconception(
        "columns-of-E",
        _columns_of_E,
        "These are columns of E. Words are rows: the id picks a row, with all d numbers of the word.",
    ),
    Misconception("ids-from-one", _rows_from_one, "Each row is the one before the right one. Ids count from 0: word 0 is E[0]."),
    Misconception("rows-summed", _summed, "The rows were added up into one. Keep them apart: one row per id, of shape (n, d)."),
    Misconception(
        "rows-averaged", _averaged, "The rows were averaged into one. Keep them apart: one row per id, of shape (n, d)."
    ),
    Misconception(
        "each-row-once",
        _each_row_once,
        "Repeated ids were dropped and the rest sorted. A sentence may use a word twice, and its order matters.",
    ),
    Misconception(
        "first-rows", _first_rows, "These are the first n rows of E, whatever the ids say. Use the ids as row numbers."
    ),
    Misconception("whole-table", _whole_table, "This is all of E. Pick the rows whose numbers stand in ids."),
    Misconception(
        "rows-normalised",
        _unit_length,
        "The rows were divided by their lengths. embed only looks up: the numbers stay as they are.",
    ),
    Misconception("columns-picked", _columns_picked, "E[:, ids] picks columns. Words are rows, and rows come first: E[ids]."),
    Misconception(
        "return-inside-loop",
        _first_id_alone,
        "Only the first id was looked up. Does the return stand inside the loop? It ends it: collect a row "
        "for each id, then return.",
    ),
    Misconception(
        "one-long-row",
        _one_long_row,
        "The rows stand one behind the other in a single long row. Keep them apart: append adds a row, += adds its numbers.",
    ),
    Misconception(
        "single-numbers",
        _single_numbers,
        "take counts through E number by number. E[ids] takes rows, and so does E.take(ids, axis=0).",
    ),
    Misconception(
        "rows-in-their-place",
        _rows_in_their_place,
        "The rows stand where they stood in E, the others are 0. The result has one row per id, in the order of the ids.",
    ),
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


DOT_PRODUCTS = (
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
