"""Which names a piece of a notebook's code binds or changes, and which it needs."""

import ast
import symtable


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
    """Names of the notebook that the source needs: not a function's own variables and parameters."""
    scopes, found = [symtable.symtable(source, "", "exec")], set()
    while scopes:
        scope = scopes.pop()
        scopes += scope.get_children()
        top = scope.get_type() == "module"
        found |= {each.get_name() for each in scope.get_symbols() if each.is_referenced() and (top or each.is_global())}
    return frozenset(found)
