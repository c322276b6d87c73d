"""What of ``course_utils`` cells may import while a lesson is graded, and what answers it and is withheld."""

import functools
from pathlib import Path

import course_utils
from autograde.sandbox.wire import CourseModules

from . import LESSONS

COURSE_UTILS = Path(course_utils.__file__).parent
SHARED = ("datasets", "language_model")  # the top-level modules that are no lesson's reference
HOSTS = ("course_utils.explorers.kit.live", "course_utils.explorers.kit.player")  # they need widgets, or a page


@functools.cache
def course_modules(lesson: str) -> CourseModules:
    """References of this lesson and of later ones are withheld; explorers, which nobody sees, are stubs."""
    withheld = tuple(f"course_utils.{name}" for name in references()[LESSONS.index(lesson) :])
    files = {
        _module(path): str(path)
        for path in sorted(COURSE_UTILS.rglob("*.py"))
        if path.relative_to(COURSE_UTILS).parts[0] != "data"
    }
    return CourseModules(
        {name: path for name, path in files.items() if name not in withheld and not _is_explorer(name)}, withheld
    )


def references() -> tuple[str, ...]:
    """The top-level modules that hold answers, in the order of their lessons.

    One that no lesson grades yet is later than all that do: who adds a module need not remember this list.
    """
    found = {path.stem for path in COURSE_UTILS.glob("*.py")} - {"__init__", *SHARED, *LESSONS}
    return (*LESSONS, *sorted(found))


def _is_explorer(name: str) -> bool:
    """A lesson's explorers, and what shows one: not what they are all made of."""
    inside = name.removeprefix("course_utils.explorers.")
    return name in HOSTS or inside != name and inside.partition(".")[0] != "kit"


def _module(path: Path) -> str:
    """.../course_utils/explorers/kit/svg.py -> course_utils.explorers.kit.svg"""
    parts = path.relative_to(COURSE_UTILS.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
