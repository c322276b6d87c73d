"""What the lesson brought along is not run again; what a learner wrote is."""

import json

import pytest

from autograde.exercises import LESSONS, folder, in_lesson
from autograde.grading.marking import mark
from autograde.release.layout import solved_path
from autograde.sandbox.host.sandbox import Sandbox
from autograde.submissions import demo_code as demonstrations
from autograde.submissions.demo_code import without_demonstrations
from autograde.submissions.folders import Submission, job_for
from autograde.submissions.notebook import read

RELEASE = [
    ("import numpy as np\nfrom math import (\n    pi,\n    tau,\n)", False),
    ("rows = np.ones(3)\nrows[0] = 2\nprint(rows)", False),
    ("slow = train()\nprint(slow)", False),
    ("def helper(x):\n    return x + np.ones(1)\n\n\nother = 1", False),
    ("steps = []\nsteps.append(slow)", False),
    ("%time slow = train()", False),
    ("def answer(x):\n    # your code here\n    pass", True),
    ('check("answer", answer)', False),
]


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    cells = [
        {"cell_type": "code", "source": text.splitlines(True), "metadata": {"nbgrader": {"solution": solution}}}
        for text, solution in RELEASE
    ]
    home = tmp_path / folder("word_vectors")
    home.mkdir()
    (home / "word_vectors.ipynb").write_text(json.dumps({"cells": cells}))
    monkeypatch.setattr(demonstrations, "NOTEBOOKS", tmp_path)
    demonstrations._released.cache_clear()
    yield "word_vectors"
    demonstrations._released.cache_clear()


def left(lesson, **changed):
    """The cells that are left of the release with some of them (c0, c1 ...) changed by a learner."""
    cells = tuple(changed.get(f"c{at}", text) for at, (text, _) in enumerate(RELEASE))
    found = without_demonstrations(cells, lesson)
    assert len(found) == len(cells)
    return found


def test_nothing_is_needed_but_what_the_stub_and_a_magic_name(lesson):
    """A cell with a magic is no plain Python: it stays whole, and so does what its words may need."""
    found = left(lesson)
    assert found[0] == found[1] == found[3] == found[7] == "" and found[5] == RELEASE[5][0] and found[6] == RELEASE[6][0]


def test_imports_and_helpers_stay_by_way_of_each_other_with_their_lines(lesson):
    found = left(lesson, c6="def answer(x):\n    return helper(x)")
    assert found[0].split("\n")[0] == "import numpy as np" and "pi" not in found[0]
    assert found[3].split("\n") == ["def helper(x):", "    return x + np.ones(1)", "", "", ""]
    assert found[1] == ""


def test_what_writes_into_an_object_stays_with_it(lesson):
    found = left(lesson, c6="def answer(x):\n    return rows, steps")
    assert found[1].split("\n") == ["rows = np.ones(3)", "rows[0] = 2", ""]
    assert found[4] == RELEASE[4][0] and found[2].startswith("slow = train()")


def test_a_functions_own_variables_need_nothing(lesson):
    assert left(lesson, c5="", c6="def answer(rows):\n    slow = rows\n    return [other for other in slow]")[1:4] == ("", "", "")


def test_what_a_learner_changed_stays_whole(lesson):
    assert left(lesson, c2="slow = train(2)\nprint(slow)")[2] == "slow = train(2)\nprint(slow)"


def test_without_a_release_everything_stays(monkeypatch, tmp_path):
    monkeypatch.setattr(demonstrations, "NOTEBOOKS", tmp_path)
    demonstrations._released.cache_clear()
    cells = tuple(text for text, _ in RELEASE)
    assert without_demonstrations(cells, "word_vectors") == cells
    demonstrations._released.cache_clear()


BUILT = [lesson for lesson in LESSONS if in_lesson(lesson) and solved_path(demonstrations.NOTEBOOKS.parent, lesson).exists()]


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as sandbox:
        yield sandbox


@pytest.mark.parametrize("name", BUILT)
def test_the_solved_lesson_gets_every_point_in_the_sandbox(sandbox, name):
    notebook = read(solved_path(demonstrations.NOTEBOOKS.parent, name), [record.name for record in in_lesson(name)])
    marked = mark(job_for(Submission("ada", name, None), notebook, 5), sandbox)
    result = marked.result
    assert result.score == result.points, [answer for answer in result.answers if answer.score != answer.points]
    assert result.notices == () and not marked.limited


@pytest.mark.parametrize("name", BUILT)
def test_the_lesson_as_handed_out_is_not_attempted(sandbox, name):
    notebook = read(demonstrations.NOTEBOOKS / folder(name) / f"{name}.ipynb")
    result = mark(job_for(Submission("ada", name, None), notebook, 5), sandbox).result
    assert {answer.status for answer in result.answers} == {"not attempted"} and result.notices == ()
