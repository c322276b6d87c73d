"""embed: the rows of the embedding matrix that belong to the words."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import word_vectors as ref

from ..draws import integers
from ..inputs import vectors
from ..inputs.ids import families
from ..inputs.layouts import and_read_only, every_form, varied

# ---- what is asked


def small(rng):
    return [
        (np.array([1]), np.array([[1, 2], [3, 4]])),
        (np.array([2, 0]), np.array([[1, 2], [3, 4], [5, 6]])),
        (rng.permutation(7)[:4], rng.normal(size=(7, 5))),
        (rng.permutation(5), rng.normal(size=(5, 5))),
        (np.array([0, 2, 1]), rng.normal(size=(3, 1))),
    ]


def repeats(rng):
    return [
        (np.array([1, 1, 0]), np.array([[1, 2], [3, 4]])),
        (rng.integers(0, 4, 9), rng.normal(size=(4, 6))),
        (np.array([0, 3, 3, 0]), rng.normal(size=(4, 3)).astype(np.float32)),
    ]


def lists(rng):
    return [([1, 0], np.array([[1, 2], [3, 4]])), ([4, 4, 2], rng.normal(size=(6, 3))), ([0], integers(rng, 3, 2))]


def forms(rng):
    return small(rng) + every_form((rng.integers(0, 6, 5), rng.normal(size=(6, 4))))


def every_kind(rng):
    """Vocabularies of one word and many, ids and rows of all families."""
    cases = ((ids, vectors.table(rng, V, d)) for V, d in SHAPES for ids in families(rng, V))
    return [*small(rng), *varied(cases)]


SHAPES = [(V, d) for V in (2, 1, 3, 7, 20) for d in (2, 1, 5)]


# ---- what learners write instead


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


MISTAKES = (
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


# ---- right answers written differently


def _loop(ids, E):
    return [E[i] for i in ids]


def _product(ids, E):
    return np.eye(len(E))[ids] @ E


def _take(ids, E):
    return np.take(E, ids, axis=0)


def _stack(ids, E):
    return np.vstack([E[int(i)] for i in ids]).astype(np.float32)


ACCEPTED = (_loop, _product, _take, _stack)


# ---- the exercise

EXERCISE = Exercise(
    name="embed",
    lesson="word_vectors",
    reference=ref.embed,
    checks=(
        Check("each id gets its own row of E", 2, small),
        Check("a repeated id repeats its row, in the order of the ids", 1, repeats, side=True),
        Check("ids may be a plain list", 1, lists, side=True),
        serves_any_array(and_read_only(forms)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "An embedding is a lookup: word number 5 is row number 5 of E.",
        "NumPy takes a whole array of row numbers between the brackets.",
        "E[ids] gives one row per id, in order. one_hot(ids, len(E)) @ E gives the same, with far more work.",
    ),
)
