"""Lesson 3's checks: what each mistake costs, wrong and right answers that no list holds, and the notebook's quizzes."""

import re

import numpy as np
import pytest
from paths import ROOT

from autograde import judge
from autograde.engine.exercise import Quiz
from autograde.exercises import in_lesson
from course_utils import polysemy as ref

RECORDS = {record.name: record for record in in_lesson("polysemy")}
EXERCISES = {name: record for name, record in RECORDS.items() if not isinstance(record, Quiz)}
SCRIPT = ROOT / "solutions/03_polysemy/polysemy.py"


def lost(report):
    return {check.name for check in report.checks if check.score < check.points}


def mistake(exercise, identity):
    return next(m.function for m in EXERCISES[exercise].misconceptions if m.id == identity)


def test_every_exercise_knows_at_least_eight_mistakes_and_five_other_right_answers():
    for exercise in EXERCISES.values():
        assert len(exercise.misconceptions) >= 8 and len(exercise.accepted) >= 5 and len(exercise.hints) == 3
        assert len({m.id for m in exercise.misconceptions}) == len(exercise.misconceptions)


@pytest.mark.parametrize(
    "exercise, identity, words",
    [
        ("uniform_weights", "causal-ignored", ["causal"]),
        ("uniform_weights", "causal-still-divided-by-n", ["causal"]),
        ("mix", "weights-normalised", ["any weights"]),
        ("mix", "dot-for-batches", ["several sentences"]),
        ("mix", "first-sentence-only", ["several sentences"]),
        ("context_average", "left-slice-wraps", ["edge", "same word"]),
        ("context_average", "divided-by-full-window", ["edge", "same word", "arguments stay"]),
        ("context_average", "equal-rows-dropped", ["same word"]),
        ("context_average", "nan-without-neighbours", ["zeros"]),
        ("nearest_sense", "last-of-a-tie", ["tie", "zero vector"]),
        ("nearest_sense", "zero-row-is-nan", ["zero vector"]),
        ("similarity_weights", "no-maximum-taken-off", ["million"]),
        ("similarity_weights", "all-axes-reversed", ["several sentences"]),
        ("sense_separation", "mean-of-two-means", ["unequal size"]),
        ("sense_separation", "diagonal-taken-as-one", ["zero row"]),
    ],
)
def test_a_mistake_costs_its_own_points(exercise, identity, words):
    report = judge(exercise, mistake(exercise, identity))
    assert report.diagnosis.id == identity
    names = lost(report)
    assert any(words[0] in name for name in names)
    assert all(any(word in name for word in words) for name in names), names


def writes_into_X(X, position, window):
    right = ref.context_average(X, position, window)
    X[position] = 0
    return right


def batches_not_thought_of(X):
    scores = X @ X.T
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(
    "exercise, wrong, words",
    [
        ("context_average", writes_into_X, {"whole numbers, float32 and views serve as well, and arguments stay as they were"}),
        ("mix", lambda weights, X: np.einsum("qk,kd->qd", weights, X), None),  # right for one sentence only
        ("similarity_weights", batches_not_thought_of, {"several sentences at once: leading axes"}),
    ],
)
def test_a_partial_answer_keeps_what_it_has_earned(exercise, wrong, words):
    report = judge(exercise, wrong)
    assert 0 < report.score < report.points
    assert words is None or lost(report) == words


@pytest.mark.parametrize(
    "exercise, wrong",
    [
        ("uniform_weights", lambda n, causal=False: ref.uniform_weights(min(n, 30), causal)),
        ("uniform_weights", lambda n, causal=False: ref.uniform_weights(n, causal) + 1e-3),
        ("uniform_weights", lambda n, causal=False: ref.uniform_weights(n, causal) > 0),  # True where it may look
        ("mix", lambda weights, X: np.round(weights @ X, 2)),
        ("mix", lambda weights, X: (weights @ X).astype(int)),
        ("mix", lambda weights, X: weights @ X if weights.ndim < 4 else X[..., :1, :]),
        ("context_average", lambda X, position, window: ref.context_average(X, position, min(window, 2))),
        ("context_average", lambda X, position, window: np.median(X[[j for j in range(len(X)) if j != position]], axis=0)),
        ("context_average", lambda X, position, window: ref.context_average(X, position, window).astype(int)),
        ("nearest_sense", lambda vector, senses: ref.nearest_sense(vector, senses[:2])),
        ("nearest_sense", lambda vector, senses: float(ref.nearest_sense(vector, senses))),
        ("nearest_sense", lambda vector, senses: 0),
        ("nearest_sense", lambda vector, senses: len(senses) - 1),
        ("similarity_weights", lambda X: ref.similarity_weights(X.clip(-30, 30))),
        ("similarity_weights", lambda X: ref.similarity_weights(X / max(1, np.abs(X).max() / 100))),
        ("similarity_weights", lambda X: np.broadcast_to(np.eye(X.shape[-2]), (*X.shape[:-1], X.shape[-2]))),
        ("sense_separation", lambda A, B: ref.sense_separation(A, B[:2])),
        ("sense_separation", lambda A, B: np.array([ref.sense_separation(A, B)])),
        ("sense_separation", lambda A, B: 0.0),
    ],
)
def test_other_wrong_answers_lose_points(exercise, wrong):
    for seed in range(5):
        report = judge(exercise, wrong, seed)
        assert report.status == "scored" and report.score < report.points


@pytest.mark.parametrize(
    "exercise, nothing",
    [
        ("nearest_sense", lambda vector, senses: 0),
        ("nearest_sense", lambda vector, senses: 1),
        ("sense_separation", lambda A, B: 0.0),
        ("context_average", lambda X, position, window: np.zeros(X.shape[1])),
        ("similarity_weights", lambda X: np.broadcast_to(np.eye(X.shape[-2]), (*X.shape[:-1], X.shape[-2]))),
    ],
)
def test_constants_earn_nothing(exercise, nothing):
    assert judge(exercise, nothing).score == 0


def with_epsilon(vector, senses):
    return np.argmax(senses @ vector / (np.linalg.norm(senses, axis=1) * np.linalg.norm(vector) + 1e-6))


@pytest.mark.parametrize(
    "exercise, right",
    [
        ("uniform_weights", lambda n, causal=False: tuple(map(tuple, ref.uniform_weights(n, causal).tolist()))),
        ("mix", lambda weights, X: weights.astype(np.longdouble) @ X),
        ("context_average", lambda X, position, window: list(ref.context_average(X, position, window))),
        ("nearest_sense", with_epsilon),
        ("nearest_sense", lambda vector, senses: np.int8(ref.nearest_sense(vector, senses))),
        ("nearest_sense", lambda vector, senses: np.array(ref.nearest_sense(vector, senses))),
        ("similarity_weights", lambda X: ref.similarity_weights(X.astype(np.float64)).tolist()),
        ("sense_separation", lambda A, B: np.float32(ref.sense_separation(A, B))),
        ("sense_separation", lambda A, B: np.array(ref.sense_separation(A, B))),
    ],
)
def test_other_right_answers_get_everything(exercise, right):
    for seed in range(20):
        report = judge(exercise, right, seed)
        assert report.passed, report


def test_the_notebook_asks_what_is_graded():
    """Questions and options stand in the script as in the records, line breaks aside."""
    script = re.sub(r"\n# ?", " ", SCRIPT.read_text(encoding="utf-8"))
    script = re.sub(r"\s+", " ", script)
    for quiz in (record for record in RECORDS.values() if isinstance(record, Quiz)):
        assert quiz.question in script
        for letter, option in quiz.options.items():
            assert f"* {letter}: {option.text}" in script
