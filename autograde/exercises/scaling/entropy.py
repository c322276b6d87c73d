"""entropy: how undecided probabilities are, in nats."""

import math

import numpy as np

from autograde.engine.compare import compare, failed
from autograde.engine.exercise import Check, Exercise, Misconception, Problem
from course_utils import scaling as ref
from course_utils.embedding_space import softmax

from ..attention.draws import probabilities
from ..attention.properties import touches_nothing
from ..inputs.layouts import and_read_only, each_array, in_layouts, laid_out, single
from ..inputs.probabilities import families, table

# ---- what is asked


def single_rows(rng):
    return [(np.array([0.5, 0.25, 0.25]),), (np.array([0.75, 0.25]),), (probabilities(rng, 5),), (probabilities(rng, 21),)]


def tables(rng):
    return [
        (np.array([[0.5, 0.25, 0.25], [0.125, 0.75, 0.125]]),),
        (probabilities(rng, 4, 4),),
        (probabilities(rng, 2, 3, 5),),
        (probabilities(rng, 3, 6), -1),
        (probabilities(rng, 2, 4)[[0, 1, 1]],),
        (np.ones((3, 1)),),
    ]


def other_axes(rng):
    return [
        (np.array([[0.5, 0.25, 0.125], [0.5, 0.75, 0.875]]), 0),
        (probabilities(rng, 5, 4, axis=0), 0),
        (probabilities(rng, 2, 5, 3, axis=1), 1),
        (probabilities(rng, 4, 4, 3, axis=-2), -2),
    ]


def with_zeros(rng):
    rows = probabilities(rng, 4, 5) * (np.arange(5) != [[0], [2], [4], [1]])
    return [
        (np.array([0.0, 0.5, 0.5]),),
        (np.array([[1.0, 0.0], [0.5, 0.5]]),),
        (rows / rows.sum(axis=1, keepdims=True),),
        (np.eye(3, 6),),
        (np.array([0, 1, 0]),),
        (np.eye(4, dtype=np.int64),),
        (probabilities(rng, 3, 5).astype(np.float32),),
        (families(rng, 6)[4],),
        (np.array([[0.997, 0.002, 0.001], [0.0, 0.9999, 0.0001]]),),
        *in_layouts((probabilities(rng, 3, 4),)),
    ]


def in_its_own_unit(trial):
    """The entropy times one fixed number: bits or a turned sign cost their own points, not these."""
    if trial.outcome.failure:
        return failed(trial.outcome)
    half = trial.ask(np.array([0.5, 0.5])).value
    unit = float(half) / np.log(2) if isinstance(half, np.ndarray) and half.ndim == 0 else 1.0
    unit = unit if np.isfinite(unit) and abs(unit) > 1e-3 else 1.0
    return compare(trial.outcome, unit * trial.expected)


def stays_finite_at_zero(trial):
    problem = in_its_own_unit(trial)
    if problem and problem.stage == "finite":
        return Problem("finite", "0 · ln 0 gave NaN; a probability of 0 adds nothing")
    return problem


def every_kind(rng):
    """One outcome and many, zeros and entries far below 0.005, along every axis."""
    shapes = [(2,), (1,), (3,), (7,), (40,), (1, 1), (1, 4), (4, 1), (3, 3), (2, 3, 5), (3, 3, 3), (2, 1, 2, 4)]
    cases: list[tuple] = [(np.array([0.5, 0.5]),), (np.array([[1.0, 0.0], [0.25, 0.75]]),), (np.eye(2, dtype=int),)]
    for shape in shapes * 4:
        p = table(rng, *shape)
        cases += [(p,), (p, -1), *((np.moveaxis(p, -1, axis).copy(), axis) for axis in range(-len(shape), len(shape)))]
    return [*laid_out(cases), *(each_array(case, single) for case in cases)]


# ---- what learners write instead


def _terms(p):
    return p * np.log(np.where(p > 0, p, 1))


def _summed(formula):
    """A sum along the axis of formula(p, ln p), with ln 0 taken as 0."""
    return lambda p, axis=-1: formula(p, np.log(np.where(p > 0, p, 1))).sum(axis=axis)


def _zeros_in_place(p, axis=-1):
    p[p == 0] = 1
    return -(p * np.log(p)).sum(axis=axis)


def _zero_is_nan(p, axis=-1):
    return -(p * np.log(p)).sum(axis=axis)


