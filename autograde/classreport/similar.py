"""A hint where the code of submissions is alike: answers that two or three students share and nobody else has.

Names of variables, comments and layout play no part; short answers, which many write alike, are left out. It is a reason
to look, and no proof of anything; nothing leaves this machine.
"""

import ast
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable

from autograde.exercises import in_lesson
from autograde.submissions.document import Unreadable
from autograde.submissions.notebook import read

LONG_ENOUGH = 25  # nodes of syntax
FEW = 3  # students who share an answer; of more it is the usual way to write it
ANSWERS = 2  # shared answers that are worth a hint


def alike(files: Iterable[tuple[str, bytes]], lesson: str) -> list[tuple[str, str, int]]:
    """(student, student, answers that these share) by falling number. files: (student, bytes of the notebook)."""
    holders: dict[tuple[str, str], set[str]] = defaultdict(set)
    for student, data in files:
        for form in _forms(data, lesson):
            holders[form].add(student)
    shared: Counter = Counter()
    for students in holders.values():
        if len(students) <= FEW:
            shared.update(itertools.combinations(sorted(students), 2))
    found = [(*pair, count) for pair, count in shared.items() if count >= ANSWERS]
    return sorted(found, key=lambda entry: (-entry[2], entry[:2]))


def _forms(data: bytes, lesson: str) -> set[tuple[str, str]]:
    """(exercise, form of its code) for each function of the lesson's that is long enough."""
    try:
        cells = read(data).cells
    except Unreadable:
        return set()
    names, found = {record.name for record in in_lesson(lesson)}, set()
    for cell in cells:
        try:
            body = ast.parse(cell).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.name in names and sum(1 for _ in ast.walk(node)) >= LONG_ENOUGH:
                found.add((node.name, _form(node)))
    return found


def _form(function: ast.FunctionDef) -> str:
    """The syntax tree with its own variables numbered; what it does to them, and what it calls, stays."""
    own: dict[str, str] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            own.setdefault(node.arg, f"v{len(own)}")
            node.arg = own[node.arg]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.setdefault(node.id, f"v{len(own)}")
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            node.id = own.get(node.id, node.id)
    return ast.dump(function)
