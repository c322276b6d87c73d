"""The secret seed of a folder of results, and whose submissions these are: ``OUT/run.json``."""

import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from autograde import course_seed

from .errors import GradingError
from .results import write_bytes


@dataclass(frozen=True)
class Run:
    """seed: of the hidden cases. submitted: the folder whose submissions were graded, "" where it is not known."""

    seed: int
    submitted: str = ""


def earlier_run(out: Path) -> Run | None:
    """What an earlier run into this folder left. Raises GradingError."""
    stored = out / "run.json"
    try:
        content = json.loads(stored.read_text(encoding="utf-8"))
        return Run(int(content["seed"]), str(content.get("submitted", "")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise GradingError(f"{stored} cannot be read: delete it, and give the seed of its results with --seed") from None


def seed_of(earlier: Run | None, given: int | None, submitted: Path) -> int:
    """The given seed, else the one of earlier results, else the course's, else a new one. Raises GradingError."""
    if given is not None:
        return given
    if earlier is not None:
        return earlier.seed
    try:
        found = course_seed.from_environment()
        found = course_seed.in_course(submitted.parent) if found is None else found
    except course_seed.SeedError as error:
        raise GradingError(str(error)) from None
    return secrets.randbits(32) if found is None else found


def remember(out: Path, run: Run) -> None:
    write_bytes(out / "run.json", (json.dumps(asdict(run), indent=1) + "\n").encode("utf-8", "backslashreplace"))
