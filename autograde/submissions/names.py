"""Which names a piece of a notebook's code binds or changes, and which it needs."""

import ast
import symtable
from collections.abc import Iterable, Sequence

LONGEST_CELL = 30_000  # characters; a cell of a lesson has 1,000
MOST_TEXT = 400_000  # characters of all cells; a lesson has 50,000
MOST_PAIRS = 1_000_000  # symtable compares each name of a scope with each scope inside it


def readable(cells: Sequence[str]) -> bool:
    """Whether the cells are few and short enough to be looked into: Python's own tables of names grow with the square."""
    return sum(map(len, cells)) <= MOST_TEXT


def given(statement: ast.stmt) -> frozenset[str]:
    """Names that are bound anywhere in the statement, and those whose object it writes to or calls a method of."""
    names = set()
    for node in ast.walk(statement):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            names.add(_root(node))
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        names.add(_root(statement.value.func) if isinstance(statement.value.func, ast.Attribute) else "")
    return frozenset(names - {""})


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def used(source: str) -> frozenset[str]:
    """Names of the notebook that the source needs: not a function's own variables and parameters. Raises ValueError."""
    return frozenset(_looked_up(_table(source))) | used_inside(source)


def used_inside(source: str) -> frozenset[str]:
    """Names that functions and classes in the source look up outside themselves. Raises ValueError."""
    scopes, found = _table(source).get_children(), set()
    while scopes:
        scope = scopes.pop()
        scopes += scope.get_children()
        found |= set(_looked_up(scope))
    return frozenset(found)


def _table(source: str) -> symtable.SymbolTable:
    if len(source) > LONGEST_CELL:
        raise ValueError("a cell too long to look into")
    return symtable.symtable(source, "", "exec")


def _looked_up(scope: symtable.SymbolTable) -> Iterable[str]:
    """Names of the notebook that a scope itself needs."""
    if isinstance(scope, symtable.Function):
        return scope.get_globals()
    if len(scope.get_identifiers()) * len(scope.get_children()) > MOST_PAIRS:
        return scope.get_identifiers()  # a few too many
    top = scope.get_type() == "module"
    return [each.get_name() for each in scope.get_symbols() if each.is_referenced() and (top or each.is_global())]
