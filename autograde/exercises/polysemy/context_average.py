"""context_average: the mean of a word's neighbours, the word itself left out."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import polysemy as ref

from ..inputs import vectors
from ..inputs.layouts import and_read_only, every_form, varied
from .draws import integers

# ---- what is asked


def average_inside(rng):
    n = int(rng.integers(7, 10))
    return [
        (np.array([[1.0], [2.0], [4.0]]), 1, 1),
        (np.array([[1.0, 0.0], [2.0, 0.0], [4.0, 8.0], [8.0, 1.0], [16.0, 5.0]]), 2, 1),
        (rng.normal(size=(n, 3)), 3, 2),
        (rng.normal(size=(9, 4)), 4, 3),
        (rng.normal(size=(8, 8)), 2, 2),
        (rng.normal(size=(6, 1)), 2, 2),
        (rng.normal(size=(6, 3)) * [[1], [0], [1], [1], [0], [1]], 2, 2),
    ]


def average_edges(rng):
    X = rng.normal(size=(6, 4))
    return [
        (np.array([[1.0], [2.0], [4.0], [8.0]]), 0, 1),
        (np.array([[1.0], [2.0], [4.0], [8.0]]), 3, 2),
        (X, 1, 3),
        (X, 4, 2),
        (X, 2, 50),
        (rng.normal(size=(5, 5)), 0, 4),
    ]


def average_repeats(rng):
    X = rng.normal(size=(6, 3))
    return [(np.array([[3.0], [3.0], [9.0]]), 1, 1), (X[[0, 1, 2, 1, 4, 1]], 3, 2), (X[[2, 2, 2, 0, 5, 2]], 0, 9)]


def average_alone(rng):
    return [(np.array([[5.0, 7.0]]), 0, 1), (rng.normal(size=(1, 4)), 0, 3), (integers(rng, 1, 3), 0, 2)]


def average_types(rng):
    X, whole = rng.normal(size=(7, 3)), rng.permutation(np.arange(1, 13)).reshape(6, 2)
    return [(np.array([[1], [7], [2]]), 1, 1), (whole, 2, 2), (X, 0, 1), *every_form((X, 3, 2))]


def every_kind(rng):
    """Every place of short and long sentences, windows that end inside, at and far past the ends, rows of all families."""
    sizes = [(n, d) for n in (2, 1, 3, 4, 7) for d in (2, 1, 3)]
    return [(np.array([[1.0, 2.0], [3.0, 0.0]]), 0, 1)] + list(
        varied(
            (vectors.table(rng, n, d), position, window)
            for n, d in sizes
            for position in range(n)
            for window in dict.fromkeys((1, 2, n - 1 or 1, n + 2, 50))
        )
    )


# ---- what learners write instead


def _mean(near, X):
    return np.mean(near, axis=0) if len(near) else np.zeros(X.shape[1])


def _pick(condition):
    """The mean of the rows at the positions j for which ``condition(j, position, window)`` holds."""

    def average(X, position, window):
        return _mean([X[j] for j in range(len(X)) if condition(j, position, window)], X)

    return average


def _left_slice_wraps(X, position, window):
    return _mean(np.concatenate([X[position - window : position], X[position + 1 : position + window + 1]]), X)


def _around_the_end(X, position, window):
    offsets = [o for o in range(-window, window + 1) if o and position + o < len(X)]
    return _mean([X[position + o] for o in offsets if position + o >= -len(X)], X)


def _deleted_at_window(X, position, window):
    near = X[max(0, position - window) : position + window + 1]
    return _mean(np.delete(near, window, axis=0) if window < len(near) else near, X)


def _neighbours(X, position, window):
    return np.array([X[j] for j in range(len(X)) if 0 < abs(j - position) <= window]).reshape(-1, X.shape[1])


def _divided_by_full_window(X, position, window):
    return _neighbours(X, position, window).sum(axis=0) / (2 * window)


def _itself_in_the_count(X, position, window):
    return _neighbours(X, position, window).sum(axis=0) / (len(_neighbours(X, position, window)) + 1)


def _equal_rows_dropped(X, position, window):
    near = _neighbours(X, position, window)
    return _mean(near[~(near == X[position]).all(axis=1)], X)


def _distinct_rows(X, position, window):
    return _mean(np.unique(_neighbours(X, position, window), axis=0), X)


def _nan_alone(X, position, window):
    return _neighbours(X, position, window).mean(axis=0)


def _itself_alone(X, position, window):
    near = _neighbours(X, position, window)
    return near.mean(axis=0) if len(near) else X[position].copy()


def _as_a_row(X, position, window):
    return ref.context_average(X, position, window)[None]


def _plain_slice(X, position, window):
    return X[position - window : position + window + 1].mean(axis=0)


MISTAKES = (
    Misconception(
        "word-included",
        _pick(lambda j, p, w: abs(j - p) <= w),
        "The word itself is in its own context. Leave position out: the context should say what the word alone cannot.",
    ),
    Misconception(
        "left-only", _pick(lambda j, p, w: 0 < p - j <= w), "Only the words to the left were used. Context is on both sides."
    ),
    Misconception(
        "right-only", _pick(lambda j, p, w: 0 < j - p <= w), "Only the words to the right were used. Context is on both sides."
    ),
    Misconception(
        "right-end-left-out",
        _pick(lambda j, p, w: j != p and p - w <= j < p + w),
        "The farthest word on the right is missing: a slice or range ends before its stop. Stop at position + window + 1.",
    ),
    Misconception(
        "window-too-narrow",
        _pick(lambda j, p, w: 0 < abs(j - p) < w),
        "The farthest word on each side is missing. Words at a distance of exactly window belong to it: ≤, not <.",
    ),
    Misconception(
        "window-too-wide",
        _pick(lambda j, p, w: 0 < abs(j - p) <= w + 1),
        "The window reaches one word too far on each side. The largest distance is window.",
    ),
    Misconception(
        "window-for-both-sides",
        _pick(lambda j, p, w: 0 < abs(j - p) <= w // 2),
        "window was shared between the two sides. It is the distance on each side.",
    ),
    Misconception(
        "whole-sentence",
        _pick(lambda j, p, w: j != p),
        "The window was not used: the whole sentence was averaged. Only words within window of position count.",
    ),
    Misconception(
        "left-slice-wraps",
        _left_slice_wraps,
        "position - window can be negative, and a slice then counts from the end. Start at max(0, position - window).",
    ),
    Misconception(
        "around-the-end",
        _around_the_end,
        "A negative index took words from the end of the sentence. To the left of position 0 there is nobody.",
    ),
    Misconception(
        "deleted-at-window",
        _deleted_at_window,
        "The word was deleted at place window of the slice. Near the left edge the slice is shorter, and "
        "the word stands at position − start.",
    ),
    Misconception(
        "summed",
        lambda X, position, window: _neighbours(X, position, window).sum(axis=0),
        "The neighbours were added up. Divide by how many there are: a mean.",
    ),
    Misconception(
        "divided-by-full-window",
        _divided_by_full_window,
        "The sum was divided by 2 · window, also where fewer neighbours stand. Divide by the number found.",
    ),
    Misconception(
        "itself-in-the-count",
        _itself_in_the_count,
        "The word is not in the sum but still in the count. Divide by the number of neighbours alone.",
    ),
    Misconception(
        "mean-over-columns",
        lambda X, position, window: _neighbours(X, position, window).mean(axis=1),
        "The mean ran along each word's own numbers (axis 1). Average over the words: axis 0 leaves d numbers.",
    ),
    Misconception(
        "one-number",
        lambda X, position, window: np.mean(_neighbours(X, position, window)),
        "All numbers went into one mean. Average over the words alone: axis 0 leaves d numbers.",
    ),
    Misconception(
        "equal-rows-dropped",
        _equal_rows_dropped,
        "Every row equal to the word's own was dropped, also at other positions. Leave out the position, not the value.",
    ),
    Misconception(
        "each-row-once",
        _distinct_rows,
        "Equal neighbours were counted once. Each position counts, as often as its word is repeated.",
    ),
    Misconception(
        "nan-without-neighbours",
        _nan_alone,
        "A word without neighbours gives NaN, the mean of nothing. Return zeros of shape (d,) for it.",
    ),
    Misconception(
        "itself-without-neighbours",
        _itself_alone,
        "A word without neighbours gives back its own row. Its context is empty: return zeros.",
    ),
    Misconception(
        "a-row-for-a-vector",
        _as_a_row,
        "The numbers are right but stand in a row of shape (1, d). The result is a vector of shape (d,).",
    ),
    Misconception(
        "slice-with-the-word",
        _plain_slice,
        "This slice holds the word itself, and begins below 0 near the start, where Python counts from the "
        "end. Leave position out, and begin at max(0, position - window).",
    ),
)


# ---- right answers written differently


def _average_loop(X, position, window):
    near = [X[j] for j in range(len(X)) if j != position and abs(j - position) <= window]
    return sum(near) / len(near) if near else [0.0] * X.shape[1]


def _average_slices(X, position, window):
    left, right = X[max(0, position - window) : position], X[position + 1 : position + 1 + window]
    near = np.concatenate([left, right])
    return np.mean(near, axis=0) if len(near) else np.zeros_like(X[0], dtype=float)


def _average_minus_itself(X, position, window):
    low, high = max(0, position - window), min(len(X), position + window + 1)
    return (X[low:high].sum(axis=0) - X[position]) / max(high - low - 1, 1)


def _average_deleted(X, position, window):
    keep = np.delete(np.arange(len(X)), position)
    keep = keep[(keep >= position - window) & (keep <= position + window)]
    with np.errstate(all="ignore"):
        return np.nan_to_num(X[keep].mean(axis=0))


def _average_weights(X, position, window):
    weights = np.array([float(0 < abs(j - position) <= window) for j in range(len(X))])
    return weights / (weights.sum() + 1e-9) @ X


def _average_float32(X, position, window):
    padded = np.pad(X.astype(np.float32), ((window, window), (0, 0)))[position : position + 2 * window + 1]
    there = np.array([0 <= j < len(X) and j != position for j in range(position - window, position + window + 1)])
    return (padded * there[:, None]).sum(axis=0) / max(int(there.sum()), 1)


ACCEPTED = (_average_loop, _average_slices, _average_minus_itself, _average_deleted, _average_weights, _average_float32)


# ---- the exercise

EXERCISE = Exercise(
    name="context_average",
    lesson="polysemy",
    reference=ref.context_average,
    checks=(
        Check("the mean of the neighbours on both sides, without the word itself", 2, average_inside),
        Check("near an edge, the neighbours that there are", 1, average_edges),
        Check("a neighbour that is the same word still counts", 1, average_repeats),
        Check("no neighbour at all: zeros", 1, average_alone, side=True),
        serves_any_array(and_read_only(average_types)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Which positions j count? Those with |j - position| ≤ window, and j is not position.",
        (
            "Start at max(0, position - window): a negative start of a slice counts from the end. The slice's end is "
            "left out, so add 1."
        ),
        "Collect X[j] for those j; return their mean over axis 0, or np.zeros(X.shape[1]) when there is none.",
    ),
)
