"""A submission file in, its code cells out.

Grading needs only the sources of the code cells in their order: answers are found by function name, the
last definition wins. Metadata, ids, outputs, kernelspec and tests of the submission are neither needed nor
trusted, so whatever a front end does to them costs nothing. The file is never changed.
"""

import ast
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from .document import Unreadable, load_bytes, parse, printable

__all__ = ["Cell", "Notebook", "Unreadable", "find", "read", "whole"]

MOST_CELLS = 5_000
MOST_NOTICES = 30
LONGEST_TEXT_CELL = 100_000  # characters of a text cell that may turn out to be code

_DEFINITION = re.compile(r"^(?:async[ \t]+)?def[ \t]+(\w+)|^class[ \t]+(\w+)|^(answer_\w+)[ \t]*=(?!=)", re.MULTILINE)
_LOOKS_LIKE_CODE = re.compile(r"^(?:@|import |from \w|(?:async )?def |class |answer_\w+ *=)", re.MULTILINE)
_MAGIC = re.compile(r"^[ \t]*[%!?].*$", re.MULTILINE)
_FILENAME = re.compile(r"\.ipynb(?:\.txt|\.json)?$", re.IGNORECASE)  # browsers add a second ending


@dataclass(frozen=True)
class Notebook:
    """cells: sources of the code cells in order. notices: one line per repair. sha256: of the file's bytes."""

    cells: tuple[str, ...]
    notices: tuple[str, ...]
    sha256: str


@dataclass(frozen=True)
class Cell:
    """number: from 1. kind: "code", "markdown", "raw" or whatever the file says. marks: nbgrader's, believed by nobody."""

    number: int
    kind: str
    text: str
    marks: dict = field(default_factory=dict)
    attachments: dict = field(default_factory=dict)


def read(source: str | Path | bytes, names: Iterable[str] = ()) -> Notebook:
    """The code cells of a notebook file (or its bytes).

    names: the answers that will be looked for; one defined more than once gets a notice.
    Raises ``Unreadable`` with a sentence and, where there is one, a line of the file.

    >>> read(b'{"cells": [{"cell_type": "code", "source": ["x = 1"]}]}').cells
    ('x = 1',)
    """
    data = source if isinstance(source, bytes) else load_bytes(source)
    notices: list[str] = []
    cells = whole(data, notices)
    notices += _duplicates(cells, names)
    return Notebook(
        tuple(cell.text for cell in cells if cell.kind == "code" and cell.text.strip()),
        _few(notices),
        hashlib.sha256(data).hexdigest(),
    )


def whole(data: bytes, notices: list[str]) -> list[Cell]:
    """All cells of a notebook, text and code, for who wants to show it. Raises Unreadable."""
    document = parse(data, notices)
    cells = [_cell(number, cell, notices) for number, cell in enumerate(_cells(document, notices), start=1)]
    return _with_lost_code([cell for cell in cells if cell.kind != "none"], notices)


def _few(notices: list[str]) -> tuple[str, ...]:
    different = list(dict.fromkeys(notices))
    more = len(different) - MOST_NOTICES
    return tuple(different[:MOST_NOTICES] + ([f"and {more} more notices"] if more > 0 else []))


def find(folder: Path, expected: str) -> tuple[Path | None, str]:
    """The notebook handed in as ``expected`` ("scaling.ipynb"), and a notice where its name is another.

    One unambiguous notebook is taken under any name. Of several none is: (None, sentence naming them).
    Nothing handed in at all: (None, "").
    """
    exact = folder / expected
    if exact.is_symlink() or exact.exists():
        others = ", ".join(printable(path.name) for path in _notebooks_in(folder) if path != exact)
        return exact, f"only {expected} was graded; not looked at: {others}" if others else ""
    found = _notebooks_in(folder) or [path for inner in _folders_in(folder) for path in _notebooks_in(inner)]
    if not found:
        return None, ""
    names = ", ".join(printable(str(path.relative_to(folder))) for path in found)
    if len(found) == 1:
        return found[0], f"the notebook is called {names}, expected was {expected}"
    return None, f"{len(found)} notebooks and none is called {expected}: {names}"


def _notebooks_in(folder: Path) -> list[Path]:
    return [path for path in _visible(folder) if _FILENAME.search(path.name) and not path.is_dir()]


def _folders_in(folder: Path) -> list[Path]:
    return [path for path in _visible(folder) if path.is_dir() and not path.is_symlink()]


