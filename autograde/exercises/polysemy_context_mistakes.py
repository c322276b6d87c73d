"""Lesson 3, averaging a context: what learners write instead, and the sentence that helps."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import polysemy as ref


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


CONTEXT_AVERAGE = (
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
)
