"""A class's scores as CSV: plain, and for a learning system by its own roster.

What has no score is an empty field, never a 0: not gradable, and not submitted. Files begin with a byte order
mark, since Excel would otherwise garble every name that is not English.
"""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from autograde.engine.report import number
from autograde.exercises import LESSONS
from autograde.grading.results import everything

from .page import write_page
from .roster import Roster, read_roster


def write_reports(out: Path, roster: Path | None = None) -> list[str]:
    """Writes ``out/report/``: class.html, grades.csv, and canvas.csv or moodle.csv from a roster. What to say, in lines.

    Raises GradingError for a roster that cannot be read.
    """
    folder = out / "report"
    found = read_roster(roster) if roster else None
    write_page(out, folder / "class.html")
    _write(folder / "grades.csv", plain(everything(out)))
    said = [f"wrote {folder / 'class.html'}", f"wrote {folder / 'grades.csv'}"]
    if found:
        target = folder / ("canvas.csv" if found.is_canvas else "moodle.csv")
        text, told = for_roster(everything(out), found)
        _write(target, text)
        said += [f"wrote {target}", *found.notices, *told]
    return said


def plain(results: Iterable[dict]) -> str:
    """One row a submission: its status, its score and that of each answer is there to be read by anything."""
    rows = [["student", "lesson", "status", "score", "points"]]
    rows += [[r["student"], r["lesson"], r["status"], _score(r["score"]), number(r["points"])] for r in results]
    return _text(rows)


def for_roster(results: Iterable[dict], roster: Roster) -> tuple[str, list[str]]:
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


def _by_student(results: Iterable[dict]) -> tuple[dict[str, dict[str, float | None]], dict[str, float]]:
    scores, points = {}, {}
    for result in results:
        scores.setdefault(result["student"], {})[result["lesson"]] = result["score"]
        points[result["lesson"]] = result["points"]
    return scores, points


def _score(score: float | None) -> str:
    return "" if score is None else number(score)


def _text(rows: list[list[str]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8-sig", errors="backslashreplace", newline="")
