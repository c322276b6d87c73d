"""One submission's verdicts: scored, not attempted, not gradable, and never a silent zero."""

import random
import tempfile
from pathlib import Path

import make_class
import pytest
from mutate_bytes import mutate
from small_submissions import LESSON, POINTS, all_right, notebook

from autograde.exercises import in_lesson
from autograde.grading import marking
from autograde.grading.marking import mark
from autograde.grading.preparing import prepared
from autograde.grading.records import Result
from autograde.sandbox.host.sandbox import Limits, Sandbox
from autograde.submissions.folders import Job, Submission


def marks(sandbox, answers=(), cells=(), lesson=LESSON):
    """The result of a submission with some answers written in, and cells of its own before them."""
    sources = [cell["source"] for cell in make_class.filled(lesson, dict(answers))["cells"] if cell["cell_type"] == "code"]
    job = Job(Submission("ada", lesson, None), (*cells, *sources), (), "0" * 64, 11)
    found = mark(job, sandbox)
    assert found.result is not None, found.failure
    return {answer.name: answer for answer in found.result.answers}, found.result


def test_nothing_filled_in_is_not_attempted(sandbox):
    answers, result = marks(sandbox)
    assert result.status == "not attempted" and result.score == 0
    assert {answer.status for answer in answers.values()} == {"not attempted"}


def test_a_wrong_answer_loses_its_own_points_and_is_named(sandbox):
    wrong = make_class.source_as(
        "one_hot", next(m.function for m in in_lesson(LESSON)[0].misconceptions if m.id == "columns-for-words")
    )
    wrong = wrong or "def one_hot(ids, vocab_size):\n    return np.eye(vocab_size)[ids].T"
    answers, result = marks(sandbox, all_right() | {"one_hot": wrong})
    assert answers["one_hot"].diagnosis.id == "columns-for-words"
    assert result.score == POINTS - 5 + answers["one_hot"].score and result.status == "scored"


def test_code_that_does_not_compile_scores_zero_with_its_line(sandbox):
    answers, _ = marks(sandbox, all_right() | {"one_hot": "def one_hot(ids, vocab_size):\n    return np.eye(vocab_size"})
    assert answers["one_hot"].status == "scored" and answers["one_hot"].score == 0
    assert "SyntaxError" in answers["one_hot"].reason and "line 2" in answers["one_hot"].reason
    assert answers["embed"].score == 5


def test_a_module_that_grading_lacks_and_nobody_needs_costs_nothing(sandbox):
    right = all_right()
    answers, result = marks(sandbox, right | {"one_hot": "import pandas_of_my_own as pd, math\n" + right["one_hot"]})
    assert result.score == POINTS and result.status == "scored"
    assert [notice for notice in result.notices if "pandas_of_my_own" in notice and "one_hot" in notice]


def test_a_module_that_grading_lacks_is_not_the_learners_fault(sandbox):
    right = all_right()
    needs = "from pandas_of_my_own import eye\ndef one_hot(ids, vocab_size):\n    return eye(vocab_size)[ids]"
    answers, result = marks(sandbox, right | {"one_hot": needs})
    assert answers["one_hot"].status == "not gradable" and answers["one_hot"].score is None
    assert "pandas_of_my_own" in answers["one_hot"].reason and "eye" in answers["one_hot"].reason
    assert answers["embed"].score == 5 and result.score is None and result.status == "not gradable"


def test_a_missing_module_on_top_hides_no_wrong_answer(sandbox):
    """One import that nobody has, and wrong answers below it: they are graded, and the right ones as well."""
    wrong = "def one_hot(ids, vocab_size):\n    return np.eye(vocab_size)[ids].T"
    answers, result = marks(sandbox, all_right() | {"one_hot": wrong}, cells=["import nobody_has_this\nhelper = 1"])
    assert answers["one_hot"].status == "scored" and answers["one_hot"].score < 5
    assert result.score == POINTS - 5 + answers["one_hot"].score


@pytest.mark.parametrize("raised", ["No module named 'torch'", "not today"])
def test_a_deliberate_module_error_is_the_learners_own(sandbox, raised):
    own = f'def one_hot(ids, vocab_size):\n    raise ModuleNotFoundError("{raised}")'
    stopped = f'raise ModuleNotFoundError("{raised}")\n' + all_right()["embed"]
    answers, result = marks(sandbox, all_right() | {"one_hot": own, "embed": stopped})
    assert [(answers[name].status, answers[name].score) for name in ("one_hot", "embed")] == [("scored", 0)] * 2
    assert result.score == POINTS - 10 and result.status == "scored"


def test_a_deleted_answer_is_not_attempted(sandbox):
    sources = [cell["source"] for cell in make_class.filled(LESSON, all_right())["cells"] if cell["cell_type"] == "code"]
    job = Job(Submission("ada", LESSON, None), tuple(s for s in sources if "def embed(" not in s), (), "0", 11)
    answers = {answer.name: answer for answer in mark(job, sandbox).result.answers}
    assert answers["embed"].status == "not attempted" and answers["one_hot"].score == 5


def test_an_endless_loop_loses_that_answer_only():
    with Sandbox(Limits(call=0.5)) as sandbox:
        answers, result = marks(sandbox, all_right() | {"embed": "def embed(ids, E):\n    while True:\n        pass"})
    assert result.score == POINTS - 5 and answers["embed"].score == 0
    assert "seconds" in answers["embed"].checks[0].message


def test_the_judges_own_failure_is_nobodys_zero(sandbox, monkeypatch):
    whole = marking.judge

    def broken(record, answer, seed=0):
        if record.name == "embed":
            raise ImportError("a test of ours is broken")
        return whole(record, answer, seed)

    monkeypatch.setattr(marking, "judge", broken)
    answers, result = marks(sandbox, all_right())
    assert answers["embed"].status == "not gradable" and "the grader failed" in answers["embed"].reason
    assert answers["one_hot"].score == 5 and result.score is None


def test_no_expected_value_and_no_traceback_stands_in_a_result(graded):
    _, out, _, _ = graded
    for path in out.glob("*/*.json"):
        assert "Traceback" not in path.read_text() and "site-packages" not in path.read_text()


def test_mutated_notebooks_all_the_way(sandbox):
    assert all_have_a_status(sandbox, 40, random.Random(3)) > 5


@pytest.mark.soak
def test_two_thousand_mutated_notebooks_all_the_way(sandbox):
    all_have_a_status(sandbox, 2_000, random.Random(4))


def all_have_a_status(sandbox, count, rng):
    """Right submissions with random faults in their bytes; how many could be scored."""
    scored, original = 0, notebook(all_right())
    for _ in range(count):
        found = prepared_bytes(mutate(original, rng))
        result = found if isinstance(found, Result) else mark(found, sandbox).result
        assert result.status in ("scored", "not attempted", "not gradable")
        assert all(answer.reason for answer in result.answers if answer.score is None)
        scored += result.status == "scored"
    return scored


def prepared_bytes(data):
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / f"{LESSON}.ipynb").write_bytes(data)
        return prepared(Submission("ada", LESSON, Path(home)), 11)
