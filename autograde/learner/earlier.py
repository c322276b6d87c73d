"""A learner's own functions of earlier lessons, for a lesson that builds on them: read from the notebooks saved there."""

import ast
from collections.abc import Callable
from pathlib import Path

import numpy as np

from autograde.engine.judge import judge
from autograde.exercises import LESSONS, find, folder
from autograde.submissions.notebook import Unreadable, read

from .shown import say


def earlier(*references: Callable, notebooks: Path | str = "..") -> tuple[Callable, ...]:
    """For each reference the learner's own function, where one was saved that passes its check; else the reference.

    notebooks: the folder that holds the lessons' folders. One line says which function is whose, and why.
    """
    mine: dict[str, Callable] = {}
    reasons: dict[str, str] = {}
    names = [reference.__name__ for reference in references]
    for lesson in LESSONS:
        wanted = [name for name in names if find(name).lesson == lesson]
        if wanted:
            _take(lesson, wanted, Path(notebooks), mine, reasons)
    say(_told(names, mine, reasons))
    return tuple(mine.get(reference.__name__, reference) for reference in references)


def _take(lesson: str, wanted: list[str], notebooks: Path, mine: dict, reasons: dict) -> None:
    """Adds to ``mine`` what passes, and to ``reasons`` why the rest does not."""
    try:
        cells = read(notebooks / folder(lesson) / f"{lesson}.ipynb").cells
    except (OSError, Unreadable):
        reasons.update(dict.fromkeys(wanted, "no notebook of that lesson beside this one"))
        return
    space = _defined(cells, mine)
    for name in wanted:
        function = space.get(name)
        if not callable(function):
            reasons[name] = "not in your notebook"
        elif judge(find(name), function).passed:
            mine[name] = function
        else:
            reasons[name] = "yours does not pass its check yet"


def _defined(cells: tuple[str, ...], mine: dict) -> dict:
    """What the notebook's imports and definitions make, its demonstrations left out; earlier functions are the learner's."""
    space: dict = {"np": np, "__name__": "earlier"}
    own: set[str] = set()
    for cell in cells:
        for statement in _statements(cell):
            try:
                exec(compile(ast.Module([statement], []), "<your notebook>", "exec"), space)
            except Exception:
                continue
            own |= {statement.name} if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) else set()
    space.update({name: function for name, function in mine.items() if name not in own})
    return space


def _statements(cell: str) -> list[ast.stmt]:
    try:
        body = ast.parse(cell).body
    except (SyntaxError, ValueError):  # a cell that cannot be read defines nothing
        return []
    return [s for s in body if isinstance(s, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef))]


def _told(names: list[str], mine: dict, reasons: dict) -> str:
    parts = [f"Your own run here: {', '.join(name for name in names if name in mine)}."] if mine else []
    for reason in dict.fromkeys(reasons.values()):
        lacking = [f"{name} (lesson {LESSONS.index(find(name).lesson) + 1})" for name in names if reasons.get(name) == reason]
        parts.append(f"The reference stands in for {', '.join(lacking)}: {reason}.")
    return " ".join(parts)
