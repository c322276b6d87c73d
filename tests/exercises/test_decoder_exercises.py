"""Lesson 8's checks: what each mistake costs, and that the lesson's script asks for what they check."""

import numpy as np
import pytest
from paths import ROOT

from autograde.engine.exercise import Quiz
from autograde.engine.judge import judge
from autograde.exercises.decoder import EXERCISES as RECORDS
from course_utils import decoder as ref

EXERCISES = {record.name: record for record in RECORDS if not isinstance(record, Quiz)}
MISTAKES = {name: {m.id: m.function for m in record.misconceptions} for name, record in EXERCISES.items()}


@pytest.mark.parametrize(
    "name, mistake, left",
    [  # points that the mistake leaves
        ("decode", "no-mask", 3),
        ("decode", "mask-upside-down", 3),
        ("decode", "bias-missing", 0),
        ("next_token_loss", "not-shifted", 0),
        ("next_token_loss", "shifted-twice", 0),
        ("next_token_loss", "softmax-over-the-tokens", 0),
        ("next_token_loss", "unstable", 6),
        ("next_distribution", "temperature-multiplied", 0),
        ("next_distribution", "temperature-after-softmax", 0),
        ("next_distribution", "not-renormalised", 4),
        ("next_distribution", "later-of-equal-ones", 8),
        ("draw", "likeliest", 0),
        ("generate", "never-reads-what-it-wrote", 4),
        ("generate", "changes-its-argument", 7),
        ("decode_step", "appended-twice", 0),
        ("decode_step", "earlier-tokens-not-looked-at", 0),
        ("induction_score", "same-token", 0),
    ],
)
def test_a_mistake_costs_its_own_points_and_is_named(name, mistake, left):
    report = judge(EXERCISES[name], MISTAKES[name][mistake], 5)
    assert report.diagnosis is not None and report.diagnosis.id == mistake
    assert report.score == left < report.points


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_knows_many_answers(name):
    record = EXERCISES[name]
    assert len(record.misconceptions) >= 8 and len(record.accepted) >= 3 and len(record.hints) == 3


def test_a_loss_by_hand():
    """Row 0 gives both tokens ½: ln 2. Row 1 gives the token that came 0.75: −ln 0.75."""
    logits, ids = np.log([[0.5, 0.5], [0.25, 0.75], [0.5, 0.5]]), np.array([0, 1, 1])
    assert ref.next_token_loss(logits, ids) == pytest.approx((np.log(2) - np.log(0.75)) / 2)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_the_lesson_asks_each_question_in_its_own_words(record):
    script = " ".join((ROOT / "solutions/08_decoder/decoder.py").read_text(encoding="utf-8").replace("\n#", "").split())
    if isinstance(record, Quiz):
        assert record.question in script and all(option.text in script for option in record.options.values())
    else:
        assert f"`{record.name}`" in script
