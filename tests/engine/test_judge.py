"""The engine: points by property, the mistake by name, the same every time."""

import itertools

import numpy as np
import pytest
from exercises_for_tests import MEANS, but, plain_cases, row_means, sums

from autograde import PUBLIC_SEED, judge
from autograde.engine import diagnosis
from autograde.engine.calling import Answer, Failure, LocalAnswer, Outcome
from autograde.engine.compare import close
from autograde.engine.exercise import Check, Misconception, Rng


def scores(report):
    return [check.score for check in report.checks]


def test_a_right_answer_gets_everything():
    report = judge(MEANS, row_means)
    assert report.passed and report.status == "scored" and (report.score, report.points) == (4.0, 4.0)
    assert type(report.score) is float and report.diagnosis is None and report.example == ""


def test_each_mistake_is_named_and_explained():
    for misconception in MEANS.misconceptions:
        diagnosis = judge(MEANS, misconception.function).diagnosis
        assert (diagnosis.id, diagnosis.explanation) == (misconception.id, misconception.explanation)


def test_a_mistake_is_named_only_if_it_explains_everything():
    def nearly_a_sum(X):  # agrees with the sum on the first case, not on the second
        return sums(X) if X.dtype.kind == "i" else sums(X) + 0.5

    report = judge(MEANS, nearly_a_sum)
    assert report.diagnosis is None and report.score == 0
    assert "X = [[1, 2], [3, 5]]" in report.example and "gave [3, 8]; [1.5, 4] is due" in report.example


def test_what_is_due_is_shown_for_a_visible_case_and_never_for_a_hidden_one():
    def wrong(X):
        return np.array([7.25, 9.75]) if X.shape == (2, 2) else np.zeros(len(X))

    assert judge(MEANS, wrong).example.endswith("gave [7.25, 9.75]; [1.5, 4] is due")
    told = repr(judge(MEANS, wrong, seed=PUBLIC_SEED + 1))
    assert "7.25" in told and "1.5" not in told  # the learner's own result is shown, (1 + 2) / 2 is not


def test_an_example_that_rounds_to_what_is_due_has_more_digits():
    report = judge(MEANS, lambda X: row_means(X) + 0.0004)
    assert report.example.endswith("gave [1.5004, 4.0004]; [1.5, 4] is due")


def test_side_properties_count_only_on_top_of_right_values():
    def right_for_large_numbers_only(X):
        return row_means(X) if X.max() > 100 else X[:, 0]

    report = judge(MEANS, right_for_large_numbers_only)
    assert scores(report) == [0, 0, 0] and [check.called for check in report.checks] == [True, False, False]


def test_a_property_is_lost_alone():
    def in_place(X):
        total = row_means(X)
        X *= 0
        return total

    assert scores(judge(MEANS, in_place)) == [2, 1, 0]
    assert scores(judge(MEANS, lambda X: row_means(X) if X.max() < 100 else np.zeros(len(X)))) == [2, 0, 1]


def test_two_misconceptions_that_agree_so_far_are_told_apart_by_one_more_input(monkeypatch):
    """Where the one drawn input has no number below 1, only further inputs decide: some may be that unlucky thrice more."""

    def zero_if_negative(X):
        return sums(X) * (X.min() > 0)

    def square_cases(rng):
        return [(rng.integers(-1, 9, size=(2, 2)) * 1.0,)]

    exercise = but(
        checks=(Check("means", 1, square_cases),),
        misconceptions=(
            Misconception("sum-for-mean", sums, "sum"),
            Misconception("sum-of-positive", zero_if_negative, "positive"),
        ),
    )

    def named():
        """(mistake, name or None) of every answer that lost its point."""
        found = []
        for seed, misconception in itertools.product(range(20), exercise.misconceptions):
            report = judge(exercise, misconception.function, seed)
            found += [] if report.passed else [(misconception.id, report.diagnosis and report.diagnosis.id)]
        return found

    told = named()
    assert len(told) == 40 and all(name in (mistake, None) for mistake, name in told)
    monkeypatch.setattr(diagnosis, "ROUNDS", 0)
    undecided = [name for _, name in named()].count(None)
    assert undecided > 10 and [name for _, name in told].count(None) < undecided / 4


