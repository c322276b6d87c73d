"""A class's results as one page for the instructor: where the class stands, what it misunderstands, what is open.

Static HTML without script, font or picture from anywhere; light and dark; on paper and in black and white too.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path

import jinja2

from autograde.engine.report import counted, number
from autograde.exercises import LESSONS
from autograde.grading.marks import Mark

from .tally import BINS, HELP_BELOW, Tally

HERE = Path(__file__).parent


@dataclass(frozen=True)
class ClassResults:
    """graded: when the class was graded last, "" where it is not known. alike: lesson -> pairs of students.

    marks: a gradebook's, for the questions in own words; None where none was asked.
    """

    tallies: Mapping[str, Tally]
    graded: str = ""
    alike: Mapping[str, Sequence[tuple[str, str, int]]] = field(default_factory=dict)
    marks: Sequence[Mark] | None = None

    def in_words(self, lesson: str) -> list[tuple[str, int, int]]:
        """(question, answers that wait for a mark, answers that have one)."""
        found: dict[str, list[int]] = {}
        for mark in self.marks or ():
            for each in mark.exercises if mark.lesson == lesson else ():
                if each.waiting or (each.by_hand and each.name not in self.tallies[lesson].exercises):
                    counts = found.setdefault(each.name, [0, 0])
                    counts[0 if each.waiting else 1] += 1
        return [(name, waiting, marked) for name, (waiting, marked) in found.items()]


def page(results: ClassResults) -> str:
    """The page of a class: the same bytes for the same results."""
    words = {"title": title, "tenth": tenth, "counted": counted, "number": number, "help_below": HELP_BELOW}
    return template("class.html.j2").render(results=results, style=style(), **words) + "\n"


def as_json(results: ClassResults) -> str:
    """What stands on the page, for other programs."""
    content = {"graded": results.graded, "lessons": _content(results.tallies), "alike": _content(results.alike)}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _content(value):
    """Records, counters and sets as JSON has them."""
    if is_dataclass(value):
        return {each.name: _content(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _content(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return [_content(item) for item in value] if isinstance(value, (list, tuple)) else value


def template(name: str) -> jinja2.Template:
    """A template of this folder; what it shows is escaped."""
    loader = jinja2.FileSystemLoader(HERE)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined).get_template(name)


def style() -> str:
    return (HERE / "class.css").read_text(encoding="utf-8")


def title(lesson: str) -> str:
    return f"Lesson {LESSONS.index(lesson) + 1}: {lesson.replace('_', ' ')}"


def tenth(at: int) -> str:
    width = 100 // BINS
    return f"{at * width}–{(at + 1) * width}"
