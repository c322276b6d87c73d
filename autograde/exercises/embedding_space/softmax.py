"""softmax: scores into probabilities."""

import math

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import leaves_arguments_alone
from course_utils import embedding_space as ref

from ..draws import integers
from ..inputs.layouts import and_read_only, every_form, laid_out, varied
from ..inputs.scores import families, table
from .draws import TYPES, real

# ---- what is asked


def plain(rng):
    return [
        (np.array([0.0, 0.0]),),
        (np.log([1.0, 2.0, 5.0]),),
        (rng.normal(size=(3, 4)),),
        (2 * rng.normal(size=(5, 2)),),
        (rng.normal(size=(4, 4)),),
        (rng.normal(size=(2, 3, 5)),),
        (np.array([7.0]),),
    ]


def axes(rng):
    X = rng.normal(size=(2, 3, 4))
    return [
        (np.log([[1.0, 2.0], [3.0, 6.0]]), 0),
        (rng.normal(size=(3, 5)), 0),
        (rng.normal(size=(4, 4)), 0),
        (rng.normal(size=(4, 3)), 1),
        (X, 1),
        (X, 0),
        (X, -2),
        (rng.normal(size=5), 0),
        (rng.normal(size=(4, 1)), 1),
        (rng.normal(size=(1, 3)), 0),
    ]


def large(rng):
    """Only differences count. Whole numbers, so that float32 holds them too."""
    scores = rng.integers(-5, 6, size=(3, 4)).astype(float)
    return [
        (np.array([1000.0, 1000.0]),),
        (np.array([-1000.0, -1001.0]),),
        (scores + 1e6,),
        (scores - 1e6,),
        (scores.T - 1e6, 0),
        (np.array([1e6, 0.0, -1e6]),),
        (np.array([720.0, 0.0]),),
        (np.array([0.0, 3.0, 2000.0]),),
        (1e6 + np.array([0.25, 1.5, 0.0]),),
        (np.array([-1e6 - 0.5, -1e6, -2e3]),),
    ]


def rows_apart(rng):
    scores = rng.integers(-5, 6, size=(3, 4)).astype(float)
    return [
        (real([[1000.0, 1001.0], [0.0, 1.0]]),),
        (scores + [[1e6], [0], [-1e6]],),
        (scores + [1e6, -1e6, 0, 3000], 0),
        (scores + [[0], [800], [0]],),
    ]


def types(rng):
    X = rng.normal(size=(3, 4))
    return [(np.array([1, 2, 3]),), (integers(rng, 2, 3),), (X, 0), *every_form((X,))]


def every_kind(rng):
    """Scores of all families, side by side, along every axis; in double precision where they are huge."""
    shapes = [(2,), (1,), (5,), (1, 1), (1, 4), (4, 1), (2, 2), (3, 5), (2, 3, 4), (2, 1, 2, 3), (20,)]
    rows = [(row,) for n in (2, 1, 3, 8) for row in families(rng, n)]
    huge, modest = [], []
    for shape in shapes * 3:
        for axis in range(-len(shape), len(shape)):
            huge.append((np.moveaxis(table(rng, *shape), -1, axis).copy(), axis))
            modest.append((np.moveaxis(table(rng, *shape, modest=True), -1, axis).copy(), axis))
    return [(np.array([0.0, 1.0]),), *rows, *laid_out(huge), *varied(modest)]


# ---- what learners write instead


def _shares(e, axis):
    return e / e.sum(axis=axis, keepdims=True)


def _no_maximum(x, axis=-1):
    return _shares(np.exp(x), axis)


def _maximum_of_all(x, axis=-1):
    return _shares(np.exp(x - np.max(x)), axis)


def _minimum_subtracted(x, axis=-1):
    return _shares(np.exp(x - np.min(x, axis=axis, keepdims=True)), axis)


def _mean_subtracted(x, axis=-1):
    return _shares(np.exp(x - np.mean(x, axis=axis, keepdims=True)), axis)


