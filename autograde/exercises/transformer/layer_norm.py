"""layer_norm: each token's row brought to mean 0 and variance 1, then stretched by gamma and shifted by beta."""

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import compare, failed, same_value
from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import leaves_arguments_alone
from course_utils import transformer as ref

from .draws import layouts, norm, whole
from .properties import same_in_float64

CLOSE = 2e-4  # relative: an answer in float32 is nearer

# ---- what is asked


def rows(rng, *shape):
    """Rows with means, spreads and signs of their own."""
    return rng.normal(size=shape) * rng.uniform(0.3, 3, size=(*shape[:-1], 1)) + 4 * rng.normal(size=(*shape[:-1], 1))


def unlearned(X):
    """The call with gamma and beta 1, so that neither the wrong one of them nor a missing one shows."""
    return X, np.ones(X.shape[-1]), np.ones(X.shape[-1])


def plain(rng):
    tiny = np.array([[1.0, 3.0], [8.0, 0.0]])
    return [unlearned(X) for X in (tiny, np.array([[1.0, 2.0, 3.0, 6.0]]), rows(rng, 3, 5), rows(rng, 4, 4), rows(rng, 2, 7))]


def learned(rng):
    tiny = (np.array([[1.0, 3.0]]), np.array([10.0, 2.0]), np.array([0.0, 1.0]))
    flat = np.array([1.0, 0.0, -2.0, 0.5])  # a gamma of 0 leaves beta alone
    return [tiny, (rows(rng, 3, 5), *norm(rng, 5)), (rows(rng, 4, 4), *norm(rng, 4)), (rows(rng, 2, 4), flat, rng.normal(size=4))]


def with_eps(rng):
    return [(*unlearned(X), eps) for X, eps in ((np.array([[0.0, 2.0]]), 3.0), (rows(rng, 3, 5), 0.5), (rows(rng, 4, 4), 0.02))]


def narrow(rng):
    """Variances near 0.001, the least there is: an eps of 10⁻⁶ would show."""
    X = rows(rng, 3, 6)
    return [(X * np.sqrt(1.1e-3) / X.std(axis=-1, keepdims=True), *norm(rng, 6)), (np.array([[0.96, 1.04]]), *norm(rng, 2))]


def axes(rng):
    shapes = ((5,), (2, 3, 5), (1, 4), (3, 1, 4), (4, 4, 4), (2, 3, 2, 5))
    return [(rows(rng, *shape), *norm(rng, shape[-1])) for shape in shapes]


def types(rng):
    X, (gamma, beta) = rng.normal(size=(3, 5)), norm(rng, 5)
    ramp = whole(rng, 3, 5) + 7 * np.arange(5)  # no row of equal numbers
    single = tuple(part.astype(np.float32) for part in (X, gamma, beta))
    mixed = [(ramp, gamma, beta), (ramp, whole(rng, 5), whole(rng, 5)), (X.astype(np.float32), gamma, beta)]
    return [single, *mixed, *((laid, gamma, beta) for laid in layouts(X))]


def spread(found, X):
    """(spread, None): each row of ``found`` is its centred row scaled to this spread; or (None, what is wrong)."""
    problem = compare(Outcome(found), np.asarray(X, dtype=float))
    if problem and problem.stage != "value":
        return None, problem
    means = found.mean(axis=-1, keepdims=True)
    if np.ptp(means) > CLOSE * max(1, np.abs(found).max()):
        return None, "the rows have different means: take each row's own mean off"
    centred = X - X.mean(axis=-1, keepdims=True)
    factor = (found * centred).sum(axis=-1, keepdims=True) / (centred**2).sum(axis=-1, keepdims=True)
    if not np.allclose(found - means, factor * centred, rtol=CLOSE, atol=CLOSE):
        return None, "a row is not its own numbers, less their mean, times one factor"
    return factor * X.std(axis=-1, keepdims=True), None


def centres_and_evens(trial):
    """Every row has its mean taken off, and all rows are equally spread, however much that is."""
    if problem := failed(trial.outcome):
        return problem
    spreads, problem = spread(trial.outcome.value, trial.args[0])
    if problem:
        return problem
    if spreads.min() <= 0.05 or np.ptp(spreads) > CLOSE * spreads.max():
        return "the rows are not equally spread: each is divided by the root of its own variance"
    return None


