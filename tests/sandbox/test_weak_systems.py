"""What the commands say on a kernel that lacks a layer: each is taken away by a seccomp filter around the command."""

import subprocess
import sys
from pathlib import Path

import make_class
import pytest

from autograde.sandbox.worker.seccomp import filter_program

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or not filter_program(), reason="a seccomp filter takes the layers away"
)
ROOT = Path(__file__).resolve().parents[2]
WITHOUT = """
import errno, os, sys
from autograde.sandbox.worker.layers import CREATE_RULESET, PR_SET_NO_NEW_PRIVS, prctl
from autograde.sandbox.worker.seccomp import (
    ALLOW, ARGUMENT, ERRNO, JUMP_EQUAL, LOAD, MACHINES, NUMBER, PR_SET_SECCOMP, PRCTL, RETURN, _op, install_filter
)
layers, command = sys.argv[1].split(), sys.argv[2:]
program = [_op(LOAD, NUMBER)]
if "landlock" in layers:
    program += [_op(JUMP_EQUAL, CREATE_RULESET, 0, 1), _op(RETURN, ERRNO | errno.ENOSYS)]
if "seccomp" in layers:
    number = PRCTL[MACHINES[os.uname().machine][0]]
    program += [_op(JUMP_EQUAL, number, 0, 4), _op(LOAD, ARGUMENT), _op(JUMP_EQUAL, PR_SET_SECCOMP, 0, 1)]
    program += [_op(RETURN, ERRNO | errno.EINVAL), _op(RETURN, ALLOW)]
program += [_op(RETURN, ALLOW)]
prctl(PR_SET_NO_NEW_PRIVS, 1)
assert install_filter(b"".join(program))
os.execv(sys.executable, [sys.executable, "-m", "autograde.cli", *command])
"""


def autograde(without, *command):
    run = [sys.executable, "-c", WITHOUT, without, *map(str, command)]
    return subprocess.run(run, capture_output=True, text=True, cwd=ROOT, timeout=300)


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    home = tmp_path_factory.mktemp("weak")
    make_class.make(home / "submitted", "word_vectors", 1, seed=4)
    [path] = home.glob("submitted/*/*/*.ipynb")
    return path


@pytest.mark.parametrize(
    ("without", "named"),
    [("landlock", "no landlock:"), ("seccomp", "no seccomp:"), ("landlock seccomp", "no landlock and no seccomp:")],
)
def test_check_says_that_nothing_holds_the_notebook_back(handed_in, without, named):
    found = autograde(without, "check", handed_in)
    assert found.stdout.startswith(f"note: this system has {named} nothing holds a notebook back"), found.stdout + found.stderr
    assert "word_vectors: " in found.stdout.splitlines()[-1] and "Traceback" not in found.stderr


def test_check_says_nothing_where_both_are_there(handed_in):
    found = autograde("", "check", handed_in)
    assert "holds a notebook back" not in found.stdout and "word_vectors: " in found.stdout.splitlines()[-1]


@pytest.mark.parametrize("without", ["landlock", "seccomp"])
def test_grade_refuses(handed_in, tmp_path, without):
    found = autograde(without, "grade", handed_in.parents[2], "--out", tmp_path / "out")
    assert found.returncode == 2 and f"no {without}" in found.stderr and "--unprotected" in found.stderr
    assert not list(tmp_path.glob("out/*/*.json"))
