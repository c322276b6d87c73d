"""What a class's results add up to, one lesson at a time; results are read one by one, so memory stays flat."""

import re
import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from autograde.engine.exercise import Status
from autograde.exercises import LESSONS
from autograde.grading.records import AnswerResult, Result

BINS = 10  # of the distribution, each a tenth of the points
HELP_BELOW = 0.5  # of the points: who has begun and has less may need help
_RAISED = re.compile(r"(?:it raised|stopped with) (\w+)")
_SLOW = re.compile(r"longer than [\d.]+ seconds")


@dataclass
class CheckTally:
    """called: of how many answers the check was looked at."""

    passed: int = 0
    called: int = 0


@dataclass
class MistakeTally:
    """example: the smallest input that showed it to anybody, in words; whose it was is not kept."""

    id: str
    words: str
    count: int = 0
    example: str = ""


@dataclass
class ExerciseTally:
    """``seen`` counts the answers that could be judged, blank ones included. errors: kind -> answers that met it."""

    points: float
    seen: int = 0
    attempted: int = 0
    passed: int = 0
    gained: float = 0.0
    checks: dict[str, CheckTally] = field(default_factory=dict)
    errors: Counter = field(default_factory=Counter)
    mistakes: dict[str, MistakeTally] = field(default_factory=dict)

    def add(self, answer: AnswerResult) -> None:
        self.seen += 1
        self.attempted += answer.status == Status.SCORED
        self.passed += answer.score == answer.points
        self.gained += answer.score or 0.0
        self.errors.update(errors_of(answer))
        for check in answer.checks if answer.status == Status.SCORED else ():
            tally = self.checks.setdefault(check.name, CheckTally())
            tally.called += check.called
            tally.passed += check.called and check.score == check.points
        if answer.diagnosis:
            self._mistake(answer.diagnosis.id, answer.diagnosis.explanation, answer.example)

    def _mistake(self, name: str, words: str, example: str) -> None:
        tally = self.mistakes.setdefault(name, MistakeTally(name, words))
        tally.count += 1
        if example and (not tally.example or len(example) < len(tally.example)):
            tally.example = example

    def frequent_mistakes(self) -> list[MistakeTally]:
        return sorted(self.mistakes.values(), key=lambda mistake: (-mistake.count, mistake.id))


@dataclass
class Tally:
    """open: (student, answer or "", reason) of everything without a score. days: date of the time stamp -> submissions.

    needs_help: (student, score) of those who have begun and have less than half of the points. not_begun: students.
    """

    points: float = 0.0
    statuses: Counter = field(default_factory=Counter)
    scores: list[float] = field(default_factory=list)
    exercises: dict[str, ExerciseTally] = field(default_factory=dict)
    open: list[tuple[str, str, str]] = field(default_factory=list)
    layers: Counter = field(default_factory=Counter)
    needs_help: list[tuple[str, float]] = field(default_factory=list)
    not_begun: list[str] = field(default_factory=list)
    days: Counter = field(default_factory=Counter)
    seeds: set[int] = field(default_factory=set)
    versions: set[str] = field(default_factory=set)

    def add(self, result: Result) -> None:
        self.statuses[str(result.status)] += 1
        self.points = max(self.points, result.points)
        self.seeds.add(result.seed)
        self.versions.add(result.exercises_version)
        if result.score is not None:
            self.scores.append(result.score)
        if result.status in (Status.SCORED, Status.NOT_ATTEMPTED):
            self.layers[", ".join(result.sandbox)] += 1
        self._student(result)
        if result.status != Status.NOT_SUBMITTED:
            for answer in result.answers:
                tally = self.exercises.setdefault(answer.name, ExerciseTally(answer.points))
                if answer.score is not None:
                    tally.add(answer)
            self._open(result)

    def _student(self, result: Result) -> None:
        if result.status in (Status.NOT_ATTEMPTED, Status.NOT_SUBMITTED):
            self.not_begun.append(result.student)
        elif result.score is not None and result.score < HELP_BELOW * result.points:
            self.needs_help.append((result.student, result.score))
        if re.match(r"\d{4}-\d{2}-\d{2}", result.time_stamp):
            self.days[result.time_stamp[:10]] += 1

    def _open(self, result: Result) -> None:
        if result.common_reason:
            self.open.append((result.student, "", result.common_reason))
        else:
            self.open += [(result.student, answer.name, answer.reason) for answer in result.not_gradable]

    @property
    def mean(self) -> float:
        """Of all known scores, blank submissions included."""
        return statistics.fmean(self.scores)

    @property
    def median(self) -> float:
        return statistics.median(self.scores)

    def distribution(self) -> list[int]:
        """How many scores lie in each tenth of the points; full marks belong to the last."""
        counts = Counter(min(int(BINS * score / self.points), BINS - 1) for score in self.scores)
        return [counts[number] for number in range(BINS)]


def errors_of(answer: AnswerResult) -> set[str]:
    """Kinds of errors that an answer met: "NameError", "time-out"."""
    said = [answer.reason, *(check.message for check in answer.checks)]
    kinds = {kind for text in said for kind in _RAISED.findall(text)}
    return kinds | ({"time-out"} if any(map(_SLOW.search, said)) else set())


def tallied(results: Iterable[Result]) -> dict[str, Tally]:
    """lesson -> Tally, in the course's order."""
    found: dict[str, Tally] = {}
    for result in results:
        found.setdefault(result.lesson, Tally()).add(result)
    return {lesson: found[lesson] for lesson in LESSONS if lesson in found}
