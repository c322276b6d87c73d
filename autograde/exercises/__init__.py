"""The course's exercises, a folder a lesson and a file an exercise. ``LESSONS`` is the only list of lessons there is.

A lesson is loaded when it is first asked for, so that ``import autograde`` stays cheap.
"""

import difflib
import functools
import importlib

from autograde.engine.exercise import Exercise, Quiz

LESSONS = ("word_vectors", "embedding_space", "polysemy", "query_key_value", "scaling", "multi_head", "transformer", "decoder")


class UnknownExercise(KeyError):
    """No exercise has this name. The text lists near names."""

    def __str__(self):
        return self.args[0]


class UnknownLesson(KeyError):
    """No lesson has this name. The text lists all."""

    def __str__(self):
        return self.args[0]


@functools.cache
def in_lesson(lesson: str) -> tuple[Exercise | Quiz, ...]:
    """The exercises and quizzes of one lesson in their order. Raises UnknownLesson."""
    if lesson not in LESSONS:
        raise UnknownLesson(f"there is no lesson {lesson!r}; the lessons are: {', '.join(LESSONS)}")
    return importlib.import_module(f"{__name__}.{lesson}").EXERCISES


def everything() -> tuple[Exercise | Quiz, ...]:
    """All exercises and quizzes of the course in order."""
    return tuple(record for lesson in LESSONS for record in in_lesson(lesson))


def find(name: str) -> Exercise | Quiz:
    """The exercise or quiz of this name. Raises UnknownExercise with the near names."""
    named: dict[str, Exercise | Quiz] = {}
    for lesson in LESSONS:  # in order, so that a name of lesson 1 loads lesson 1 alone
        named.update((record.name, record) for record in in_lesson(lesson))
        if isinstance(name, str) and name in named:
            return named[name]
    near = difflib.get_close_matches(str(name), named, n=3, cutoff=0.5)
    advice = f"did you mean {' or '.join(map(repr, near))}?" if near else f"the exercises are: {', '.join(named)}"
    raise UnknownExercise(f"there is no exercise {name!r}; {advice}")


def folder(lesson: str) -> str:
    """The lesson's folder in solutions/ and notebooks/: "01_word_vectors"."""
    return f"{LESSONS.index(lesson) + 1:02d}_{lesson}"
