"""Results into nbgrader: its gradebook and its autograded/ folder, for a whole class at once.

After that formgrader, ``nbgrader generate_feedback`` and ``nbgrader export`` go on as if ``nbgrader autograde``
had run. All rows are one transaction; the result files stay what counts, and the gradebook can be filled again.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.utils import compute_checksum, parse_utc
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError

from autograde.engine.exercise import Status
from autograde.exercises import folder
from autograde.grading import results
from autograde.grading.errors import GradingError
from autograde.grading.records import Result
from autograde.submissions.document import load_bytes
from autograde.submissions.folders import Submission, located
from autograde.submissions.notebook import Unreadable, whole

from .gradebook_rows import Rows
from .restored_notebook import Released, restored, show_notices, show_reports


def fill(url: str, out: Path, submitted: Path, lessons: Iterable[str]) -> int:
    """Writes results of these lessons into the gradebook at ``url`` and notebooks into autograded/ beside ``submitted``.

    Returns how many submissions were written. Raises GradingError where the gradebook does not know the lesson, or
    cannot be written.
    """
    file = make_url(url).database
    if make_url(url).get_backend_name() == "sqlite" and not Path(file or "").is_file():
        raise GradingError(f"there is no gradebook {file}: run nbgrader generate_assignment first")
    try:
        with Gradebook(url) as gradebook:
            count = sum(_fill_lesson(gradebook, lesson, out, submitted) for lesson in lessons)
            gradebook.db.commit()
            return count
    except DatabaseError as error:
        raise GradingError(
            f"the gradebook {url} cannot be written ({error.orig}). The results in {out} are whole: run the same command again"
        ) from None


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


def _fill_lesson(gradebook: Gradebook, lesson: str, out: Path, submitted: Path) -> int:
    try:
        release = release_of(gradebook, folder(lesson), lesson)
    except MissingEntry:
        raise GradingError(
            f"the gradebook does not know {folder(lesson)}: run nbgrader generate_assignment {folder(lesson)} first"
        ) from None
    rows, count = Rows(gradebook, lesson), 0
    for result in _handed_in(out, lesson):
        _same_points(result, release)
        submission = located(submitted, result.student, lesson)
        write_autograded(rows, result, release, submission, submitted.parent / "autograded" / result.student / folder(lesson))
        count += 1
    rows.send()
    return count


def write_autograded(rows: Rows, result: Result, release: list[Released], submission: Submission, target: Path) -> None:
    """One submission's notebook into the folder ``target``, and its grades to ``rows``."""
    notebook, written = autograded(result, release, submission), _timestamp(submission)
    _write(target / f"{result.lesson}.ipynb", nbformat.writes(notebook) + "\n")
    if written:
        _write(target / "timestamp.txt", written)
    rows.add(result, _untouched(notebook), parse_utc(written) if written else None)


def _handed_in(out: Path, lesson: str) -> Iterator[Result]:
    for path in sorted(out.glob(f"*/{lesson}.json")):
        result = results.read(path)
        if result is not None and result.status != Status.NOT_SUBMITTED:
            if path.parent.name != path.parent.name.encode("utf-8", "replace").decode():
                raise GradingError(f"{path.parent.name!a} is no name for a student in a gradebook: rename the folder")
            yield result


def _same_points(result: Result, release: list[Released]) -> None:
    released = {cell.name: cell.points for cell in release if cell.grade}
    for answer in result.answers:
        if answer.name in released and released[answer.name] != answer.points:
            raise GradingError(
                f"{answer.name} is worth {answer.points:g} points and {released[answer.name]:g} in the "
                f"gradebook: run nbgrader generate_assignment {folder(result.lesson)} --force"
            )


def autograded(result: Result, release: list[Released], submission: Submission) -> nbformat.NotebookNode:
    """The notebook that a marker and the learner will see; of an unreadable file the release, with the reason on top."""
    try:
        path, _ = submission.file()
        cells = whole(load_bytes(path), []) if path else []
    except Unreadable:
        cells = []
    notebook = restored(cells, release, [])
    show_notices(notebook, [*[result.common_reason] * bool(result.common_reason), *result.notices])
    show_reports(notebook, {answer.name: answer.report for answer in result.answers})
    return notebook


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.tmp")
    beside.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    os.replace(beside, path)


def _timestamp(submission: Submission) -> str:
    """What nbgrader's collecting wrote into timestamp.txt; "" where there is none that can be read."""
    with contextlib.suppress(Unreadable, ValueError, OverflowError):
        text = load_bytes(submission.folder / "timestamp.txt")[:100].decode("utf-8-sig").strip() if submission.folder else ""
        return text if text and parse_utc(text) else ""
    return ""


def _untouched(notebook: nbformat.NotebookNode) -> set[str]:
    """Answer cells that are as they were released: nbgrader's marker reads "No response."."""
    return {
        cell.metadata.nbgrader.grade_id
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)
    }
