"""The secret seed of the hidden cases: drawn once for a folder of results, and kept there in ``run.json``."""

import json
import secrets
from pathlib import Path

from .errors import GradingError
from .results import write_bytes


def seed_of(out: Path, given: int | None) -> int:
    """The given seed, else the one already drawn for this folder, else a new one. Raises GradingError."""
    stored = out / "run.json"
    if given is None and stored.exists():
        try:
            return int(json.loads(stored.read_text(encoding="utf-8"))["seed"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise GradingError(f"{stored} cannot be read: give the seed of its results with --seed") from None
    seed = secrets.randbits(32) if given is None else given
    write_bytes(stored, (json.dumps({"seed": seed}, indent=1) + "\n").encode())
    return seed
