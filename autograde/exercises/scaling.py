"""Lesson 5: how dot products grow, the scale that tames them, entropy, and what softmax lets through."""

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import compare, failed
from autograde.engine.exercise import Check, Exercise, Problem
from course_utils import scaling as ref

from . import scaling_accepted as ok
from . import scaling_mistakes as wrong
from .attention import properties as has
from .scaling_attention import SCALED_ATTENTION
from .scaling_quizzes import ANSWER_SPREAD, ANSWER_TWO_CURES, ANSWER_WIDTH
from .scaling_samples import DOT_PRODUCT_SAMPLES

LESSON = "scaling"


def probabilities(rng, *shape, axis=-1):
    """Positive numbers that sum to 1 along the axis."""
    p = rng.uniform(0.05, 1, size=shape)
    return p / p.sum(axis=axis, keepdims=True)


# ---- entropy


def single_rows(rng):
    return [(np.array([0.5, 0.25, 0.25]),), (np.array([0.75, 0.25]),), (probabilities(rng, 5),), (probabilities(rng, 9),)]


def tables(rng):
    return [
        (np.array([[0.5, 0.25, 0.25], [0.125, 0.75, 0.125]]),),
        (probabilities(rng, 4, 4),),
        (probabilities(rng, 2, 3, 5),),
        (probabilities(rng, 3, 6), -1),
    ]


def other_axes(rng):
    return [
        (np.array([[0.5, 0.25, 0.125], [0.5, 0.75, 0.875]]), 0),
        (probabilities(rng, 5, 4, axis=0), 0),
        (probabilities(rng, 2, 5, 3, axis=1), 1),
        (probabilities(rng, 4, 4, 3, axis=-2), -2),
    ]


def zeros(rng):
    rows = probabilities(rng, 4, 5) * (np.arange(5) != [[0], [2], [4], [1]])
    return [
        (np.array([0.0, 0.5, 0.5]),),
        (np.array([[1.0, 0.0], [0.5, 0.5]]),),
        (rows / rows.sum(axis=1, keepdims=True),),
        (np.eye(3, 6),),
        (np.array([0, 1, 0]),),
        (np.eye(4, dtype=np.int64),),
        (probabilities(rng, 3, 5).astype(np.float32),),
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


ENTROPY = Exercise(
    name="entropy",
    lesson=LESSON,
    reference=ref.entropy,
    checks=(
        Check("the sum of p ln p, whatever its unit and sign", 2, single_rows, in_its_own_unit),
        Check("in nats, and positive", 1, single_rows),
        Check("one number for each row of a table", 1, tables, in_its_own_unit),
        Check("along the axis that is asked for", 1, other_axes, in_its_own_unit),
        Check("a probability of 0 adds nothing", 1, zeros, stays_finite_at_zero, side=True),
        has.touches_nothing(zeros),
    ),
    misconceptions=wrong.ENTROPY,
    accepted=ok.ENTROPY,
    hints=(
        "Each probability adds p · ln p, with a minus sign before the whole sum. Even weights give the most: ln n.",
        "ln 0 is −∞, and 0 · −∞ is NaN. Replace zeros before the logarithm: their term is 0 · (anything finite).",
        "logs = np.log(np.where(p > 0, p, 1)), and then −(p * logs).sum(axis=axis).",
    ),
)


# ---- softmax_jacobian


def weights(rng):
    return [
        (np.array([0.5, 0.25, 0.25]),),
        (np.array([0.75, 0.25]),),
        (probabilities(rng, 5),),
        (probabilities(rng, 7),),
        (np.array([0.0, 0.9, 0.1]),),
    ]


def sure_weights(rng):
    return [(np.array([0, 1, 0]),), (np.array([1, 0, 0, 0]),), (probabilities(rng, 6).astype(np.float32),)]


def beside_the_diagonal(trial):
    return _part(trial, ~np.eye(len(trial.expected), dtype=bool), "beside the diagonal")


def on_the_diagonal(trial):
    return _part(trial, np.eye(len(trial.expected), dtype=bool), "on the diagonal")


def _part(trial, place, where):
    """Compares the entries of one place, the others taken from the reference."""
    problem = trial.problem()
    if problem is None or problem.stage not in ("value", "finite"):
        return problem
    found = np.where(place, trial.outcome.value, trial.expected)
    problem = compare(Outcome(found), trial.expected)
    return problem and Problem(problem.stage, f"{where}: {problem.message.replace('right shape, ', '')}")


SOFTMAX_JACOBIAN = Exercise(
    name="softmax_jacobian",
    lesson=LESSON,
    reference=ref.softmax_jacobian,
    checks=(
        Check("beside the diagonal: what a weight loses when another's score rises", 2, weights, beside_the_diagonal),
        Check("on the diagonal: what a weight gains when its own score rises", 2, weights, on_the_diagonal, side=True),
        Check("float32, and weights that are sure: whole numbers 0 and 1", 1, sure_weights, has.same_in_any_type, side=True),
        has.touches_nothing(weights),
    ),
    misconceptions=wrong.SOFTMAX_JACOBIAN,
    accepted=ok.SOFTMAX_JACOBIAN,
    hints=(
        "Two tables: one that holds p on its diagonal and zeros elsewhere, and one that holds p_i · p_j everywhere.",
        "np.diag(p) makes the first. For the second, p.T is no help: it has the shape of p, (n,). np.outer(p, p).",
        "return np.diag(p) - np.outer(p, p)",
    ),
)

EXERCISES = (DOT_PRODUCT_SAMPLES, ANSWER_SPREAD, SCALED_ATTENTION, ANSWER_WIDTH, ENTROPY, SOFTMAX_JACOBIAN, ANSWER_TWO_CURES)
