"""Proves that the notebooks ask for the exercises as they are: each graded once, with the same points."""

import json
from collections import Counter
from pathlib import Path

from autograde.exercises import folder, in_lesson


def disagreements(lesson: str, root: Path) -> list[str]:
    """What the notebooks below ``root`` and the exercises do not agree on, a sentence each."""
    found = []
    for kind in ("solutions", "notebooks"):
        path = root / kind / folder(lesson) / f"{lesson}.ipynb"
        if path.exists():
            found += [f"{kind}/{folder(lesson)}: {line}" for line in _compare(lesson, path)]
    return found


def _compare(lesson: str, path: Path) -> list[str]:
    cells = [c.get("metadata", {}).get("nbgrader", {}) for c in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    graded = [cell for cell in cells if cell.get("grade") and not cell.get("solution")]
    times = Counter(cell["grade_id"] for cell in graded)
    points = {cell["grade_id"]: cell["points"] for cell in graded}
    expected = {record.name: record.points for record in in_lesson(lesson)}
    found = [f"{name} is graded by {times[name]} cells, expected 1" for name in expected if times[name] != 1]
    found += [f"{name} is graded but is no exercise of the lesson" for name in points if name not in expected]
    found += [
        f"{name} has {points[name]:g} points in the notebook, {expected[name]:g} in the exercise"
        for name in points
        if name in expected and points[name] != expected[name]
    ]
    return found
