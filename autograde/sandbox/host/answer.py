"""What the judge holds of a function that lives in a sandboxed worker."""

from collections.abc import Sequence

from autograde.engine.calling import Answer, Failure, Outcome

MOST_TOLD = 1 << 26  # bytes of all results of one answer: they are kept until it is judged


class SandboxAnswer(Answer):
    """A learner's function, called in the worker."""

    def __init__(self, submission, name: str, empty: bool):
        self.submission, self.name, self.empty = submission, name, empty
        self.told = 0  # bytes

    def call(self, args: tuple) -> Outcome:
        return self.calls([args])[0]

    def calls(self, cases: Sequence[tuple]) -> list[Outcome]:
        if self.told > MOST_TOLD:
            return [Outcome(failure=Failure("limit", "memory", f"its results fill more than {MOST_TOLD >> 20} MB"))]
        outcomes = self.submission.calls(self.name, cases)
        self.told += sum(_size(outcome.value) for outcome in outcomes)
        return outcomes


class Lost(Answer):
    """An answer of a submission that used up its limits before its cells had run."""

    def __init__(self, why: Failure):
        self.why = why

    def call(self, args: tuple) -> Outcome:
        return Outcome(failure=self.why)


def _size(value) -> int:
    return sum(map(_size, value)) if isinstance(value, tuple) else getattr(value, "nbytes", 0)