def _visible(folder: Path) -> list[Path]:
    """Without ".ipynb_checkpoints" and the "._" files of macOS; sorted, since folders have no order."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _cells(document: dict, notices: list[str]) -> list:
    """The raw cells of formats 4 (``cells``) and 1 to 3 (``worksheets``)."""
    cells, sheets = document.get("cells"), document.get("worksheets")
    if not isinstance(cells, list) and isinstance(sheets, list):
        notices.append("the old notebook format 3 was read")
        cells = [
            cell
            for sheet in sheets
            if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
            for cell in sheet["cells"]
        ]
    if not isinstance(cells, list):
        raise Unreadable("this is JSON, but not a notebook: it has no list of cells")
    if len(cells) > MOST_CELLS:
        raise Unreadable(f"the notebook has {len(cells)} cells; at most {MOST_CELLS} are read")
    if cells and not any(isinstance(cell, dict) and "nbgrader" in _metadata(cell) for cell in cells):
        notices.append("the tags of nbgrader are gone from every cell: answers were found by their names")
    return cells


def _metadata(cell: dict) -> dict:
    metadata = cell.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _cell(number: int, cell, notices: list[str]) -> Cell:
    if not isinstance(cell, dict):
        notices.append(f"cell {number} is not a cell and was left out")
        return Cell(number, "none", "")
    text = _clean(_joined(number, cell.get("source", cell.get("input", "")), notices), notices, f"cell {number}")
    kind, marks = cell.get("cell_type"), _metadata(cell).get("nbgrader")
    return Cell(
        number,
        kind if isinstance(kind, str) else "none",
        text,
        marks if isinstance(marks, dict) else {},
        _pictures(cell.get("attachments")),
    )


def _pictures(attachments) -> dict:
    """Attachments that have the form of attachments: {file name: {type: base64 text}}."""
    if not isinstance(attachments, dict):
        return {}
    return {
        name: bundle
        for name, bundle in attachments.items()
        if isinstance(bundle, dict) and all(isinstance(text, str) and text.isascii() for text in bundle.values())
    }


def _joined(number: int, source, notices: list[str]) -> str:
    if isinstance(source, str):
        return source
    if not isinstance(source, list):
        notices.append(f"cell {number} holds no text and was left out")
        return ""
    lines = [line for line in source if isinstance(line, str)]
    if len(lines) < len(source):
        notices.append(f"cell {number} has lines that are no text: they were left out")
    if len(lines) > 1 and not any(line.endswith(("\n", "\r")) for line in lines[:-1]):
        notices.append(f"cell {number} had lost its line ends: they were put back")
        return "\n".join(lines)
    return "".join(lines)


def _clean(text: str, notices: list[str], where: str) -> str:
    """Line ends as Python wants them; characters that no source can hold are replaced."""
    if "\r" in text:
        notices.append("line ends of Windows were changed to \\n")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if re.search("[\0\ud800-\udfff]", text):
        notices.append(f"{where} has characters that are no text: they were replaced")
        text = re.sub("[\0\ud800-\udfff]", "\ufffd", text)
    return text


def _with_lost_code(cells: list[Cell], notices: list[str]) -> list[Cell]:
    """The cells, those that one keystroke turned to text being code again."""
    defined = {name for cell in cells if cell.kind == "code" for name in _defined(cell.text)}
    lost = [cell for cell in cells if cell.kind != "code" and _was_code(cell.text, defined)]
    notices += [f"cell {cell.number} was not code ({printable(cell.kind, 20)}): it was read as code" for cell in lost]
    numbers = {cell.number for cell in lost}
    return [replace(cell, kind="code") if cell.number in numbers else cell for cell in cells]


def _defined(text: str) -> list[str]:
    return [next(filter(None, groups)) for groups in _DEFINITION.findall(text)]


def _was_code(text: str, defined: set[str]) -> bool:
    """Whether a text cell is Python that defines something no code cell does, or only imports.

    An old attempt that was switched off by making it Raw must not come back to life: hence "no code cell does".
    """
    if len(text) > LONGEST_TEXT_CELL or not _LOOKS_LIKE_CODE.search(text):
        return False
    try:
        tree = ast.parse(_MAGIC.sub("", text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    mine = set(_defined(text))
    return bool(mine and not mine & defined) or all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in tree.body)


def _duplicates(cells: list[Cell], names: Iterable[str]) -> list[str]:
    where: dict[str, list[int]] = {}
    for cell in cells:
        for name in set(_defined(cell.text)) if cell.kind == "code" else ():
            where.setdefault(name, []).append(cell.number)
    return [
        f"{name} is defined more than once (cells {', '.join(map(str, where[name]))}): the last one counts"
        for name in names
        if len(where.get(name, ())) > 1
    ]
