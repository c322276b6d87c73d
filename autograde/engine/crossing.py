"""Mistakes crossed with habits: does a mistake keep its name when a second, usual flaw stands beside it?"""

from collections.abc import Iterator
from dataclasses import dataclass

from .exercise import PUBLIC_SEED, Exercise
from .habits import HABITS
from .judge import judge


@dataclass(frozen=True)
class Crossed:
    """One mistake under one habit, and the name that it was given ("" for none). also: names that are true of the habit."""

    exercise: str
    mistake: str
    habit: str
    told: str
    also: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        return self.told in (self.mistake, *self.also)

    @property
    def wrong(self) -> bool:
        return bool(self.told) and not self.right


def crossed(exercise: Exercise, seed: int = PUBLIC_SEED) -> Iterator[Crossed]:
    """Judges every mistake of an exercise under every habit."""
    for mistake in exercise.misconceptions:
        for habit in (*exercise.habits, *HABITS):
            report = judge(exercise, habit.wrap(mistake.function), seed)
            told = report.diagnosis.id if report.diagnosis else ""
            yield Crossed(exercise.name, mistake.id, habit.id, told, habit.same_as)