def has_variance_1(trial):
    if problem := failed(trial.outcome):
        return problem
    spreads, problem = spread(trial.outcome.value, trial.args[0])
    if problem:
        return problem
    worst = spreads.flat[np.argmax(np.abs(spreads - 1))]
    return None if abs(worst - 1) < CLOSE else f"a row has variance {worst**2:.3g}, taken as the mean of its squares"


def stretches_and_shifts(trial):
    """The result is the one with gamma 1 and beta 0, whatever that is, times gamma, plus beta."""
    X, gamma, beta = trial.args
    if problem := failed(trial.outcome):
        return problem
    bare = trial.ask(X, np.ones_like(gamma), np.zeros_like(beta)).value
    problem = compare(Outcome(bare), X)
    if problem and problem.stage != "value":
        return problem
    if np.ptp(bare) == 0:
        return "with gamma 1 and beta 0 all numbers are equal, so there is nothing to stretch"
    problem = compare(trial.outcome, bare * gamma + beta)
    return "it is not the normalised row times gamma plus beta" if problem and problem.stage == "value" else problem


def adds_eps(trial):
    """The squared divisor grows by eps."""
    X, *_, eps = trial.args
    divisors = []
    for outcome in (trial.outcome, trial.ask(*unlearned(X), 1e-12)):
        found, problem = (None, failed(outcome)) if outcome.failure else spread(outcome.value, X)
        if problem:
            return problem
        with np.errstate(all="ignore"):
            divisors.append((X.std(axis=-1, keepdims=True) / found) ** 2)
    if np.allclose(divisors[0] - divisors[1], eps, rtol=0.01):
        return None
    return f"with eps = {eps} the variance under the root does not grow by {eps}"


def knows_its_default(trial):
    """An eps of 1e-12 is too small to be seen: a hundred times as large, the rows give the same."""
    X, gamma, beta = trial.args
    if problem := failed(trial.outcome):
        return problem
    if same_value(trial.outcome.value, trial.ask(100 * X, gamma, beta).value):
        return None
    return "rows with a variance of 0.001 and the same rows a hundred times as large give different results: is eps 1e-12?"


def row_by_row(trial):
    """Any number of leading axes: the same rows in one table give the same."""
    X, gamma, beta = trial.args
    if problem := failed(trial.outcome):
        return problem
    table = trial.ask(X.reshape(-1, X.shape[-1]), gamma, beta).value
    if not isinstance(table, np.ndarray) or table.size != X.size:
        return "the rows one below the other, as a table, give no table"
    problem = compare(trial.outcome, table.reshape(X.shape))
    return "the same rows give another result when they stand in one table" if problem and problem.stage == "value" else problem


# ---- what learners write instead


def norm_with(centre=lambda X: X.mean(axis=-1, keepdims=True), divisor=None, finish=None):
    """The right formula from its steps: centre(X), divisor(X, eps), finish(normalised, gamma, beta)."""

    def answer(X, gamma, beta, eps=1e-12):
        below = (divisor or root)(X, eps)
        normalised = (X - centre(X)) / below
        return normalised * gamma + beta if finish is None else finish(normalised, gamma, beta)

    return answer


def root(X, eps):
    return np.sqrt(X.var(axis=-1, keepdims=True) + eps)


def _sample(X, eps):
    return np.sqrt(X.var(axis=-1, ddof=1, keepdims=True) + eps)


def _over_tokens(X, gamma, beta, eps=1e-12):
    axis = 0 if X.ndim == 1 else -2
    return (X - X.mean(axis=axis, keepdims=True)) / np.sqrt(X.var(axis=axis, keepdims=True) + eps) * gamma + beta


def _over_everything(X, gamma, beta, eps=1e-12):
    return (X - X.mean()) / np.sqrt(X.var() + eps) * gamma + beta


def _over_axis_1(X, gamma, beta, eps=1e-12):
    return (X - X.mean(axis=1, keepdims=True)) / np.sqrt(X.var(axis=1, keepdims=True) + eps) * gamma + beta


def _no_keepdims(X, gamma, beta, eps=1e-12):
    return (X - X.mean(axis=-1)) / np.sqrt(X.var(axis=-1) + eps) * gamma + beta


def _eps_1e_5(X, gamma, beta, eps=1e-5):
    return ref.layer_norm(X, gamma, beta, eps)


