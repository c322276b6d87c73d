"""Many calls in one message: nothing that happens to one of them changes what is reported of the others."""

import numpy as np
import pytest

from autograde import judge
from autograde.exercises import in_lesson
from autograde.sandbox.host import answer as sandbox_answer
from autograde.sandbox.host.answer import SandboxAnswer
from autograde.sandbox.host.sandbox import Limits, Sandbox
from course_utils import word_vectors

QUICK = Limits(cell=0.5, call=0.5, submission=60.0, idle=1.0, memory=256 << 20)
NAMES = ("one_hot", "embed", "dot_products", "cosine_similarity", "cosine_matrix")
DOUBLE = "import os, time\ndef embed(x):\n    {fate}\n    return 2 * x"
CASES = [(float(i),) for i in range(6)]


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(QUICK) as sandbox:
        yield sandbox


def reported(sandbox, source, cases=CASES):
    """Value or kind of failure of each case, and how many questions it took."""
    with sandbox.open([source], NAMES) as submission:
        answer, outcomes = submission.answer("embed"), []
        while len(outcomes) < len(cases):
            outcomes += answer.calls(cases[len(outcomes) :])
        return [
            outcome.failure.kind if outcome.failure else float(outcome.value) for outcome in outcomes
        ], submission.workers.asked


def test_calls_go_in_one_message(sandbox):
    assert reported(sandbox, DOUBLE.format(fate="pass")) == ([0, 2, 4, 6, 8, 10], 1)


@pytest.mark.parametrize(
    "fate",
    [
        "if x == 3: os._exit(0)",
        "if x == 3: import ctypes; ctypes.string_at(0)",
        "while x == 3: pass",  # interrupted, and the line is reported
        "if x == 3: (10 ** 10_000_000) ** 3",  # not to be interrupted
        "if x == 3: os.read(os.pipe()[0], 1)",  # waits for nothing
        "if x == 3: bytearray(1 << 30)",
    ],
)
def test_a_call_that_hits_a_limit_loses_itself_only(sandbox, fate):
    values, _ = reported(sandbox, DOUBLE.format(fate=fate))
    assert values == [0, 2, 4, "limit", 8, 10]


def test_a_call_that_raises_ends_no_message(sandbox):
    assert reported(sandbox, DOUBLE.format(fate="assert x != 3")) == ([0, 2, 4, "raised", 8, 10], 1)


def test_slow_calls_are_told_before_all_are_done(sandbox):
    """Six calls of 0.2 s are within the limit of a call, each of them, though not together."""
    busy = "end = time.process_time() + 0.2\n    while time.process_time() < end: pass"
    values, asked = reported(sandbox, DOUBLE.format(fate=busy))
    assert values == [0, 2, 4, 6, 8, 10] and 1 < asked <= 6


def test_a_message_does_not_grow_without_end(sandbox):
    cases = [(np.zeros(1 << 18),)] * 4  # 2 MB each, there and back
    with sandbox.open(["def embed(x): return x"], NAMES) as submission:
        assert len(submission.answer("embed").calls(cases)) == 1


def test_a_worker_that_lies_about_where_it_was_harms_itself_only(sandbox):
    """It finds the shared progress record and writes there that another case, or none that there is, was running."""
    for place in ((0, 0), (0, 5), (0, 99), (0, -1), (7, 2)):
        lie = f"""
import gc, os, struct
gc.unfreeze()
record = [found for found in gc.get_objects() if type(found).__name__ == "Worker"][0].record
def embed(x):
    if x == 3:
        struct.pack_into("=qq", record, 0, *{place})
        os._exit(0)
    return 2 * x
"""
        values, _ = reported(sandbox, lie)
        assert len(values) == 6 and set(values) <= {0, 2, 4, 8, 10, "limit"} and "limit" in values


def test_results_that_fill_the_memory_of_the_judge_are_a_limit(sandbox, monkeypatch):
    monkeypatch.setattr(sandbox_answer, "MOST_REPORTED", 8 << 20)
    with sandbox.open(["import numpy as np\ndef embed(x): return np.zeros(1 << 19)"], NAMES) as submission:  # 4 MB
        answer, outcomes = submission.answer("embed"), []
        while len(outcomes) < 5:
            outcomes += answer.calls(CASES[len(outcomes) : 5])
    assert [outcome.limited for outcome in outcomes] == [False, False, False, True, True]


def test_every_lesson_asks_seldom_and_finds_the_same(sandbox):
    """The reference's own code in the sandbox: full points, and fewer questions than calls."""
    source = open(word_vectors.__file__).read().replace("from .", "from course_utils.")
    names = [record.name for record in in_lesson("word_vectors") if hasattr(record, "checks")]
    calls = 0
    with sandbox.open([source], names) as submission:
        for name in names:
            answer = Counted(submission, name)
            assert judge(name, answer).passed, name
            calls += answer.heard
        assert submission.workers.asked < calls / 2


class Counted(SandboxAnswer):
    """Counts the calls."""

    def __init__(self, submission, name):
        super().__init__(submission.workers, name, False)
        self.heard = 0

    def calls(self, cases):
        self.heard += len(cases)
        return super().calls(cases)
