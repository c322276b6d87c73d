"""Static figures: what they say, what they show, and that they leave nothing behind."""

import base64
import io
import subprocess
import sys
import xml.etree.ElementTree as ET

import matplotlib
import numpy as np
import pytest
from drawn_words import check_words
from matplotlib.text import Text
from PIL import Image

from course_utils.explorers.kit.palette import LIGHT
from course_utils.figures import heatmaps, pictures, plots

WORDS = ["Dog", "Cat", "Car"]
NUMBERS = np.array([[1.0, 0.94, -0.12], [0.94, 1.0, 0.0], [-0.12, -0.004, 1.0]])
ROWS = {"cat": 0.8798, "car": 0.416, "of": -0.05}


def make(name: str) -> plots.Picture:
    rng = np.random.default_rng(3)
    return {
        "heatmap": lambda: plots.heatmap(NUMBERS, WORDS, WORDS, "Cosines", low=-1),
        "large heatmap": lambda: plots.heatmap(
            rng.random((15, 14)), [f"row {i}" for i in range(15)], [f"c{i}" for i in range(14)], "Weights"
        ),
        "bars": lambda: plots.bars(ROWS, "Cosine with dog", "cosine"),
        "lines": lambda: plots.lines(
            [4, 64, 512],
            {"unscaled": [0.49, 0.86, 0.95], "scaled": [0.31, 0.32, 0.31]},
            "Largest weight",
            "width",
            "weight",
            log_x=True,
            limits=(0, 1),
        ),
        "scatter": lambda: plots.scatter(
            rng.normal(size=(20, 2)), [f"word{i}" for i in range(20)], "Plane", ["animal"] * 10 + ["vehicle"] * 10
        ),
        "arrows": lambda: plots.arrows({"Dog": [2, 3], "Cat": [4, 6], "Car": [3, -2]}, "Three words"),
    }[name]()


NAMES = ("heatmap", "large heatmap", "bars", "lines", "scatter", "arrows")


def words(figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_visible() and text.get_text()]


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_the_same_bytes_every_time_and_says_what_it_is(name):
    figure, again = make(name), make(name)
    shown = figure._repr_mimebundle_()
    assert shown == again._repr_mimebundle_() and figure.png().startswith(b"\x89PNG")
    image = ET.fromstring(shown["text/html"] + "</img>")
    assert shown["text/plain"] == image.get("alt") == figure.alt
    assert base64.b64decode(image.get("src").removeprefix("data:image/png;base64,")) == figure.png()
    first = {"text/plain": figure.alt, "image/png": figure.png()}
    assert first["text/plain"].endswith(".") and len(first["text/plain"]) > 20
    assert b"Software" not in first["image/png"]  # the version of matplotlib would change the bytes


@pytest.mark.parametrize("name", NAMES)
def test_no_word_covers_another_or_leaves_the_picture(name, monkeypatch):
    assert check_words(make(name), monkeypatch) >= 3


def test_cells_hold_their_numbers_with_a_real_minus_and_no_negative_zero():
    shown = words(make("heatmap"))
    assert [shown.count(n) for n in ("1.00", "0.94", "−0.12", "0.00")] == [3, 2, 2, 2]
    alt = make("heatmap").alt
    assert "Dog and Cat 0.94" in alt and "Dog and Car −0.12" in alt and "Car and Cat 0.00" in alt


def test_points_close_together_are_not_all_named():
    widths = [2**i for i in range(1, 13)]
    for log_x, named in ((True, widths), (False, [2, 256, 512, 1024, 2048, 4096])):
        figure = plots.lines(widths, {"spread": widths}, "Spread", "width", "spread", log_x=log_x)
        figure.draw_without_rendering()
        labels = figure.axes[0].get_xticklabels()
        assert [int(label.get_text()) for label in labels] == named
        boxes = [label.get_window_extent() for label in labels]
        assert all(left.x1 < right.x0 for left, right in zip(boxes, boxes[1:]))