def _largest_size_subtracted(x, axis=-1):
    return _shares(np.exp(x - np.max(np.abs(x), axis=axis, keepdims=True)), axis)


def _clipped(x, axis=-1):
    return _shares(np.exp(np.clip(x, -500, 500)), axis)


def _divided_by_maximum(x, axis=-1):
    return ref.softmax(x / np.abs(x).max(axis=axis, keepdims=True), axis)


def _always_last(x, axis=-1):
    return ref.softmax(x)


def _always_first(x, axis=-1):
    return ref.softmax(x, 0)


def _over_everything(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / e.sum()


def _the_other_axis(x, axis=-1):
    return ref.softmax(x, 0 if axis in (-1, x.ndim - 1) else -1)


def _no_keepdims(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis)


def _no_exponential(x, axis=-1):
    return _shares(x, axis)


def _negative_scores(x, axis=-1):
    return ref.softmax(-np.asarray(x, dtype=float), axis)


def _powers_of_two(x, axis=-1):
    return ref.softmax(np.log(2.0) * x, axis)


def _exponentials_only(x, axis=-1):
    return np.exp(x)


def _divided_by_largest(x, axis=-1):
    return np.exp(x - x.max(axis=axis, keepdims=True))


def _divided_by_mean(x, axis=-1):
    return ref.softmax(x, axis) * x.shape[axis]


def _divided_by_norm(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / np.linalg.norm(e, axis=axis, keepdims=True)


def _logarithms(x, axis=-1):
    x = x - x.max(axis=axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


def sigmoid(x, axis=-1):
    return 0.5 * (1 + np.tanh(np.asarray(x, dtype=float) / 2))


def _winner_takes_all(x, axis=-1):
    return (x == x.max(axis=axis, keepdims=True)).astype(float)


def _exponential_of_the_share(x, axis=-1):
    return np.exp(x / np.exp(x).sum(axis=axis, keepdims=True))


MISTAKES = (
    Misconception(
        "no-maximum",
        _no_maximum,
        "np.exp(710) is infinite and np.exp(-746) is 0. Subtract the maximum along the axis first: the "
        "result is the same, and nothing overflows.",
    ),
    Misconception(
        "maximum-of-all",
        _maximum_of_all,
        "You subtract one maximum for the whole array, so rows far below it become 0/0. Each row needs its "
        "own: x.max(axis=axis, keepdims=True).",
    ),
    Misconception(
        "minimum-subtracted",
        _minimum_subtracted,
        "You subtract the minimum, which makes the exponents larger. Subtract the maximum, so that none is above 0.",
    ),
    Misconception(
        "mean-subtracted", _mean_subtracted, "You subtract the mean; a score far above it still overflows. Subtract the maximum."
    ),
    Misconception(
        "largest-size-subtracted",
        _largest_size_subtracted,
        "You subtract the largest size. Where all scores are negative that pushes them further down until "
        "all are 0. Subtract the maximum, sign and all.",
    ),
    Misconception(
        "clipped", _clipped, "Clipping makes different large scores equal. Subtracting the maximum keeps all differences."
    ),
    Misconception(
        "divided-by-maximum",
        _divided_by_maximum,
        "You divide the scores by their largest size, which changes the result. Subtract the maximum "
        "instead: that changes nothing.",
    ),
    Misconception("always-last-axis", _always_last, "`axis` is not used: it is always the last one."),
    Misconception(
        "always-first-axis",
        _always_first,
        "This is softmax over axis 0 whatever `axis` says: the columns sum to 1 where the rows should.",
    ),
    Misconception(
        "over-everything",
        _over_everything,
        "All entries together sum to 1. Each slice along `axis` must: e.sum(axis=axis, keepdims=True).",
    ),
    Misconception(
        "the-other-axis", _the_other_axis, "The sums run along the other axis: what should sum to 1 are the entries along `axis`."
    ),
    Misconception(
        "no-keepdims",
        _no_keepdims,
        "Without keepdims=True the sums lie along the wrong axis when NumPy divides: a square array comes "
        "out silently wrong, others raise.",
    ),
    Misconception(
        "no-exponential",
        _no_exponential,
        "The scores are divided by their sum without np.exp: negative scores give negative weights.",
    ),
    Misconception(
        "negative-scores",
        _negative_scores,
        "The largest score gets the smallest weight: there is a minus too many in the exponent.",
    ),
    Misconception("powers-of-two", _powers_of_two, "These are powers of 2. softmax uses e: np.exp."),
    Misconception("not-divided", _exponentials_only, "The exponentials are not divided by their sum, so they do not sum to 1."),
    Misconception(
        "divided-by-largest",
        _divided_by_largest,
        "The largest result is 1: after the maximum is subtracted, the exponentials must still be divided by their sum.",
    ),
    Misconception("divided-by-mean", _divided_by_mean, "You divide by the mean of the exponentials. Divide by their sum."),
    Misconception(
        "divided-by-length",
        _divided_by_norm,
        "You divide by the length of the vector, so the squares sum to 1. Divide by the sum.",
    ),
    Misconception("logarithms", _logarithms, "These are the logarithms of the probabilities: take np.exp of them."),
    Misconception(
        "sigmoid", sigmoid, "This is the sigmoid of each score by itself. softmax compares scores: they share one sum."
    ),
    Misconception(
        "winner-takes-all",
        _winner_takes_all,
        "The largest score takes all. softmax gives every score its share: np.exp(x) over the sum.",
    ),
    Misconception(
        "exponential-of-the-share",
        _exponential_of_the_share,
        "The exponential was taken last. First np.exp of every number, then divide by the sum of these.",
    ),
)


# ---- right answers written differently


def log_sum_softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    top = np.max(x, axis=axis, keepdims=True)
    return np.exp(x - top - np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True)))


def _loop(x, axis=-1):
    rows = np.moveaxis(np.array(x, dtype=float), axis, -1)
    out = np.empty_like(rows)
    for at in np.ndindex(rows.shape[:-1]):
        top = max(rows[at])
        e = [math.exp(v - top) for v in rows[at]]
        out[at] = [v / math.fsum(e) for v in e]
    return np.moveaxis(out, -1, axis)


def single_softmax(x, axis=-1):
    x = x.astype(np.float32)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _expand(x, axis=-1):
    e = np.exp(x - np.expand_dims(x.max(axis), axis))
    return (e / (np.expand_dims(e.sum(axis), axis) + 1e-12)).tolist()


def _reduce(x, axis=-1):
    e = np.exp(np.subtract(x, np.maximum.reduce(x, axis=axis, keepdims=True)))
    return np.divide(e, np.add.reduce(e, axis=axis, keepdims=True))


ACCEPTED = (log_sum_softmax, _loop, single_softmax, _expand, _reduce)


# ---- the exercise

EXERCISE = Exercise(
    name="softmax",
    lesson="embedding_space",
    reference=ref.softmax,
    checks=(
        Check("exponentials divided by their sum, along the last axis", 2, plain),
        Check("any axis, which then sums to 1", 1, axes),
        Check("scores as large as a million, either way", 1, large, side=True),
        Check("rows that differ by as much, each right by itself", 1, rows_apart, side=True),
        Check(TYPES, 1, types, side=True),
        leaves_arguments_alone(and_read_only(plain)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "np.exp makes every score positive; dividing by the sum makes them add up to 1.",
        "With keepdims=True the sum along an axis keeps its place, and the division works for every axis: "
        "e.sum(axis=axis, keepdims=True).",
        "Subtract x.max(axis=axis, keepdims=True) before np.exp: the largest exponent is 0, so nothing overflows, "
        "and the same factor divides out above and below.",
    ),
)
