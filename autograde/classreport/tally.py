"""What a class's results add up to, one lesson at a time; results are read one by one, so memory stays flat."""

import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from autograde.engine.exercise import Status
from autograde.exercises import LESSONS
from autograde.grading.records import AnswerResult, Result

BINS = 10  # of the distribution, each a tenth of the points


@dataclass
class ExerciseTally:
    """``seen`` counts the answers that could be judged, blank ones included."""

    points: float
    seen: int = 0
    attempted: int = 0
    passed: int = 0
    gained: float = 0.0


@dataclass
class Tally:
    """open: (student, answer or "", reason) of everything without a score. mistakes: (exercise, id, words) -> count."""

    points: float = 0.0
    statuses: Counter = field(default_factory=Counter)
    scores: list[float] = field(default_factory=list)
    exercises: dict[str, ExerciseTally] = field(default_factory=dict)
    mistakes: Counter = field(default_factory=Counter)
    open: list[tuple[str, str, str]] = field(default_factory=list)
    layers: Counter = field(default_factory=Counter)

    def add(self, result: Result) -> None:
        self.statuses[result.status] += 1
        self.points = max(self.points, result.points)
        if result.score is not None:
            self.scores.append(result.score)
        if result.status in (Status.SCORED, Status.NOT_ATTEMPTED):
            self.layers[", ".join(result.sandbox)] += 1
        if result.status != Status.NOT_SUBMITTED:
            for answer in result.answers:
                self._answer(answer)
            self._open(result)

    def _answer(self, answer: AnswerResult) -> None:
        tally = self.exercises.setdefault(answer.name, ExerciseTally(answer.points))
        if answer.score is None:
            return
        tally.seen += 1
        tally.attempted += answer.status == Status.SCORED
        tally.passed += answer.score == answer.points
        tally.gained += answer.score
        if answer.diagnosis:
            self.mistakes[answer.name, answer.diagnosis.id, answer.diagnosis.explanation] += 1

    def _open(self, result: Result) -> None:
        if result.common_reason:
            self.open.append((result.student, "", result.common_reason))
        else:
            self.open += [(result.student, answer.name, answer.reason) for answer in result.not_gradable]

    def frequent_mistakes(self) -> list[tuple[tuple[str, str, str], int]]:
        return sorted(self.mistakes.items(), key=lambda item: (-item[1], item[0]))

    @property
    def mean(self) -> float:
        return statistics.fmean(self.scores)

    @property
    def median(self) -> float:
        return statistics.median(self.scores)

    def distribution(self) -> list[int]:
        """How many scores lie in each tenth of the points; full marks belong to the last."""
        counts = Counter(min(int(BINS * score / self.points), BINS - 1) for score in self.scores)
        return [counts[number] for number in range(BINS)]


def tallied(results: Iterable[Result]) -> dict[str, Tally]:
    """lesson -> Tally, in the course's order."""
    found: dict[str, Tally] = {}
    for result in results:
        found.setdefault(result.lesson, Tally()).add(result)
    return {lesson: found[lesson] for lesson in LESSONS if lesson in found}
