"""Answers in own words out of the autograded notebooks, marks and comments of persons into the gradebook."""

import functools
import re
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbgrader.api import Comment, Grade, Gradebook, MissingEntry, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import select

from autograde.exercises import folder
from autograde.grading.errors import GradingError
from autograde.grading.hand_marks import WRITE_HERE, HandMark, Question, WrittenAnswer
from autograde.submissions.demo_code import NOTEBOOKS
from autograde.submissions.document import printable

from .database import course_folder, known, opened
from .late import assign, configured


def questions(place: str, lessons: Sequence[str], course: Path | None = None) -> list[Question]:
    """Every question in words of these lessons. course: where autograded/ lies (default: beside the gradebook)."""
    home = (course or course_folder(place)) / "autograded"
    with opened(place) as book:
        for lesson in lessons:
            known(book, lesson)
        return [_question(book, lesson, cell, home) for lesson in lessons for cell in _tasks(book, lesson)]


def _tasks(book: Gradebook, lesson: str) -> list:
    return list(book.find_notebook(lesson, folder(lesson)).task_cells)


def _question(book: Gradebook, lesson: str, cell, home: Path) -> Question:
    source = next((each.source for each in cell.notebook.source_cells if each.name == cell.name), "")
    asked = _visible(source)
    answers = []
    for student, grade, comment in _rows(book, cell):
        path = home / student / folder(lesson) / f"{lesson}.ipynb"
        said = comment.manual_comment if comment else None
        answers.append(WrittenAnswer(student, _answer(path, cell.name, asked), grade.manual_score, said or ""))
    return Question(lesson, cell.name, asked, float(cell.max_score), tuple(answers))


def _rows(book: Gradebook, cell) -> list:
    """(student, Grade, Comment or None) of everybody who handed in, by name."""
    query = (
        select(SubmittedAssignment.student_id, Grade, Comment)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, (Grade.notebook_id == SubmittedNotebook.id) & (Grade.cell_id == cell.id))
        .outerjoin(Comment, (Comment.notebook_id == SubmittedNotebook.id) & (Comment.cell_id == cell.id))
        .order_by(SubmittedAssignment.student_id)
    )
    return list(book.db.execute(query))


def _answer(path: Path, name: str, asked: str) -> str:
    """What the learner wrote into the question's cell, which stands above it since that is locked, or below it."""
    try:
        cells = nbformat.read(path, as_version=4).cells
    except (OSError, ValueError):
        return ""
    at = next((i for i, cell in enumerate(cells) if cell.metadata.get("nbgrader", {}).get("grade_id") == name), None)
    if at is None:
        return ""
    own = [each for each in (cells[at - 1 : at] + _untagged_after(cells, at)) if _is_words(each)]
    texts = [each.source.replace(asked, "").replace(WRITE_HERE, "").strip() for each in own]
    return "\n\n".join(text for text in texts if text and text not in handed_out(path.stem))


@functools.cache
def handed_out(lesson: str) -> frozenset[str]:
    """The texts that the lesson itself brings along, as far as the release lies here."""
    try:
        notebook = nbformat.read(NOTEBOOKS / folder(lesson) / f"{lesson}.ipynb", as_version=4)
    except (OSError, ValueError):
        return frozenset()
    return frozenset(cell.source.strip() for cell in notebook.cells if cell.cell_type == "markdown")


def _untagged_after(cells: list, at: int) -> list:
    found = []
    for cell in cells[at + 1 :]:
        if not _is_words(cell):
            break
        found.append(cell)
    return found


def _is_words(cell) -> bool:
    """A text cell without a tag: of the learner's own, or of the lesson's prose."""
    return cell.cell_type == "markdown" and "nbgrader" not in cell.metadata and cell.id != "notices"


def _visible(source: str) -> str:
    return re.sub(r"### BEGIN MARK SCHEME.*?### END MARK SCHEME", "", source, flags=re.DOTALL).strip()


def write_marks(place: str, marks: Sequence[HandMark]) -> int:
    """Marks and comments into the gradebook, all or none; how many were not there already. Raises GradingError."""
    plugin, changed = configured(course_folder(place)), 0
    with opened(place) as book:
        for each in marks:
            changed += _write(book, each)
        book.db.flush()
        if plugin:
            for lesson in sorted({each.lesson for each in marks}):
                assign(book, folder(lesson), lesson, plugin)
        book.db.commit()
    return changed


def _write(book: Gradebook, each: HandMark) -> bool:
    who = f"{printable(each.student)}, {each.lesson} {each.question}"
    try:
        grade = book.find_grade(each.question, each.lesson, folder(each.lesson), each.student)
        comment = book.find_comment(each.question, each.lesson, folder(each.lesson), each.student)
    except (MissingEntry, ValueError):
        raise GradingError(f"the gradebook has no such answer: {who}. Nothing was written") from None
    if not 0 <= each.mark <= grade.max_score:
        raise GradingError(f"{who}: the mark is {each.mark:g}, expected was 0 to {grade.max_score:g}. Nothing was written")
    before = grade.manual_score, comment.manual_comment or "", grade.needs_manual_grade
    grade.manual_score, grade.needs_manual_grade = each.mark, False
    comment.manual_comment = each.comment or None
    return before != (each.mark, each.comment, False)
