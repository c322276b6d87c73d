"""What the course asks and what may go wrong: frozen records, no logic.

An exercise is *listed* as data here and in ``autograde/exercises``; what it *computes* (references,
misconceptions, inputs) are plain functions that the records point to. ``judge`` reads the records.
"""

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

PUBLIC_SEED = 1706  # the arXiv month of "Attention is all you need": what a learner's own check uses


@dataclass(frozen=True)
class Rng:
    """Stands for a fresh ``numpy.random.default_rng(seed)`` in the arguments of a case.

    A generator cannot cross into another process; its seed can.
    """

    seed: int


@dataclass(frozen=True)
class Check:
    """One property of an exercise, worth points.

    cases: draws the argument tuples from a seeded generator, the smallest and most readable first.
    test: ``test(trial) -> None | str | Problem``; without it each result is compared with the reference's.
    side: a property that earns its points only when the first check is passed too, and every core check before it.
    core: what the exercise is about: where it is not passed, the side properties after it are not looked at.
    """

    name: str
    points: int
    cases: Callable[[Any], Sequence[tuple]]
    test: Callable[["Any"], Any] | None = None
    side: bool = False
    core: bool = False


@dataclass(frozen=True)
class Misconception:
    """A wrong implementation with a name and the sentence that a learner who wrote it needs."""

    id: str
    function: Callable
    explanation: str


@dataclass(frozen=True)
class Habit:
    """A second flaw that may stand beside any mistake and hide it on some calls.

    explains: ``explains(mistaken, seen, args) -> bool``: whether ``seen`` is what the outcome ``mistaken`` becomes
        under this habit, given a call's arguments.
    wrap: ``wrap(function) -> function``: an implementation with this habit, so that ``verify`` can cross mistakes with it.
    explanation: the sentence that follows the mistake's own; "" where the line of the lost check says it already.
    same_as: ids of misconceptions that are this very flaw: told in a mistake's place they are true as well.
    """

    id: str
    explains: Callable
    wrap: Callable
    explanation: str
    same_as: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exercise:
    """A function to write.

    name: function name, graded cell's grade_id and first argument of ``check`` and ``hint``.
    kind: "float" (any real numbers that hold the values), "int" (integers only) or "bool".
    accepted: right answers written differently; ``verify`` proves that they get full marks.
    alike: ``alike(outcome, other, args) -> bool``: whether two outcomes show the same behaviour, where
        comparing values is not enough (random or free results). Without it values are compared.
    habits: second flaws of this exercise's answers, beside those that any exercise's answers may have.
    inputs: ``inputs(rng)``: argument tuples that the contract allows, of every family that a wrong answer may fail on;
        ``verify`` compares right answers, and mutants of them that the checks let pass, with the reference on these.
    """

    name: str
    lesson: str
    reference: Callable
    checks: tuple[Check, ...]
    misconceptions: tuple[Misconception, ...]
    accepted: tuple[Callable, ...]
    hints: tuple[str, ...]
    kind: str = "float"
    alike: Callable | None = None
    habits: tuple[Habit, ...] = ()
    inputs: Callable[[Any], Sequence[tuple]] | None = None

    @property
    def points(self) -> int:
        return sum(check.points for check in self.checks)


@dataclass(frozen=True)
class Option:
    """One answer of a quiz; ``explanation`` says why it is wrong, or why it is right."""

    text: str
    explanation: str


@dataclass(frozen=True)
class Quiz:
    """A multiple-choice question, answered by a letter: ``name = "b"``."""

    name: str
    lesson: str
    question: str
    options: dict[str, Option]
    right: str
    hints: tuple[str, ...]
    points: int = 1


@dataclass(frozen=True)
class Problem:
    """Why a check was not passed. ``stage`` is where on the ladder: see ``compare``."""

    stage: str
    message: str


class Status(enum.StrEnum):
    """What is known of an answer, or of a whole submission. The texts are those of result files."""

    SCORED = "scored"
    NOT_ATTEMPTED = "not attempted"
    NOT_GRADABLE = "not gradable"
    NOT_SUBMITTED = "not submitted"  # of submissions only


@dataclass(frozen=True)
class CheckResult:
    """called: False for a side property that was not looked at, since the first check, or a core one, failed."""

    name: str
    score: float
    points: float
    message: str = ""
    called: bool = True


@dataclass(frozen=True)
class Diagnosis:
    """The misconception that explains everything that was seen."""

    id: str
    explanation: str


@dataclass(frozen=True)
class Report:
    """What ``judge`` found."""

    name: str
    status: Status
    checks: tuple[CheckResult, ...]
    diagnosis: Diagnosis | None = None
    undecided: tuple[Diagnosis, ...] = ()  # several that explain it equally, even on further inputs
    example: str = ""  # the smallest failing input, when no misconception fits
    reason: str = ""  # one sentence when nothing could be scored

    @property
    def score(self) -> float:
        return float(sum(check.score for check in self.checks))

    @property
    def points(self) -> float:
        return float(sum(check.points for check in self.checks))

    @property
    def passed(self) -> bool:
        return self.status == Status.SCORED and self.score == self.points
