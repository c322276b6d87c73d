"""The course's secret seed of the hidden cases: made once, kept where the gradebook is, never handed out.

Every entry point finds it: ``autograde grade``, nbgrader with our classes, and stock nbgrader, whose kernels run below
the course's folder. AUTOGRADE_SEED in the environment goes before it. Without either, the hidden cases are those of a seed
that ships with the package, which learners can look up: so it is said.
"""

import contextlib
import os
import secrets
from pathlib import Path

FILE = "autograde_seed.txt"
SHIPPED = 20170612  # still other cases than the visible ones, but known to whoever reads this
LEVELS = 4  # autograded/student/assignment is three below the course's folder
MISSING = "this course has no secret seed yet, so the hidden cases can be looked up: run autograde seed in the course's folder"


class SeedError(Exception):
    """The seed's file or variable holds no seed."""


def hidden(start: Path | None = None) -> tuple[int, str]:
    """The seed of the hidden cases, and what has to be said about it. start: a folder of the course."""
    try:
        seed = from_environment()
        seed = in_course(start or Path.cwd()) if seed is None else seed
    except SeedError as error:
        return SHIPPED, str(error)
    return (SHIPPED, MISSING) if seed is None else (seed, "")


def from_environment() -> int | None:
    """Raises SeedError."""
    text = os.environ.get("AUTOGRADE_SEED", "").strip()
    return _number(text, "AUTOGRADE_SEED") if text else None


def in_course(start: Path) -> int | None:
    """The seed kept in this folder or the nearest above it. Raises SeedError."""
    for folder in [start.resolve(), *start.resolve().parents][:LEVELS]:
        with contextlib.suppress(FileNotFoundError):
            return stored(folder)
    return None


def stored(folder: Path) -> int:
    """Raises SeedError, or FileNotFoundError where none was made."""
    path = folder / FILE
    try:
        return _number(path.read_text(encoding="utf-8").strip(), str(path))
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        raise SeedError(f"{path} cannot be read ({type(error).__name__})") from None


def made(folder: Path, seed: int | None = None) -> int:
    """The folder's seed, made if there is none: only its owner may read it. Raises SeedError, OSError."""
    path = folder / FILE
    with contextlib.suppress(FileExistsError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="utf-8") as file:
            file.write(f"{secrets.randbits(32) if seed is None else seed}\n")
    return stored(folder)


def _number(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise SeedError(f"{where} is {text[:20]!r}, expected was a whole number of 0 or more")
    return int(text)
