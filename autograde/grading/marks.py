"""What an export says of a submission: one mark for the lesson and one for each exercise, from results or a gradebook.

No score is None, never a 0: not gradable, and nothing handed in. A blank notebook that was handed in has 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from autograde.engine.exercise import Status

from .records import Result


@dataclass(frozen=True)
class ExerciseMark:
    """waiting: an answer in words that nobody has marked yet."""

    name: str
    score: float | None
    points: float
    by_hand: bool = False
    waiting: bool = False


@dataclass(frozen=True)
class Mark:
    """penalty: points taken off for a late submission, which ``score`` has taken into account."""

    student: str
    lesson: str
    status: Status
    points: float
    exercises: tuple[ExerciseMark, ...]
    penalty: float = 0.0

    @property
    def score(self) -> float | None:
        """None where a part is not known. An answer in words that waits counts 0 until somebody has marked it."""
        known = [0.0 if each.waiting else each.score for each in self.exercises]
        if self.status in (Status.NOT_GRADABLE, Status.NOT_SUBMITTED) or None in known:
            return None
        return max(0.0, sum(score for score in known if score is not None) - self.penalty)

    @property
    def waiting(self) -> int:
        return sum(each.waiting for each in self.exercises)

    @property
    def by_hand(self) -> float:
        return float(sum(each.score or 0.0 for each in self.exercises if each.by_hand))


def of_results(results: Iterable[Result]) -> list[Mark]:
    """The grader's own marks alone."""
    return [
        Mark(
            result.student,
            result.lesson,
            result.status,
            result.points,
            tuple(ExerciseMark(answer.name, answer.score, answer.points) for answer in result.answers),
        )
        for result in results
    ]
