"""Leaves out of a submission what the lesson itself brought along and no answer needs.

A lesson trains models and draws figures; a learner's copy holds all of that unchanged. Of a cell that is as it
was released only the statements stay that define something the learner's own cells use, directly or by way of
other such statements: imports mostly. Everything that a learner wrote or changed stays whole, and every line
keeps its number.
"""

import ast
import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path

from autograde.exercises import folder

from . import names

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"  # the release; without it nothing is left out


@dataclass(frozen=True)
class Statement:
    """lines: first and last, from 0. gives: names it defines or changes. uses: names it needs."""

    lines: tuple[int, int]
    gives: frozenset[str]
    uses: frozenset[str]


def without_demonstrations(cells: tuple[str, ...], lesson: str) -> tuple[str, ...]:
    """The cells with unneeded released statements blanked out; as many cells, each line where it was."""
    if not names.readable(cells):
        return cells
    released = _released(lesson)
    parts = [released.get(_key(cell)) for cell in cells]
    needed = set().union(*(_used(cell) for cell, part in zip(cells, parts) if part is None))
    kept: dict[int, set[int]] = {}  # cell -> its statements that stay
    waiting = [((at, number), statement) for at, part in enumerate(parts) for number, statement in enumerate(part or ())]
    while found := [entry for entry in waiting if entry[1].gives & needed]:
        for (at, number), _ in found:
            kept.setdefault(at, set()).add(number)
        needed = needed.union(*(statement.uses for _, statement in found))
        waiting = [((at, number), statement) for (at, number), statement in waiting if number not in kept.get(at, ())]
    return tuple(
        cell if part is None else _blanked(cell, part, kept.get(at, set())) for at, (cell, part) in enumerate(zip(cells, parts))
    )


def _blanked(cell: str, part: tuple[Statement, ...], kept: set[int]) -> str:
    """Only the lines of kept statements; "" where none is kept."""
    wanted = {line for number in kept for line in range(part[number].lines[0], part[number].lines[1] + 1)}
    return "\n".join(line if at in wanted else "" for at, line in enumerate(cell.split("\n"))) if wanted else ""


@functools.cache
def _released(lesson: str) -> dict[str, tuple[Statement, ...]]:
    """Source of each released code cell that is not for an answer -> its statements."""
    try:
        document = json.loads((NOTEBOOKS / folder(lesson) / f"{lesson}.ipynb").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    found = {}
    for cell in document["cells"]:
        if cell["cell_type"] == "code" and not cell["metadata"].get("nbgrader", {}).get("solution"):
            source = "".join(cell["source"])
            statements = _statements(source)
            if statements is not None:
                found[_key(source)] = statements
    return found


def _key(source: str) -> str:
    """Editors add and remove blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in source.strip().split("\n"))


def _statements(source: str) -> tuple[Statement, ...] | None:
    """None for a cell that stays whole: no plain Python, or a star import, which may give anything."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in body):
        return None
    lines = source.split("\n")
    places = [(_first_line(node), (node.end_lineno or node.lineno) - 1) for node in body]
    return tuple(
        Statement((first, last), names.given(node), names.used("\n".join(lines[first : last + 1])))
        for node, (first, last) in zip(body, places)
    )


def _first_line(node: ast.stmt) -> int:
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))]) - 1


def _used(cell: str) -> frozenset[str]:
    """Names that a learner's cell may need; all its words where it is no plain Python."""
    try:
        return names.used(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset(re.findall(r"\w+", cell))
