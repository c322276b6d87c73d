"""Opening nbgrader's gradebook, wherever it lies, with a sentence for everything that can be wrong about it."""

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError

from autograde.exercises import folder
from autograde.grading.errors import GradingError

DRIVERS = {
    "postgresql": 'python -m pip install -e ".[postgresql]" in the course\'s folder, and a URL that begins with '
    "postgresql+psycopg://"
}


def url_of(text: str) -> str:
    """A plain path as SQLite's URL; any other URL as it is."""
    return text if "://" in text else f"sqlite:///{Path(text).absolute()}"


def course_folder(text: str) -> Path:
    """Where the gradebook is; of one that is no file, the folder of the command."""
    url = make_url(url_of(text))
    return Path(url.database or "").absolute().parent if url.get_backend_name() == "sqlite" else Path.cwd()


@contextlib.contextmanager
def opened(text: str) -> Iterator[Gradebook]:
    """The gradebook at a path or URL. Raises GradingError; what was not committed by then is not written."""
    url = _checked(text)
    shown = make_url(url).render_as_string(hide_password=True)
    try:
        with Gradebook(url) as gradebook:
            yield gradebook
    except DatabaseError as error:
        why = str(error.orig).strip().splitlines()[0]
        raise GradingError(f"the gradebook {shown} cannot be read or written ({why}): nothing of it was changed") from None


def _checked(text: str) -> str:
    url = url_of(text)
    try:
        backend = make_url(url).get_backend_name()
        make_url(url).get_dialect().import_dbapi()
    except (ArgumentError, NoSuchModuleError):
        raise GradingError(f"{text} is no gradebook: give a file, or a URL such as sqlite:///gradebook.db") from None
    except ImportError as error:
        advice = DRIVERS.get(backend, f"python -m pip install {error.name}")
        raise GradingError(f"a gradebook of {backend} needs {error.name}: {advice}") from None
    file = make_url(url).database or ""
    if backend == "sqlite" and not Path(file).is_file():
        raise GradingError(f"there is no gradebook {file}: run nbgrader generate_assignment first")
    return url


def check(text: str, lessons: Iterable[str]) -> None:
    """What can be known before anybody is graded. Raises GradingError."""
    with opened(text) as gradebook:
        for lesson in lessons:
            known(gradebook, lesson)


def known(gradebook: Gradebook, lesson: str) -> None:
    """Raises GradingError for a lesson that was not released with this gradebook."""
    try:
        gradebook.find_notebook(lesson, folder(lesson))
    except MissingEntry:
        name = folder(lesson)
        raise GradingError(
            f"the gradebook does not know {name}: run nbgrader generate_assignment {name} first (with --force "
            "where the notebook is there already)"
        ) from None
