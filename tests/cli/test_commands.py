"""check, hint and yours: whatever is handed over, words come back and nothing else happens."""

import os
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
from paths import ROOT

import autograde
from autograde.engine.calling import LocalAnswer
from autograde.learner.commands import Chosen
from course_utils import word_vectors as ref


def raising(u, v):
    raise KeyError("oops")


def leaving(u, v):
    sys.exit(3)


def recursing(u, v):
    return recursing(u, v)


def generating(u, v):
    yield u @ v


async def waiting(u, v):
    return u @ v


def noisy(u, v):
    print("hello", file=sys.stderr)
    warnings.warn("look out", stacklevel=1)
    np.float64(1) / np.float64(0)
    return ref.cosine_similarity(u, v)


def meddling(u, v):
    np.set_printoptions(precision=1)
    np.seterr(all="raise")
    warnings.simplefilter("error")
    sys.stdout = None
    return 0.5


class Lying(np.ndarray):
    def __eq__(self, other):
        return True

    def __array_function__(self, function, types, args, kwargs):
        return True


class Raises:
    def __array__(self, *args, **kwargs):
        raise RuntimeError("no")


BAD = {  # what is handed over: a piece of what must be said
    "not a function": (3.5, "a float, not a function"),
    "a list": ([1, 2], "a list, not a function"),
    "a class": (dict, "it raised"),
    "a class of their own": (type("Thing", (), {"__init__": lambda self, u, v: None}), "returned a Thing"),
    "raises": (raising, "KeyError"),
    "leaves": (leaving, "SystemExit"),
    "recurses": (recursing, "RecursionError"),
    "a generator": (generating, "a generator"),
    "a coroutine": (waiting, "a coroutine"),
    "returns None": (lambda u, v: [].append(1), "None"),
    "NaN": (lambda u, v: float("nan"), "NaN"),
    "infinite": (lambda u, v: np.inf, "infinite"),
    "text": (lambda u, v: "0.8", "a str"),
    "complex": (lambda u, v: 1j, "complex"),
    "a set": (lambda u, v: {1.0}, "a set"),
    "a function": (lambda u, v: raising, "a function"),
    "an object array": (lambda u, v: np.array([u, None], dtype=object), "object"),
    "a masked array": (lambda u, v: np.ma.masked_array([0.5], [True]), "masked"),
    "a huge array": (lambda u, v: np.broadcast_to(0.5, (10**6, 10**6)), "(1000000, 1000000)"),
    "too deep a list": (lambda u, v: nested(200), "1 part ("),
    "ragged": (lambda u, v: [[1, 2], [3]], "2 parts (shape (2,), shape (1,)), expected one number"),
    "a list of itself": (lambda u, v: endless(), "1 part ("),
    "one in a row": (lambda u, v: [ref.cosine_similarity(u, v)], "(1,)"),
    "no arguments": (lambda: 1.0, "TypeError"),
    "always equal": (lambda u, v: np.array(7.0).view(Lying), "wrong values"),
    "refuses to be an array": (lambda u, v: Raises(), "Raises"),
    "the answer's name": ("cosine_similarity", "a str, not a function"),
}


def nested(depth):
    value = 1.0
    for _ in range(depth):
        value = [value]
    return value


def endless():
    value = []
    value.append(value)
    return value


