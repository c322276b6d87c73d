"""Answers whose notebook asks for a module that grading does not have: what can be graded without it is.

A missing module is not the learner's fault, and no way out of a wrong answer either: its import is left out, and only an
answer that then still lacks a name of it waits for a person.
"""

import ast
import re
from collections.abc import Mapping, Sequence

from autograde.engine.calling import Failure
from autograde.engine.exercise import Report

_ABSENT = re.compile(r"No module named '([\w.]+)'")


def absent(cells: Sequence[str], failures: Mapping[int, Failure]) -> set[str]:
    """Modules whose import stopped a cell (numbered from 1): not those that the cell only speaks of in an error of its own."""
    found = set()
    for number, failure in failures.items():
        match = _ABSENT.match(failure.message) if failure.type == "ModuleNotFoundError" else None
        root = match.group(1).partition(".")[0] if match else "course_utils"
        if root != "course_utils" and root in _imported(cells[number - 1]):
            found.add(root)
    return found


def _imported(cell: str) -> set[str]:
    return {_root(module) for statement in _imports(cell) for module in _modules(statement)}


def _imports(cell: str) -> list[ast.Import | ast.ImportFrom]:
    try:
        return [node for node in ast.walk(ast.parse(cell)) if isinstance(node, ast.Import | ast.ImportFrom)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _modules(statement: ast.Import | ast.ImportFrom) -> list[str]:
    return [statement.module or ""] if isinstance(statement, ast.ImportFrom) else [alias.name for alias in statement.names]


def _root(module: str) -> str:
    return module.partition(".")[0]


class _LeftOut(ast.NodeTransformer):
    """Imports of some modules become ``pass``. bound: the names that they would have brought."""

    def __init__(self, modules: set[str]):
        self.modules, self.bound = modules, set[str]()

    def visit_Import(self, node):
        gone = [alias for alias in node.names if _root(alias.name) in self.modules]
        self.bound |= {(alias.asname or _root(alias.name)) for alias in gone}
        node.names = [alias for alias in node.names if alias not in gone]
        return node if node.names else ast.Pass()

    def visit_ImportFrom(self, node):
        if _root(node.module or "") not in self.modules:
            return node
        self.bound |= {alias.asname or alias.name for alias in node.names}
        return ast.Pass()


def without(cells: Sequence[str], modules: set[str]) -> tuple[tuple[str, ...], set[str]]:
    """The cells without imports of these modules, and the names that are missing now ("*": nobody knows which)."""
    left_out = _LeftOut(modules)
    kept = [ast.unparse(left_out.visit(ast.parse(cell))) if _imported(cell) & modules else cell for cell in cells]
    return tuple(kept), left_out.bound


def lacks(report: Report, names: set[str]) -> bool:
    """Whether a check failed, or the answer is not there, for want of one of these names."""
    messages = [report.reason, *(check.message for check in report.checks)]
    told = " ".join(message for message in messages if "NameError" in message or "not defined" in message)
    return bool(told) and ("*" in names or bool(names & set(re.findall(r"\w+", told))))
