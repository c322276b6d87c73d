"""dot_product_samples: what learners draw and multiply instead."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import scaling as ref


def _two_tables(formula):
    """formula(X, Y) of two tables of standard-normal numbers."""
    return lambda n, d, rng: formula(rng.standard_normal((n, d)), rng.standard_normal((n, d)))


def _drawn_by(draw):
    """The right formula on other numbers: draw(rng, shape)."""
    return lambda n, d, rng: (draw(rng, (n, d)) * draw(rng, (n, d))).sum(axis=1)


def _unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def _own_seed(n, d, rng):
    return ref.dot_product_samples(n, d, np.random.default_rng(0))


def _shared_partner(n, d, rng):
    return rng.standard_normal((n, d)) @ rng.standard_normal(d)


def _with_itself(n, d, rng):
    X = rng.standard_normal((n, d))
    return (X * X).sum(axis=1)


MISTAKES = (
    Misconception(
        "not-from-rng",
        _own_seed,
        "Not all randomness comes from rng. Draw with rng.standard_normal; leave out np.random.randn, seeds "
        "and generators of your own.",
    ),
    Misconception(
        "one-partner-for-all",
        _shared_partner,
        "All n vectors meet the same partner. Each pair needs two vectors of its own: draw two tables.",
    ),
    Misconception(
        "vector-with-itself",
        _with_itself,
        "Each vector meets itself: that is its squared length, never negative. Draw a second table.",
    ),
    Misconception(
        "no-products",
        lambda n, d, rng: np.sqrt(d) * rng.standard_normal(n),
        "These are normal numbers with the right variance. A dot product adds products of two numbers, which "
        "shows at d = 1: multiply two tables entry by entry.",
    ),
    Misconception(
        "from-0-to-1",
        _drawn_by(lambda rng, shape: rng.random(shape)),
        "rng.random draws evenly from 0 to 1, so nothing is negative. Standard normal: rng.standard_normal.",
    ),
    Misconception(
        "from-minus-1-to-1",
        _drawn_by(lambda rng, shape: rng.uniform(-1, 1, shape)),
        "Numbers drawn evenly from −1 to 1 have variance 1/3. Standard normal: rng.standard_normal.",
    ),
    Misconception(
        "signs-only",
        _drawn_by(lambda rng, shape: rng.choice([-1.0, 1.0], shape)),
        "These entries are −1 or 1 only. Standard normal: rng.standard_normal.",
    ),
    Misconception(
        "around-1",
        _drawn_by(lambda rng, shape: rng.normal(1, 1, shape)),
        "Your entries have mean 1. Standard normal means mean 0 and variance 1: rng.standard_normal.",
    ),
    Misconception(
        "mean-for-sum",
        _two_tables(lambda X, Y: (X * Y).mean(axis=1)),
        "You took the mean of the products. A dot product is their sum.",
    ),
    Misconception(
        "scaled-already",
        _two_tables(lambda X, Y: (X * Y).sum(axis=1) / np.sqrt(X.shape[1])),
        "You divided by √d already. Here the plain dot products are wanted, to see how they grow.",
    ),
    Misconception(
        "unit-vectors",
        _two_tables(lambda X, Y: (_unit(X) * _unit(Y)).sum(axis=1)),
        "You made the vectors one long: these are cosines. Leave the vectors as they were drawn.",
    ),
    Misconception(
        "sizes-only",
        _two_tables(lambda X, Y: np.abs((X * Y).sum(axis=1))),
        "The sign is lost. A dot product of independent vectors is negative half of the time.",
    ),
    Misconception(
        "added-to-one-number",
        _two_tables(lambda X, Y: (X * Y).sum()),
        "All products went into one number. Add along each row: axis=1.",
    ),
    Misconception(
        "added-down",
        _two_tables(lambda X, Y: (X * Y).sum(axis=0)),
        "You added down the columns: d numbers. Add along each row, axis=1: n numbers.",
    ),
    Misconception(
        "not-added", _two_tables(lambda X, Y: X * Y), "The products are there but not added. Add along each row: axis=1."
    ),
    Misconception(
        "all-with-all",
        _two_tables(lambda X, Y: X @ Y.T),
        "X @ Y.T meets every row with every row: n · n numbers. Each row meets its partner only.",
    ),
    Misconception(
        "as-a-column",
        _two_tables(lambda X, Y: (X * Y).sum(axis=1, keepdims=True)),
        "Your numbers stand in a column of shape (n, 1). The result is a vector: (n,).",
    ),
)