@pytest.mark.parametrize("kind", BAD)
def test_anything_may_be_handed_over(kind, capfd):
    answer, told = BAD[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score = autograde.check("cosine_similarity", answer)
    out, err = capfd.readouterr()
    assert type(score) is float and score == 0.0
    assert told in out
    assert "Traceback" not in out and ", in " not in out
    assert err == ""


def test_prints_and_warnings_cost_nothing_and_show_nothing(capfd):
    assert autograde.check("cosine_similarity", noisy) == 6.0
    out, err = capfd.readouterr()
    assert err == "" and "hello" not in out


def test_no_state_is_left_behind(capfd):
    before = np.get_printoptions(), np.geterr(), list(warnings.filters), sys.stdout, sys.stderr, os.getcwd()
    autograde.check("cosine_similarity", meddling)
    assert before == (np.get_printoptions(), np.geterr(), list(warnings.filters), sys.stdout, sys.stderr, os.getcwd())


def test_the_same_answer_shows_the_same_bytes(capfd):
    shown = []
    for _ in range(2):
        autograde.check("cosine_matrix", lambda X, Y: X @ Y.T + 0.25)
        shown.append(capfd.readouterr().out)
    assert shown[0] == shown[1] != ""


def test_a_sleeping_answer_is_stopped(capfd):
    sleeper = LocalAnswer(lambda ids, V: time.sleep(60), seconds=0.1)
    assert autograde.check("one_hot", sleeper) == 0.0
    assert "took longer than 0.1 seconds" in capfd.readouterr().out


@pytest.mark.parametrize("nothing", [None, ...])
def test_nothing_written_is_said_kindly(nothing, capfd):
    assert autograde.check("embed", nothing) == 0.0
    assert "not attempted" in capfd.readouterr().out


def stub(ids, E):
    """(n,), (V, d) -> (n, d)."""
    pass


def raising_stub(ids, E):
    raise NotImplementedError


@pytest.mark.parametrize("answer", [stub, raising_stub, lambda ids, E: None])
def test_a_stub_is_not_attempted(answer):
    assert autograde.judge("embed", answer).status == "not attempted"


def test_an_unknown_exercise_lists_the_near_ones(capfd):
    assert autograde.check("cosine_similarty", raising) == 0.0
    assert "'cosine_similarity'" in capfd.readouterr().out
    autograde.hint("cosine_similarty")
    assert "'cosine_similarity'" in capfd.readouterr().out
    assert autograde.check(None, raising) == 0.0
    assert autograde.check(raising, "cosine_similarity") == 0.0  # the two arguments exchanged


def test_hints_open_one_by_one(capfd):
    said = []
    for _ in range(4):
        autograde.hint("dot_products")
        said.append(capfd.readouterr().out)
    assert ["1 of 3" in said[0], "2 of 3" in said[1], "3 of 3" in said[2]] == [True] * 3
    assert "the last" in said[2] and said[3] == said[2] and said[2].index("1 of 3") < said[2].index("3 of 3")
    autograde.hint("dot_products", 1)
    assert said[0].strip() == capfd.readouterr().out.strip()  # opened again, alone
    autograde.hint("dot_products", 4)
    assert "There is none numbered 4" in capfd.readouterr().out


def test_our_own_failure_is_not_charged_to_the_learner(monkeypatch, capfd):
    def broken(*args, **more):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("autograde.learner.commands.judge", broken)
    assert autograde.check("embed", ref.embed) == 0.0
    assert "our fault, not yours" in capfd.readouterr().out


def test_yours_gives_arrays_where_the_answer_gives_lists():
    rows = autograde.yours("embed", lambda ids, E: [list(E[i]) for i in ids])([1, 0], np.array([[1, 2], [3, 4]]))
    assert type(rows) is np.ndarray and rows.tolist() == [[3, 4], [1, 2]]
    assert Chosen(lambda: [1.0, [1, 2]], "your")() == [1.0, [1, 2]]  # several results of unlike shapes stay as they are


def test_yours_is_the_learner_s_once_it_passes():
    mine = autograde.yours("embed", lambda ids, E: E[list(ids)])
    assert mine.whose == "your" and mine([0], np.eye(2)).tolist() == [[1, 0]]
    for answer in (None, stub, lambda ids, E: E):
        assert autograde.yours("embed", answer).whose == "the reference"


def test_hidden_cases_follow_the_instructor_s_seed(monkeypatch):
    seeds = []
    real = autograde.judge
    monkeypatch.setattr(
        "autograde.learner.commands.judge", lambda name, answer, seed: seeds.append(seed) or real(name, answer, seed)
    )
    for value in ("", "77", "not a number"):
        monkeypatch.setenv("AUTOGRADE_SEED", value)
        autograde.check("embed", ref.embed, hidden=True)
    autograde.check("embed", ref.embed)
    assert seeds[1] == 77 and seeds[0] == seeds[2] != autograde.PUBLIC_SEED and seeds[3] == autograde.PUBLIC_SEED


def test_yours_of_a_quiz_says_that_it_has_no_function():
    with pytest.raises(TypeError, match="'answer_near' is a quiz"):
        autograde.yours("answer_near", "b")


def test_a_missing_package_is_named_with_what_installs_it():
    program = "import sys; sys.modules['nbformat'] = None; from autograde.cli import main; sys.exit(main(['release', '--check']))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("autograde: this command needs the package nbformat") and "[teach]" in done.stderr
    assert done.stderr.count("\n") == 1
