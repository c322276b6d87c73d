"""Marks as CSV: plain, and for a learning system by its own roster.

What has no score is an empty field, never a 0: not gradable, and not submitted. A text that a spreadsheet would take for a
formula begins with an apostrophe.
"""

import csv
import io
from collections.abc import Iterable, Sequence

from autograde.engine.report import number
from autograde.exercises import LESSONS
from autograde.grading.errors import GradingError
from autograde.grading.marks import Mark

from .roster import Roster

LESSON_COLUMNS = ("student", "lesson", "status", "score", "points", "by hand", "late penalty", "waiting for a mark")
EXERCISE_COLUMNS = ("student", "lesson", "exercise", "score", "points", "by hand")
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def grades_csv(marks: Iterable[Mark]) -> str:
    """One row a submission."""
    rows = [
        [mark.student, mark.lesson, mark.status, _score(mark.score), number(mark.points)]
        + [number(mark.by_hand), number(mark.penalty), str(mark.waiting)]
        for mark in marks
    ]
    return _text([list(LESSON_COLUMNS), *rows])


def exercises_csv(marks: Iterable[Mark]) -> str:
    """One row for each exercise of each submission."""
    rows = [
        [mark.student, mark.lesson, each.name, _score(each.score), number(each.points), "yes" if each.by_hand else ""]
        for mark in marks
        for each in mark.exercises
    ]
    return _text([list(EXERCISE_COLUMNS), *rows])


def for_roster(marks: Sequence[Mark], roster: Roster, by_exercise: bool = False) -> tuple[str, list[str]]:
    """The roster's identity columns as they are and a column for each lesson or exercise; and who is missing on either side.

    A column that the roster has already for a lesson keeps its name. Raises GradingError where it is not clear who is who.
    """
    scores, points = _columns(marks, by_exercise)
    handed_in = {mark.student for mark in marks if mark.exercises}
    matched = roster.matched({mark.student for mark in marks}, handed_in)
    heads = [_head(lesson, name, points[lesson, name], roster) for lesson, name in points]
    rows = [[*roster.identity(row), *_of_student(matched.students.get(at), scores, points)] for at, row in enumerate(roster.rows)]
    if roster.is_canvas:  # Canvas wants the points in the second row
        rows.insert(0, ["    Points Possible", *[""] * (len(roster.kept) - 1), *map(number, points.values())])
    return _text([[*roster.columns, *heads], *rows]), matched.told


def _columns(marks: Sequence[Mark], by_exercise: bool) -> tuple[dict, dict]:
    """(student, lesson, exercise or "") -> score, and (lesson, exercise or "") -> points in the course's order."""
    scores: dict[tuple[str, str, str], float | None] = {}
    points: dict[tuple[str, str], float] = {}
    for mark in sorted(marks, key=lambda mark: LESSONS.index(mark.lesson)):
        for name, score, most in (
            [(each.name, each.score, each.points) for each in mark.exercises] if by_exercise else [("", mark.score, mark.points)]
        ):
            scores[mark.student, mark.lesson, name] = score
            points[mark.lesson, name] = most
    return scores, points


def _of_student(student: str | None, scores: dict, points: dict) -> list[str]:
    return [_score(scores.get((student, lesson, name))) for lesson, name in points]


def _head(lesson: str, name: str, points: float, roster: Roster) -> str:
    there = roster.columns_of(lesson) if not name else []
    if len(there) > 1:
        raise GradingError(f"the roster has {len(there)} columns for {lesson}: {', '.join(there)}. Leave one in it")
    if there:
        return there[0]
    head = f"{lesson}: {name}" if name else lesson
    return head if roster.is_canvas else f"{head} ({number(points)})"


def _score(score: float | None) -> str:
    return "" if score is None else number(score)


def _text(rows: list[list[str]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows([[_harmless(field) for field in row] for row in rows])
    return text.getvalue()


def _harmless(field: str) -> str:
    return f"'{field}" if field.startswith(FORMULA) else field
