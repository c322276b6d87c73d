"""What explorers are made of: controls, numbers, labels, learner functions, and the two hosts on a small explorer."""

import os
import subprocess
import sys
from dataclasses import dataclass
from itertools import combinations

import ipywidgets as widgets
import nbclient
import nbformat
import numpy as np
import pytest
from explorer_cases import text_boxes

from course_utils.explorers import Action, CannotDraw, Choice, Explorer, LearnerFunction, Pick, Slider, State, Switch, Typed, host
from course_utils.explorers.kit.frames import frames
from course_utils.explorers.kit.labels import Box, place
from course_utils.explorers.kit.live import Live
from course_utils.explorers.kit.show import outputs
from course_utils.explorers.kit.svg import num, picture, text

VIEW = "application/vnd.jupyter.widget-view+json"
STORED = """from course_utils.figures import plots
from course_utils.explorers import word_vectors as explore
explore.arrows()
---
explore.features({"Cat": None})
---
plots.bars({"cat": 0.88, "car": 0.42}, "Cosine with dog")
"""


def test_stored_outputs_pass_strict_nbval_after_widgets_are_stripped(tmp_path):
    """As the release builder stores them: no view of a widget, no state; run again in a new kernel."""
    cells = [nbformat.v4.new_code_cell(source, id=f"c{i}") for i, source in enumerate(STORED.split("---\n"))]
    book = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(book, kernel_name="python3", timeout=60).execute()
    assert book.metadata.pop("widgets", None)
    for cell in book.cells:
        for output in cell.outputs:
            output.data.pop(VIEW, None)
        cell.outputs = [output for output in cell.outputs if output.data]
        (output,) = cell.outputs
        assert output.data.keys() == {"text/html", "text/plain"}
    nbformat.write(book, tmp_path / "stored.ipynb")
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-p", "no:cacheprovider"]
    run = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.returncode == 0 and "3 passed" in run.stdout, run.stdout


@dataclass(frozen=True)
class Small(State):
    size: int = 2
    share: float = 0.3
    kind: str = "square"
    power: int = 4
    bold: bool = False
    word: str = "cat"


def small(function=None) -> Explorer:
    area = LearnerFunction(function, square)

    def draw(state):
        return picture(100, f"area {num(area(np.array([state.size])), 0)}", [text(10, 30, f"{state}")])

    controls = (
        Slider("size", "Size", 1, 5, 1),
        Slider("share", "Share", 0.0, 1.0, 0.1, " m"),
        Choice("kind", "Kind", ("square", "round")),
        Pick("power", "Power", (2, 4, 8), ("two", "four", "eight")),
        Switch("bold", "Bold"),
        Typed("word", "Word", ("cat",)),
        Action("Largest", lambda state: state.put("size", 5)),
    )
    return Explorer("Small", Small(), controls, draw, 100, (area,))


def square(x):
    return float(x[0] ** 2)


def test_positions_are_free_of_binary_noise():
    slider = Slider("a", "A", 0.0, 1.0, 0.1, " m")
    assert slider.positions() == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert slider.snap(0.30000000000000004) == 0.3 and slider.snap(7) == 1.0
    assert slider.readout(0.3) == "0.3 m"
    whole = Slider("a", "A", -10, 10, 5)
    assert whole.positions() == (-10, -5, 0, 5, 10) and all(isinstance(p, int) for p in whole.positions())


@pytest.mark.parametrize(
    "value, digits, sign, written",
    [
        (-0.5, 2, False, "−0.50"),
        (3, 0, True, "+3"),
        (-0.001, 2, False, "0.00"),
        (-0.0, 1, True, "0.0"),
        (0.125, 2, False, "0.12"),
        (np.float32(0.1), 3, False, "0.100"),
    ],
)
def test_numbers_as_people_write_them(value, digits, sign, written):
    assert num(value, digits, sign) == written


def test_equal_coordinates_are_written_alike():
    """Pieces are kept by their numbers, and -0.0 == 0.0."""
    assert text(-0.0, 0.0, "a") == text(0.0, -0.0, "a") == '<text x="0" y="0">a</text>'


def test_a_start_that_no_control_can_show_is_refused():
    with pytest.raises(ValueError, match="size starts at 9, which is none of its positions"):
        Explorer("Small", Small(size=9), (Slider("size", "Size", 1, 5, 1),), str, 100)


def test_every_kind_of_control_moves_the_live_picture():
    live = Live(small())
    by_name = {control.name: widget for control, widget in live.moved.items()}
    for name, value in (("size", 4), ("share", 0.7), ("kind", "round"), ("power", 8), ("bold", True), ("word", "any words")):
        by_name[name].value = value
        assert getattr(live.state, name) == value
    assert "area 16" in live.picture.value
    button = next(w for w in live.box.children[2].children if isinstance(w, widgets.Button))
    button.click()
    assert live.state.size == 5 and by_name["size"].value == 5 and "area 25" in live.picture.value


