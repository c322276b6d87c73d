"""Mutants of right answers: made one place at a time, and found out where the checks let a wrong one pass."""

from dataclasses import replace

import numpy as np
from exercises_for_tests import MEANS, row_means

from autograde.engine.mutations import mutants
from autograde.engine.survivors import contract_breaks, survey


def halved(x, keep=True):
    """Half of x, or x itself."""
    y = x
    if keep and x > 1:
        y = x / 2
    return y


def test_one_place_changes_at_a_time_and_each_mutant_runs():
    lines = [mutant.line for mutant in mutants(halved)]
    for expected in ("y = x * 2", "y = x // 2", "y = x / 3", "if keep or x > 1:", "if keep and x >= 1:", "if True:", "if False:"):
        assert any(line.endswith(expected) for line in lines), (expected, lines)
    doubled = next(mutant.function for mutant in mutants(halved) if mutant.line.endswith("y = x * 2"))
    assert (halved(4), doubled(4)) == (2.0, 8)


def test_what_needs_a_closure_or_is_a_lambda_is_left_out():
    factor = 2
    assert list(mutants(lambda x: x + 1)) == []

    def closed(x):
        return x * factor

    assert list(mutants(closed)) == []


def weak(rng):
    return [(np.array([[1.0, 3.0], [2.0, 4.0]]),)]


def many(rng):
    return [(np.array([[1.0, 3.0], [2.0, 4.0]]),), (np.array([[1.0, 2.0, 6.0]]),)]


def test_a_survivor_that_differs_on_a_valid_input_is_a_hole():
    checks = tuple(replace(check, cases=weak) for check in MEANS.checks[:1])
    blind = replace(MEANS, checks=checks, inputs=many, accepted=(mean_of_two,))
    found = survey(blind)
    assert found.passed and any("mean_of_two" in hole or "row_means" in hole for hole in found.holes)
    assert list(contract_breaks(blind)) == ["mean_of_two is accepted, but differs on [[1, 2, 6]]"]


def mean_of_two(X):
    return X.sum(axis=1) / 2


def test_the_checks_of_a_good_exercise_let_no_wrong_mutant_pass():
    good = replace(MEANS, inputs=many, accepted=(row_means,))
    found = survey(good)
    assert found.judged and found.holes == []
