"""A lesson's percent script in, the solved notebook out, not yet run: ids, nbgrader's marks, hidden tests.

Markers, after ``# %%``: ``answer: NAME``, ``check: NAME``, and ``[markdown] own words: NAME POINTS``. Cells
without one are prose and demonstrations. The rest of the format is jupytext's.
"""

import re
import textwrap

import jupytext
import nbformat
from nbformat.v4 import new_markdown_cell, new_notebook

from autograde.exercises import UnknownExercise, find, in_lesson
from autograde.grading.hand_marks import WRITE_HERE

from .layout import METADATA, ReleaseError, tidy_metadata

_MARKER = re.compile(r"(answer|check|own words): (\w+)(?: (\d+))?")
_SOLUTION, _SCHEME = (
    re.compile(rf"^[ ]*### BEGIN {region}$.*^[ ]*### END {region}$", re.MULTILINE | re.DOTALL)
    for region in ("SOLUTION", "MARK SCHEME")
)
_HIDDEN = "\n### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"


def to_notebook(text: str, lesson: str) -> nbformat.NotebookNode:
    """The unrun solved notebook of a percent script. Raises ReleaseError, naming the cell.

    >>> nb = to_notebook("# %% [markdown]\\n# # Why a vector?\\n", "word_vectors")
    >>> nb.cells[0].id
    'word_vectors-why-a-vector'
    """
    cells: list[nbformat.NotebookNode] = []
    for cell in jupytext.reads(text, fmt="py:percent").cells:
        title = cell.metadata.pop("title", None)
        cell.metadata = tidy_metadata(cell)
        if not cell.source.strip():
            raise ReleaseError("an empty cell" + (f" after {cells[-1].source.splitlines()[0]!r}" if cells else ""))
        cells += [cell] if title is None else _marked(cell, title, lesson)
    taken = {cell.id for cell in cells if "nbgrader" in cell.metadata or "deletable" in cell.metadata}
    for cell in cells:
        if cell.id not in taken:
            cell.id = _new_id(cell, lesson, taken)
            taken.add(cell.id)
    _once_each(cells)
    return new_notebook(cells=cells, metadata=METADATA)


def _marked(cell, title: str, lesson: str) -> list:
    match = _MARKER.fullmatch(title)
    if match is None:
        raise ReleaseError(f'cell "{title}": not a marker; known are answer: NAME, check: NAME, own words: NAME POINTS')
    role, name, points = match.groups()
    if (role == "own words") != (points is not None):
        raise ReleaseError(f'cell "{title}": points stand after an own words question, and only there')
    if (role == "own words") != (cell.cell_type == "markdown"):
        raise ReleaseError(f'cell "{title}": own words is a [markdown] cell, answer and check are code cells')
    if role == "own words":
        return _own_words(cell, name, int(points))
    record = _record(title, name, lesson)
    return [_answer(cell, name) if role == "answer" else _check(cell, name, record.points)]


def _answer(cell, name: str):
    if not _SOLUTION.search(cell.source):
        raise ReleaseError(f'cell "answer: {name}": no ### BEGIN SOLUTION … ### END SOLUTION region')
    return _graded(cell, f"{name}-answer", solution=True)


def _check(cell, name: str, points: int):
    """The learner sees the first line. The hidden one draws other cases, and its value is the score."""
    call = f'check("{name}", {name})'
    if cell.source != call:
        raise ReleaseError(f'cell "check: {name}": must be exactly {call}')
    cell.source += _HIDDEN.format(call.replace(")", ", hidden=True)"))
    return _graded(cell, name, grade=True, locked=True, points=points)


def _own_words(cell, name: str, points: int) -> list:
    """A question for nbgrader's task cell, which is locked, and an open cell for the answer."""
    if not _SCHEME.search(cell.source):
        raise ReleaseError(f'cell "own words: {name}": no ### BEGIN MARK SCHEME … ### END MARK SCHEME region')
    reply = new_markdown_cell(WRITE_HERE, id=f"{name}-answer", metadata={"deletable": False})
    return [_graded(cell, name, task=True, locked=True, points=points), reply]


def _graded(cell, grade_id: str, **marks):
    cell.id = grade_id
    plain = {"grade": False, "locked": False, "solution": False, "task": False, "schema_version": 3}
    cell.metadata["nbgrader"] = plain | {"grade_id": grade_id} | marks
    return cell


def _record(title: str, name: str, lesson: str):
    """Looked up in its own lesson first: one that is being written does not break the others."""
    named = {record.name: record for record in in_lesson(lesson)}
    if name in named:
        return named[name]
    try:
        raise ReleaseError(f'cell "{title}": {name} is an exercise of the lesson {find(name).lesson}')
    except UnknownExercise as error:
        raise ReleaseError(f'cell "{title}": {error}') from None


def _new_id(cell, lesson: str, taken: set[str]) -> str:
    """The lesson and the cell's first words: an edit elsewhere in the script leaves it as it is."""
    words = re.findall(r"[a-z0-9]+", cell.source.split("\n", 1)[0].lower())
    slug = textwrap.shorten(" ".join([lesson, *words]), 50, placeholder="").replace(" ", "-")
    same = 1
    while (unique := slug if same == 1 else f"{slug}-{same}") in taken:
        same += 1
    return unique


def _once_each(cells) -> None:
    """Each answer has one check below it, and no name is used twice."""
    seen = set()
    for cell in cells:
        mark = cell.metadata.get("nbgrader", {})
        if cell.id in seen:
            raise ReleaseError(f'cell "{cell.id}" occurs twice')
        if mark.get("grade") and f"{cell.id}-answer" not in seen:
            raise ReleaseError(f'cell "check: {cell.id}": no answer: {cell.id} above it')
        seen.add(cell.id)
    for cell in cells:
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.id.removesuffix("-answer") not in seen:
            raise ReleaseError(f'cell "answer: {cell.id.removesuffix("-answer")}": no check below it')
