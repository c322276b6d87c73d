"""What a long run says: a bar on a terminal, a line for each event elsewhere, and a summary at the end."""

import time
from collections import Counter
from typing import TextIO

from autograde.engine.report import counted, number
from autograde.submissions.document import printable

from .results import NOT_GRADABLE, NOT_SUBMITTED

WIDTH = 30  # of the bar


class Progress:
    def __init__(self, total: int, stream: TextIO, clock=time.monotonic):
        self.total, self.stream, self.clock = total, stream, clock
        self.bar = stream.isatty()
        self.done = self.worked = 0
        self.start = clock()
        self.counts: Counter = Counter()
        self.open: list[str] = []
        self.lower: list[str] = []

    def tell(self, result: dict, fresh: bool = True, lower_than: dict | None = None) -> None:
        """One submission is done. fresh: whether it was marked in this run."""
        self.done += 1
        self.worked += fresh
        self.counts[result["status"]] += 1
        if lower_than is not None:
            self.lower.append(f"{_who(result)}: was {_score(lower_than)}, would now be {_score(result)}")
        else:
            self.open += _without_score(result)
        if self.bar:
            self.say(f"\r{self._bar()} {self._rate()} \x1b[K", end="")
        elif fresh:
            self.say(f"{self.done}/{self.total} {_who(result)}: {_outcome(result)}  ({self._rate()})")

    def say(self, text: str, end: str = "\n") -> None:
        """A name that the terminal cannot show is shown by its codes: it must not end the run."""
        encoding = self.stream.encoding or "utf-8"
        print(text.encode(encoding, "backslashreplace").decode(encoding), end=end, file=self.stream, flush=True)

    def _bar(self) -> str:
        full = WIDTH * self.done // max(self.total, 1)
        return f"[{'#' * full}{' ' * (WIDTH - full)}] {self.done}/{self.total}"

    def _rate(self) -> str:
        seconds = max(self.clock() - self.start, 1e-9)
        if not self.worked:
            return "unchanged"
        rate = self.worked / seconds
        return f"{rate:.1f} a second, {_duration((self.total - self.done) / rate)} left"

    def summary(self) -> str:
        kinds = ", ".join(f"{count} {status}" for status, count in sorted(self.counts.items())) or "nothing to grade"
        lines = ["\n" * self.bar + f"{counted(self.total, 'submission')}: {kinds}"]
        if self.open:
            lines += ["", "Without a score:", *(f"  {line}" for line in self.open)]
        if self.lower:
            lines += [
                "",
                "Lower than before; the earlier results were kept. To accept: run again with --accept-lower",
                *(f"  {line}" for line in self.lower),
            ]
        return "\n".join(lines)


def _without_score(result: dict) -> list[str]:
    """Every answer without a score; one line where the reason is the same for all."""
    if result["status"] == NOT_SUBMITTED:
        return [f"{_who(result)}: not submitted"]
    missing = [answer for answer in result["answers"] if answer["status"] == NOT_GRADABLE]
    if len(missing) == len(result["answers"]) > 1 and len({answer["reason"] for answer in missing}) == 1:
        return [f"{_who(result)}, all answers: {missing[0]['reason']}"]
    return [f"{_who(result)} {answer['name']}: {answer['reason']}" for answer in missing]


def _who(result: dict) -> str:
    return f"{printable(result['student'])} {result['lesson']}"


def _score(result: dict) -> str:
    return result["status"] if result["score"] is None else f"{number(result['score'])} of {number(result['points'])}"


def _outcome(result: dict) -> str:
    return _score(result) if result["status"] == "scored" else result["status"]


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
