"""An answer that was right when its own check ran keeps its points, whatever later cells do to the names it needs."""

import json

import make_class
import pytest
from small_submissions import LESSON, POINTS, all_right

from autograde.grading.marking import mark
from autograde.submissions.folders import Submission, job_for
from autograde.submissions.notebook import read

SIMILARITY = """def length(v): return np.sqrt((v * v).sum())
def cosine_similarity(u, v):
    both = length(u) * length(v)
    return float(u @ v / both) if both else 0.0"""
MATRIX = """def length(M): return np.sqrt((M * M).sum(axis=1, keepdims=True))
def cosine_matrix(X, Y):
    both = length(X) * length(Y).T
    return np.divide(X @ Y.T, both, out=np.zeros(both.shape), where=both > 0)"""
EMBED = "def embed(ids, E): return np.array([E[i] for i in list(ids)])"
AFTERWARDS = {
    "a builtin": (EMBED, "list = 0"),
    "a module": (EMBED, "np = 3"),
    "the answer itself": (EMBED, "embed = embed(np.array([0]), np.eye(2))"),
    "an experiment": (EMBED, "def embed(ids, E): return E"),
    "a global that the answer reads": (f"SCALE = [1]\n{EMBED} * SCALE[0]", "SCALE[0] = 7"),
}


def marked(sandbox, answers, after=()):
    document = make_class.filled(LESSON, answers)
    document["cells"] += [{"cell_type": "code", "metadata": {}, "source": cell, "outputs": []} for cell in after]
    notebook = read(json.dumps(document).encode(), list(answers))
    found = mark(job_for(Submission("ada", LESSON, None), notebook, 11), sandbox)
    assert found.result is not None, found.failure
    return {answer.name: answer for answer in found.result.answers}, found.result


def test_a_helper_defined_anew_for_the_next_answer(sandbox):
    answers, result = marked(sandbox, all_right() | {"cosine_similarity": SIMILARITY, "cosine_matrix": MATRIX})
    assert result.score == POINTS
    assert any(notice.startswith("cosine_similarity counts as it was when its check ran") for notice in result.notices)


@pytest.mark.parametrize("kind", AFTERWARDS)
def test_what_comes_after_a_check_costs_nothing(sandbox, kind):
    answer, later = AFTERWARDS[kind]
    answers, result = marked(sandbox, all_right() | {"embed": answer}, [later])
    assert answers["embed"].score == answers["embed"].points and result.score == POINTS
    assert "embed counts as it was when its check ran: a later cell changed what it needs" in result.notices


def test_an_answer_written_at_the_very_end_counts(sandbox):
    answers, result = marked(sandbox, all_right() | {"embed": "def embed(ids, E): pass"}, [EMBED])
    assert result.score == POINTS and not any("counts as it was" in notice for notice in result.notices)


def test_a_wrong_answer_that_nothing_touched_is_looked_at_once(sandbox, monkeypatch):
    opened = []
    real = type(sandbox).open
    monkeypatch.setattr(type(sandbox), "open", lambda self, cells, *more: opened.append(len(cells)) or real(self, cells, *more))
    answers, _ = marked(sandbox, all_right() | {"embed": "def embed(ids, E): return E"}, ["def other(): return 1"])
    assert answers["embed"].score < answers["embed"].points and len(opened) == 1
