"""What the judge holds of a function that lives in a sandboxed worker."""

from collections.abc import Sequence
from typing import Any

from autograde.engine.calling import Answer, Failure, Outcome
from autograde.sandbox.wire import ProtocolError, encode

from .replies import results
from .workers import Workers

MOST_REPORTED = 1 << 25  # bytes of all results of one answer: they are kept until it is judged


class SandboxAnswer(Answer):
    """A learner's function, called in the worker. limited: whether any of its calls hit a limit."""

    def __init__(self, workers: Workers, name: str, empty: bool):
        self.workers, self.name, self.empty = workers, name, empty
        self.reported, self.limited = 0, False  # bytes

    def call(self, args: tuple) -> Outcome:
        return self.calls([args])[0]

    def calls(self, cases: Sequence[tuple]) -> list[Outcome]:
        outcomes = self._within_memory(cases)
        self.limited |= outcomes[-1].limited
        return outcomes

    def _within_memory(self, cases: Sequence[tuple]) -> list[Outcome]:
        if self.reported > MOST_REPORTED:
            return [Outcome(failure=Failure("limit", "memory", f"its results fill more than {MOST_REPORTED >> 20} MB"))]
        outcomes = self._asked(cases)
        self.reported += sum(_size(outcome.value) for outcome in outcomes)
        return outcomes

    def _asked(self, cases: Sequence[tuple]) -> list[Outcome]:
        """What a worker has not reported when it dies is asked of the next."""
        blobs: list[bytes] = []
        reply = self.workers.request({"name": self.name, "cases": [encode(args, blobs) for args in cases]}, blobs)
        if isinstance(reply, Failure):
            return self._until(reply, cases)
        try:
            outcomes = results(*reply, cases)
        except ProtocolError as error:
            return self._until(self.workers.distrust(error), cases)
        if outcomes[-1].limited:
            self.workers.drop()
        return outcomes

    def _until(self, why: Failure, cases: Sequence[tuple]) -> list[Outcome]:
        """The outcomes before the call that ended a worker, and this end."""
        cell, at = self.workers.ended
        if self.workers.spent or cell != 0 or not 0 < at < len(cases):  # it wrote there itself
            return [Outcome(failure=why)]
        before = self._asked(cases[:at])
        return [*before, Outcome(failure=why)] if len(before) == at and not before[-1].limited else before


def _size(value: Any) -> int:
    return sum(map(_size, value)) if isinstance(value, tuple) else getattr(value, "nbytes", 0)