MISTAKES = (
    Misconception(
        "sign-lost",
        lambda p, axis=-1: -ref.entropy(p, axis),
        "Logarithms of probabilities are negative, so the sum is too. Put a minus sign before it.",
    ),
    Misconception(
        "in-bits",
        lambda p, axis=-1: ref.entropy(p, axis) / np.log(2),
        "This is in bits (log2). In nats it is the natural logarithm: np.log.",
    ),
    Misconception(
        "in-tens",
        lambda p, axis=-1: ref.entropy(p, axis) / np.log(10),
        "This is with log10. In nats it is the natural logarithm: np.log.",
    ),
    Misconception(
        "mean-for-sum", lambda p, axis=-1: -_terms(p).mean(axis=axis), "You took the mean of the terms. Entropy is their sum."
    ),
    Misconception("not-summed", lambda p, axis=-1: -_terms(p), "The terms are not added yet. Sum them along the axis."),
    Misconception(
        "logarithms-only",
        _summed(lambda p, logs: -logs),
        "You added the logarithms alone. Each counts as often as it occurs: multiply by p first.",
    ),
    Misconception(
        "perplexity",
        lambda p, axis=-1: np.exp(ref.entropy(p, axis)),
        "This is exp of the entropy: how many equal choices it is worth. Leave out np.exp.",
    ),
    Misconception(
        "share-of-the-largest",
        lambda p, axis=-1: ref.entropy(p, axis) / np.log(np.shape(p)[axis]),
        "You divided by ln n, the most there can be. The entropy itself is wanted.",
    ),
    Misconception(
        "two-outcomes",
        lambda p, axis=-1: -(_terms(p) + _terms(1 - p)).sum(axis=axis),
        "You added the terms of 1 − p. Every outcome has a p of its own; its opposite is the others.",
    ),
    Misconception(
        "squares",
        _summed(lambda p, logs: p - p * p),
        "This is 1 − Σ p², another measure of how even p is. Entropy takes logarithms.",
    ),
    Misconception(
        "softmax-first",
        lambda p, axis=-1: ref.entropy(softmax(p, axis=axis), axis),
        "You took softmax of p. It holds probabilities already, not scores.",
    ),
    Misconception(
        "axis-ignored",
        lambda p, axis=-1: ref.entropy(p, -1),
        "Your result takes the last axis whatever axis says. Hand it on: sum(axis=axis).",
    ),
    Misconception(
        "always-first-axis",
        lambda p, axis=-1: ref.entropy(p, 0),
        "Your result takes axis 0 whatever axis says. Hand it on: sum(axis=axis).",
    ),
    Misconception(
        "everything-summed",
        lambda p, axis=-1: ref.entropy(np.ravel(p)),
        "All rows went into one sum. Each has an entropy of its own: sum(axis=axis).",
    ),
    Misconception(
        "axis-kept",
        lambda p, axis=-1: np.expand_dims(ref.entropy(p, axis), axis),
        "The summed axis is still there, with length 1. Leave out keepdims.",
    ),
    Misconception(
        "zero-is-nan",
        _zero_is_nan,
        "0 · ln 0 is computed as 0 · −∞, which is NaN. Where p is 0 take the logarithm of 1 instead: np.where(p > 0, p, 1).",
    ),
    Misconception(
        "padded-logarithm",
        lambda p, axis=-1: -(p * np.log(p + 1e-3)).sum(axis=axis),
        "The number added inside the logarithm is large enough to show. Take np.where(p > 0, p, 1).",
    ),
    Misconception(
        "changes-its-argument",
        _zeros_in_place,
        "p[p == 0] = … writes into the caller's array. Make a new one: np.where(p > 0, p, 1).",
    ),
)


# ---- right answers written differently


def _loop(p, axis=-1):
    rows = np.moveaxis(np.asarray(p, dtype=float), axis, -1)
    total = np.zeros(rows.shape[:-1])
    for index in np.ndindex(rows.shape[:-1]):
        total[index] = sum(-x * math.log(x) for x in rows[index] if x > 0)
    return total


def _mended(p, axis=-1):
    return -np.nan_to_num(p * np.log(p)).sum(axis=axis)


def _small_number(p, axis=-1):
    return -np.sum(p * np.log(p + 1e-12), axis)


def _clipped(p, axis=-1):
    return -(p * np.log(np.clip(p, 1e-9, None))).sum(axis)


def _where(p, axis=-1):
    p = np.array(p, dtype=np.float64)
    logs = np.log(p, where=p > 0, out=np.zeros_like(p))
    return np.einsum("...i,...i->...", np.moveaxis(p, axis, -1), -np.moveaxis(logs, axis, -1))


def _of_surprise(p, axis=-1):
    with np.errstate(divide="ignore"):
        surprise = np.log(1 / np.asarray(p, float))
    return np.where(np.asarray(p) == 0, 0, p * np.minimum(surprise, 1e9)).sum(axis=axis)


def _by_bits(p, axis=-1):
    return -math.log(2) * np.sum(np.where(p == 0, 0.0, p * np.log2(np.where(p == 0, 1.0, p))), axis=axis)


def _single(p, axis=-1):
    p = p.astype(np.float32)
    return -(p * np.log(np.maximum(p, np.float32(1e-30)))).sum(axis=axis)


ACCEPTED = (_loop, _mended, _small_number, _clipped, _where, _of_surprise, _by_bits, _single)


# ---- the exercise

EXERCISE = Exercise(
    name="entropy",
    lesson="scaling",
    reference=ref.entropy,
    checks=(
        Check("the sum of p ln p, whatever its unit and sign", 2, single_rows, in_its_own_unit),
        Check("in nats, and positive", 1, single_rows),
        Check("one number for each row of a table", 1, tables, in_its_own_unit),
        Check("along the axis that is asked for", 1, other_axes, in_its_own_unit),
        Check("a probability of 0 adds nothing; float32, whole numbers, views", 1, with_zeros, stays_finite_at_zero, side=True),
        touches_nothing(and_read_only(with_zeros)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Each probability adds p · ln p, with a minus sign before the whole sum. Even weights give the most: ln n.",
        "ln 0 is −∞, and 0 · −∞ is NaN. Replace zeros before the logarithm: their term is 0 · (anything finite).",
        "logs = np.log(np.where(p > 0, p, 1)), and then −(p * logs).sum(axis=axis).",
    ),
)
