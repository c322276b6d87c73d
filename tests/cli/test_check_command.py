"""``autograde check NOTEBOOK``: one file, one sentence or one report, and an exit code that a script can trust."""

import json
import os

import pytest
from paths import MANGLED
from small_submissions import LESSON, POINTS, all_right, notebook

from autograde import cli
from autograde.sandbox.host.sandbox import SandboxError

RIGHT = notebook(all_right())


@pytest.fixture
def checked(tmp_path, capfd):
    """Writes bytes under a name and checks them: (exit code, stdout, stderr)."""

    def run(data, name=f"{LESSON}.ipynb"):
        path = tmp_path / name
        if data is not None:
            path.write_bytes(data)
        code = cli.main(["check", str(path)])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return run


def test_all_right(checked):
    code, out, err = checked(RIGHT)
    assert code == 0 and err == "" and out.endswith(f"{LESSON}: {POINTS} of {POINTS} points\n")


@pytest.mark.parametrize(
    "answers",
    [{}, {"embed": "def embed(ids, E): return E"}, {"embed": "def embed(ids, E:"}],
    ids=["blank", "wrong", "does not compile"],
)
def test_what_is_wrong_or_not_begun_is_graded_all_the_same(checked, answers):
    code, out, _ = checked(notebook(answers))
    assert code == 0 and f"{LESSON}: 0 of {POINTS} points" in out


UNREADABLE = {  # bytes: a piece of the one sentence
    "empty": (b"", "empty file"),
    "zero bytes": (bytes(100), "only zero bytes"),
    "cut": (RIGHT[: len(RIGHT) // 2], "JSON ends early"),
    "conflict": ((MANGLED / "13_git_conflict_markers.ipynb").read_bytes(), "merge conflict"),
    "a web page": (b"<!DOCTYPE html><html></html>", "a web page"),
    "a script": (b"import numpy as np\n", "a Python script"),
    "a picture": (b"\x89PNG\r\n\x1a\n", "a picture"),
    "other JSON": (b'{"a": 1}', "no list of cells"),
    "a list": (b"[1, 2]", "JSON, but not a notebook"),
    "no cells": (b'{"cells": []}', "no answer to any lesson's exercises"),
    "another course": (json.dumps({"cells": [{"cell_type": "code", "source": "x = 1"}]}).encode(), "is it the right file?"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_what_cannot_be_read_is_1_and_one_sentence(checked, kind):
    data, told = UNREADABLE[kind]
    code, out, err = checked(data)
    assert code == 1 and err == "" and told in out and out.count("\n") == 1 and f"{LESSON}.ipynb: " in out


def test_a_link_is_refused_even_to_a_right_notebook(checked, tmp_path):
    tmp_path.joinpath("real.ipynb").write_bytes(RIGHT)
    tmp_path.joinpath("link.ipynb").symlink_to("real.ipynb")
    tmp_path.joinpath("dangling.ipynb").symlink_to("nowhere.ipynb")
    tmp_path.joinpath("round.ipynb").symlink_to("round.ipynb")
    for name in ("link", "dangling", "round"):
        code, out, _ = checked(None, f"{name}.ipynb")
        assert code == 1 and "symbolic link" in out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes among its files")
def test_a_pipe_is_not_waited_for(checked, tmp_path):
    os.mkfifo(tmp_path / "pipe.ipynb")
    code, out, _ = checked(None, "pipe.ipynb")
    assert code == 1 and "this is not a file" in out


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_the_right_to_read_it(checked, tmp_path):
    tmp_path.joinpath("closed.ipynb").write_bytes(RIGHT)
    tmp_path.joinpath("closed.ipynb").chmod(0)
    code, out, _ = checked(None, "closed.ipynb")
    assert code == 1 and "cannot be opened" in out


def test_wrong_usage_is_2_and_goes_to_the_error_channel(checked, tmp_path):
    code, out, err = checked(None, "nowhere.ipynb")
    assert (code, out) == (2, "") and "there is no file" in err
    code, out, err = checked(None, ".")
    assert (code, out) == (2, "") and "is a folder: give the notebook in it" in err
    tmp_path.joinpath("a").write_bytes(b"")
    code, out, err = checked(None, "a/b.ipynb")  # a file in the place of a folder
    assert (code, out) == (2, "") and "there is no file" in err


def test_an_answer_that_cannot_be_graded_is_1(checked):
    """A module that grading lacks is nobody's wrong answer."""
    needs = "from no_such_module_here import rows\n\ndef embed(ids, E): return rows(E, ids)"
    code, out, _ = checked(notebook(all_right() | {"embed": needs}))
    assert code == 1 and "embed: could not be graded" in out


def test_a_sandbox_that_does_not_start_is_1_and_not_the_learners_fault(checked, monkeypatch):
    def broken(*_, **__):
        raise SandboxError("no memory")

    monkeypatch.setattr("autograde.grading.checking.Sandbox", broken)
    code, out, _ = checked(RIGHT)
    assert code == 1 and "not the learner's fault" in out
