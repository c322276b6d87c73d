"""In a running kernel: what a learner is told of cells that failed or were never run, and what nbgrader reads."""

import nbformat
import pytest
from nbclient import NotebookClient
from nbgrader.utils import determine_grade

CELLS = {
    "imports": "from autograde import check, hint, predict, yours",
    "never run": 'check("one_hot", one_hot)',
    "letter": "answer_one_hot = c",
    "quiz": "answer_one_hot = None",
    "broken quiz": "answer_one_hot = b",
    "check quiz": 'check("answer_one_hot", answer_one_hot)',
    "right": "def embed(ids, E):\n    return E[ids]",
    "check right": 'check("embed", embed)',
    "broken": "def embed(ids, E):\n    return E[ids",
    "check broken": 'check("embed", embed)',
    "mended": "def embed(ids, E):\n    return E[list(ids)]",
    "check mended": 'check("embed", embed)',
    "own name": "print(one_hut)",
    "float": "0.25",
    "assigned": 'score = check("embed", embed)',
    "shown later": "score",
    "stands in": 'yours("one_hot", None)([0], 2)',
}


@pytest.fixture(scope="module")
def ran():
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS.values()])
    NotebookClient(book, kernel_name="python3", timeout=60, allow_errors=True).execute()
    return dict(zip(CELLS, book.cells))


def words(cell) -> str:
    return "\n".join(o.get("text", "") or o.get("data", {}).get("text/plain", "") for o in cell.outputs)


def test_a_cell_that_was_never_run_is_named(ran):
    assert "one_hot is not there yet: the cell above, in which you write it, has not been run." in words(ran["never run"])
    assert words(ran["own name"]) == ""  # another name: Python's own error says all


@pytest.mark.parametrize("cell, letter", [("letter", "c"), ("broken quiz", "b")])
def test_a_letter_without_quotation_marks_is_named(ran, cell, letter):
    assert f'{letter} without quotation marks is a name that Python does not know. Write answer_one_hot = "{letter}".' in words(
        ran[cell]
    )


def test_after_an_error_check_says_what_it_looks_at(ran):
    assert "the cell with answer_one_hot ended in an error, so nothing was chosen: NameError" in words(ran["check quiz"])
    told = words(ran["check broken"])
    assert "The last run of the cell with embed ended in an error, so this looks at what was there before" in told
    assert "SyntaxError in line 2" in told and "embed: 5 of 5 points" in told
    assert "ended in an error" not in words(ran["check right"]) + words(ran["check mended"])


def test_the_number_is_stored_for_nbgrader_and_not_on_the_page(ran):
    (result,) = [o for o in ran["check right"].outputs if o.output_type == "execute_result"]
    assert float(result.data["text/plain"]) > 0 and "atg-score" in result.data["text/html"]
    cell = ran["check right"]
    cell.metadata["nbgrader"] = {
        "grade": True,
        "solution": False,
        "task": False,
        "points": 10,
        "grade_id": "embed",
        "locked": True,
        "schema_version": 3,
    }
    assert determine_grade(cell)[0] == float(result.data["text/plain"])
    for other in ("float", "shown later"):  # numbers of the learner's own stay on the page
        (result,) = ran[other].outputs
        assert result.data.keys() == {"text/plain"}
    assert not [o for o in ran["assigned"].outputs if o.output_type == "execute_result"]


def test_yours_says_when_the_reference_stands_in(ran):
    assert "one_hot: the course's own function stands in here until yours passes its check." in words(ran["stands in"])
