"""nbgrader's ``autograde`` command, finding submissions as ``autograde grade`` finds them.

nbgrader skips a learner who renamed the notebook or put it into a folder, skips a renamed folder without a word,
and gives 0 where it finds no file under the expected name. Here such a notebook is graded, and one that
cannot be read waits for a person, with the reason on top of it.
"""

import glob
import os
from dataclasses import replace
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.converters import Autograde as StockAutograde
from nbgrader.converters import NbGraderException

from autograde import course_seed
from autograde.exercises import LESSONS, folder
from autograde.grading.preparing import without_answers
from autograde.submissions.document import printable
from autograde.submissions.folders import Submission, located
from autograde.submissions.notebook import Unreadable

from .autograded import Autograded, release_of, time_of, write_autograded
from .database import course_folder
from .gradebook_rows import Rows

LAYOUT = os.path.join("{nbgrader_step}", "{student_id}", "{assignment_id}")


class Autograde(StockAutograde):
    """Assignments that are no lessons of ours, and courses with another layout of folders, are nbgrader's own business."""

    def init_notebooks(self) -> None:
        self.refused: dict[str, str] = {}  # student -> why the notebook cannot be read
        self._use_the_courses_seed()
        self._read_bad_time_stamps_as_none()
        lesson, course = self._lesson(), self.coursedir
        if not lesson or course.directory_structure != LAYOUT or course.notebook_id not in ("*", lesson):
            super().init_notebooks()
            return
        self.assignments = {}
        self.notebooks: list[str] = []
        for home in sorted(glob.glob(self._format_source(".", course.student_id))):
            student = Path(home).name
            if not self._is_handed_in(self._submission(student, lesson)):
                self.log.warning("%s: no notebook of %s was handed in", student, course.assignment_id)
                continue
            expected = self._format_source(course.assignment_id, student)
            self.assignments[expected] = [os.path.join(expected, f"{lesson}.ipynb")]
        if not self.assignments:
            super().init_notebooks()  # which says what is missing

    def _use_the_courses_seed(self) -> None:
        """Made once, beside the gradebook. The kernels of other assignments find it there too."""
        try:
            if course_seed.from_environment() is None:
                os.environ["AUTOGRADE_SEED"] = str(course_seed.made(course_folder(self.coursedir.db_url)))
        except (course_seed.SeedError, OSError) as error:
            raise NbGraderException(f"The secret seed of the hidden cases: {error}") from None

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """nbgrader gives 0 where the file has another name; that is for the judge to say."""
        super().init_assignment(assignment_id, student_id)
        lesson = self._lesson()
        if not lesson or Path(self._format_source(assignment_id, student_id), f"{lesson}.ipynb").exists():
            return
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            for grade in gradebook.find_submission_notebook(lesson, assignment_id, student_id).grades:
                grade.auto_score, grade.needs_manual_grade = None, grade.manual_score is None
            gradebook.db.commit()

    def _read_bad_time_stamps_as_none(self) -> None:
        """nbgrader grades nothing, and exports 0, where timestamp.txt holds no time."""
        read = self.coursedir.get_existing_timestamp

        def tolerant(path: str):
            text = Submission("", "", Path(path)).time_stamp()
            if text and not time_of(text):
                self.log.warning("%s: timestamp.txt holds no time (%s); graded as if there were none", path, printable(text))
            return read(path) if time_of(text) else None

        self.coursedir.get_existing_timestamp = tolerant

    def convert_single_notebook(self, notebook_filename: str) -> None:
        try:
            super().convert_single_notebook(notebook_filename)
        except Unreadable as refused:
            lesson = self._lesson()
            if not lesson:
                raise
            found = self.init_single_notebook_resources(notebook_filename)["nbgrader"]
            self.refused[found["student"]] = refused.reason
            self.log.error("%s: %s", notebook_filename, refused.reason)
            self._put_before_a_person(found["student"], found["assignment"], lesson, refused.reason)

    def convert_notebooks(self) -> None:
        super().convert_notebooks()
        if self.refused:
            told = "; ".join(f"{student}: {reason}" for student, reason in self.refused.items())
            raise NbGraderException(f"Not graded, and waiting for a person: {told}")

    def _lesson(self) -> str | None:
        return next((lesson for lesson in LESSONS if folder(lesson) == self.coursedir.assignment_id), None)

    def _submission(self, student: str, lesson: str) -> Submission:
        return located(Path(self.coursedir.format_path(self.coursedir.submitted_directory, ".", ".")), student, lesson)

    @staticmethod
    def _is_handed_in(submission: Submission) -> bool:
        try:
            return submission.file()[0] is not None
        except Unreadable:  # said when its turn comes
            return True

    def _put_before_a_person(self, student: str, assignment: str, lesson: str, reason: str) -> None:
        submission = self._submission(student, lesson)
        found = without_answers(submission, reason, course_seed.hidden()[0])
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            rows = Rows(gradebook, lesson)
            target = Path(self.coursedir.format_path(self.coursedir.autograded_directory, student, assignment))
            found = replace(found, time_stamp=submission.time_stamp())
            write_autograded(rows, Autograded(found, release_of(gradebook, assignment, lesson), b""), target)
            rows.send()
            gradebook.db.commit()