def test_two_misconceptions_that_always_agree_are_both_told():
    twin = Misconception("sum-again", lambda X: X @ np.ones(X.shape[1]), "Also a sum.")
    report = judge(but(misconceptions=(*MEANS.misconceptions, twin)), sums)
    assert report.diagnosis is None and {d.id for d in report.undecided} == {"sum-for-mean", "sum-again"}


def test_an_answer_that_only_raises_is_not_explained_by_a_misconception_that_raises():
    def needs_square(X):
        return X @ X

    exercise = but(
        checks=(Check("means", 1, lambda rng: [(rng.uniform(size=(2, 3)),)]),),
        misconceptions=(Misconception("squared", needs_square, "squared"),),
    )
    report = judge(exercise, lambda X: undefined_name)  # noqa: F821
    assert report.diagnosis is None and "NameError" in report.checks[0].message


@pytest.mark.parametrize("as_type", [np.float32, np.float64, list, tuple])
def test_the_type_of_a_right_result_does_not_matter(as_type):
    def answer(X):
        result = row_means(X.astype(np.float32) if as_type is np.float32 else X)
        return result if as_type in (np.float32, np.float64) else as_type(result)

    assert judge(MEANS, answer).passed


def test_shapes_are_exact():
    report = judge(MEANS, lambda X: row_means(X)[:, None])
    assert report.score == 0 and "shape (2, 1), expected (2,)" in report.checks[0].message
    assert judge(MEANS, lambda X: row_means(X)[0]).score == 0  # a scalar would broadcast


def test_results_in_parts():
    def reference(X):
        return X.sum(), X.max(axis=0), X.T

    def stacked(X):
        return np.array([X.sum(axis=1), X.max(axis=1)])

    parts = but(reference=reference, checks=(Check("parts", 1, plain_cases),), misconceptions=())
    assert judge(parts, lambda X: [X.sum(), list(X.max(axis=0)), X.T.tolist()]).passed
    assert "2 results, expected 3" in judge(parts, stacked).checks[0].message
    assert "result no. 3" in judge(parts, lambda X: (X.sum(), X.max(axis=0), X.T[:1])).checks[0].message
    pair = but(reference=lambda X: (X.sum(axis=1), X.max(axis=1)), checks=(Check("pair", 1, plain_cases),))
    assert judge(pair, stacked).passed  # two parts of one shape, stacked, are still two parts


def test_whole_numbers_and_truth_values_where_the_contract_asks_for_them():
    counting = but(reference=lambda X: X.shape[1], kind="int", checks=(Check("count", 1, plain_cases),))
    assert judge(counting, lambda X: np.int32(X.shape[1])).passed
    assert "whole numbers" in judge(counting, lambda X: float(X.shape[1])).checks[0].message
    asking = but(reference=lambda X: X > 1, kind="bool", checks=(Check("large", 1, plain_cases),))
    assert judge(asking, lambda X: (X > 1).tolist()).passed
    assert "bool" in judge(asking, lambda X: (X > 1) * 1.0).checks[0].message


def test_tolerance_takes_single_precision_and_no_more():
    assert judge(MEANS, lambda X: row_means(X) * (1 + 5e-5)).passed
    assert judge(MEANS, lambda X: row_means(X) + 9e-3).score == 0


def test_every_call_gets_fresh_arguments_and_a_fresh_generator():
    exercise = but(
        reference=lambda X, rng: rng.normal(size=len(X)), checks=(Check("draws", 1, lambda rng: [(np.ones((3, 1)), Rng(5))] * 2),)
    )
    assert judge(exercise, lambda X, rng: rng.normal(size=3)).passed


def test_a_custom_test_may_ask_again():
    def repeatable(trial):
        again = trial.ask(*trial.args)
        return None if np.array_equal(again.value, trial.outcome.value) else "two calls differ"

    exercise = but(checks=(Check("repeatable", 1, plain_cases, repeatable),))
    state = iter(range(100))
    assert judge(exercise, row_means).passed
    assert judge(exercise, lambda X: row_means(X) + next(state)).checks[0].message == "two calls differ"


def test_calls_that_hit_a_limit_are_not_repeated_for_ever():
    class Stuck(Answer):
        times = 0

        def call(self, args):
            self.times += 1
            return Outcome(failure=Failure("limit", "time", "it took longer than 1 second"))

    stuck = Stuck()
    report = judge(but(checks=MEANS.checks[:1] + (Check("again", 1, plain_cases),) * 3), stuck)
    assert stuck.times == 2 and report.score == 0 and report.diagnosis is None
    assert "longer than 1 second" in report.checks[0].message


