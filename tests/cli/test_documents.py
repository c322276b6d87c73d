"""README and CONTRIBUTING say what is so: their tables, paths, commands and picture."""

import re

import pytest
from paths import ROOT

from autograde.exercises import LESSONS, folder, in_lesson
from course_utils.explorers import query_key_value
from course_utils.explorers.kit.explorer import standalone

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


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_every_path_and_link_exists(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / target).exists(), target


def test_commands_of_the_documents_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"\bmake ([a-z][a-z-]*)", README + CONTRIBUTING)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_picture_is_the_panel_as_it_is_now():
    panel = query_key_value.panel()
    drawn = standalone(panel.draw(panel.start), panel.height)
    assert (ROOT / "docs" / "panel.svg").read_text(encoding="utf-8") == drawn + "\n", "draw it anew: make notebooks"
