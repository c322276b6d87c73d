"""What a run found, in words for whoever started it."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from autograde.engine.exercise import Status
from autograde.engine.report import counted

from .records import Result

REAL_LAYERS = ("landlock", "seccomp")


@dataclass
class Summary:
    """What a run found. counts: submissions by status. open: a line for everything without a score.

    lower: a line for each result below an earlier one, which was kept. lessons: those that were graded.
    """

    lessons: tuple[str, ...]
    counts: Counter = field(default_factory=Counter)
    open: list[str] = field(default_factory=list)
    lower: list[str] = field(default_factory=list)
    unprotected: Counter = field(default_factory=Counter)  # layers that were missing -> submissions that ran without
    removed: list[str] = field(default_factory=list)  # a line for each result whose submission is gone
    damaged: dict[Path, str] = field(default_factory=dict)  # result files that could not be read and were made again

    @property
    def everything_graded(self) -> bool:
        return not (self.counts[Status.NOT_GRADABLE] or self.lower)

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {status}" for status, count in sorted(self.counts.items())) or "nothing to grade"
        lines = [f"{counted(self.counts.total(), 'submission')}: {kinds}", *self.damaged.values()]
        lines += [
            f"{counted(count, 'submission')} ran without {missing}: hostile work was not held back"
            for missing, count in self.unprotected.items()
        ]
        if self.open:
            lines += ["", "Without a score:", *(f"  {line}" for line in self.open)]
        if self.lower:
            lines += [
                "",
                "Lower than an earlier attempt, which counts. To let the last one count: run again with --keep last",
                *(f"  {line}" for line in self.lower),
            ]
        if self.removed:
            lines += ["", "No longer handed in; the results were put aside:", *(f"  {line}" for line in self.removed)]
        return "\n".join(lines)


def missing_layers(result: Result) -> list[str]:
    """What should have held the submission back and did not; of one whose cells did not run there is nothing to say."""
    active = {layer.partition(" ")[0] for layer in result.sandbox}
    return (
        [layer for layer in REAL_LAYERS if layer not in active] if result.status in (Status.SCORED, Status.NOT_ATTEMPTED) else []
    )