def test_the_same_seed_gives_the_same_report_and_another_other_inputs():
    seen = []

    def spy(X):
        seen.append(X.copy())
        return row_means(X)

    first, second = judge(MEANS, spy), judge(MEANS, spy)
    assert first == second
    n = len(seen) // 2
    assert all(np.array_equal(a, b) for a, b in zip(seen[:n], seen[n:]))
    judge(MEANS, spy, seed=PUBLIC_SEED + 1)
    assert not np.array_equal(seen[1], seen[2 * n + 1])


def test_adding_a_check_changes_no_other_check_s_inputs():
    seen = {1: [], 2: []}
    for i, checks in ((1, MEANS.checks), (2, (Check("new", 1, long_first),) + MEANS.checks)):
        judge(but(checks=checks), lambda X, i=i: seen[i].append(X.copy()) or row_means(X))
    assert all(any(np.array_equal(a, b) for b in seen[2]) for a in seen[1])


def long_first(rng):
    return [(rng.uniform(size=(7, 2)),)]


def test_local_answers_see_what_was_changed():
    outcome = LocalAnswer(lambda a, b: b.sort()).call((np.ones(2), np.array([3, 1])))
    assert outcome.changed == (1,) and outcome.value is None


def test_nested_arguments_are_copied_and_compared():
    def widen(params):
        params["layers"][0]["W"] += 1

    args = ({"layers": [{"W": np.zeros(2)}]},)
    assert LocalAnswer(widen).call(args).changed == (0,)
    assert args[0]["layers"][0]["W"].tolist() == [0, 0]


@pytest.mark.parametrize(
    "answer, status, score",
    [
        ("c", "scored", 1.0),
        (" C ", "scored", 1.0),
        ("a", "scored", 0.0),
        (None, "not attempted", 0.0),
        ("", "not attempted", 0.0),
        ("z", "scored", 0.0),
        (3, "scored", 0.0),
        (["c"], "scored", 0.0),
    ],
)
def test_quizzes(answer, status, score):
    report = judge("answer_one_hot", answer)
    assert (report.status, report.score) == (status, score)
    if answer == "a":
        assert report.diagnosis.id == "chose-a" and "shares no 1" in report.diagnosis.explanation


@pytest.mark.parametrize(
    "value, expected, agrees",
    [
        (1.0, 1.00005, True),
        (1.0, 1.001, False),
        (0.0, 1e-6, True),
        (np.nan, np.nan, True),
        (np.nan, 1.0, False),
        (1.0, np.nan, False),
        (np.inf, np.inf, True),
        (np.inf, -np.inf, False),
        (1.0, np.inf, False),
        (np.inf, 1.0, False),
    ],
)
def test_closeness(value, expected, agrees):
    assert close(np.array([value]), np.array([expected])) is agrees
    assert close(np.array([[value]]), np.array([expected])) is False  # nothing broadcasts


def test_whole_numbers_do_not_overflow_when_compared():
    assert close(np.array([-128], np.int8), np.array([127.0])) is False
    assert close(np.array([200], np.uint8), np.array([-56.0])) is False


def test_a_test_that_stumbles_over_a_result_of_another_form_loses_the_check_and_no_more():
    """The test looks at rows; the answer has none, at once or only when it is asked again."""

    def first_row_is_one(trial):
        return None if trial.ask(*trial.args).value[0] == trial.outcome.value[0] else "the rows differ"

    looked_at = but(checks=(Check("the first row", 1, plain_cases, first_row_is_one),))
    calls = []

    def later_no_row(X):
        calls.append(X)
        return np.zeros(0) if len(calls) % 3 == 0 else X.mean(axis=1)

    for answer in (lambda X: np.zeros(0), lambda X: print(X), lambda X: 1.0, later_no_row):
        report = judge(looked_at, answer)
        assert report.status == "scored" and report.score == 0 and "returned" in report.checks[0].message


def test_a_test_of_ours_that_is_broken_is_not_the_answers_fault():
    broken = but(checks=(Check("the first row", 1, plain_cases, lambda trial: 1 // 0),))
    with pytest.raises(ZeroDivisionError):
        judge(broken, lambda X: X.mean(axis=1))
