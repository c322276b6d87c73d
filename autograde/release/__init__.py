"""One percent script per lesson in; a solved notebook, run, and a learner's notebook out.

    solutions/01_word_vectors/word_vectors.py      the only file edited by hand
    solutions/01_word_vectors/word_vectors.ipynb   built from it and run, outputs stored
    notebooks/01_word_vectors/word_vectors.ipynb   what nbgrader would release, byte for byte the same each time

``build`` runs the lessons it is given, always: outputs depend on the packages too, not on the script alone.
``stale`` runs nothing; that stored outputs still come true is for nbval to prove.
"""

from pathlib import Path

import nbformat

from autograde.exercises import LESSONS, in_lesson

from .execution import run
from .layout import ReleaseError, as_text, learner_path, orphans, script_path, solved_path, tidy_metadata, write
from .learner_copy import learner_copy
from .script import to_notebook

__all__ = ["ReleaseError", "build", "stale"]

MEND = "run: make notebooks"


def build(lessons: list[str] | tuple[str, ...] = (), root: Path = Path()) -> list[str]:
    """Build and run lessons (all that have a script, when none is named); return the paths that changed.

    A lesson that fails leaves its old files as they were; the others are still built. Raises ReleaseError
    with one sentence for each lesson that failed, and names the cell.

    >>> build(["word_vectors"])                                     # doctest: +SKIP
    ['solutions/01_word_vectors/word_vectors.ipynb', 'notebooks/01_word_vectors/word_vectors.ipynb']
    """
    named = _known(lessons) or [lesson for lesson in LESSONS if script_path(root, lesson).exists()]
    changed, failures = [], []
    for lesson in named:
        try:
            solved = _from_script(root, lesson)
            run(solved, script_path(root, lesson))
            texts = {solved_path(root, lesson): as_text(solved), learner_path(root, lesson): as_text(learner_copy(solved, root))}
        except ReleaseError as error:
            failures.append(str(error))
        else:
            changed += [path.relative_to(root).as_posix() for path, text in texts.items() if write(path, text)]
    if failures:
        raise ReleaseError("\n".join(failures))
    return changed


def stale(lessons: list[str] | tuple[str, ...] = (), root: Path = Path()) -> list[str]:
    """One sentence for each built file that is missing, older than its script, or not the builder's.

    An empty list says that all is current. Without names the whole course is looked at, orphans included.
    """
    complaints = [line for lesson in _known(lessons) or LESSONS for line in _stale(root, lesson)]
    if not lessons:
        complaints += [f"{path} belongs to no lesson: delete it or move it" for path in orphans(root)]
    return complaints


def _stale(root: Path, lesson: str) -> list[str]:
    try:
        fresh = _from_script(root, lesson)
        learner = as_text(learner_copy(fresh, root))
    except ReleaseError as error:
        return [str(error)]
    complaints = [
        f"exercise {record.name!r} is never checked in {script_path(root, lesson)}: add its answer and check cells"
        for record in in_lesson(lesson)
        if record.name not in {cell.id for cell in fresh.cells}
    ]
    complaints += _stale_solved(solved_path(root, lesson), fresh)
    complaints += _stale_learner(learner_path(root, lesson), learner)
    return complaints


def _stale_solved(path: Path, fresh: nbformat.NotebookNode) -> list[str]:
    if not path.exists():
        return [f"{path} has not been built: {MEND}"]
    try:
        text = path.read_text(encoding="utf-8")
        stored = nbformat.reads(text, as_version=4)
        if _unrun(stored) != _unrun(fresh):
            return [f"{path} is older than its script: {MEND}"]
    except (ValueError, AttributeError, KeyError, TypeError, nbformat.ValidationError):
        return [f"{path} is not a notebook of ours: {MEND}"]
    counts = [cell.execution_count for cell in stored.cells if cell.cell_type == "code"]
    if as_text(stored) != text or counts != list(range(1, len(counts) + 1)):
        return [f"{path} was saved by something other than the builder: {MEND}"]
    return []


def _stale_learner(path: Path, expected: str) -> list[str]:
    if not path.exists():
        return [f"{path} has not been built: {MEND}"]
    if path.read_bytes() != expected.encode():
        return [f"{path} is not what its script gives: {MEND}"]
    return []


def _from_script(root: Path, lesson: str) -> nbformat.NotebookNode:
    path = script_path(root, lesson)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ReleaseError(f"{path} is missing: write it, or call the command in the course's folder") from None
    try:
        return to_notebook(text, lesson)
    except ReleaseError as error:
        raise ReleaseError(f"{path}: {error}") from None


def _unrun(notebook: nbformat.NotebookNode) -> list[tuple]:
    return [(cell.id, cell.cell_type, cell.source, tidy_metadata(cell)) for cell in notebook.cells]


def _known(lessons) -> list[str]:
    unknown = [lesson for lesson in lessons if lesson not in LESSONS]
    if unknown:
        raise ReleaseError(f"there is no lesson {unknown[0]!r}; the lessons are: {', '.join(LESSONS)}")
    return list(lessons)
