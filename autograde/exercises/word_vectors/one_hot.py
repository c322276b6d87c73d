"""one_hot: a row of zeros with a single 1 for each word."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import raises, right_and_unchanged
from course_utils import word_vectors as ref

from ..inputs.ids import families
from ..inputs.layouts import and_read_only, in_layouts, laid_out

# ---- what is asked


def small(rng):
    return [(np.array([1]), 3), (np.array([2, 0]), 3), (rng.permutation(7)[:5], 7), ([3, 1, 0, 4], 6)]


def repeats(rng):
    return [(np.array([1, 1]), 2), (np.array([0, 2, 0, 2, 2, 1]), 4), (rng.integers(0, 5, 9), 5)]


def edges(rng):
    return [(np.array([0]), 1), (np.array([0, 3]), 4), (rng.integers(0, 3, 4).astype(np.int32), 11), ([10], 11)] + in_layouts(
        (rng.integers(0, 5, 6), 7)
    )


def outside(rng):
    return [(np.array([2]), 2), (np.array([0, 5]), 4), ([1, 3, 0], 3), (np.array([0, 900, 1]), 30)]


def every_kind(rng):
    """Vocabularies of one word and many, ids of all families; then ids that are too large."""
    inside = [(ids, V) for V in (2, 1, 3, 7, 40) for _ in range(4) for ids in families(rng, V)]
    outside_it = [(np.append(ids, V), V) for ids, V in inside[::5]] + [([V], V) for _, V in inside[::20]]
    return [*small(rng), *laid_out(inside), *outside_it]


# ---- what learners write instead


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


MISTAKES = (
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


# ---- right answers written differently


def _loop(ids, vocab_size):
    rows = np.zeros((len(ids), vocab_size))
    for i, word in enumerate(ids):
        rows[i, word] = 1
    return rows


def _lists(ids, vocab_size):
    if any(i >= vocab_size for i in ids):
        raise ValueError("an id is too large")
    return [[int(column == i) for column in range(vocab_size)] for i in ids]


def _eye(ids, vocab_size):
    return np.eye(vocab_size)[ids]


def _bytes(ids, vocab_size):
    return np.eye(vocab_size, dtype=np.int8)[np.array(ids)]


def _bools(ids, vocab_size):
    ids = np.asarray(ids)
    if ids.max() >= vocab_size:
        raise IndexError(ids.max())
    return ids[:, None] == np.arange(vocab_size)


ACCEPTED = (_loop, _lists, _eye, _bytes, _bools)


# ---- the exercise

EXERCISE = Exercise(
    name="one_hot",
    lesson="word_vectors",
    reference=ref.one_hot,
    checks=(
        Check("one row per id, with its single 1 in the id's column", 2, small),
        Check("the same word twice gives the same row twice", 1, repeats, side=True),
        Check(
            "the first and the last word; the ids stay as they were", 1, and_read_only(edges), right_and_unchanged(), side=True
        ),
        Check("an id outside the vocabulary is an error", 1, outside, raises(IndexError, ValueError), side=True),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Begin with rows of zeros: one row per id, one column per word of the vocabulary.",
        "Row i gets its 1 in column ids[i]. A loop over the ids does it; np.eye(vocab_size) already holds every row you need.",
        "np.eye(vocab_size)[ids] looks up row ids[i] for each i, and NumPy raises IndexError for an id that is too large.",
    ),
)