def _eps_ignored(X, gamma, beta, eps=1e-12):
    return ref.layer_norm(X, gamma, beta)


def _in_place(X, gamma, beta, eps=1e-12):
    X -= X.mean(axis=-1, keepdims=True)
    X /= root(X, eps)
    return X * gamma + beta


def _in_whole_numbers(X, gamma, beta, eps=1e-12):
    result = np.zeros_like(X)
    result[...] = ref.layer_norm(X, gamma, beta, eps)
    return result


MISTAKES = (
    Misconception(
        "sample-variance",
        norm_with(divisor=_sample),
        "The squares were divided by d − 1 (ddof=1). Layer norm takes the mean of the squares, divided by d: np.var as it is.",
    ),
    Misconception(
        "eps-outside-the-root",
        norm_with(divisor=lambda X, eps: X.std(axis=-1, keepdims=True) + eps),
        "eps was added to the root. It belongs under it: np.sqrt(variance + eps).",
    ),
    Misconception(
        "eps-squared",
        norm_with(divisor=lambda X, eps: np.sqrt(X.var(axis=-1, keepdims=True) + eps**2)),
        "eps was squared. It is added to the variance as it is.",
    ),
    Misconception("eps-ignored", _eps_ignored, "eps changes nothing here. Add it to the variance, under the root."),
    Misconception("eps-1e-5", _eps_1e_5, "The default of eps is 10⁻⁵ here. This model was trained with 10⁻¹²: eps=1e-12."),
    Misconception(
        "over-the-tokens",
        _over_tokens,
        "Mean and variance run over the tokens. Each token is normalised by itself, over its own d numbers: axis=-1.",
    ),
    Misconception(
        "over-everything",
        _over_everything,
        "One mean and one variance were taken of the whole array. Each row has its own: axis=-1, keepdims=True.",
    ),
    Misconception(
        "over-axis-1",
        _over_axis_1,
        "Axis 1 is the width of a table, but not of a batch or of one row. Count from the end: axis=-1.",
    ),
    Misconception(
        "keepdims-forgotten",
        _no_keepdims,
        "Without keepdims=True the means lie flat, and row 0's mean is taken off column 0. With as many rows as columns "
        "nothing complains.",
    ),
    Misconception(
        "gamma-and-beta-exchanged",
        norm_with(finish=lambda N, gamma, beta: N * beta + gamma),
        "gamma and beta have changed places: multiply by gamma, then add beta.",
    ),
    Misconception("gamma-missing", norm_with(finish=lambda N, gamma, beta: N + beta), "gamma is missing: multiply by it first."),
    Misconception("beta-missing", norm_with(finish=lambda N, gamma, beta: N * gamma), "beta is missing: add it last."),
    Misconception(
        "gamma-and-beta-missing",
        norm_with(finish=lambda N, gamma, beta: N),
        "The row is normalised, but gamma and beta are not used: multiply by gamma, then add beta.",
    ),
    Misconception(
        "beta-before-gamma",
        norm_with(finish=lambda N, gamma, beta: (N + beta) * gamma),
        "beta was added before gamma multiplied, so it is stretched too. Multiply first, add last.",
    ),
    Misconception(
        "one-plus-gamma",
        norm_with(finish=lambda N, gamma, beta: N * (1 + gamma) + beta),
        "The row was multiplied by 1 + gamma. Here gamma itself is the factor.",
    ),
    Misconception(
        "divided-by-the-variance",
        norm_with(divisor=lambda X, eps: X.var(axis=-1, keepdims=True) + eps),
        "The row was divided by its variance. Divide by the root of it: then the variance is 1.",
    ),
    Misconception(
        "not-divided",
        norm_with(divisor=lambda X, eps: 1.0),
        "The mean was taken off, but nothing divides by the root of the variance.",
    ),
    Misconception(
        "mean-not-taken-off",
        norm_with(centre=lambda X: 0.0),
        "The mean was not taken off. Subtract each row's mean before you divide.",
    ),
    Misconception(
        "root-mean-square",
        norm_with(centre=lambda X: 0.0, divisor=lambda X, eps: np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps)),
        "This is RMS norm, which takes no mean off. Layer norm does: first X less its mean, then the division.",
    ),
    Misconception(
        "length-1",
        norm_with(divisor=lambda X, eps: np.sqrt(X.shape[-1] * (X.var(axis=-1, keepdims=True) + eps))),
        "Each row has length 1. Its variance should be 1: divide the sum of squares by d before the root.",
    ),
    Misconception(
        "absolute-deviation",
        norm_with(divisor=lambda X, eps: np.abs(X - X.mean(axis=-1, keepdims=True)).mean(axis=-1, keepdims=True) + eps),
        "The spread was taken as the mean of absolute deviations. It is the root of the mean of their squares.",
    ),
    Misconception(
        "from-0-to-1",
        norm_with(centre=lambda X: X.min(axis=-1, keepdims=True), divisor=lambda X, eps: np.ptp(X, axis=-1, keepdims=True)),
        "Each row runs from 0 to 1. Here it gets mean 0 and variance 1.",
    ),
    Misconception(
        "changes-its-argument",
        _in_place,
        "X -= … writes into the caller's array, and fails for whole numbers. Make a new array: X = X - …",
    ),
    Misconception(
        "in-the-type-of-X",
        _in_whole_numbers,
        "The result was written into an array of X's type, which cuts whole numbers off. Let NumPy make the result.",
    ),
)


