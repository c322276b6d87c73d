"""Draws docs/answer.svg: the way of one answer, made of the code itself, so that no name in it can be out of date.

Each step is a function or class; where it lies and what it is called are read from it. A name that is gone is an
import that fails, here and in tests/cli/test_documents.py.
"""

from pathlib import Path
from typing import NamedTuple

from autograde.classreport.page import page
from autograde.engine.compare import compare
from autograde.engine.diagnosis import diagnose
from autograde.engine.exercise import Report
from autograde.engine.judge import judge
from autograde.grading.records import Result
from autograde.grading.results import write
from autograde.nbgrader_plugin.autograded import Autograded
from autograde.nbgrader_plugin.gradebook import fill
from autograde.sandbox.host.answer import SandboxAnswer
from autograde.sandbox.host.replies import results
from autograde.sandbox.host.sandbox import Sandbox
from autograde.sandbox.wire import encode
from autograde.sandbox.worker.cells import Cells
from autograde.sandbox.worker.worker import Worker
from autograde.submissions.document import load_bytes
from autograde.submissions.folders import Job
from autograde.submissions.notebook import read
from course_utils.explorers.kit import svg
from course_utils.explorers.kit.explorer import standalone

FILE, JUDGE, WORKER = 0, 1, 2  # the columns
LAST = 11  # the last row: what is made of a result file
LEFTS, WIDES = (10, 302, 680), (242, 310, 296)
HIGH, TOP, STEP = 50, 84, 74
MIDDLE = (LEFTS[JUDGE] + WIDES[JUDGE] + LEFTS[WORKER]) / 2  # between the two processes
HEADS = (
    ("Files", "what comes in and what goes out"),
    ("The judge's process", "holds the answers, runs nobody's code"),
    ("A worker's process", "runs the submission, holds no answers"),
)


class Step(NamedTuple):
    """A box: what happens there, and the code that does it (or a file's name)."""

    column: int
    row: int
    what: str
    code: object


STEPS = {
    "file": Step(FILE, 0, "a notebook file", "submitted/ada/01_word_vectors/…"),
    "document": Step(JUDGE, 0, "document: a bounded file's bytes", load_bytes),
    "cells": Step(JUDGE, 1, "cells: tolerantly read, repaired", read),
    "job": Step(JUDGE, 2, "job: cells without demonstrations", Job),
    "sandbox": Step(JUDGE, 3, "a worker for this submission", Sandbox.open),
    "run": Step(WORKER, 3, "the cells run", Cells.run),
    "judge": Step(JUDGE, 4, "judge: draws each check's inputs", judge),
    "ask": Step(JUDGE, 5, "the answer is asked", SandboxAnswer.calls),
    "call": Step(WORKER, 5, "the learner's function is called", Worker.outcomes),
    "reply": Step(WORKER, 6, "wire: results as plain arrays", encode),
    "results": Step(JUDGE, 6, "replies: checked whole", results),
    "compare": Step(JUDGE, 7, "compared with the reference's", compare),
    "diagnosis": Step(JUDGE, 8, "diagnosis: which known mistake?", diagnose),
    "report": Step(JUDGE, 9, "report: points and sentences", Report),
    "result": Step(JUDGE, 10, "result: a submission's reports", Result),
    "stored": Step(FILE, 10, "a result file", write),
    "page": Step(FILE, LAST, "the class page", page),
    "book": Step(JUDGE, LAST, "nbgrader's gradebook", fill),
    "feedback": Step(WORKER, LAST, "notebooks for feedback", Autograded),
}
DOWN = (
    "document cells",
    "cells job",
    "job sandbox",
    "sandbox judge",
    "judge ask",
    "results compare",
    "compare diagnosis",
    "diagnosis report",
)
ARROWS = (*DOWN, "file document", "sandbox run", "ask call", "call reply", "reply results", "report result", "result stored")
WIRE = {"sandbox run": "cells", "ask call": "inputs", "reply results": "arrays"}  # what crosses between the processes


def place(code: object) -> str:
    """Where something lies, as an import would name it: "engine.judge.judge"; a text is itself."""
    name = code if isinstance(code, str) else f"{code.__module__}.{code.__qualname__}"  # type: ignore[attr-defined]
    return name.removeprefix("autograde.")


def _top(step: Step) -> float:
    return TOP + STEP * step.row + (10 if step.row == LAST else 0)


def _centre(step: Step) -> float:
    return LEFTS[step.column] + WIDES[step.column] / 2


def _edge(step: Step, right: bool) -> float:
    return LEFTS[step.column] + WIDES[step.column] * right


def _box(step: Step) -> str:
    x, y = LEFTS[step.column], _top(step)
    words = svg.text(x + 14, y + 21, step.what, "b") + svg.text(x + 14, y + 39, place(step.code), "m")
    return svg.box(x, y, WIDES[step.column], HIGH) + words


def _arrow(names: str) -> str:
    start, end = (STEPS[name] for name in names.split())
    if start.column == end.column:
        x = _centre(start)
        return svg.arrow(x, _top(start) + HIGH, x, _top(end), width=1.8, head=9)
    to_right = end.column > start.column
    x0, x1 = _edge(start, to_right), _edge(end, not to_right)
    y = _top(start) + HIGH / 2
    words = svg.text((x0 + x1) / 2, y - 9, WIRE.get(names, ""), "lab", "middle")
    return svg.arrow(x0, y, x1, y, width=1.8, head=9) + words


def _branches() -> str:
    """From the result file to all that is made of it."""
    y, ends = _top(STEPS["page"]) - 12, [_centre(STEPS[name]) for name in ("page", "book", "feedback")]
    stem = svg.line(ends[0], _top(STEPS["stored"]) + HIGH, ends[0], y, "f", 1.8) + svg.line(ends[0], y, ends[-1], y, "f", 1.8)
    return stem + "".join(svg.arrow(x, y, x, y + 12, width=1.8, head=9) for x in ends)


def picture() -> str:
    """The drawing as the text of an SVG file."""
    heads = [
        svg.text(left + 14, 34, title, "h") + svg.text(left + 14, 54, words, "m") for left, (title, words) in zip(LEFTS, HEADS)
    ]
    height = int(TOP + STEP * LAST + HIGH + 30)
    edge = svg.line(MIDDLE, 20, MIDDLE, TOP + STEP * (LAST - 1) + HIGH, "m", 1, dash="5 5")
    label = "The way of one answer: " + "; ".join(f"{step.what} ({place(step.code)})" for step in STEPS.values())
    parts = [*heads, edge, *map(_box, STEPS.values()), *map(_arrow, ARROWS), _branches()]
    return standalone(svg.picture(height, label, parts), height) + "\n"


if __name__ == "__main__":
    (Path(__file__).parent / "answer.svg").write_text(picture(), encoding="utf-8")
