"""nbgrader's own ``autograde`` with our reader, our repairs and the sandbox: named in ``nbgrader_config.py``.

    from autograde.nbgrader_plugin.preprocessors import configure
    configure(c)

``nbgrader autograde`` and the formgrader's button then read what front ends have mangled, restore lost and
doubled cells, never run a learner's code in a kernel, and give the scores of ``autograde grade``.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbconvert.exporters import NotebookExporter
from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbgrader import preprocessors as stock
from nbgrader.api import Gradebook
from nbgrader.apps import api, autogradeapp, generatefeedbackapp

from autograde import course_seed
from autograde.engine.exercise import Status
from autograde.exercises import LESSONS, in_lesson
from autograde.grading.errors import GradingError
from autograde.grading.marking import mark
from autograde.grading.records import AnswerResult, unknown
from autograde.sandbox.host.sandbox import Sandbox
from autograde.submissions.document import load_bytes
from autograde.submissions.folders import Submission, job_for, located, opened
from autograde.submissions.notebook import Notebook, whole

from .autograde_command import Autograde
from .autograded import release_of
from .export import CsvExport
from .feedback import GenerateFeedback
from .restored_notebook import PUT_BACK, as_handed_in, restored, show_notices, show_reports

_sandboxes: list[Sandbox] = []  # one for the life of this process: starting it costs a second


class TolerantExporter(NotebookExporter):
    """Reads a submission's bytes as ``autograde grade`` does. Raises Unreadable, a sentence, for that student alone."""

    def from_filename(self, filename, resources=None, **more):
        if not getattr(self.parent, "_sanitizing", False):  # the second time: what we have written ourselves
            return super().from_filename(filename, resources=resources, **more)
        path, notices, lesson = Path(filename), [], Path(filename).stem
        if lesson in LESSONS:
            found, notice = located(path.parents[2], path.parents[1].name, lesson).file()
            data = load_bytes(found or path)
            cells, notices = whole(data, []), [notice] * bool(notice) + list(opened(data, lesson).notices)
        else:
            cells = whole(load_bytes(path), notices)
        for notice in notices:
            self.log.warning("%s: %s", filename, notice)
        resources["notices"] = notices
        return self.from_notebook_node(as_handed_in(cells), resources=resources, **more)


class Restore(stock.DeduplicateIds):
    """Every cell of the release stands in the notebook once, wherever a front end has put, copied or lost it."""

    def preprocess(self, nb, resources):
        nbgrader = resources["nbgrader"]
        notices: list[str] = []
        with Gradebook(nbgrader["db_url"]) as gradebook:
            release = release_of(gradebook, nbgrader["assignment"], nbgrader["notebook"])
        nb = restored(whole(nbformat.writes(nb).encode(), notices), release, notices)
        for notice in notices:
            self.log.warning(notice)
        show_notices(nb, resources["notices"])
        return nb, resources


class Execute(stock.Execute):
    """The cells run in the sandbox, and each check cell gets the judge's report and its score."""

    def preprocess(self, nb, resources, km=None):
        nbgrader = resources["nbgrader"]
        if nbgrader["notebook"] not in LESSONS:
            return super().preprocess(nb, resources, km)
        answers, notices = self._answers(nb, nbgrader["student"], nbgrader["notebook"])
        resources["scored"] = {answer.name for answer in answers if answer.status != Status.NOT_GRADABLE}
        show_reports(nb, {answer.name: answer.report for answer in answers})
        show_notices(nb, notices)
        return nb, resources

    def _answers(self, nb, student: str, lesson: str) -> tuple[Sequence[AnswerResult], Sequence[str]]:
        cells = tuple(
            cell.source for cell in nb.cells if cell.cell_type == "code" and PUT_BACK not in cell.metadata.get("tags", ())
        )
        sha256 = hashlib.sha256("\0".join(cells).encode()).hexdigest()
        job = job_for(Submission(student, lesson, None), Notebook(cells, (), sha256), course_seed.hidden()[0])
        marked = mark(job, sandbox())
        if marked.result is None or marked.limited:  # as in ``grading``: a busy machine may have done it
            marked = mark(job, sandbox())
        if marked.refused:
            raise GradingError(marked.refused)
        if marked.result is None:
            self.log.error("%s: %s", student, marked.failure)
            return unknown(in_lesson(lesson), marked.failure), []
        return marked.result.answers, marked.result.notices


class SaveAutoGrades(stock.SaveAutoGrades):
    """An answer without a score waits for a person: nbgrader would give it all points, or none.

    So does everything after ``--no-execute``, for which nbgrader gives everybody all points.
    """

    def _add_score(self, cell, resources):
        super()._add_score(cell, resources)
        nbgrader, name = resources["nbgrader"], cell.metadata["nbgrader"]["grade_id"]
        if nbgrader["notebook"] in LESSONS and name not in resources.get("scored", ()):
            grade = self.gradebook.find_grade(name, nbgrader["notebook"], nbgrader["assignment"], nbgrader["student"])
            grade.auto_score, grade.needs_manual_grade = None, True
            self.gradebook.db.commit()


def sandbox() -> Sandbox:
    if not _sandboxes:
        _sandboxes.append(Sandbox())
    return _sandboxes[0]


def configure(c) -> None:
    """Names the classes above in nbgrader's configuration ``c``; everything else stays as it is.

    Where submissions are found, and what feedback leaves out, no setting says: the commands and the formgrader's buttons get
    our ``Autograde`` and ``GenerateFeedback`` by their names.
    """
    autogradeapp.Autograde = api.Autograde = Autograde
    generatefeedbackapp.GenerateFeedback = api.GenerateFeedback = GenerateFeedback
    c.Autograde.exporter_class = TolerantExporter
    c.Autograde.sanitize_preprocessors = [
        stock.ClearOutput,
        Restore,
        stock.OverwriteKernelspec,
        stock.OverwriteCells,
        stock.CheckCellMetadata,
    ]
    c.Autograde.autograde_preprocessors = [
        Execute,
        stock.IgnorePattern,
        ClearMetadataPreprocessor,
        stock.LimitOutput,
        SaveAutoGrades,
        stock.AssignLatePenalties,
        stock.CheckCellMetadata,
    ]
    c.ExportApp.plugin_class = CsvExport
