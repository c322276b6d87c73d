"""While a lesson is graded nothing that its cells can import answers one of its exercises.

Asked of a real worker: it imports every module that it may, and each callable found there is called as an answer.
"""

import sys

import pytest

from autograde.engine.calling import fresh
from autograde.engine.compare import compare, plain_expected
from autograde.engine.exercise import Quiz
from autograde.engine.judge import generator
from autograde.exercises import LESSONS, in_lesson, withheld
from autograde.exercises.withheld import course_modules
from autograde.sandbox.host.sandbox import Limits, Sandbox

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
def sandbox():
    with Sandbox(Limits(cell=60)) as sandbox:
        yield sandbox


@pytest.fixture
def opened(sandbox):
    """A worker of ``lesson`` that is asked about exercises of whichever lesson."""

    def open_(lesson, asked):
        modules = course_modules(lesson)
        later = {record.name for each in LESSONS[LESSONS.index(lesson) :] for record in exercises(each)}
        cells = [COLLECT.format(modules=sorted(modules.shown), names=later | {asked[0].name})]
        cells += [ANSWER.format(name=exercise.name) for exercise in asked]
        return sandbox.open(cells, (*(exercise.name for exercise in asked), "how_many", "title_letter", "named"), modules)

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
    modules, at = course_modules(lesson), LESSONS.index(lesson)
    assert {f"course_utils.{name}" for name in LESSONS[at:]} <= set(modules.withheld)
    assert not set(modules.withheld) & set(modules.shown)
    assert {f"course_utils.{name}" for name in LESSONS[:at]} <= set(modules.shown)
    assert {"course_utils.datasets", "course_utils.experiments.ladder.models"} <= set(modules.shown)


def test_a_reference_that_no_lesson_grades_yet_is_withheld_in_all(tmp_path, monkeypatch):
    """Whatever stands beside the references is one: nobody need remember to name a new module."""
    for name in (*LESSONS, "__init__", "datasets", "later_lesson"):
        (tmp_path / f"{name}.py").touch()
    monkeypatch.setattr(withheld, "COURSE_UTILS", tmp_path)
    modules = course_modules.__wrapped__(LESSONS[-1])
    assert modules.withheld == (f"course_utils.{LESSONS[-1]}", "course_utils.later_lesson")
    assert set(modules.shown) == {
        tmp_path.name,
        *(f"{tmp_path.name}.{name}" for name in (*LESSONS[:-1], "datasets", "later_lesson", LESSONS[-1])),
    }


def test_explorers_are_stubs_and_what_they_are_made_of_is_not():
    shown = {name for name in course_modules(LESSONS[-1]).shown if name.startswith("course_utils.explorers")}
    assert {"course_utils.explorers", "course_utils.explorers.kit", "course_utils.explorers.kit.svg"} <= shown
    assert not {name for name in shown if name.split(".")[2:3] not in ([], ["kit"])}
    assert not {"course_utils.explorers.kit.live", "course_utils.explorers.kit.player"} & shown


def test_what_needs_the_withheld_can_still_be_imported(sandbox):
    """A cell that loads the real model beside an answer must not lose the answer."""
    cells = [
        "from course_utils import datasets, minilm\nfrom course_utils.experiments import heads, ladder, pronouns\n"
        "model = datasets.load_minilm()\n"
        "def head_budget(d_model, n_heads): return d_model // n_heads, 4 * d_model**2",
        "from course_utils.transformer import encoder_layer\nlayer = encoder_layer",
    ]
    names = tuple(record.name for record in in_lesson("multi_head"))
    with sandbox.open(cells, names, course_modules("multi_head")) as submission:
        assert submission.failures == {}
        assert [int(part) for part in submission.answer("head_budget").call((8, 2)).value] == [4, 256]
