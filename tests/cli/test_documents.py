"""The documents say what is so: their tables, links, commands, pictures and numbers."""

import importlib.util
import pkgutil
import re
import tomllib

import pytest
from paths import ROOT

from autograde.exercises import LESSONS, folder, in_lesson
from course_utils.explorers import query_key_value
from course_utils.explorers.kit.explorer import standalone
from course_utils.explorers.kit.labels import text_width

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def row(lesson: str) -> list[str]:
    records = in_lesson(lesson)
    return [
        f"[{folder(lesson)}](notebooks/{folder(lesson)}/{lesson}.ipynb)",
        str(len(records)),
        str(sum(record.points for record in records)),
    ]


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_lesson_table_counts_as_the_exercises_do(lesson):
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in README.splitlines() if line.startswith("| [")]
    assert row(lesson) in [[cells[0], cells[2], cells[3]] for cells in rows]


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/architecture.md"])
def test_every_link_leads_somewhere(document):
    path = ROOT / document
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (path.parent / target).exists(), target


def test_commands_of_the_documents_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"\bmake ([a-z][a-z-]*)", README + CONTRIBUTING)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_one_version_is_named_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    found = re.findall(r"^## (\S+) – (\S+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert found[0][0] == version and f"version: {version}\ndate-released: {found[0][1]}\n" in citation


def test_the_picture_is_the_panel_as_it_is_now():
    panel = query_key_value.panel()
    drawn = standalone(panel.draw(panel.start), panel.height)
    assert (ROOT / "docs" / "panel.svg").read_text(encoding="utf-8") == drawn + "\n", "draw it anew: make notebooks"


def test_the_way_of_an_answer_is_drawn_from_the_code_as_it_is_now():
    spec = importlib.util.spec_from_file_location("draw_answer", ROOT / "docs" / "draw_answer.py")
    draw_answer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw_answer)
    assert (ROOT / "docs" / "answer.svg").read_text(encoding="utf-8") == draw_answer.picture(), "draw it anew: make notebooks"
    for step in draw_answer.STEPS.values():
        width = draw_answer.WIDES[step.column] - 14
        assert text_width(step.what, "b") <= width and text_width(draw_answer.place(step.code), "m") <= width, step.what


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
UNITS = {"": 1, "s": 1, "KB": 1 << 10, "MB": 1 << 20}
LIMITS = re.findall(r"^\| [^|]+ \| (\d+) ?(\w*) \| `([\w.]+)` \|$", ARCHITECTURE, re.MULTILINE)


@pytest.mark.parametrize("number, unit, name", LIMITS, ids=[name for *_, name in LIMITS])
def test_a_limit_is_as_large_as_the_architecture_says(number, unit, name):
    assert pkgutil.resolve_name(f"autograde.{name}") == int(number) * UNITS[unit]


def test_modules_that_the_architecture_names_exist():
    assert len(LIMITS) == 14
    modules = re.findall(r"`([a-z_/]+\.py)`", ARCHITECTURE)
    assert len(modules) >= 8
    assert [name for name in modules if not (ROOT / "autograde" / name).exists()] == []


def test_every_direct_dependency_has_a_lower_bound_to_test_with():
    spec = importlib.util.spec_from_file_location("lowest", ROOT / ".ci" / "lowest.py")
    lowest = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(lowest)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(line for lines in project["optional-dependencies"].values() for line in lines)]
    pins = lowest.lowest(project)
    assert len(pins) == sum(not line.startswith("attention-course[") for line in asked)
    assert "numpy==2.0" in pins and "psycopg[binary]==3.2.1" in pins  # an extra of a package is part of its name
