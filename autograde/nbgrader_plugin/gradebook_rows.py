"""The rows of nbgrader's gradebook for the submissions of one lesson.

nbgrader's own calls commit after every row; these are sent in batches, and count once the caller commits.
"""

from datetime import datetime

from nbgrader.api import BaseCell, Comment, Grade, Gradebook, Student, SubmittedAssignment, SubmittedNotebook, new_uuid
from sqlalchemy import delete, insert, or_, select, update

from autograde.exercises import folder
from autograde.grading.records import Result

BATCH = 500  # submissions that are held before they are sent


class Rows:
    """Rows that are there already keep everything that a person has written into them."""

    def __init__(self, gradebook: Gradebook, lesson: str):
        self.db = gradebook.db
        source = gradebook.find_notebook(lesson, folder(lesson))
        self.assignment, self.notebook = source.assignment_id, source.id
        self.hand_marked = {cell.name: cell.id for cell in source.task_cells}
        self.graded = {cell.name: cell.id for cell in source.grade_cells}
        self.solutions = {cell.name: cell.id for cell in source.solution_cells}
        self.students = set(self.db.scalars(select(Student.id)))
        self.known = self._known()
        self.batch: list[tuple] = []

    def _known(self) -> dict[str, tuple[str, str]]:
        """student -> ids of the submission and of its notebook."""
        query = (
            select(SubmittedAssignment.student_id, SubmittedAssignment.id, SubmittedNotebook.id)
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .where(SubmittedNotebook.notebook_id == self.notebook)
        )
        return {student: (assignment, notebook) for student, assignment, notebook in self.db.execute(query)}

    def add(self, result: Result, untouched: set[str], timestamp: datetime | None) -> None:
        """One submission. untouched: answer cells as they were released."""
        scores = {answer.name: answer.score for answer in result.answers}
        self.batch.append((result.student, scores, untouched, timestamp))
        if len(self.batch) >= BATCH:
            self.send()

    def send(self) -> None:
        fresh = [entry for entry in self.batch if entry[0] not in self.known]
        for student, scores, untouched, timestamp in self.batch:
            if student in self.known:
                assignment, notebook = self.known[student]
                self._set(SubmittedAssignment, assignment, timestamp=timestamp)
                self._grade(notebook, scores)
                self._comment(notebook, untouched)
        self._insert_all(fresh)
        self.batch = []

    def remove(self, student: str) -> bool:
        """Takes a submission out; False where a person has marked or commented it, and it stays."""
        assignment, notebook = self.known[student]
        by_hand = select(Grade.id).where(
            Grade.notebook_id == notebook, or_(Grade.manual_score.is_not(None), Grade.extra_credit.is_not(None))
        )
        comments = select(Comment.id).where(Comment.notebook_id == notebook, Comment.manual_comment.is_not(None))
        if self.db.execute(by_hand).first() or self.db.execute(comments).first():
            return False
        for table, column, row in (
            (Grade, Grade.notebook_id, notebook),
            (Comment, Comment.notebook_id, notebook),
            (SubmittedNotebook, SubmittedNotebook.id, notebook),
            (SubmittedAssignment, SubmittedAssignment.id, assignment),
        ):
            self.db.execute(delete(table).where(column == row))
        del self.known[student]
        return True

    def _insert_all(self, fresh: list[tuple]) -> None:
        ids = {student: (new_uuid(), new_uuid()) for student, *_ in fresh}
        grades, comments, submissions = [], [], []
        for student, scores, untouched, timestamp in fresh:
            assignment, notebook = ids[student]
            submissions.append(
                {"id": assignment, "assignment_id": self.assignment, "student_id": student, "timestamp": timestamp}
            )
            grades += [
                {
                    "id": new_uuid(),
                    "notebook_id": notebook,
                    "cell_id": cell,
                    "auto_score": scores.get(name),
                    "needs_manual_grade": scores.get(name) is None,
                }
                for name, cell in (self.graded | self.hand_marked).items()
            ]
            comments += [
                {"id": new_uuid(), "notebook_id": notebook, "cell_id": cell, "auto_comment": _said(name, untouched)}
                for name, cell in (self.solutions | self.hand_marked).items()
            ]
        self._insert(Student, [{"id": student} for student, *_ in fresh if student not in self.students])
        self._insert(SubmittedAssignment, submissions)
        self._insert(
            SubmittedNotebook,
            [
                {"id": notebook, "assignment_id": assignment, "notebook_id": self.notebook, "flagged": False}
                for assignment, notebook in ids.values()
            ],
        )
        self._insert(Grade, grades)
        self._insert(Comment, comments)
        self.known |= ids
        self.students |= set(ids)

    def _insert(self, table, rows: list[dict]) -> None:
        if rows:
            self.db.execute(insert(table), rows)

    def _set(self, table, row: str, **values) -> None:
        self.db.execute(update(table).where(table.id == row).values(**values))

    def _grade(self, notebook: str, scores: dict[str, float | None]) -> None:
        query = (
            select(Grade.id, BaseCell.name, Grade.auto_score, Grade.manual_score, Grade.needs_manual_grade)
            .join(BaseCell, BaseCell.id == Grade.cell_id)
            .where(Grade.notebook_id == notebook)
        )
        for row, name, before, manual, waiting in self.db.execute(query).all():
            if name in self.graded:
                score = scores.get(name)
                needed = needs_person(score, before, manual, waiting)
                if (score, needed) != (before, waiting):
                    self._set(Grade, row, auto_score=score, needs_manual_grade=needed)

    def _comment(self, notebook: str, untouched: set[str]) -> None:
        query = (
            select(Comment.id, BaseCell.name, Comment.auto_comment)
            .join(BaseCell, BaseCell.id == Comment.cell_id)
            .where(Comment.notebook_id == notebook)
        )
        for row, name, before in self.db.execute(query).all():
            if name in self.solutions and _said(name, untouched) != before:
                self._set(Comment, row, auto_comment=_said(name, untouched))


def needs_person(score: float | None, before: float | None, manual: float | None, waiting: bool) -> bool:
    """Whether somebody has to look at a grade: there is no score, or it changed under a person's own mark."""
    if score is None:
        return manual is None or waiting
    return manual is not None and (waiting or score != before)


def _said(name: str, untouched: set[str]) -> str | None:
    """What nbgrader writes under an answer that is as it was released."""
    return "No response." if name in untouched else None
