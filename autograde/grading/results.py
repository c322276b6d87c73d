"""Result files: one per submission, written whole or not at all, and the same bytes however they came about.

``OUT/{student}/{lesson}.json`` holds a ``Result``; nothing else reads or writes these files. What changes from run to run
(times, progress) stands in ``OUT/events.log``.
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from autograde.engine.exercise import CheckResult, Diagnosis, Status
from autograde.exercises import LESSONS
from autograde.submissions.document import printable

from .errors import GradingError
from .records import AnswerResult, Result

LOWER = ".lower.json"  # a result below an earlier one, kept beside it
REMOVED = ".removed.json"  # the result of a submission that is not there any more


class DamagedResult(GradingError):
    """A result file that holds no result."""


def write_bytes(path: Path, data: bytes) -> None:
    """Whole or not at all: written beside, synced, renamed. A killed run leaves the old file or the new one.

    The folder itself is not synced: a rename that a power failure undoes is done again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.tmp")
    with open(beside, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


def write(path: Path, record: Result) -> None:
    """Raises OSError where the disk does not take it: the file there is then as it was."""
    data = as_json(record)
    if not (path.exists() and path.read_bytes() == data):
        write_bytes(path, data)


def as_json(record: Result) -> bytes:
    content = asdict(record) | {"answers": [_answer_content(answer) for answer in record.answers]}
    if not record.time_stamp:  # only where there is one
        del content["time_stamp"]
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "backslashreplace")  # half characters become JSON escapes


def _answer_content(answer: AnswerResult) -> dict:
    """``undecided`` and ``example`` stand there only where there is one; ``reason`` says them in words."""
    content = {
        "name": answer.name,
        "status": answer.status,
        "score": answer.score,
        "points": answer.points,
        "diagnosis": answer.diagnosis and asdict(answer.diagnosis),
        "checks": [asdict(check) for check in answer.checks],
        "reason": answer.words,
    }
    if answer.undecided:
        content["undecided"] = [asdict(mistake) for mistake in answer.undecided]
    if answer.example:
        content["example"] = answer.example
    return content


def read(path: Path) -> Result | None:
    """The record in a result file; None where there is no file. Raises DamagedResult, in words."""
    try:
        return from_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DamagedResult(f"the result file {printable(str(path), 300)} cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else _why(error)
        raise DamagedResult(
            f"the result file {printable(str(path), 300)} is damaged ({why}): delete it and grade again"
        ) from None


def _why(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else printable(str(error))


def from_json(data: bytes) -> Result:
    """Raises ValueError, KeyError, TypeError, AttributeError or RecursionError for what is no result."""
    content = _is(dict, json.loads(data))
    score, sha256 = content["score"], content["submission_sha256"]
    return Result(
        _is(str, content["student"]),
        _is(str, content["lesson"]),
        Status(content["status"]),
        None if score is None else _number(score),
        _number(content["points"]),
        _each(_answer, content["answers"]),
        _each(_text, content["notices"]),
        _each(_text, content["sandbox"]),
        _is(int, content["seed"]),
        None if sha256 is None else _text(sha256),
        _text(content["exercises_version"]),
        _text(content.get("time_stamp", "")),
    )


def _answer(content: dict) -> AnswerResult:
    undecided, example = _each(_diagnosis, content.get("undecided", [])), _text(content.get("example", ""))
    score, diagnosis = content["score"], content["diagnosis"]
    return AnswerResult(
        _text(content["name"]),
        Status(content["status"]),
        None if score is None else _number(score),
        _number(content["points"]),
        _each(_check, content["checks"]),
        None if diagnosis is None else _diagnosis(diagnosis),
        undecided,
        example,
        "" if undecided or example else _text(content["reason"]),
    )


def _check(content: dict) -> CheckResult:
    called = _is(bool, content.get("called", True))  # files of earlier versions do not say
    return CheckResult(
        _text(content["name"]), _number(content["score"]), _number(content["points"]), _text(content["message"]), called
    )


def _diagnosis(content: dict) -> Diagnosis:
    return Diagnosis(_text(content["id"]), _text(content["explanation"]))


def _each(read_one: Callable, items) -> tuple:
    return tuple(read_one(item) for item in _is(list, items))


def _text(value) -> str:
    return _is(str, value)


def _number(value) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value or abs(value) == float("inf"):
        raise ValueError(f"{value!r} is not a number")
    return float(value)


def _is(kind: type, value):
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"found {type(value).__name__} where {kind.__name__} was expected")
    return value


def everything(out: Path, notices: list[str]) -> Iterator[Result]:
    """All results of a folder, by student and lesson; one is held at a time. Damaged files are told in ``notices``."""
    for path in sorted(out.glob("*/*.json")):
        if path.stem not in LESSONS:  # beside them lie lower results and what ``report`` wrote
            continue
        try:
            found = read(path)
        except DamagedResult as error:
            notices.append(str(error))
            continue
        if found:
            yield found
