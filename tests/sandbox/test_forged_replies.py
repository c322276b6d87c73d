"""Whatever a worker sends in place of a result, its answer gets a score: no reply is the grader's failure."""

import numpy as np
import pytest
from forged_replies import Forger

from autograde import judge
from autograde.engine.exercise import Quiz
from autograde.exercises import everything

EXERCISES = [record for record in everything() if not isinstance(record, Quiz)]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_every_reply_gets_a_score(exercise):
    assert replies_that_got_a_score(exercise, 100, seed=1) >= 100


@pytest.mark.soak
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_a_hundred_thousand_replies_get_a_score(exercise):
    share = 100_000 // len(EXERCISES) + 1
    assert replies_that_got_a_score(exercise, share, seed=2) >= share


def replies_that_got_a_score(exercise, count, seed):
    rng, sent, refused = np.random.default_rng(seed), 0, 0
    while sent < count:
        forger = Forger(exercise.reference, rng)
        report = judge(exercise, forger, seed=int(rng.integers(1000)))
        assert report.status in ("scored", "not attempted") and 0 <= report.score <= report.points
        sent, refused = sent + forger.sent, refused + forger.refused
    assert 0 < refused < sent / 2  # both kinds: those that are refused at the door, and those that come in
    return sent
