"""Which cells of a notebook some of its cells need: the part of a lesson that a browser test has to run."""

import ast
import builtins


def needed(sources: list[str], wanted: set[int]) -> list[int]:
    """Positions of the cells ``wanted`` and, before each of them, of those that make or change a name it uses.

    >>> needed(["a = 1", "b = 2", "a.append(3)", "print(a)"], {3})
    [0, 2, 3]
    """
    names, kept = set(), []
    imported = {name for source in sources for name in _names(source)[2]}
    for position in reversed(range(len(sources))):
        made, used, _, changed = _names(sources[position])
        if position in wanted or (made | changed - imported) & names:
            kept.append(position)
            names |= used
    return kept[::-1]


def _names(source: str) -> tuple[set[str], set[str], set[str], set[str]]:
    """Names that a cell makes, uses without having made them, imports, and may change in place."""
    tree = ast.parse("".join(line for line in source.splitlines(keepends=True) if not line.startswith("%")))
    made, used, imported, changed = set(), set(), set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
        elif isinstance(node, ast.alias):
            imported.add(node.asname or node.name.split(".")[0])
        elif isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            changed |= {_base(node)}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            changed |= {_base(node.value.func)}
    return made | imported, used - made - imported - set(dir(builtins)), imported, changed - {""}


def _base(node) -> str:
    """x of x.y[z], and of x.method."""
    inside = node
    while isinstance(inside, ast.Attribute | ast.Subscript):
        inside = inside.value
    return inside.id if isinstance(inside, ast.Name) and inside is not node else ""