def test_a_function_that_fails_is_one_sentence_in_place_and_goes_with_success():
    def shy(x):
        """Prints, changes its argument, and fails at 3."""
        print("not to be seen")
        size, x[0] = x[0], 0
        if size == 3:
            raise ValueError("three <is> too much\nand more")
        return size**2

    live = Live(small(shy))
    size = next(widget for control, widget in live.moved.items() if control.name == "size")
    assert "area 4" in live.picture.value and "Computed by your square" in live.picture.value
    size.value = 3
    assert "Your square raised ValueError: three &lt;is&gt; too much<" in live.picture.value
    assert "Traceback" not in live.picture.value and "<svg" not in live.picture.value
    size.value = 4
    assert "area 16" in live.picture.value and "raised" not in live.picture.value


@pytest.mark.parametrize(
    "result, sentence",
    [
        (None, "gave back None: is its return missing?"),
        ("4", "its result is no array of numbers but str"),
        (np.ones((1, 1)), r"its result has shape \(1, 1\); \(\) was expected"),
        (float("nan"), "its result holds nan or inf"),
        ({4}, "its result is no array of numbers but set"),
    ],
)
def test_nonsense_is_named(result, sentence):
    with pytest.raises(CannotDraw, match=f"Your square.*{sentence}"):
        LearnerFunction(lambda x: result, square)(np.array([2]))


def test_results_of_several_parts_keep_their_shapes():
    def pair(x):
        return x, x.sum()

    assert [part.shape for part in LearnerFunction(lambda x: [x.tolist(), 3], pair)(np.ones(2))] == [(2,), ()]
    with pytest.raises(CannotDraw, match="2 parts were expected"):
        LearnerFunction(lambda x: x, pair)(np.ones(2))
    with pytest.raises(CannotDraw, match=r"part 2 of its result has shape \(2,\)"):
        LearnerFunction(lambda x: (x, x), pair)(np.ones(2))


def test_both_functions_draw_the_same_random_numbers_and_neither_spoils_the_arguments():
    def draw(x, rng):
        x += rng.standard_normal(len(x))
        return x

    x, rng = np.zeros(3), np.random.default_rng(1)
    given = LearnerFunction(lambda x, rng: draw(x, rng), draw)(x, rng)
    assert np.array_equal(given, np.random.default_rng(1).standard_normal(3))
    assert not x.any() and rng.standard_normal() == np.random.default_rng(1).standard_normal()


def test_whose_code_ran_is_what_the_function_says():
    def given(x):
        return square(x)

    assert small().whose == '<p class="whose">Computed by the reference square.</p>'
    assert small(given).whose == '<p class="whose">Computed by your square.</p>'
    given.whose = "the reference"  # as ``yours`` gives it while the learner's own does not pass
    assert "Computed by the reference square. Once your own code passes" in small(given).whose


def meet(one: Box, other: Box) -> bool:
    return abs(one.x - other.x) < one.half_width + other.half_width and abs(one.y - other.y) < one.half_height + other.half_height


def test_labels_keep_apart_inside_their_frame_and_off_what_is_blocked():
    blocked = Box(100, 100, 20, 20)
    drawn = place([("one", 100, 100), ("two", 100, 100), ("three", 500, 100)], (0, 0, 200, 200), [blocked])
    boxes = [box for _, box in text_boxes(f"<svg>{drawn}</svg>")]
    assert not any(meet(a, b) for a, b in combinations([*boxes, blocked], 2))
    assert all(0 <= b.x - b.half_width and b.x + b.half_width <= 200 for b in boxes)


def test_where_everything_is_blocked_words_still_keep_apart():
    drawn = place([("one", 100, 100), ("two", 100, 100)], (0, 0, 200, 200), [Box(100, 100, 100, 100)])
    one, two = (box for _, box in text_boxes(f"<svg>{drawn}</svg>"))
    assert not meet(one, two)


def test_the_player_offers_few_positions_all_together_and_many_one_slider_at_a_time():
    few = frames(small())
    assert not few.crossed  # 5 * 11 * 2 * 3 * 2 positions are more than a page should hold
    assert {state.kind for state in few.states} == {"square", "round"}
    assert not any(state.size != 2 and state.share != 0.3 for state in few.states)
    two = Explorer("Two", Small(), (Slider("size", "Size", 1, 5, 1), Slider("share", "Share", 0.0, 1.0, 0.1)), small().draw, 100)
    assert frames(two).crossed and len(frames(two).states) == 55


def test_the_host_is_chosen_once_for_all():
    try:
        host("player")
        (shown,) = outputs(small())
        assert shown.keys() == {"text/plain", "text/html"} and "<script>" in shown["text/html"]
    finally:
        host("live")
    with pytest.raises(ValueError, match="no host is called 'cinema'"):
        host("cinema")


@pytest.mark.parametrize("value, says", [("player", "['text/html', 'text/plain']"), ("cinema", "no host is called 'cinema'")])
def test_the_environment_chooses_a_host_too(value, says):
    show = (
        "from course_utils.explorers import word_vectors as e; from course_utils.explorers.kit.show import outputs; "
        "print(*map(sorted, outputs(e.arrows())))"
    )
    done = subprocess.run(
        [sys.executable, "-c", show], env={**os.environ, "COURSE_EXPLORERS": value}, text=True, capture_output=True, check=False
    )
    assert says in done.stdout + done.stderr
