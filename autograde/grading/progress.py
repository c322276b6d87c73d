"""What a long run says: a bar on a terminal, a line for each event elsewhere, and a summary at the end.

Nothing is printed here: ``write`` is whoever shows the text.
"""

import time
from collections.abc import Callable

from autograde.engine.exercise import Status
from autograde.engine.report import number
from autograde.submissions.document import printable

from .records import Result

WIDTH = 30  # of the bar
FEWEST = 5  # submissions before the time left is guessed


class Progress:
    """write: takes a text with its line end. bar: one line that is written again and again, for a terminal."""

    def __init__(self, write: Callable[[str], object], bar: bool = False, clock: Callable[[], float] = time.monotonic):
        self.write, self.bar, self.clock = write, bar, clock
        self.total = self.done = self.worked = 0
        self.start: float | None = None  # when the first was marked: workers need a while before that

    def begin(self, total: int) -> None:
        self.total = total

    def tell(self, result: Result, fresh: bool) -> None:
        """One submission is done. fresh: whether it was marked in this run."""
        self.done += 1
        self.worked += fresh
        if fresh and self.start is None:
            self.start = self.clock()
        if self.bar:
            self.write(f"\r{self._bar()} {self._rate()} \x1b[K")
        elif fresh:
            self.write(f"{self.done}/{self.total} {who(result)}: {_outcome(result)}  ({self._rate()})\n")

    def _bar(self) -> str:
        full = WIDTH * self.done // max(self.total, 1)
        return f"[{'#' * full}{' ' * (WIDTH - full)}] {self.done}/{self.total}"

    def _rate(self) -> str:
        if self.start is None:
            return "unchanged"
        if self.worked < FEWEST:
            return "time left not known yet"
        rate = (self.worked - 1) / max(self.clock() - self.start, 1e-9)
        return f"{rate:.1f} a second, {_duration((self.total - self.done) / rate)} left"


def who(result: Result) -> str:
    return f"{printable(result.student)} {result.lesson}"


def without_score(result: Result) -> list[str]:
    """A line for every answer without a score; one where the reason is the same for all."""
    if result.status == Status.NOT_SUBMITTED:
        return [f"{who(result)}: not submitted"]
    if result.common_reason and len(result.answers) > 1:
        return [f"{who(result)}, all answers: {result.common_reason}"]
    return [f"{who(result)} {answer.name}: {answer.reason}" for answer in result.not_gradable]


def score(result: Result) -> str:
    return result.status if result.score is None else f"{number(result.score)} of {number(result.points)}"


def _outcome(result: Result) -> str:
    return score(result) if result.status == Status.SCORED else result.status


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
