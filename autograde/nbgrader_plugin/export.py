"""nbgrader's own CSV export, with an empty field where it would print 0.0 for what could not be graded."""

import csv
from pathlib import Path

from nbgrader.api import Assignment, Grade, Gradebook, GradeCell, SubmittedAssignment, SubmittedNotebook
from nbgrader.plugins import CsvExportPlugin
from sqlalchemy import select


class CsvExport(CsvExportPlugin):
    """``nbgrader export`` with ``c.ExportApp.plugin_class = CsvExport``, which ``configure`` sets."""

    def export(self, gradebook: Gradebook) -> None:
        super().export(gradebook)
        path, open_scores = Path(self.to or "grades.csv"), without_score(gradebook)
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        columns = {name: number for number, name in enumerate(rows[0])}
        for row in rows[1:]:
            if (row[columns["assignment"]], row[columns["student_id"]]) in open_scores:
                row[columns["raw_score"]] = row[columns["score"]] = ""
        with open(path, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


def without_score(gradebook: Gradebook) -> set[tuple[str, str]]:
    """(assignment, student) where a check has no score, by the grader or by a person."""
    query = (
        select(Assignment.name, SubmittedAssignment.student_id)
        .join(SubmittedAssignment, SubmittedAssignment.assignment_id == Assignment.id)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .join(GradeCell, GradeCell.id == Grade.cell_id)
        .where(Grade.auto_score.is_(None), Grade.manual_score.is_(None))
    )
    return {(assignment, student) for assignment, student in gradebook.db.execute(query)}
