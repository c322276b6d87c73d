"""A small exercise for the engine's own tests: the mean of each row."""

from dataclasses import replace

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import leaves_arguments_alone


def row_means(X):
    return np.asarray(X).mean(axis=1)


def plain_cases(rng):
    return [(np.array([[1, 2], [3, 5]]),), (rng.uniform(1, 2, size=(3, 4)),)]


def long_cases(rng):
    return [(1000.0 + rng.uniform(size=(2, 5)),)]


def over_columns(X):
    return X.mean(axis=0)


def sums(X):
    return X.sum(axis=1)


def medians(X):
    return np.median(X, axis=1)


MEANS = Exercise(
    name="row_means",
    lesson="word_vectors",
    reference=row_means,
    checks=(
        Check("the mean of each row", 2, plain_cases),
        Check("large numbers too", 1, long_cases, side=True),
        leaves_arguments_alone(plain_cases),
    ),
    misconceptions=(
        Misconception("over-columns", over_columns, "That is the mean of each column."),
        Misconception("sum-for-mean", sums, "That is the sum. Divide by the number of columns."),
        Misconception("median-for-mean", medians, "That is the median."),
    ),
    accepted=(lambda X: [sum(row) / len(row) for row in X],),
    hints=("Add along the row.", "Divide by the number of columns."),
)


def but(**changes) -> Exercise:
    """The exercise with some fields replaced."""
    return replace(MEANS, **changes)