def turned(figure) -> set[float]:
    figure.draw_without_rendering()
    return {label.get_rotation() for label in figure.axes[0].get_xticklabels()}


def test_names_of_columns_are_turned_only_where_they_would_meet():
    numbers, long_names = range(1, 13), [f"long word {i}" for i in range(9)]
    assert turned(plots.heatmap(np.eye(2, 12), ["a", "b"], numbers, "Twelve heads")) == {0}
    assert turned(plots.heatmap(np.eye(2, 9), ["a", "b"], long_names, "Nine long words")) == {45}


def test_a_heatmap_is_as_wide_as_its_title():
    """Two columns take 3.04 inches; the picture grows with the title, up to a page, and then says what is wrong."""
    short, long = (plots.heatmap(np.eye(2), ["a", "b"], ["c", "d"], title) for title in ("Short", "Title " + "word " * 6))
    assert short.get_figwidth() == pytest.approx(3.04)
    assert short.get_figwidth() < long.get_figwidth() < pictures.WIDTH
    long.draw_without_rendering()
    assert long.axes[0].get_tightbbox().x1 <= long.bbox.x1
    with pytest.raises(ValueError, match=r"'(word )+' asks for a picture \d+\.\d inches wide; there are 7\.2"):
        plots.heatmap(np.eye(2), ["a", "b"], ["c", "d"], "word " * 14)


def test_bars_end_with_their_numbers():
    assert {"0.88", "0.42", "−0.05"} <= set(words(make("bars")))
    assert make("bars").alt == "Cosine with dog: cat 0.88; car 0.42; of −0.05."


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 7])  # 3 rows: 443.99999999999994 pixels, which matplotlib 3.10.0 cuts to 443
def test_bars_are_stored_whatever_their_number(rows):
    picture = plots.bars({f"row {i}": i + 1.0 for i in range(rows)}, "Rows")
    stored = Image.open(io.BytesIO(picture.png()))
    assert np.abs(np.array(stored.size) - 200 * picture.get_size_inches()).max() < 1


def test_angles_between_the_first_arrow_and_the_others():
    """(2, 3) and (4, 6) point the same way; (2, 3)·(3, −2) = 0, a right angle."""
    figure = make("arrows")
    assert {"0.0°", "90.0°", "Dog (2, 3)", "Car (3, −2)"} <= set(words(figure))
    assert figure.alt == "Three words: Dog and Cat, degrees 0.0; Dog and Car, degrees 90.0."


def test_an_angle_is_taken_the_shorter_way_round():
    figure = plots.arrows({"A": [-3, 1], "B": [-3, -1]}, "Across the seam")
    assert figure.alt.endswith(f"degrees {2 * np.degrees(np.arctan2(1, 3)):.1f}.")


def test_lines_differ_in_more_than_colour():
    drawn = make("lines").axes[0].get_lines()
    assert len({line.get_linestyle() for line in drawn}) == len({line.get_marker() for line in drawn}) == 2


def test_numbers_stay_readable_on_every_shade():
    def luminance(colour):
        rgb = np.array(matplotlib.colors.to_rgb(colour))
        return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]

    for shades in (heatmaps.RISING, heatmaps.SIGNED):
        for ground in shades(np.linspace(0, 1, 101)):
            low, high = sorted((luminance(heatmaps.ink(ground)), luminance(ground[:3])))
            assert (high + 0.05) / (low + 0.05) >= 4.5


def test_nothing_is_left_behind():
    """pyplot is never imported (it keeps figures alive) and matplotlib's settings stay as they were."""
    before = dict(matplotlib.rcParams)
    make("lines")
    assert dict(matplotlib.rcParams) == before
    look = "import sys, course_utils.figures.plots; print('matplotlib.pyplot' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_colours_are_the_explorers():
    assert set(pictures.COLOURS) == {LIGHT[f"c{i}"] for i in range(5)}
