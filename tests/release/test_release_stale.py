"""What the builder calls stale, on a small lesson and on this course."""

import json
import shutil

import pytest
from small_course import LEARNER, LESSON, ROOT, SCRIPT, SOLVED, TINY, built_course, course, current

from autograde import release
from autograde.exercises import LESSONS
from autograde.release import layout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return built_course(tmp_path_factory.mktemp("course"))


@pytest.fixture
def mine(built, tmp_path):
    """A copy of the built course that a test may spoil."""
    return shutil.copytree(built, tmp_path / "course")


def test_stale_names_what_is_missing(tmp_path):
    assert current(course(tmp_path / "new")) == [
        f"{tmp_path / 'new' / SOLVED} has not been built: run: make notebooks",
        f"{tmp_path / 'new' / LEARNER} has not been built: run: make notebooks",
    ]
    assert "is missing: write it" in release.stale([LESSON], tmp_path)[0]


def test_stale_names_an_exercise_that_is_never_asked(built):
    lines = [line for line in release.stale([LESSON], built) if "is never checked" in line]
    assert any("'cosine_matrix'" in line for line in lines)
    assert not any("'embed'" in line for line in lines)


def test_stale_sees_a_changed_script(mine):
    (mine / SCRIPT).write_text(TINY.replace("not enough", "too little"), encoding="utf-8")
    assert [line.split(" ", 1)[1] for line in current(mine)] == [
        "is older than its script: run: make notebooks",
        "is not what its script gives: run: make notebooks",
    ]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda notebook: notebook["metadata"].update(widgets={}),
        lambda notebook: notebook["cells"][1]["metadata"].update(scrolled=True),
        lambda notebook: notebook["cells"][1].update(execution_count=7),  # run again by hand
        lambda notebook: notebook["cells"][1].update(execution_count=None),  # nbval would compare nothing
    ],
)
def test_stale_sees_a_solved_notebook_saved_by_hand(mine, spoil):
    notebook = json.loads((mine / SOLVED).read_bytes())
    spoil(notebook)
    (mine / SOLVED).write_text(json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    assert [line.split(" ", 1)[1] for line in current(mine)] == [
        "was saved by something other than the builder: run: make notebooks"
    ]


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b'{"cells": 1}', b"<html>"])
def test_stale_sees_what_is_no_notebook(mine, data):
    (mine / SOLVED).write_bytes(data)
    assert [line.split(" ", 1)[1] for line in current(mine)] == ["is not a notebook of ours: run: make notebooks"]


def test_stale_sees_an_edited_learner_copy(mine):
    (mine / LEARNER).write_bytes((mine / LEARNER).read_bytes() + b"\n")
    assert [line.split(" ", 1)[1] for line in current(mine)] == ["is not what its script gives: run: make notebooks"]


def test_stale_sees_orphans_but_not_caches(mine):
    for name in ("notebooks/notes.txt", "solutions/08_gone/gone.py", "notebooks/.ipynb_checkpoints/x.ipynb"):
        (mine / name).parent.mkdir(exist_ok=True)
        (mine / name).write_text("x")
    orphans = [line for line in release.stale((), mine) if "belongs to no lesson" in line]
    assert orphans == [
        f"{mine / 'solutions/08_gone/gone.py'} belongs to no lesson: delete it or move it",
        f"{mine / 'notebooks/notes.txt'} belongs to no lesson: delete it or move it",
    ]


@pytest.mark.parametrize("lesson", LESSONS)
def test_this_course_is_current(lesson):
    assert release.stale([lesson], ROOT) == []


def test_this_course_has_no_orphans():
    assert layout.orphans(ROOT) == []
