"""Proves every exercise in both directions, and that every known mistake is named.

Right answers (the reference and each accepted one) get everything; answers that did no work get nothing;
every misconception loses points and is told by its own name. What does not hold is a miss.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from .calling import fresh
from .exercise import PUBLIC_SEED, Exercise, Quiz
from .judge import judge


@dataclass
class Proof:
    """What was proven of one exercise. ``named[misconception]`` counts the diagnoses it was given."""

    exercise: Exercise | Quiz
    misses: list[str] = field(default_factory=list)
    named: dict[str, Counter] = field(default_factory=dict)
    lost: dict[str, set] = field(default_factory=dict)

    def miss(self, what: str) -> None:
        if what not in self.misses:
            self.misses.append(what)


def prove(exercise: Exercise | Quiz, seeds: int) -> Proof:
    """Judges every known answer under ``seeds`` different seeds, the public one first."""
    proof = Proof(exercise)
    if not exercise.hints or not all(hint.strip() for hint in exercise.hints):
        proof.miss("a hint is missing or empty")
    if isinstance(exercise, Quiz):
        _prove_quiz(proof, exercise)
        return proof
    for seed in (PUBLIC_SEED, *range(seeds - 1)):
        _prove_right(proof, exercise, seed)
        _prove_nothing(proof, exercise, seed)
        _prove_wrong(proof, exercise, seed)
    return proof


def _prove_right(proof: Proof, exercise: Exercise, seed: int) -> None:
    for function in (exercise.reference, *exercise.accepted):
        report = judge(exercise, function, seed)
        if not report.passed:
            lost = next(check for check in report.checks if check.score < check.points)
            proof.miss(f"{function.__name__} is right but loses points (seed {seed}): {lost.name}: {lost.message}")


def _prove_nothing(proof: Proof, exercise: Exercise, seed: int) -> None:
    for name, answer in no_work(exercise):
        score = judge(exercise, answer, seed).score
        if score:
            proof.miss(f"{name} did no work but gets {score:g} points (seed {seed})")


def no_work(exercise: Exercise) -> Iterator[tuple[str, object]]:
    """Answers that did no work: the stub, constants of the right shape, the input handed back."""

    def stub(*args):
        raise NotImplementedError

    def filled(number):
        def answer(*args):
            right = exercise.reference(*args)
            if isinstance(right, tuple):
                return tuple(np.full_like(part, number) for part in map(np.asarray, right))
            return np.full_like(np.asarray(right), number)

        return answer

    yield "None", None
    yield "the stub", stub
    yield "an answer of zeros", filled(0)
    yield "an answer of ones", filled(1)
    yield "the first argument handed back", lambda *args: fresh(args[0])


def _prove_wrong(proof: Proof, exercise: Exercise, seed: int) -> None:
    for misconception in exercise.misconceptions:
        report = judge(exercise, misconception.function, seed)
        told = report.diagnosis.id if report.diagnosis else "undecided" if report.undecided else "nothing"
        proof.named.setdefault(misconception.id, Counter())[told] += 1
        proof.lost.setdefault(misconception.id, set()).add(report.points - report.score)
        if report.passed:
            proof.miss(f"{misconception.id} is wrong but gets every point (seed {seed})")
        elif told != misconception.id:
            proof.miss(f"{misconception.id} is told as {told} (seed {seed})")


def _prove_quiz(proof: Proof, quiz: Quiz) -> None:
    if quiz.right not in quiz.options:
        proof.miss(f"the right option {quiz.right!r} is not among the options")
    for letter, option in quiz.options.items():
        report = judge(quiz, letter)
        if report.passed != (letter == quiz.right):
            proof.miss(f"option {letter} is judged the wrong way round")
        if not option.explanation.strip():
            proof.miss(f"option {letter} is not explained")
    if judge(quiz, None).score or judge(quiz, "z").score:
        proof.miss("no option, or one that does not exist, gets points")


def confusion_matrix(proof: Proof) -> str:
    """Misconceptions down, diagnoses across (by number); "." where it never happened."""
    ids = list(proof.named)
    columns = ids + sorted({told for counts in proof.named.values() for told in counts} - set(ids))
    width = max((len(str(max(counts.values()))) for counts in proof.named.values()), default=1) + 1
    longest = max(map(len, ids), default=0)
    width = max(width, len(str(len(columns))) + 1)
    head = " " * (longest + 5) + "".join(f"{i:>{width}}" for i in range(1, len(columns) + 1)) + "   points lost"
    rows = [head]
    for i, (identity, counts) in enumerate(proof.named.items(), start=1):
        cells = "".join(f"{counts[column] or '.':>{width}}" for column in columns)
        lost = sorted(proof.lost[identity])
        span = f"{lost[0]:g}" if len(lost) == 1 else f"{lost[0]:g} to {lost[-1]:g}"
        rows.append(f"{i:>3}  {identity:<{longest}}{cells}   {span} of {proof.exercise.points:g}")
    rows += [f"{ids_after:>3}  {name}" for ids_after, name in enumerate(columns[len(ids) :], start=len(ids) + 1)]
    return "\n".join(rows)
