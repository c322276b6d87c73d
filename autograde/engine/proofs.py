"""What ``autograde verify`` tells of a lesson's exercises, in three ways: known answers, mutants, mistakes with habits."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .crossing import crossed
from .exercise import Exercise, Quiz
from .survivors import contract_breaks, survey
from .verify import confusion_matrix, prove

NAMED_RIGHTLY = 0.95  # the least share of crossed answers


@dataclass(frozen=True)
class Told:
    """A line of the account. missed: it tells of something that does not hold."""

    text: str
    missed: bool = False


def by_known_answers(records: Iterable[Exercise | Quiz], seeds: int) -> Iterator[Told]:
    """Right answers pass, wrong ones fail and are named."""
    for record in records:
        proof = prove(record, seeds)
        yield Told(f"\n{record.name}: {'holds' if not proof.misses else 'DOES NOT HOLD'} ({seeds} seeds)")
        if proof.named:
            yield Told(confusion_matrix(proof))
        yield from (Told(miss, missed=True) for miss in proof.misses)


def by_mutants(records: Iterable[Exercise | Quiz]) -> Iterator[Told]:
    """A right answer that is changed in one place has full marks only if it still does as the contract says."""
    for exercise in exercises(records):
        found = survey(exercise)
        equal = found.passed - len(found.holes)
        yield Told(f"{exercise.name}: {found.judged} mutants, {found.passed} with full marks, {equal} of them shown to be right")
        yield from (Told(line, missed=True) for line in (*found.holes, *contract_breaks(exercise)))


def by_crossing(records: Iterable[Exercise | Quiz]) -> Iterator[Told]:
    """A mistake beside a habit that hides it on some calls keeps its name, and none is given another's."""
    right = count = 0
    for exercise in exercises(records):
        answers = list(crossed(exercise))
        named = sum(answer.right for answer in answers)
        right, count = right + named, count + len(answers)
        yield Told(f"{exercise.name}: {named} of {len(answers)} named rightly")
        for answer in answers:
            if answer.wrong:
                yield Told(f"{answer.mistake} with {answer.habit} is told as {answer.told}", missed=True)
    if count:
        yield Told(f"in all: {right} of {count} named rightly, {right / count:.1%}", missed=right < NAMED_RIGHTLY * count)


def exercises(records: Iterable[Exercise | Quiz]) -> Iterator[Exercise]:
    return (record for record in records if isinstance(record, Exercise))
