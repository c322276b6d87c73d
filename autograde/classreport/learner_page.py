"""A learner's own page: points by exercise, the mistake by name, the next hint, repairs and notices. No hidden value."""

from autograde.engine.exercise import Report
from autograde.engine.report import lines, of_points
from autograde.exercises import UnknownExercise, find
from autograde.grading.records import Result

from .page import style, template, title


def learner_page(result: Result) -> str:
    words = {"title": title, "of_points": of_points, "said": _said, "hint": _hint}
    return template("learner.html.j2").render(result=result, style=style(), **words) + "\n"


def _said(report: Report) -> list[tuple[str, str]]:
    """The lines of the report; where to ask for a hint goes without saying, since one stands below."""
    return [(mark, sentence) for mark, sentence in lines(report) if not sentence.startswith("hint(")]


def _hint(name: str) -> str:
    """The first hint: the others are a call away in the notebook."""
    try:
        return find(name).hints[0]
    except UnknownExercise:
        return ""
