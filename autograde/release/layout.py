"""Where a lesson's files lie, and the one text that a notebook has."""

import copy
import os
import warnings
from pathlib import Path

import nbformat

from autograde.exercises import LESSONS, folder

KEPT = ("nbgrader", "tags", "deletable", "editable")  # metadata of a cell; all else is some program's residue
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class ReleaseError(Exception):
    """A lesson cannot be built. The text is a sentence for whoever edits the script."""


def script_path(root: Path, lesson: str) -> Path:
    return root / "solutions" / folder(lesson) / f"{lesson}.py"


def solved_path(root: Path, lesson: str) -> Path:
    return script_path(root, lesson).with_suffix(".ipynb")


def learner_path(root: Path, lesson: str) -> Path:
    return root / "notebooks" / folder(lesson) / f"{lesson}.ipynb"


def orphans(root: Path) -> list[Path]:
    """Files below solutions/ and notebooks/ that no lesson accounts for (editors' caches aside)."""
    wanted = {place(root, lesson) for lesson in LESSONS for place in (script_path, solved_path, learner_path)}
    found = [path for room in ("solutions", "notebooks") for path in sorted((root / room).rglob("*"))]
    caches = {".ipynb_checkpoints", "__pycache__"}
    return [path for path in found if path.is_file() and path not in wanted and not caches & set(path.parts)]


def tidy_metadata(cell: nbformat.NotebookNode) -> nbformat.NotebookNode:
    return nbformat.from_dict({key: cell.metadata[key] for key in KEPT if key in cell.metadata})


def as_text(notebook: nbformat.NotebookNode) -> str:
    """The notebook's file: metadata by keep-list, sorted keys, one newline at the end. Raises ReleaseError."""
    tidy = copy.deepcopy(notebook)
    tidy.metadata = nbformat.from_dict(METADATA)
    for cell in tidy.cells:
        cell.metadata = tidy_metadata(cell)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a repeated or missing id is only a warning to nbformat
        try:
            nbformat.validate(tidy)
        except (nbformat.ValidationError, Warning) as error:
            raise ReleaseError(f"the notebook is not valid: {error}") from None
        return nbformat.writes(tidy) + "\n"


def write(path: Path, text: str) -> bool:
    """Replace the file in one step if its bytes would change; whether they did."""
    data = text.encode()
    if path.exists() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".tmp")
    beside.write_bytes(data)
    os.replace(beside, path)
    return True
