"""Marking by hand at scale: all answers to one question on one sheet, and the marks back from it."""

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograde.submissions.document import printable

from .errors import GradingError

COLUMNS = ("lesson", "question", "student", "answer", "mark", "most", "comment")
WRITE_HERE = "*Write your answer here.*"  # what stands in the cell for an answer until somebody writes it
FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class WrittenAnswer:
    """mark: None while nobody has given one."""

    student: str
    text: str
    mark: float | None = None
    comment: str = ""


@dataclass(frozen=True)
class Question:
    """A question in own words and what everybody wrote; blank answers wait for a mark as well."""

    lesson: str
    name: str
    text: str
    points: float
    answers: tuple[WrittenAnswer, ...]


@dataclass(frozen=True)
class HandMark:
    lesson: str
    question: str
    student: str
    mark: float
    comment: str


def as_csv(question: Question) -> str:
    rows = [
        [question.lesson, question.name, each.student, each.text, "" if each.mark is None else f"{each.mark:g}"]
        + [f"{question.points:g}", each.comment]
        for each in question.answers
    ]
    text = io.StringIO(newline="")
    harmless = [[f"'{field}" if field.startswith(FORMULA) else field for field in row] for row in rows]
    csv.writer(text, lineterminator="\r\n").writerows([COLUMNS, *harmless])
    return text.getvalue()


def read_marks(path: Path) -> list[HandMark]:
    """The marks in a sheet; rows without one are left out. Raises GradingError, naming the line, before any is used."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        first = text.split("\n", 1)[0]
        rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count)))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise GradingError(f"the sheet {path} cannot be read ({error}): save it as CSV UTF-8") from None
    missing = [name for name in COLUMNS if name not in (rows[0] if rows else {}) and name != "answer"]
    if missing:
        raise GradingError(f"the sheet {path} has no column {', '.join(missing)}; expected are {', '.join(COLUMNS)}")
    found = [_mark(row, f"{path}, row {number}") for number, row in enumerate(rows, start=2) if (row["mark"] or "").strip()]
    _once(path, found)
    return found


def _mark(row: dict[str, str], where: str) -> HandMark:
    text = row["mark"].strip()
    try:
        mark, most = float(text.replace(",", ".")), float(row["most"].replace(",", "."))
    except (ValueError, AttributeError):
        raise GradingError(f"{where}: the mark is {printable(text, 30)!r}, expected was a number") from None
    if not (math.isfinite(mark) and 0 <= mark <= most):
        raise GradingError(f"{where}: the mark is {printable(text, 30)}, expected was 0 to {most:g}")
    student, comment = (_bare(row[name] or "") for name in ("student", "comment"))
    return HandMark((row["lesson"] or "").strip(), (row["question"] or "").strip(), student, mark, comment)


def _bare(field: str) -> str:
    """Without the apostrophe that kept a spreadsheet from running it."""
    return field[1:] if field.startswith("'") and field[1:].startswith(FORMULA) else field


def _once(path: Path, marks: Sequence[HandMark]) -> None:
    seen: set[tuple[str, str, str]] = set()
    for each in marks:
        key = (each.lesson, each.question, each.student)
        if key in seen:
            raise GradingError(f"the sheet {path} has two marks for {printable(each.student)}, {each.question}: leave one")
        seen.add(key)
