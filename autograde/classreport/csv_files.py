"""A class's scores as CSV: plain, and for a learning system by its own roster.

What has no score is an empty field, never a 0: not gradable, and not submitted.
"""

import csv
import io
from collections.abc import Iterable

from autograde.engine.report import number
from autograde.exercises import LESSONS
from autograde.grading.records import Result

from .roster import Roster


def grades_csv(results: Iterable[Result]) -> str:
    """One row a submission: its status, its score and that of each answer is there to be read by anything."""
    rows = [["student", "lesson", "status", "score", "points"]]
    rows += [[r.student, r.lesson, r.status, _score(r.score), number(r.points)] for r in results]
    return _text(rows)


def for_roster(results: Iterable[Result], roster: Roster) -> tuple[str, list[str]]:
    """The roster's identity columns as they are and a column for each lesson; and who is missing on either side."""
    scores, points = _by_student(results)
    column, rows = roster.by_student(set(scores))
    lessons = [lesson for lesson in LESSONS if lesson in points]
    table = [
        [*roster.columns, *(f"{lesson} ({number(points[lesson])})" if not roster.is_canvas else lesson for lesson in lessons)]
    ]
    if roster.is_canvas:  # Canvas wants the points in the second row
        table.append(["    Points Possible", *[""] * (len(roster.columns) - 1), *(number(points[name]) for name in lessons)])
    for row in roster.rows:
        own = scores.get(row[column], {})
        table.append([*row.values(), *(_score(own.get(lesson)) for lesson in lessons)])
    told = [f"students matched by the column {column!r}"]
    told += [f"in the results, not in the roster: {student}" for student in sorted(set(scores) - set(rows))]
    told += [f"in the roster, without a result: {student}" for student in sorted(set(rows) - set(scores))]
    return _text(table), told


def _by_student(results: Iterable[Result]) -> tuple[dict[str, dict[str, float | None]], dict[str, float]]:
    scores: dict[str, dict[str, float | None]] = {}
    points: dict[str, float] = {}
    for result in results:
        scores.setdefault(result.student, {})[result.lesson] = result.score
        points[result.lesson] = result.points
    return scores, points


def _score(score: float | None) -> str:
    return "" if score is None else number(score)


def _text(rows: list[list[str]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()
