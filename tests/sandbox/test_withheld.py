"""While a lesson is graded nothing that its cells can import answers one of its exercises.

Asked of a real worker: it imports every module that it may, and each callable found there is called as an answer.
"""

import sys

import pytest

from autograde.engine.calling import fresh
from autograde.engine.compare import compare, plain_expected
from autograde.engine.exercise import Quiz
from autograde.engine.judge import generator
from autograde.exercises import LESSONS, in_lesson
from autograde.sandbox.host.start import UNTAUGHT, course_modules
from autograde.sandbox.host.submission import Limits, Nursery

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Landlock and seccomp are Linux's")

COLLECT = """
import importlib, inspect
found = {{}}
for module in {modules!r}:
    space = vars(importlib.import_module(module))
    for name in [name for name in space if not name.startswith("__")]:
        thing = space[name]
        owner = getattr(thing, "__module__", None) or getattr(type(thing), "__module__", "")
        if callable(thing) and owner.startswith("course_utils"):
            found.setdefault(id(thing), (f"{{module}}.{{name}}", thing))
titles, candidates = zip(*found.values())
named = ", ".join(title for title, thing in found.values() if inspect.isfunction(thing) and thing.__name__ in {names!r})
def title_letter(number, at): return ord(titles[number][at]) if at < len(titles[number]) else 0
def how_many(): return len(candidates)
"""
ANSWER = """
def {name}(number, *args): return candidates[number](*args)
"""


def exercises(lesson):
    return [record for record in in_lesson(lesson) if not isinstance(record, Quiz)]


@pytest.fixture(scope="module")
def nursery():
    with Nursery(Limits(cell=60)) as nursery:
        yield nursery


@pytest.fixture
def opened(nursery, monkeypatch):
    """A worker of ``lesson`` that is asked about exercises of whichever lesson."""

    def open_(lesson, asked):
        modules = course_modules(tuple(record.name for record in in_lesson(lesson)))
        monkeypatch.setattr("autograde.sandbox.host.submission.course_modules", lambda names: modules)
        later = {record.name for each in LESSONS[LESSONS.index(lesson) :] for record in exercises(each)}
        cells = [COLLECT.format(modules=sorted(modules["shown"]), names=later | {asked[0].name})]
        cells += [ANSWER.format(name=exercise.name) for exercise in asked]
        return nursery.open(cells, (*(exercise.name for exercise in asked), "how_many", "title_letter", "named"))

    return open_


def title(submission, number):
    letters = []
    while code := int(submission.answer("title_letter").call((number, len(letters))).value):
        letters.append(chr(code))
    return "".join(letters)


def answering(submission, exercise):
    """Titles of everything importable that gives right values in each case of the exercise's first check."""
    answer, check, titles = submission.answer(exercise.name), exercise.checks[0], []
    cases = [
        (args, plain_expected(exercise.reference(*fresh(args)))) for args in check.cases(generator(1, exercise.name, check.name))
    ]
    for number in range(int(submission.answer("how_many").call(()).value)):
        outcomes = ((answer.call((number, *args)), expected) for args, expected in cases)
        if all(compare(outcome, expected, exercise.kind) is None for outcome, expected in outcomes):
            titles.append(title(submission, number))
    return titles


@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_importable_answers_an_exercise_of_the_lesson(opened, lesson):
    with opened(lesson, exercises(lesson)) as submission:
        assert not submission.failures
        assert submission.answer("how_many").call(()).value > 100
        assert submission.value("named") == ""
        found = {title for exercise in exercises(lesson) for title in answering(submission, exercise)}
    earlier = {
        f"course_utils.{each}.{exercise.name}" for each in LESSONS[: LESSONS.index(lesson)] for exercise in exercises(each)
    }
    assert found <= earlier  # an earlier answer may be used: dot_products is mix for a table and a vector


def test_a_reference_that_may_be_had_is_found_by_this_test(opened):
    """Lesson 1's, while lesson 2 is graded: so the search above would find one."""
    one_hot, *_ = exercises("word_vectors")
    with opened("embedding_space", [one_hot]) as submission:
        assert submission.value("named") == "course_utils.word_vectors.one_hot"
        assert answering(submission, one_hot) == ["course_utils.word_vectors.one_hot"]


@pytest.mark.parametrize("lesson", LESSONS)
def test_references_of_this_lesson_and_of_later_ones_are_withheld(lesson):
    modules = course_modules(tuple(record.name for record in in_lesson(lesson)))
    at = LESSONS.index(lesson)
    assert modules["withheld"] == [f"course_utils.{name}" for name in (*LESSONS[at:], *UNTAUGHT)]
    assert not set(modules["withheld"]) & set(modules["shown"])
    assert {f"course_utils.{name}" for name in LESSONS[:at]} <= set(modules["shown"])
    assert {"course_utils.datasets", "course_utils.experiments.ladder.models"} <= set(modules["shown"])


def test_a_lesson_that_grades_leaves_the_list_of_those_that_do_not_yet():
    assert not set(UNTAUGHT) & set(LESSONS)


def test_what_needs_the_withheld_can_still_be_imported(nursery):
    """A cell that loads the real model beside an answer must not lose the answer."""
    cells = [
        "from course_utils import datasets, minilm\nfrom course_utils.experiments import heads, ladder, pronouns\n"
        "model = datasets.load_minilm()\n"
        "def head_budget(d_model, n_heads): return d_model // n_heads, 4 * d_model**2",
        "from course_utils.transformer import encoder_layer\nlayer = encoder_layer",
    ]
    with nursery.open(cells, tuple(record.name for record in in_lesson("multi_head"))) as submission:
        assert submission.failures == {}
        assert [int(part) for part in submission.answer("head_budget").call((8, 2)).value] == [4, 256]
