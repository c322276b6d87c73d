"""What holds for every lesson of the second edition: no wall of code, no assert of ours, honest minutes, predictions."""

import re

import nbformat
import pytest
from paths import ROOT

from autograde.exercises import LESSONS, folder
from autograde.release.effort import FURTHER, effort

SECOND_EDITION = ("word_vectors", "embedding_space", "polysemy", "transformer", "decoder")  # with "Going further"
LONGEST, OFF = 15, 10  # lines of a visible cell; minutes that the first cell may be away from the count


def book(lesson: str, room: str = "notebooks"):
    return nbformat.read(ROOT / room / folder(lesson) / f"{lesson}.ipynb", as_version=4)


@pytest.fixture(params=LESSONS)
def lesson(request):
    return request.param


def test_no_cell_is_a_wall_and_none_asserts(lesson):
    for cell in book(lesson).cells:
        if cell.cell_type == "code":
            assert len(cell.source.splitlines()) <= LONGEST, cell.source
            assert not re.search(r"^\s*assert\b|^guess = None", cell.source, re.MULTILINE), cell.source


def test_the_minutes_are_those_that_are_counted(lesson):
    found = effort(book(lesson))
    assert found.stated is not None and abs(found.stated - found.minutes) <= OFF, (found.stated, found.minutes)


@pytest.mark.parametrize("lesson", SECOND_EDITION)
def test_what_goes_further_stands_last_and_is_not_graded(lesson):
    cells = book(lesson).cells
    (start,) = [i for i, cell in enumerate(cells) if cell.cell_type == "markdown" and FURTHER in cell.source]
    assert not [cell.id for cell in cells[start:] if "nbgrader" in cell.metadata]


def test_every_prediction_is_compared_below_it(lesson):
    code = "\n".join(cell.source for cell in book(lesson).cells if cell.cell_type == "code")
    made = re.findall(r"^(\w+) = predict\(", code, re.MULTILINE)
    assert len(made) >= 4 and len(set(made)) == len(made)
    for name in made:
        assert code.count(f"{name}.compare(") == 1 and code.index(f"{name} = predict(") < code.index(f"{name}.compare(")


def test_shapes_stand_under_the_letters_of_the_central_formulas(lesson):
    formulas = re.findall(
        r"\$\$(.+?)\$\$", "\n".join(c.source for c in book(lesson).cells if c.cell_type == "markdown"), re.DOTALL
    )
    assert len(formulas) >= (3 if lesson in SECOND_EDITION else 1)
    assert sum(r"\underset" in formula for formula in formulas) >= len(formulas) - 1


def text_of(lesson: str) -> str:
    outputs = [output for cell in book(lesson, "solutions").cells for output in cell.get("outputs", ())]
    return "\n".join(o.get("text", "") or o.get("data", {}).get("text/plain", "") for o in outputs)


@pytest.mark.parametrize(
    "lesson, found",
    [  # what the prose around them says, in stored outputs that nbval proves
        ("word_vectors", ["Result: equally near to both", "Result: more than ten times as long", "Result: smaller", "above 0.5"]),
        ("embedding_space", ["Result: stay", "Result: ln V", "Result: king", "nearest to 0.75", "Result: who belongs to whom"]),
        ("transformer", ["Result: the same vector as before", "Result: two equal rows", "Result: less than 0.00001"]),
        (
            "decoder",
            ["Result: no", "Result: decoder", "Result: next to nothing", "nearest to 25", "Result: none", "only the four"],
        ),
        ("polysemy", ["Result: iphone", "nearest to 0.95", "Result: 4 words", "Result: the average of all"]),
        ("query_key_value", ["Result: [CLS]", "Result: who gives", "Result: no", "Result: the same"]),
        (
            "scaling",
            ["Result: larger", "nearest to 10", "Result: one-sided", "Result: 1", "Result: √32", "Result: whether it learns"],
        ),
        ("multi_head", ["Result: half and half", "Result: a1 a2 / a3 a4", "Result: one head", "Result: yes"]),
    ],
)
def test_results_are_those_that_the_prose_goes_on_from(lesson, found):
    text = text_of(lesson)
    assert [words for words in found if words not in text] == []
