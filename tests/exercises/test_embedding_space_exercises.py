"""Lesson 2's checks: what each mistake costs, what it is told, and what must not cost anything."""

import numpy as np
import pytest

from autograde import judge
from autograde.engine.exercise import Exercise, Quiz
from autograde.exercises import in_lesson
from course_utils import embedding_space as ref

RECORDS = {record.name: record for record in in_lesson("embedding_space")}
EXERCISES = {name: record for name, record in RECORDS.items() if isinstance(record, Exercise)}
ALONE = "leaves its arguments as they were"


def lost(report):
    return [check.name for check in report.checks if check.score < check.points]


def mistake(name, id):
    return next(m.function for m in EXERCISES[name].misconceptions if m.id == id)


def test_the_lesson_has_all_its_exercises_and_each_a_bank_of_mistakes():
    assert list(EXERCISES) == [
        "softmax",
        "cross_entropy",
        "predict_missing",
        "cbow_gradients",
        "project_to_2d",
        "nearest_neighbours",
        "analogy",
        "offset_cosine",
    ]
    for exercise in EXERCISES.values():
        assert len(exercise.misconceptions) >= 8 and len(exercise.accepted) >= 5 and len(exercise.hints) == 3
        assert len({m.id for m in exercise.misconceptions}) == len(exercise.misconceptions)


@pytest.mark.parametrize("name", EXERCISES)
def test_nothing_is_to_be_had_for_nothing(name):
    for answer in (lambda *a: 0, lambda *a: 1.0, lambda *a: a[0], lambda *a: np.zeros(3), lambda *a: [], lambda *a: None):
        assert judge(name, answer).score == 0


@pytest.mark.parametrize(
    "name, id, own",
    [  # a mistake in one property costs that property's points alone
        (
            "softmax",
            "no-maximum",
            {"scores as large as a million, either way", "rows that differ by as much, each right by itself"},
        ),
        ("softmax", "maximum-of-all", {"rows that differ by as much, each right by itself"}),
        ("cross_entropy", "clipped", {"an unlikely right word costs its full price"}),
        ("predict_missing", "rows-of-U", {"rows of E and columns of U, where d = V"}),
        ("cbow_gradients", "repeated-once", {"a word twice in the context gets two shares"}),
        ("cbow_gradients", "zeros-like-E", {"whole numbers and float32 as well as float64"}),
        ("nearest_neighbours", "by-dot-product", {"by direction: length plays no part"}),
        ("nearest_neighbours", "always-k", {"fewer than k left: all that are left, down to none"}),
        ("nearest_neighbours", "ties-in-any-order", {"equal cosines: the smaller id first"}),
        ("nearest_neighbours", "zero-row-nan", {"a zero vector has cosine 0 with everything"}),
        ("analogy", "nothing-excluded", {"the three given words are left out"}),
        ("analogy", "raw-rows", {"every row is brought to length 1 first"}),
        ("offset_cosine", "zero-step-nan", {"a step of length zero has cosine 0"}),
    ],
)
def test_a_mistake_costs_its_own_property(name, id, own):
    report = judge(name, mistake(name, id))
    lists = {check for check in lost(report) if "plain list" in check}  # the cases of lists repeat a word as well
    assert set(lost(report)) - lists - {ALONE} == own
    assert report.diagnosis.id == id


def test_each_table_of_the_gradients_earns_its_own_points():
    def only_dU(context, target, E, U):
        loss, dE, dU = ref.cbow_gradients(context, target, E, U)
        return loss, None, dU

    def only_loss(context, target, E, U):
        return ref.cbow_gradients(context, target, E, U)[0], None, None

    def no_minus(context, target, E, U):
        loss, dE, dU = ref.cbow_gradients(context, target, E, U)
        return -loss, dE, dU

    def after_the_error(context, target, E, U):
        loss, dE, dU = ref.cbow_gradients(context, target, E, U)
        return np.nan, dE, dU

    assert judge("cbow_gradients", only_loss).score == 1
    assert judge("cbow_gradients", only_dU).score == 7  # dE, and that a repeated word gets two shares, are missing
    assert judge("cbow_gradients", no_minus).score == judge("cbow_gradients", after_the_error).score == 9
    message = next(c.message for c in judge("cbow_gradients", only_dU).checks if c.name.startswith("dE"))
    assert message.startswith("dE: it returned None")


@pytest.mark.parametrize("signs", [(1, 1), (-1, 1), (1, -1), (-1, -1)])
def test_signs_of_the_projection_are_free(signs):
    assert judge("project_to_2d", lambda X: ref.project_to_2d(X) * signs).passed


def test_a_mistake_is_named_whatever_the_signs():
    report = judge("project_to_2d", lambda X: -mistake("project_to_2d", "whitened")(X))
    assert report.score == 0 and report.diagnosis.id == "whitened"


def test_a_turned_plane_is_not_the_same_plane():
    c, s = np.cos(0.1), np.sin(0.1)
    assert judge("project_to_2d", lambda X: ref.project_to_2d(X) @ np.array([[c, -s], [s, c]])).score == 0


@pytest.mark.parametrize("epsilon, fine", [(1e-15, True), (1e-8, True), (1e-7, False), (1e-5, False)])
def test_an_epsilon_inside_the_logarithm_is_fine_while_it_is_tiny(epsilon, fine):
    def answer(probs, targets):
        return -np.mean([np.log(row[target] + epsilon) for row, target in zip(probs, targets)])

    assert judge("cross_entropy", answer).passed == fine


@pytest.mark.parametrize("exclude_type", [tuple, list])
def test_nobody_left_is_an_empty_result_of_any_type(exclude_type):
    def answer(query, E, k, exclude=()):
        found = [int(i) for i in ref.nearest_neighbours(query, E, k, exclude)]
        return exclude_type(found)

    assert judge("nearest_neighbours", answer).passed


@pytest.mark.parametrize(
    "name, change",
    [
        ("softmax", lambda x, axis=-1: x.fill(0)),
        ("predict_missing", lambda context, E, U: E.fill(0)),
        ("cbow_gradients", lambda context, target, E, U: U.fill(0)),
        ("project_to_2d", lambda X: X.fill(0)),
        ("nearest_neighbours", lambda query, E, k, exclude=(): E.fill(0)),
        ("analogy", lambda a, b, c, E: E.fill(0)),
        ("offset_cosine", lambda a, b, c, d, E: E.fill(0)),
        ("cross_entropy", lambda probs, targets: probs.fill(0)),
    ],
)
def test_writing_into_an_argument_costs_one_point(name, change):
    def answer(*args):
        result = EXERCISES[name].reference(*args)
        change(*args)
        return result

    report = judge(name, answer)
    assert lost(report) == [ALONE] and report.points - report.score == 1
    assert "the call changed its argument" in report.checks[-1].message


@pytest.mark.parametrize("name", EXERCISES)
def test_another_seed_gives_other_inputs(name):
    first, second = (
        [args for check in EXERCISES[name].checks for args in check.cases(np.random.default_rng(seed))] for seed in (0, 1)
    )
    assert len(first) == len(second) and repr(first) != repr(second)


@pytest.mark.parametrize("name, right", [("answer_halved", "b"), ("answer_together", "c"), ("answer_queen", "a")])
def test_quizzes_have_one_right_letter(name, right):
    assert isinstance(RECORDS[name], Quiz)
    assert [letter for letter in RECORDS[name].options if judge(name, letter).passed] == [right]
