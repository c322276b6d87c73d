"""What the numbers of dot_product_samples(n, d, rng) are like: they are graded by that, and never by the numbers.

Every limit is so wide that a right answer fails less than once in 10⁹ runs: tests/exercises/test_scaling_exercises.py computes
the bounds. At d = 1 the numbers are products of two normal numbers, whose share near 0 and far from it nothing
else has.

What is measured comes from several generators, so that numbers which do not follow the given one earn nothing; and in
several parts, since an answer that meets every vector with every other makes n · n numbers of n.
"""

import numpy as np

from autograde.engine.compare import close, same_value
from autograde.engine.exercise import Rng

PART, PARTS = 500, 4  # numbers in one call, and calls with seeds of their own
N = PART * PARTS  # numbers that are measured
VARIANCE, MEAN = 0.35, 0.2  # limits, in units of d and of √d
NEAR, FAR = 0.1, 2.0
SHARES = {"near": 0.2178, "far": 0.0618}  # of |x y| below 0.1 and above 2, for independent standard-normal x and y
ALONE = {"near": 0.065, "far": 0.042}  # limits of the difference in one sample: a partner that all share shows here
TOGETHER, SAMPLES = 0.035, 5  # and in five samples together: numbers of another shape show here
CORRELATION = 0.25  # limit between the sizes of two samples


def drawn(rng, *sizes):
    return [(n, d, Rng(int(rng.integers(2**31)))) for n, d in sizes]


def wide(rng):
    return drawn(rng, (3, 2), (PART, 16), (PART, 64))


def narrow(rng):
    return drawn(rng, (3, 1), (N, 1))


def small(rng):
    return drawn(rng, (4, 3), (1, 2), (50, 1))


def other_seeds(rng):
    return drawn(rng, (4, 3), (1, 2), (50, 1), (PART, 1))


def every_kind(rng):
    """Small samples of every shape, and large ones, whose spread and shares tell."""
    shapes = [(n, d) for n in (2, 1, 3, 4, 50) for d in (2, 1, 3, 4, 16, 50)]
    return drawn(rng, *shapes * 8, *((N, d) for d in (1, 2, 3, 16, 64)))


def variance_is_d(trial):
    """Of numbers that follow their generator: the smallest case says so in the fewest numbers."""
    d = trial.args[1]
    if trial.args[0] < PART:
        return _moves(trial)
    z, problem = _pooled(trial)
    if problem:
        return problem
    different = len(np.unique(np.abs(z).round(6)))  # neither another order nor other signs make them new
    if different < N / 2:
        return f"only {different} different numbers among {N}: every one is a draw of its own"
    ratio = z.var() / d
    return None if abs(ratio - 1) <= VARIANCE else f"at d = {d} the variance of {N} numbers is {z.var():.3g}"


def mean_is_0(trial):
    d = trial.args[1]
    z, problem = _sample(trial) if trial.args[0] < PART else _pooled(trial)
    if problem or z.size < N:
        return problem
    return None if abs(z.mean()) <= MEAN * np.sqrt(d) else f"at d = {d} the mean of {N} numbers is {z.mean():.3g}"


def products_at_width_1(trial):
    z, problem = _sample(trial)
    if problem or z.size < N:
        return problem
    more, problem = _asked(trial, PART, range(1, 1 + PARTS * (SAMPLES - 1)))
    return problem or _unlike_products(z, ALONE) or _unlike_products(np.concatenate([z, more]), dict.fromkeys(SHARES, TOGETHER))


def _unlike_products(z, limits):
    for name, share in (("near", np.mean(np.abs(z) < NEAR)), ("far", np.mean(np.abs(z) > FAR))):
        if abs(share - SHARES[name]) > limits[name]:
            where = f"closer to 0 than {NEAR}" if name == "near" else f"further from 0 than {FAR:g}"
            return f"at d = 1 a share of {share:.3f} lies {where}: not so for the product of two normal numbers"
    return None


def repeats(trial):
    _, problem = _sample(trial)
    if problem is None and not same_value(trial.outcome.value, trial.ask(*trial.args).value):
        problem = "two generators of the same seed gave different numbers: draw everything from rng"
    return problem


def follows_its_seed(trial):
    """Another seed gives other numbers, and no part of them is the same: their sizes are unrelated."""
    n = trial.args[0]
    if n < PART:
        return _moves(trial)
    z, problem = _pooled(trial)
    if problem:
        return problem
    other, problem = _asked(trial, n, range(PARTS, 2 * PARTS))
    if problem is None and abs(np.corrcoef(_logs(z), _logs(other))[0, 1]) > CORRELATION:
        problem = "the numbers of two different seeds are related: draw both vectors from rng"
    return problem


def _moves(trial):
    z, problem = _sample(trial)
    if problem is None:
        other, problem = _asked(trial, trial.args[0], [1])
    if problem is None and same_value(z, other):
        problem = "two generators of different seeds gave the same numbers: draw everything from rng"
    return problem


def _pooled(trial):
    """N numbers: the case's own and those of the seeds after it. (the numbers, None), or (None, what is wrong)."""
    z, problem = _sample(trial)
    if problem:
        return None, problem
    more, problem = _asked(trial, trial.args[0], range(1, PARTS))
    return (None, problem) if problem else (np.concatenate([z, more]), None)


def _asked(trial, n, steps):
    """n numbers of each of some further seeds, in one array."""
    _, d, seed = trial.args
    values = [trial.ask(n, d, Rng(seed.seed + step)).value for step in steps]
    if all(isinstance(value, np.ndarray) and value.shape == (n,) for value in values):
        return np.concatenate(values).astype(float), None
    return None, f"with another seed the call gave no {n} numbers"


def _sample(trial):
    """(the numbers, None), or (None, the stage below the values that broke)."""
    problem = trial.problem()
    if problem and problem.stage != "value":
        return None, problem
    return trial.outcome.value.astype(float), None


def _logs(z):
    return np.log(np.abs(z) + 0.05)  # bounded below, so that no single number decides


def alike(one, other, args) -> bool:
    """Whether two samples could come from the same recipe: equal, or of the same shape, spread and shares."""
    if one.failure or other.failure:
        return bool(one.failure) and bool(other.failure)
    a, b = one.value, other.value
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.shape == b.shape):
        return same_value(a, b)
    if close(a, b) or a.size < PART:
        return True
    wide = 1 if a.size >= N else np.sqrt(PARTS)
    return np.allclose(_measures(a), _measures(b), rtol=0, atol=wide * np.array([0.35, 0.25, 0.07, 0.07]))


def _measures(z):
    z = np.asarray(z, dtype=float)
    return [np.log(z.std() + 1e-9), z.mean() / (z.std() + 1e-9), np.mean(np.abs(z) < NEAR), np.mean(np.abs(z) > FAR)]
