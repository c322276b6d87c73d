"""A gradebook's marks: what the grader gave, what persons gave by hand, and late penalties as of now."""

from collections.abc import Iterable
from pathlib import Path

from nbgrader.api import BaseCell, Grade, Gradebook, GradeCell, Student, SubmittedAssignment, SubmittedNotebook, TaskCell
from sqlalchemy import select

from autograde.engine.exercise import Status
from autograde.exercises import LESSONS, folder
from autograde.grading.errors import GradingError
from autograde.grading.marks import ExerciseMark, Mark

from .database import course_folder, known, opened
from .late import Penalties, configured, late


def of_gradebook(place: str, lessons: Iterable[str] = (), course: Path | None = None) -> list[Mark]:
    """Marks by lesson and student, of these lessons or all that the gradebook knows.

    course: the folder whose configuration names the plugin for late penalties (default: where the gradebook is); without a
    configuration the penalties that the gradebook holds count.
    Raises GradingError.
    """
    plugin = configured(course or course_folder(place))
    with opened(place) as book:
        for lesson in lessons:
            known(book, lesson)
        there = {assignment.name for assignment in book.assignments}
        chosen = [lesson for lesson in LESSONS if folder(lesson) in there and lesson in (lessons or LESSONS)]
        if not chosen:
            raise GradingError(f"the gradebook {place} knows no lesson of this course: run nbgrader generate_assignment first")
        return [mark for lesson in chosen for mark in _of_lesson(book, lesson, plugin)]


def _of_lesson(book: Gradebook, lesson: str, plugin: Penalties | None) -> list[Mark]:
    source = book.find_notebook(lesson, folder(lesson))
    points = float(source.max_score)
    due = {row: (student, seconds) for row, student, seconds in late(book, source.id)}
    grades = _grades(book, source.id)
    marks = []
    for student in book.db.scalars(select(Student.id).order_by(Student.id)):
        row, exercises = grades.get(student, ("", []))
        if not row:
            marks.append(Mark(student, lesson, Status.NOT_SUBMITTED, points, ()))
            continue
        penalty = _penalty(book.db.get(SubmittedNotebook, row), due.get(row), plugin) if row in due or not plugin else 0.0
        open_ones = any(each.score is None and not each.waiting for each in exercises)
        status = Status.NOT_GRADABLE if open_ones else Status.SCORED
        marks.append(Mark(student, lesson, status, points, tuple(exercises), penalty))
    return marks


def _penalty(notebook: SubmittedNotebook, due: tuple[str, float] | None, plugin: Penalties | None) -> float:
    """By the plugin; without one what the gradebook holds."""
    found = plugin.of(notebook, *due) if plugin and due else notebook.late_submission_penalty
    return float(found or 0.0)


def _grades(book: Gradebook, notebook: str) -> dict[str, tuple[str, list[ExerciseMark]]]:
    """student -> id of the submitted notebook, and its marks in the order of the release."""
    order = {cell.id: number for number, cell in enumerate(_cells(book, notebook))}
    query = (
        select(SubmittedAssignment.student_id, SubmittedNotebook.id, BaseCell, Grade)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .where(SubmittedNotebook.notebook_id == notebook)
    )
    found: dict[str, tuple[str, list]] = {}
    for student, row, cell, grade in book.db.execute(query):
        found.setdefault(student, (row, []))[1].append((order[cell.id], _mark(cell, grade)))
    return {student: (row, [mark for _, mark in sorted(marks, key=lambda m: m[0])]) for student, (row, marks) in found.items()}


def _cells(book: Gradebook, notebook: str) -> list[BaseCell]:
    """Graded cells; the release's own order is that of its source cells."""
    source = book.db.execute(select(BaseCell).where(BaseCell.notebook_id == notebook)).scalars().all()
    place = {cell.name: number for number, cell in enumerate(cell for cell in source if cell.type == "SourceCell")}
    graded = [cell for cell in source if isinstance(cell, (GradeCell, TaskCell))]
    return sorted(graded, key=lambda cell: place.get(cell.name, len(place)))


def _mark(cell: BaseCell, grade: Grade) -> ExerciseMark:
    """A person's mark goes before the grader's; extra credit is added to either."""
    score = grade.auto_score if grade.manual_score is None else grade.manual_score
    waiting = isinstance(cell, TaskCell) and score is None
    by_hand = grade.manual_score is not None or bool(grade.extra_credit)
    if score is not None:
        score = float(score) + float(grade.extra_credit or 0.0)
    return ExerciseMark(cell.name, score, float(cell.max_score), by_hand, waiting)
