"""What a class's results add up to, one lesson at a time; results are read one by one, so memory stays flat."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from autograde.grading.results import NOT_ATTEMPTED, NOT_GRADABLE, NOT_SUBMITTED, SCORED

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

    def add(self, result: dict) -> None:
        self.statuses[result["status"]] += 1
        self.points = max(self.points, result["points"])
        if result["score"] is not None:
            self.scores.append(result["score"])
        if result["status"] in (SCORED, NOT_ATTEMPTED):
            self.layers[", ".join(result["sandbox"])] += 1
        if result["status"] != NOT_SUBMITTED:
            for answer in result["answers"]:
                self._answer(answer)
            self._open(result)

    def _answer(self, answer: dict) -> None:
        tally = self.exercises.setdefault(answer["name"], ExerciseTally(answer["points"]))
        if answer["score"] is None:
            return
        tally.seen += 1
        tally.attempted += answer["status"] == SCORED
        tally.passed += answer["score"] == answer["points"]
        tally.gained += answer["score"]
        if answer["diagnosis"]:
            self.mistakes[answer["name"], answer["diagnosis"]["id"], answer["diagnosis"]["explanation"]] += 1

    def _open(self, result: dict) -> None:
        missing = [answer for answer in result["answers"] if answer["status"] == NOT_GRADABLE]
        if len(missing) == len(result["answers"]) and len({answer["reason"] for answer in missing}) == 1:
            missing = [{"name": "", "reason": missing[0]["reason"]}]
        self.open += [(result["student"], answer["name"], answer["reason"]) for answer in missing]

    @property
    def mean(self) -> float:
        return sum(self.scores) / len(self.scores)

    @property
    def median(self) -> float:
        ordered, half = sorted(self.scores), len(self.scores) // 2
        return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2

    def distribution(self) -> list[int]:
        """How many scores lie in each tenth of the points; full marks belong to the last."""
        counts = Counter(min(int(BINS * score / self.points), BINS - 1) for score in self.scores)
        return [counts[number] for number in range(BINS)]


def tallied(results: Iterable[dict]) -> dict[str, Tally]:
    """lesson -> Tally, in the course's order."""
    from autograde.exercises import LESSONS

    found: dict[str, Tally] = {}
    for result in results:
        found.setdefault(result["lesson"], Tally()).add(result)
    return {lesson: found[lesson] for lesson in LESSONS if lesson in found}
