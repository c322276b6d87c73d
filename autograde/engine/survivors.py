"""What the checks let pass although it is wrong: mutants of right answers with full marks that differ from the reference."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from .calling import LocalAnswer, Outcome
from .compare import compare, plain_expected
from .example import in_words
from .exercise import PUBLIC_SEED, Exercise
from .judge import judge
from .mutations import mutants

CALL_SECONDS = 1.0  # a mutant that loops for ever is ended soon


@dataclass
class Survey:
    """How many mutants were judged, how many had full marks, and of these the ones that are wrong, each in a sentence."""

    exercise: Exercise
    judged: int = 0
    passed: int = 0
    holes: list[str] = field(default_factory=list)


def survey(exercise: Exercise, seed: int = PUBLIC_SEED) -> Survey:
    """Judges every mutant of the reference and of each accepted answer."""
    found = Survey(exercise)
    inputs = with_results(exercise, seed)
    for function in (exercise.reference, *exercise.accepted):
        for mutant in mutants(function):
            found.judged += 1
            if judge(exercise, LocalAnswer(mutant.function, CALL_SECONDS), seed).passed:
                found.passed += 1
                difference = first_difference(exercise, mutant.function, inputs)
                if difference:
                    found.holes.append(f"{function.__name__}, {mutant.line}: full marks, but {difference}")
    return found


def contract_breaks(exercise: Exercise, seed: int = PUBLIC_SEED) -> Iterator[str]:
    """Accepted answers that differ from the reference on an input that the contract allows."""
    inputs = with_results(exercise, seed)
    for function in exercise.accepted:
        difference = first_difference(exercise, function, inputs)
        if difference:
            yield f"{function.__name__} is accepted, but {difference}"


def hard_inputs(exercise: Exercise, seed: int) -> list[tuple]:
    """The exercise's own families, or its checks' cases where it has none."""
    rng = np.random.default_rng(seed)
    if exercise.inputs:
        return list(exercise.inputs(rng))
    return [args for check in exercise.checks for args in check.cases(rng)]


def with_results(exercise: Exercise, seed: int) -> list[tuple[tuple, Outcome]]:
    """The hard inputs, each with what the reference makes of it."""
    reference = LocalAnswer(exercise.reference)
    return [(args, reference.call(args)) for args in hard_inputs(exercise, seed)]


def first_difference(exercise: Exercise, function, inputs: list[tuple[tuple, Outcome]]) -> str:
    """The first input on which the function and the reference do different things; "" where there is none."""
    answer = LocalAnswer(function, CALL_SECONDS)
    for args, right in inputs:
        if not _same(exercise, answer.call(args), right, args):
            return f"differs on {', '.join(in_words(value) for value in args)}"
    return ""


def _same(exercise: Exercise, outcome: Outcome, right: Outcome, args: tuple) -> bool:
    if right.failure:
        return outcome.failure is not None and not outcome.limited  # which errors will do, the checks say
    if outcome.failure or outcome.changed:
        return False
    if exercise.alike:
        return exercise.alike(outcome, right, args)
    return compare(outcome, plain_expected(right.value), exercise.kind) is None
