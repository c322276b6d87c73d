"""Results into nbgrader: its gradebook and its autograded/ folder, for a whole class at once.

After that formgrader, ``nbgrader generate_feedback`` and ``nbgrader export`` go on as if ``nbgrader autograde``
had run. All rows are one transaction; the result files stay what counts, and the gradebook can be filled again.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook

from autograde.engine.exercise import Status
from autograde.exercises import folder
from autograde.grading import attempts, results
from autograde.grading.errors import GradingError
from autograde.grading.records import Result
from autograde.grading.versions import exercises_version

from .autograded import Autograded, release_of, remove, write_autograded
from .database import known, opened
from .gradebook_rows import Rows
from .late import Penalties, assign, penalties
from .restored_notebook import Released


@dataclass(frozen=True)
class Filled:
    """count: submissions that were written. notices: what somebody should look at."""

    count: int
    notices: tuple[str, ...]


def fill(gradebook: str, out: Path, submitted: Path, lessons: Iterable[str]) -> Filled:
    """Writes results of these lessons into a gradebook and notebooks into autograded/ beside ``submitted``.

    gradebook: a path or a URL. Raises GradingError where the gradebook does not know the lesson, or cannot be written.
    """
    count = 0
    notices: list[str] = []
    plugin = penalties(submitted.absolute().parent)
    with opened(gradebook) as book:
        for lesson in lessons:
            count += _fill_lesson(book, lesson, (out, submitted), plugin, notices)
        book.db.commit()
    return Filled(count, tuple(notices))


def _fill_lesson(book: Gradebook, lesson: str, folders: tuple[Path, Path], plugin: Penalties, notices: list[str]) -> int:
    known(book, lesson)
    out, submitted = folders
    release, rows, count = release_of(book, folder(lesson), lesson), Rows(book, lesson), 0
    home = submitted.parent / "autograded"
    for path, result in _handed_in(out, lesson):
        _same_points(result, release)
        shown = Autograded(result, release, attempts.kept(path, result))
        if not write_autograded(rows, shown, home / result.student / folder(lesson)):
            notices.append(f"{result.student} {lesson}: timestamp.txt holds no time ({result.time_stamp[:40]!a}); not late")
        count += 1
    rows.send()
    gone = {path.parent.name for path in out.glob(f"*/{lesson}{results.REMOVED}")} & set(rows.known)
    for student in sorted(gone):
        if rows.remove(student):
            remove(home / student / folder(lesson), lesson)
        else:
            notices.append(f"{student} {lesson}: no longer handed in, and kept in the gradebook for what was marked by hand")
    assign(book, folder(lesson), lesson, plugin)
    return count


def _handed_in(out: Path, lesson: str) -> Iterator[tuple[Path, Result]]:
    for path in sorted(out.glob(f"*/{lesson}.json")):
        result = results.read(path)
        if result is not None and result.status != Status.NOT_SUBMITTED:
            if path.parent.name != path.parent.name.encode("utf-8", "replace").decode():
                raise GradingError(f"{path.parent.name!a} is no name for a student in a gradebook: rename the folder")
            yield path, result


def _same_points(result: Result, release: list[Released]) -> None:
    released = {cell.name: cell.points for cell in release if cell.grade}
    for answer in result.answers:
        if released.get(answer.name, answer.points) == answer.points:
            continue
        if result.exercises_version != exercises_version(result.lesson):
            advice = f"the result of {result.student} is of an earlier version of the exercises: run autograde grade again"
        else:
            advice = f"release the lesson anew: nbgrader generate_assignment {folder(result.lesson)} --force"
        raise GradingError(
            f"{answer.name} is worth {answer.points:g} points in the results and {released[answer.name]:g} in the gradebook. "
            + advice
        )
