"""A mistake keeps its name beside a second flaw, and a flaw alone is no mistake's name."""

import pytest
from exercises_for_tests import MEANS, over_columns, row_means

from autograde import judge
from autograde.engine.crossing import crossed
from autograde.engine.habits import HABITS


def named(answer):
    diagnosis = judge(MEANS, answer).diagnosis
    return diagnosis and diagnosis.id


def test_every_mistake_keeps_its_name_under_every_habit():
    """The oracle is the construction: each answer was made from the mistake whose name is due."""
    found = list(crossed(MEANS))
    assert len(found) == len(MEANS.misconceptions) * len(HABITS)
    assert [each for each in found if not each.right] == []


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.id)
def test_a_habit_of_a_right_answer_is_not_told_as_a_mistake(habit):
    assert named(habit.wrap(row_means)) is None


def test_both_flaws_are_told():
    diagnosis = judge(MEANS, lambda X: over_columns(X).astype(X.dtype)).diagnosis
    mistake = next(m for m in MEANS.misconceptions if m.function is over_columns)
    assert diagnosis.id == mistake.id
    assert diagnosis.explanation.startswith(f"Two things. First: {mistake.explanation} Second: ")
    assert "whole numbers" in diagnosis.explanation


def test_an_answer_that_does_something_else_on_one_call_is_not_named():
    def columns_but_for_long_rows(X):
        return over_columns(X) if X.shape[0] == X.shape[1] else X.sum(axis=1) / (X.shape[1] + 1)

    assert named(over_columns) and named(columns_but_for_long_rows) is None


def test_errors_of_another_type_are_not_the_same_mistake():
    """The misconception raises ValueError where this answer raises KeyError: they are not alike."""
    mistake = MEANS.misconceptions[0]

    def raises_elsewhere(X):
        if X.shape[0] == 2:
            raise KeyError("other")
        return row_means(X) + 1

    assert named(raises_elsewhere) != mistake.id