# ---- right answers written differently


def _with_loops(X, gamma, beta, eps=1e-12):
    if X.ndim > 1:
        return [_with_loops(row, gamma, beta, eps) for row in X]
    d = len(X)
    mean = sum(float(x) for x in X) / d
    variance = sum((float(x) - mean) ** 2 for x in X) / d
    return [(float(x) - mean) / (variance + eps) ** 0.5 * float(g) + float(b) for x, g, b in zip(X, gamma, beta)]


def _with_var(X, gamma, beta, eps=1e-12):
    return gamma * (X - np.mean(X, axis=-1, keepdims=True)) / np.sqrt(np.var(X, axis=-1, keepdims=True) + eps) + beta


def _from_squares(X, gamma, beta, eps=1e-12):
    X = np.asarray(X, dtype=float)
    mean = X.mean(-1)[..., None]
    return (X - mean) * ((X**2).mean(-1)[..., None] - mean**2 + eps) ** -0.5 * gamma + beta


def _with_einsum(X, gamma, beta, eps=1e-12):
    centred = X - np.einsum("...d->...", X)[..., None] / X.shape[-1]
    variance = np.einsum("...d,...d->...", centred, centred) / X.shape[-1]
    return np.einsum("...d,...,d->...d", centred, 1 / np.sqrt(variance + eps), gamma) + beta


def _float32(X, gamma, beta, eps=1e-12):
    X = X.astype(np.float32)
    centred = X - X.mean(axis=-1, keepdims=True)
    return (centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(eps)) * gamma + beta).astype(np.float32)


def _transposed(X, gamma, beta, eps=1e-12):
    last_first = np.moveaxis(X, -1, 0)
    normal = (last_first - last_first.mean(axis=0)) / np.sqrt(last_first.var(axis=0) + eps)
    return np.moveaxis(normal, 0, -1) * gamma + beta


ACCEPTED = (_with_loops, _with_var, _from_squares, _with_einsum, _float32, _transposed)


# ---- the exercise

EXERCISE = Exercise(
    name="layer_norm",
    lesson="transformer",
    reference=ref.layer_norm,
    checks=(
        Check("each row has its mean taken off, and all rows are equally spread", 2, plain, centres_and_evens),
        Check("the variance of each row is 1: the mean of squares, divided by d", 2, plain, has_variance_1),
        Check("then times gamma, plus beta, number by number", 3, learned, stretches_and_shifts),
        Check("eps is added to the variance, under the root", 1, with_eps, adds_eps, side=True),
        Check("without eps, it is 1e-12", 1, narrow, knows_its_default, side=True),
        Check("one row alone, and any number of leading axes", 1, axes, row_by_row, side=True),
        Check("float32, whole numbers, any layout in memory", 1, types, same_in_float64, side=True),
        leaves_arguments_alone(learned),
    ),
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Two numbers for each row: its mean and its variance, over the last axis. keepdims=True keeps them upright.",
        "variance = X.var(axis=-1, keepdims=True) is the population's: squares divided by d. eps goes under the root with it.",
        "(X - mean) / np.sqrt(variance + eps) * gamma + beta",
    ),
)
