"""Where a class's submissions lie, and what is to be done with each.

    SUBMITTED/{student}/{NN_lesson}/{lesson}.ipynb

is how nbgrader collects them. A folder without the number, another file name or one folder too many are
understood; links are not followed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograde.exercises import LESSONS, folder, in_lesson

from .demo_code import without_demonstrations
from .document import Unreadable, load_bytes
from .notebook import Notebook, find, read
from .second_look import checked_in


@dataclass(frozen=True)
class Submission:
    """What one student handed in for one lesson; ``folder`` is None where there is nothing."""

    student: str
    lesson: str
    folder: Path | None

    def file(self) -> tuple[Path | None, str]:
        """The notebook, and a notice where its name is another; None where there is nothing. Raises Unreadable."""
        if self.folder is None:
            return None, ""
        if self.folder.is_symlink():
            raise Unreadable("the folder is a symbolic link: hand in the folder itself")
        try:
            path, notice = find(self.folder, f"{self.lesson}.ipynb")
        except OSError as error:
            raise Unreadable(f"the folder cannot be read ({error.strerror or type(error).__name__})") from None
        if notice and path is None:
            raise Unreadable(notice)
        return path, notice

    def time_stamp(self) -> str:
        """What nbgrader's collecting wrote into timestamp.txt; "" where there is nothing that could be one."""
        if self.folder is None or self.folder.is_symlink():
            return ""
        try:
            return load_bytes(self.folder / "timestamp.txt")[:100].decode("utf-8-sig").strip()
        except (Unreadable, ValueError):
            return ""


@dataclass(frozen=True)
class Job:
    """All that is needed to mark a submission, on this machine or on another.

    checked: exercise -> number (from 1) of the code cell in which its check stands.
    """

    submission: Submission
    cells: tuple[str, ...]
    notices: tuple[str, ...]
    sha256: str
    seed: int
    checked: dict[str, int] = field(default_factory=dict)


def students(submitted: Path) -> list[str]:
    return sorted(path.name for path in submitted.iterdir() if path.is_dir() and not path.name.startswith("."))


def handed_in(submitted: Path, names: list[str]) -> list[str]:
    """The lessons that anybody handed in, in the course's order. A folder that cannot be read tells nothing."""
    found = {lesson for name in names for lesson, path in _folders(submitted / name).items() if path != submitted / name}
    return [lesson for lesson in LESSONS if lesson in found]


def listed(submitted: Path, names: Iterable[str], lessons: Sequence[str]) -> Iterator[Submission]:
    for name in names:
        folders = _folders(submitted / name)
        for lesson in lessons:
            yield Submission(name, lesson, folders.get(lesson))


def located(submitted: Path, student: str, lesson: str) -> Submission:
    return Submission(student, lesson, _folders(submitted / student).get(lesson) if (submitted / student).is_dir() else None)


def _folders(student: Path) -> dict[str, Path]:
    """Lesson -> folder. nbgrader's own name wins over one without or with another number.

    Of a folder that cannot be read all lessons may lie in it: what is asked of them says why not.
    """
    found: dict[str, Path] = {}
    try:
        inside = [] if student.is_symlink() else sorted(student.iterdir())
    except OSError:
        return {lesson: student for lesson in LESSONS}
    for path in inside:
        lesson = re.sub(r"^\d+_", "", path.name)
        if lesson in LESSONS and path.is_dir() and (lesson not in found or path.name == folder(lesson)):
            found[lesson] = path
    return found


def opened(data: bytes, lesson: str) -> Notebook:
    """A file's bytes as a notebook of this lesson. Raises Unreadable, for another lesson's notebook too."""
    notebook = read(data, [record.name for record in in_lesson(lesson)])
    if not _names_in(notebook.cells, lesson):
        raise Unreadable("none of this lesson's answers is in the notebook: is it the right file?")
    return notebook


def job_for(submission: Submission, notebook: Notebook, seed: int, notices: Iterable[str] = ()) -> Job:
    """Demonstrations are left out here, where the release lies, and not on whatever machine does the job."""
    cells = without_demonstrations(notebook.cells, submission.lesson)
    checked = checked_in(notebook.cells, [record.name for record in in_lesson(submission.lesson)])
    return Job(submission, cells, (*notices, *notebook.notices), notebook.sha256, seed, checked)


def lesson_of(cells: tuple[str, ...]) -> str:
    """The lesson most of whose answers are in the cells. Raises Unreadable where none is."""
    best = max(LESSONS, key=lambda lesson: _names_in(cells, lesson))
    if not _names_in(cells, best):
        raise Unreadable("no answer to any lesson's exercises is in this notebook: is it the right file?")
    return best


def _names_in(cells: tuple[str, ...], lesson: str) -> int:
    """How many of the lesson's names occur. None at all: another lesson's notebook, which is not "not attempted"."""
    words = set(re.findall(r"\w+", "\n".join(cells)))
    return sum(record.name in words for record in in_lesson(lesson))
