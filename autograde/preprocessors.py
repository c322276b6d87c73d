"""nbgrader's own ``autograde`` with our reader, our repairs and the sandbox: named in ``nbgrader_config.py``.

    from autograde.preprocessors import configure
    configure(c)

``nbgrader autograde`` and the formgrader's button then read what front ends have mangled, restore lost and
doubled cells, never run a learner's code in a kernel, and give the scores of ``autograde grade``.
"""

import hashlib

import nbformat
from nbconvert.exporters import NotebookExporter
from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbgrader import preprocessors as stock
from nbgrader.api import Gradebook

from .document import load_bytes
from .exercises import LESSONS, in_lesson
from .gradebook import release_of
from .marking import mark
from .nbgrader_export import CsvExport
from .notebook import Notebook, whole
from .notebook_commands import hidden_seed
from .restore import plain, restored, show_reports
from .results import NOT_GRADABLE, Refused, report, unknown
from .sandbox import Nursery
from .submissions import Submission, job_for

_nursery: list[Nursery] = []  # one for the life of this process: starting it costs a second


class TolerantExporter(NotebookExporter):
    """Reads a submission's bytes as ``autograde grade`` does. Raises Unreadable, a sentence, for that student alone."""

    def from_filename(self, filename, resources=None, **more):
        notices: list[str] = []
        notebook = plain(whole(load_bytes(filename), notices))
        for notice in notices:
            self.log.warning("%s: %s", filename, notice)
        return self.from_notebook_node(notebook, resources=resources, **more)


class Restore(stock.DeduplicateIds):
    """Every cell of the release stands in the notebook once, wherever a front end has put, copied or lost it."""

    def preprocess(self, nb, resources):
        nbgrader, notices = resources["nbgrader"], []
        with Gradebook(nbgrader["db_url"]) as gradebook:
            release = release_of(gradebook, nbgrader["assignment"], nbgrader["notebook"])
        nb = restored(whole(nbformat.writes(nb).encode(), notices), release, notices)
        for notice in notices:
            self.log.warning(notice)
        return nb, resources


class Execute(stock.Execute):
    """The cells run in the sandbox, and each check cell gets the judge's report and its score."""

    def preprocess(self, nb, resources, km=None):
        nbgrader = resources["nbgrader"]
        if nbgrader["notebook"] not in LESSONS:
            return super().preprocess(nb, resources, km)
        result = self._result(nb, nbgrader["student"], nbgrader["notebook"])
        answers = {answer["name"]: answer for answer in result}
        resources["without_score"] = {name for name, answer in answers.items() if answer["status"] == NOT_GRADABLE}
        show_reports(nb, {name: report(answer) for name, answer in answers.items()})
        return nb, resources

    def _result(self, nb, student: str, lesson: str) -> list[dict]:
        cells = tuple(cell.source for cell in nb.cells if cell.cell_type == "code")
        sha256 = hashlib.sha256("\0".join(cells).encode()).hexdigest()
        marked = mark(job_for(Submission(student, lesson, None), Notebook(cells, (), sha256), hidden_seed()), nursery())
        if marked.refused:
            raise Refused(marked.refused)
        if marked.result is None:
            self.log.error("%s: %s", student, marked.failure)
            return unknown(in_lesson(lesson), marked.failure)
        return marked.result["answers"]


class SaveAutoGrades(stock.SaveAutoGrades):
    """An answer that could not be graded waits for a person: nbgrader would give it all points, or none."""

    def _add_score(self, cell, resources):
        super()._add_score(cell, resources)
        nbgrader, name = resources["nbgrader"], cell.metadata["nbgrader"]["grade_id"]
        if name in resources.get("without_score", ()):
            grade = self.gradebook.find_grade(name, nbgrader["notebook"], nbgrader["assignment"], nbgrader["student"])
            grade.auto_score, grade.needs_manual_grade = None, True
            self.gradebook.db.commit()


def nursery() -> Nursery:
    if not _nursery:
        _nursery.append(Nursery())
    return _nursery[0]


def configure(c) -> None:
    """Names the classes above in nbgrader's configuration ``c``; everything else stays as it is."""
    c.Autograde.exporter_class = TolerantExporter
    c.Autograde.sanitize_preprocessors = [
        stock.ClearOutput, Restore, stock.OverwriteKernelspec, stock.OverwriteCells, stock.CheckCellMetadata]
    c.Autograde.autograde_preprocessors = [
        Execute, stock.IgnorePattern, ClearMetadataPreprocessor, stock.LimitOutput, SaveAutoGrades,
        stock.AssignLatePenalties, stock.CheckCellMetadata]
    c.ExportApp.plugin_class = CsvExport
