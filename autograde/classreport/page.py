"""A class's results as one page for the instructor: where the class stands, what it misunderstands, what is open.

Static HTML without script, font or picture from anywhere; light and dark; on paper too.
"""

from pathlib import Path

import jinja2

from autograde.engine.report import counted, number
from autograde.exercises import LESSONS

from .tally import BINS, Tally

HERE = Path(__file__).parent
NUMBERS = ("passed", "share", "attempted", "mean", "points", "learners")  # columns of numbers, set to the right


def page(tallies: dict[str, Tally]) -> str:
    """The page of a class, from what its results add up to: the same bytes for the same results."""
    words = {"title": title, "tenth": tenth, "counted": counted, "number": number}
    style = (HERE / "class.css").read_text(encoding="utf-8")
    return template("class.html.j2").render(tallies=tallies, numbers=NUMBERS, style=style, **words) + "\n"


def template(name: str) -> jinja2.Template:
    """A template of this folder; what it shows is escaped."""
    loader = jinja2.FileSystemLoader(HERE)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined).get_template(name)


def title(lesson: str) -> str:
    return f"Lesson {LESSONS.index(lesson) + 1}: {lesson.replace('_', ' ')}"


def tenth(at: int) -> str:
    width = 100 // BINS
    return f"{at * width}–{(at + 1) * width}"
