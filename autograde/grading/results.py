"""Result files: one per submission, written whole or not at all, and the same bytes however they came about.

``OUT/{student}/{lesson}.json`` holds what was found, ``OUT/run.json`` the seed of this folder. What changes
from run to run (times, progress) stands in ``OUT/events.log``.
"""

import functools
import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from autograde.engine.exercise import CheckResult, Diagnosis, Report

SCORED, NOT_ATTEMPTED, NOT_GRADABLE, NOT_SUBMITTED = "scored", "not attempted", "not gradable", "not submitted"


class GradingError(Exception):
    """The command cannot do its work, in words for whoever called it."""


def result(
    student: str,
    lesson: str,
    answers: list[dict],
    *,
    seed: int,
    sha256: str | None,
    notices=(),
    sandbox=(),
    status: str | None = None,
) -> dict:
    """The content of a result file. ``score`` is None where a part of it is not known: never a 0."""
    scores = [answer["score"] for answer in answers]
    unknown = status in (NOT_GRADABLE, NOT_SUBMITTED) or None in scores
    return {
        "student": student,
        "lesson": lesson,
        "status": status or _status(answers),
        "score": None if unknown else float(sum(scores)),
        "points": float(sum(answer["points"] for answer in answers)),
        "answers": answers,
        "notices": list(notices),
        "sandbox": list(sandbox),
        "seed": seed,
        "submission_sha256": sha256,
        "exercises_version": exercises_version(lesson),
    }


def _status(answers: list[dict]) -> str:
    found = {answer["status"] for answer in answers}
    return NOT_GRADABLE if NOT_GRADABLE in found else NOT_ATTEMPTED if found == {NOT_ATTEMPTED} else SCORED


def answer(report: Report) -> dict:
    """A Report as it stands in a result file."""
    return {
        "name": report.name,
        "status": report.status,
        "score": None if report.status == NOT_GRADABLE else report.score,
        "points": report.points,
        "diagnosis": asdict(report.diagnosis) if report.diagnosis else None,
        "checks": [asdict(check) for check in report.checks],
        "reason": report.reason or _seen(report),
    }


def _seen(report: Report) -> str:
    """For a wrong answer without a diagnosis: what could be said all the same."""
    if report.undecided:
        return "several mistakes would look just like this: " + "; ".join(each.explanation for each in report.undecided)
    return f"the smallest input that shows it: {report.example}" if report.example else ""


def report(answer: dict) -> Report:
    """The Report back from a result file, in the words that its learner is to read."""
    checks = tuple(CheckResult(**check) for check in answer["checks"])
    diagnosis, reason = answer["diagnosis"] and Diagnosis(**answer["diagnosis"]), answer["reason"]
    if answer["status"] == SCORED and reason and any(check.message or check.score for check in checks):
        diagnosis, reason = Diagnosis("", f"{reason[0].upper()}{reason[1:]}."), ""  # below the checks, not in their place
    return Report(answer["name"], answer["status"], checks, diagnosis, reason=reason)


def unknown(records, reason: str, status: str = NOT_GRADABLE) -> list[dict]:
    """The answers of a submission that could not be looked at."""
    return [
        {
            "name": record.name,
            "status": status,
            "score": None,
            "points": float(record.points),
            "diagnosis": None,
            "checks": [],
            "reason": reason,
        }
        for record in records
    ]


@functools.cache
def exercises_version(lesson: str) -> str:
    """Changes with the package and with every file that decides about this lesson's scores."""
    here = Path(__file__).parents[1]
    files = sorted((here / "engine").glob("*.py")) + sorted((here / "exercises").rglob("*.py"))
    files += sorted((here.parent / "course_utils").glob("*.py"))
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    return f"{version('attention-course')}+{digest.hexdigest()[:12]}"


def write(path: Path, content: dict) -> None:
    """Whole or not at all: written beside, synced, renamed. A killed run leaves the old file or the new one.

    The folder itself is not synced: a rename that a power failure undoes is graded again.
    """
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    data = text.encode("utf-8", "backslashreplace")  # half characters become JSON escapes
    if path.exists() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.tmp")
    with open(beside, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


def load(path: Path) -> dict | None:
    """A result file's content; None where there is none, or none that can be read."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return content if content["answers"] is not None else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def everything(out: Path) -> Iterator[dict]:
    """All result files of a folder, by student and lesson; one is held at a time."""
    for path in sorted(out.glob("*/*.json")):
        content = None if path.name.startswith(".") or path.name.endswith(LOWER) else load(path)
        if content is not None:
            yield content


LOWER = ".lower.json"  # a result below an earlier one, kept beside it until somebody confirms it


def is_current(content: dict | None, sha256: str | None, lesson: str, seed: int) -> bool:
    return (
        content is not None
        and sha256 is not None
        and content["submission_sha256"] == sha256
        and content["seed"] == seed
        and content["exercises_version"] == exercises_version(lesson)
    )


def is_lower(content: dict, earlier: dict | None) -> bool:
    """Whether an earlier score would be lost or reduced."""
    if earlier is None or earlier.get("score") is None:
        return False
    return content["score"] is None or content["score"] < earlier["score"]


def seed_of(out: Path, given: int | None) -> int:
    """The folder's secret seed: the given one, else the one already drawn, else a new one. Raises GradingError."""
    stored = out / "run.json"
    if given is None and stored.exists():
        try:
            return int(json.loads(stored.read_text(encoding="utf-8"))["seed"])
        except (OSError, ValueError, KeyError, TypeError):
            raise GradingError(f"{stored} cannot be read: give the seed of its results with --seed") from None
    seed = secrets.randbits(32) if given is None else given
    write(stored, {"seed": seed})
    return seed
