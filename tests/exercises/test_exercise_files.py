"""One file per exercise: it has the exercise's name, its lesson lists it, and its known answers stand alone as text."""

import importlib
import math
import pkgutil

import make_class
import numpy as np
import pytest

from autograde import judge
from autograde.engine.exercise import Quiz
from autograde.exercises import LESSONS, in_lesson


def modules(lesson):
    package = importlib.import_module(f"autograde.exercises.{lesson}")
    return {
        each.name: importlib.import_module(f"{package.__name__}.{each.name}") for each in pkgutil.iter_modules(package.__path__)
    }


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_exercise_lies_in_the_file_of_its_name_and_is_listed(lesson):
    found = {name: module.EXERCISE for name, module in modules(lesson).items() if hasattr(module, "EXERCISE")}
    assert found == {record.name: record for record in in_lesson(lesson) if not isinstance(record, Quiz)}


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_quiz_is_listed(lesson):
    found = [each for each in vars(modules(lesson)["quizzes"]).values() if isinstance(each, Quiz)]
    listed = [record for record in in_lesson(lesson) if isinstance(record, Quiz)]
    assert sorted(quiz.name for quiz in found) == sorted(quiz.name for quiz in listed)


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_record_knows_its_lesson(lesson):
    assert {record.lesson for record in in_lesson(lesson)} == {lesson}


@pytest.mark.parametrize("record", [record for lesson in LESSONS for record in in_lesson(lesson)], ids=lambda record: record.name)
def test_known_answers_mean_the_same_as_text_with_nothing_but_numpy(record):
    """What a made class hands in: a helper that is missing, or another's of the same name, would show here."""
    for sources, right in ((make_class.right(record), True), (make_class.wrong(record), False)):
        for source in sources:
            space = {"np": np, "math": math}
            exec(source, space)
            assert judge(record, space[record.name]).passed == right, source
