"""What is known of one submission: the typed record of a result file. ``results`` reads and writes it."""

from collections.abc import Iterable
from dataclasses import dataclass

from autograde.engine.exercise import CheckResult, Diagnosis, Report, Status

from .versions import exercises_version


@dataclass(frozen=True)
class AnswerResult:
    """One answer of a submission. score: None where it is not known, which is never a 0."""

    name: str
    status: Status
    score: float | None
    points: float
    checks: tuple[CheckResult, ...] = ()
    diagnosis: Diagnosis | None = None
    undecided: tuple[Diagnosis, ...] = ()
    example: str = ""
    reason: str = ""

    @classmethod
    def of(cls, report: Report) -> "AnswerResult":
        score = None if report.status == Status.NOT_GRADABLE else report.score
        seen = (report.checks, report.diagnosis, report.undecided, report.example, report.reason)
        return cls(report.name, report.status, score, report.points, *seen)

    @property
    def report(self) -> Report:
        """What ``judge`` found, in the words that its learner is to read: without the input, which is a hidden one."""
        return Report(self.name, self.status, self.checks, self.diagnosis, self.undecided, "", self.reason)

    @property
    def words(self) -> str:
        """Why there is no score, or what could be said of a wrong answer without a diagnosis."""
        if self.reason or not (self.undecided or self.example):
            return self.reason
        if self.undecided:
            return "several mistakes would look just like this: " + "; ".join(each.explanation for each in self.undecided)
        return f"the smallest input that shows it: {self.example}"


@dataclass(frozen=True)
class Result:
    """One submission. score: None where a part of it is not known. sandbox: the layers that held it back."""

    student: str
    lesson: str
    status: Status
    score: float | None
    points: float
    answers: tuple[AnswerResult, ...]
    notices: tuple[str, ...]
    sandbox: tuple[str, ...]
    seed: int
    submission_sha256: str | None
    exercises_version: str
    time_stamp: str = ""  # of the attempt that counts, as it was collected

    @property
    def not_gradable(self) -> list[AnswerResult]:
        return [answer for answer in self.answers if answer.status == Status.NOT_GRADABLE]

    @property
    def common_reason(self) -> str:
        """The reason why no answer could be graded, where it is the same for all; "" otherwise."""
        reasons = {answer.reason for answer in self.not_gradable}
        return reasons.pop() if len(self.not_gradable) == len(self.answers) and len(reasons) == 1 else ""


def result(
    student: str,
    lesson: str,
    answers: Iterable[AnswerResult],
    *,
    seed: int,
    sha256: str | None,
    notices: Iterable[str] = (),
    sandbox: Iterable[str] = (),
) -> Result:
    """The record of a submission from its answers."""
    answers = tuple(answers)
    status = _status({answer.status for answer in answers})
    scores = [answer.score for answer in answers if answer.score is not None]
    return Result(
        student,
        lesson,
        status,
        float(sum(scores)) if len(scores) == len(answers) else None,
        float(sum(answer.points for answer in answers)),
        answers,
        tuple(notices),
        tuple(sandbox),
        seed,
        sha256,
        exercises_version(lesson),
    )


def _status(found: set[Status]) -> Status:
    if found == {Status.NOT_ATTEMPTED} or found == {Status.NOT_SUBMITTED}:
        return found.pop()
    return Status.NOT_GRADABLE if Status.NOT_GRADABLE in found else Status.SCORED


def unknown(records: Iterable, reason: str, status: Status = Status.NOT_GRADABLE) -> list[AnswerResult]:
    """The answers of a submission that could not be looked at."""
    return [AnswerResult(record.name, status, None, float(record.points), reason=reason) for record in records]


def is_current(record: Result, sha256: str, lesson: str, seed: int) -> bool:
    """Whether grading the same file again would say the same."""
    made = (record.submission_sha256, record.seed, record.exercises_version)
    return made == (sha256, seed, exercises_version(lesson))


def is_lower(record: Result, earlier: Result | None) -> bool:
    """Whether an earlier score would be lost or reduced."""
    if earlier is None or earlier.score is None:
        return False
    return record.score is None or record.score < earlier.score
