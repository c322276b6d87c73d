"""The notebook that a marker and the learner will see: the attempt that counts, restored, with the grader's reports in it."""

import contextlib
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import nbformat
from nbformat.v4 import nbjson
from nbgrader.api import Gradebook
from nbgrader.utils import compute_checksum, parse_utc

from autograde.grading.records import Result
from autograde.submissions.document import Unreadable
from autograde.submissions.notebook import whole

from .gradebook_rows import Rows
from .restored_notebook import Released, restored, show_notices, show_reports


def release_of(gradebook: Gradebook, assignment: str, notebook: str) -> list[Released]:
    """The cells of the release in their order. Raises MissingEntry."""
    source = gradebook.find_notebook(notebook, assignment)
    points = {cell.name: float(cell.max_score) for cell in (*source.grade_cells, *source.task_cells)}
    grade, solution, task = (
        {cell.name for cell in cells} for cells in (source.grade_cells, source.solution_cells, source.task_cells)
    )
    return [
        Released(
            cell.name,
            cell.cell_type,
            cell.source,
            cell.checksum,
            cell.locked,
            cell.name in grade,
            cell.name in solution,
            cell.name in task,
            points.get(cell.name),
        )
        for cell in source.source_cells
    ]


@dataclass(frozen=True)
class Autograded:
    """data: the file that was marked; None where it was not kept."""

    result: Result
    release: list[Released]
    data: bytes | None

    def notebook(self) -> nbformat.NotebookNode:
        """Of an unreadable file the release, with the reason on top."""
        result, notices = self.result, []
        try:
            cells = whole(self.data, []) if self.data else []
        except Unreadable:
            cells = []
        notebook = restored(cells, self.release, [])
        if self.data is None and result.submission_sha256:
            notices.append("the file that was marked is gone: grade again with autograde grade")
        show_notices(notebook, [*notices, *result.notices], result.common_reason)
        show_reports(notebook, {answer.name: answer.report for answer in result.answers})
        return notebook


def write_autograded(rows: Rows, shown: Autograded, target: Path) -> bool:
    """One submission's notebook into the folder ``target``, its grades to ``rows``. False: its time stamp is no time."""
    notebook, stamp = shown.notebook(), shown.result.time_stamp
    time = time_of(stamp)
    _write(target / f"{shown.result.lesson}.ipynb", nbjson.writes(notebook) + "\n")
    if time:
        _write(target / "timestamp.txt", stamp)
    else:
        (target / "timestamp.txt").unlink(missing_ok=True)
    unread = bool(shown.result.common_reason)  # "No response." would blame the learner for what nobody could read
    rows.add(shown.result, set() if unread else _untouched(notebook), time)
    return not stamp or time is not None


def remove(target: Path, lesson: str) -> None:
    for name in (f"{lesson}.ipynb", "timestamp.txt"):
        (target / name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # somebody has put more there
        target.rmdir()


def time_of(stamp: str) -> datetime | None:
    """What nbgrader reads in timestamp.txt; None for a text that is no time."""
    with contextlib.suppress(ValueError, OverflowError):
        return parse_utc(stamp) if stamp else None
    return None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.tmp")
    beside.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    os.replace(beside, path)


def _untouched(notebook: nbformat.NotebookNode) -> set[str]:
    """Answer cells that are as they were released: nbgrader's marker reads "No response."."""
    return {
        cell.metadata.nbgrader.grade_id
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)
    }
