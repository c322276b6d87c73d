"""How long a lesson takes: counted from its cells, in one place, so that what its first cell says is not a wish.

The rates are for a newcomer who solves everything: 120 words a minute; half a minute to read and run a demonstration;
six minutes a function, two a quiz, four an answer in own words, three at an explorer. They are estimates, not measurements
of learners. What stands below "Going further" is not counted.
"""

import re
from dataclasses import dataclass

import nbformat

WORDS_A_MINUTE = 120
A_CELL, A_FUNCTION, A_QUIZ, OWN_WORDS, AN_EXPLORER = 0.5, 6, 2, 4, 3
FURTHER = "## Going further"
_STATED = re.compile(r"takes\s+about\s+(\d+)\s+minutes")


@dataclass(frozen=True)
class Effort:
    """Counts of the core of a lesson; ``longest`` is the number of lines of its longest visible code cell."""

    cells: int
    words: int
    code_cells: int
    demonstrations: int  # code cells that hold neither an answer nor its check
    functions: int
    quizzes: int
    own_words: int
    explorers: int
    longest: int
    stated: int | None  # minutes, as the first cell says

    @property
    def minutes(self) -> float:
        return (
            self.words / WORDS_A_MINUTE
            + A_CELL * self.demonstrations
            + A_FUNCTION * self.functions
            + A_QUIZ * self.quizzes
            + OWN_WORDS * self.own_words
            + AN_EXPLORER * self.explorers
        )


def effort(notebook: nbformat.NotebookNode) -> Effort:
    """Counts of a learner's notebook."""
    core, further = [], False
    for cell in notebook.cells:
        further = further or (cell.cell_type == "markdown" and FURTHER in cell.source)
        if not further:
            core.append(cell)
    prose = [cell.source for cell in core if cell.cell_type == "markdown"]
    code = [cell.source for cell in core if cell.cell_type == "code"]
    stated = _STATED.search(prose[0]) if prose else None
    marks = [cell.metadata.get("nbgrader", {}) for cell in core]
    answers = [cell.source for cell, mark in zip(core, marks) if mark.get("solution") and cell.cell_type == "code"]
    return Effort(
        cells=len(core),
        words=sum(len(source.split()) for source in prose),
        code_cells=len(code),
        demonstrations=sum(cell.cell_type == "code" and not mark for cell, mark in zip(core, marks)),
        functions=sum("def " in source for source in answers),
        quizzes=sum("def " not in source for source in answers),
        own_words=sum(bool(mark.get("task")) for mark in marks),
        explorers=sum(len(re.findall(r"^explore\.\w+\(", source, re.MULTILINE)) for source in code),
        longest=max((len(cell.source.splitlines()) for cell in notebook.cells if cell.cell_type == "code"), default=0),
        stated=int(stated.group(1)) if stated else None,
    )
