"""A function in, the same function with one place changed out: an operator, a constant, a comparison, a step left out.

Mutation testing (DeMillo, Lipton and Sayward 1978) applied to the grader: what the checks let pass is looked at.
"""

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_OPERATORS = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div,),
    ast.MatMult: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
_COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}


@dataclass(frozen=True)
class Mutant:
    """function: the changed function. line: the changed line as it reads now, after its number in the function."""

    function: Callable
    line: str


def mutants(function: Callable) -> Iterator[Mutant]:
    """Every mutant of a function that is written with ``def`` and needs no closure; none of others."""
    tree = _tree(function)
    if tree is None:
        return
    for number, node in enumerate(ast.walk(tree)):
        for change in _changes(node):
            mutated = copy.deepcopy(tree)
            place = next(other for i, other in enumerate(ast.walk(mutated)) if i == number)
            change(place)
            yield _compiled(mutated, place, function)


def _tree(function: Callable) -> ast.Module | None:
    if not inspect.isfunction(function) or function.__closure__ or function.__name__ == "<lambda>":
        return None
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    if ast.get_docstring(definition) is not None and len(definition.body) > 1:
        del definition.body[0]
    return tree


def _compiled(tree: ast.Module, place: ast.AST, function: Callable) -> Mutant:
    ast.fix_missing_locations(tree)
    scope = dict(function.__globals__)
    exec(compile(tree, f"<mutant of {function.__name__}>", "exec"), scope)
    number = getattr(place, "lineno", 1)
    return Mutant(scope[function.__name__], f"line {number}: {ast.unparse(_statement(tree, place)).splitlines()[0]}")


def _statement(tree: ast.Module, place: ast.AST) -> ast.AST:
    """The innermost statement that holds the place."""
    holders = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and any(x is place for x in ast.walk(node))]
    return holders[-1] if holders else tree


def _changes(node: ast.AST) -> Iterator[Callable]:
    """Functions that change a copy of the node in place."""
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        yield from (_set("op", other) for other in _OPERATORS.get(type(node.op), ()))
    elif isinstance(node, ast.Compare):
        yield from (_set_first("ops", other) for other in _COMPARISONS.get(type(node.ops[0]), ()))
    elif isinstance(node, ast.BoolOp):
        yield _set("op", ast.Or if isinstance(node.op, ast.And) else ast.And)
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield from (_set_value("test", ast.Constant(truth)) for truth in (True, False))
    elif isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load) and len(node.elts) == 2:
        yield lambda place: place.elts.reverse()
    elif isinstance(node, ast.UnaryOp):
        yield _to_its_operand
    yield from _left_out(node)


def _set(field: str, kind: type) -> Callable:
    return lambda place: setattr(place, field, kind())


def _set_value(field: str, value: ast.AST) -> Callable:
    return lambda place: setattr(place, field, value)


def _set_first(field: str, kind: type) -> Callable:
    return lambda place: getattr(place, field).__setitem__(0, kind())


def _constants(node: ast.Constant) -> Iterator[Callable]:
    if isinstance(node.value, bool):
        yield _set_value("value", not node.value)  # type: ignore[arg-type]
    elif isinstance(node.value, (int, float)):
        for other in dict.fromkeys((node.value + 1, node.value - 1, 0)):
            if other != node.value:
                yield _set_value("value", other)  # type: ignore[arg-type]


def _calls(node: ast.Call) -> Iterator[Callable]:
    for i in range(len(node.keywords)):
        yield lambda place, i=i: place.keywords.pop(i)
    if len(node.args) == 2:
        yield lambda place: place.args.reverse()
    elif len(node.args) > 2:
        yield lambda place: place.args.__setitem__(slice(0, 2), place.args[1::-1])


def _to_its_operand(place: ast.UnaryOp) -> None:
    """-x becomes +x, not x becomes x."""
    operand = place.operand
    if isinstance(place.op, ast.Not):
        place.operand = ast.UnaryOp(ast.Not(), operand)
    else:
        place.op = ast.UAdd() if isinstance(place.op, ast.USub) else ast.USub()


def _left_out(node: ast.AST) -> Iterator[Callable]:
    """A statement that is not there; never the last one of a block."""
    for field in ("body", "orelse"):
        block = getattr(node, field, None)
        if isinstance(block, list) and len(block) > 1:
            for i, statement in enumerate(block):
                if not isinstance(statement, (ast.Return, ast.FunctionDef)):
                    yield lambda place, field=field, i=i: getattr(place, field).pop(i)
