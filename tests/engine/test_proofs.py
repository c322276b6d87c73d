"""The three accounts of ``autograde verify``: what they count, and that they tell what does not hold."""

from dataclasses import replace

import numpy as np
import pytest
from exercises_for_tests import MEANS, row_means

from autograde import judge
from autograde.cli import main
from autograde.engine.crossing import Crossed
from autograde.engine.proofs import by_crossing, by_mutants
from autograde.exercises import find


def one_row(rng):
    return [(np.array([[1.0, 3.0]]),)]


def wide_rows(rng):
    return [(np.array([[1.0, 3.0]]),), (np.array([[1.0, 2.0, 6.0]]),)]


def mean_of_two(X):
    return X.sum(axis=1) / 2


def missed(told):
    return [line.text for line in told if line.missed]


def test_a_mutant_that_is_wrong_and_an_accepted_answer_that_breaks_the_contract_are_told():
    checks = tuple(replace(check, cases=one_row) for check in MEANS.checks[:1])
    blind = replace(MEANS, checks=checks, inputs=wide_rows, accepted=(mean_of_two,))
    assert any("full marks, but differs on [[1, 2, 6]]" in line for line in missed(by_mutants([blind])))
    assert "mean_of_two is accepted, but differs on [[1, 2, 6]]" in missed(by_mutants([blind]))


def test_checks_that_let_no_wrong_mutant_pass_miss_nothing():
    good = replace(MEANS, inputs=wide_rows, accepted=(row_means,))
    first, *rest = by_mutants([good])
    assert rest == [] and first.text.startswith(f"{good.name}: ") and not first.missed


def test_a_name_that_is_another_s_and_a_share_below_the_least_are_told(monkeypatch):
    answers = [Crossed("means", "a", "h", "b"), *[Crossed("means", "a", "h", "a")] * 3]
    monkeypatch.setattr("autograde.engine.proofs.crossed", lambda exercise: answers)
    assert missed(by_crossing([MEANS])) == ["a with h is told as b", "in all: 3 of 4 named rightly, 75.0%"]


def test_no_answer_to_cross_is_no_share():
    assert list(by_crossing([])) == []


@pytest.mark.parametrize("how", ["--mutants", "--crossed"])
def test_the_command_tells_it_of_a_lesson(how, monkeypatch, capsys):
    record = find("one_hot")
    monkeypatch.setattr("autograde.exercises.in_lesson", lambda lesson: (record,))
    assert main(["verify", "--lesson", "word_vectors", how]) == 0
    assert "every proof holds" in capsys.readouterr().out


# ---- what crossing showed, and how it is told now


def divides_by_zero(u, v):
    return u @ v / (np.linalg.norm(u) * np.linalg.norm(v))


def without_float32(function):
    def answer(u, v):
        if u.dtype == np.float32:
            raise TypeError("float32 is not supported")
        return function(u, v)

    return answer


def in_whole_numbers(function):
    return lambda u, v: np.asarray(function(u, v)).astype(u.dtype if u.dtype.kind in "iu" else float)


def test_a_mistake_is_named_though_a_second_flaw_keeps_its_own_check_from_being_asked():
    """float32 stands in the first check, which guards the one on zero vectors."""
    assert judge("cosine_similarity", without_float32(divides_by_zero)).diagnosis.id == "zero-vector-divides"


def right(u, v):
    lengths = np.linalg.norm(u) * np.linalg.norm(v)
    return u @ v / lengths if lengths else 0.0


def test_a_habit_alone_is_given_no_mistake_s_name():
    """Cut to whole numbers, a right cosine is 0 wherever an entry is 0, as it would be for a mistake of that name."""
    report = judge("cosine_similarity", in_whole_numbers(right))
    assert not report.passed and report.diagnosis is None
