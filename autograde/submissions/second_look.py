"""Whether an answer may have been another one when its own check ran than it is at the end of the notebook."""

import ast
import re
from collections.abc import Iterable, Sequence

from .names import given, readable, used_inside

_CHECK = re.compile(r"\bcheck\(\s*[\"'](\w+)[\"']")


def checked_in(cells: Sequence[str], names: Iterable[str]) -> dict[str, int]:
    """Exercise -> number (from 1) of the last code cell that calls ``check`` for it."""
    found = {name: number for number, cell in enumerate(cells, start=1) for name in _CHECK.findall(cell)}
    return {name: found[name] for name in names if name in found}


def changed_after(cells: Sequence[str], number: int, name: str) -> bool:
    """Whether a cell after this number binds or changes a name that the answer may need: its own, a helper's, NumPy's."""
    if not readable(cells):
        return True
    try:
        later = frozenset().union(*(_bound(statement) for cell in cells[number:] for statement in ast.parse(cell).body))
        needed = {name}.union(*(used_inside(cell) for cell in cells[:number]))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True  # no plain Python: it may do anything
    return bool(later & needed)


def _bound(statement: ast.stmt) -> frozenset[str]:
    """Names of the notebook that a statement binds or changes: of a function its name, and what it declares global."""
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return given(statement)
    declared = (node.names for node in ast.walk(statement) if isinstance(node, ast.Global))
    return frozenset([statement.name]).union(*declared)
