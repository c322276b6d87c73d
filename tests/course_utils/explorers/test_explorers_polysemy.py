"""The explorer of a word's uses: its numbers and its points against NumPy, and whose functions draw it."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from course_utils import polysemy as reference
from course_utils.experiments import senses
from course_utils.experiments.sentences import SENSES
from course_utils.explorers import CannotDraw
from course_utils.explorers.kit.explorer import aria_label
from course_utils.explorers.polysemy import word_uses as module

EXPLORER = module.uses()
WAYS = {
    "static": senses.static,
    "near": senses.averaged(4),
    "sentence": senses.averaged(99),
    **{f"layer {i}": senses.contextual(i) for i in range(5)},
}


def drawing(word, stage, **more):
    return EXPLORER.draw(module.UsesChoice(word=word, stage=stage, **more))


@pytest.mark.parametrize("word", SENSES)
def test_printed_numbers_are_numpys(word):
    for stage, way in WAYS.items():
        these = senses.uses(word, way)
        u, v = these.vectors[2], these.vectors[9]
        label = aria_label(drawing(word, stage, first=3, second=4)).replace("−", "-")
        (right,) = re.findall(r": ([\d.]+) of 12", label)
        separation, chosen = re.findall(r"senses (-?[\d.]+)\. Cosine of the two chosen uses (-?[\d.]+)\.", label)[0]
        assert float(right) == senses.told_right(these).sum()
        assert float(separation) == pytest.approx(reference.sense_separation(these.vectors[:6], these.vectors[6:]), abs=6e-4)
        assert float(chosen) == pytest.approx(u @ v / np.linalg.norm(u) / np.linalg.norm(v), abs=6e-4)


def points(svg):
    """Centres of the marks in the square, in the order of the uses, and whether a ring is shown around each."""
    rings = [node for node in ET.fromstring(svg) if node.tag == "circle" and node.get("class") == "sf no"]
    return [(float(ring.get("cx")), float(ring.get("cy")), ring.get("opacity") == "1") for ring in rings]


@pytest.mark.parametrize("stage", ["near", "sentence", "layer 0", "layer 3"])
def test_a_point_lies_on_the_side_on_which_it_is_told(stage):
    """Above the dashed line y grows faster than x: nearer to the second sense."""
    for word in SENSES:
        marks = points(drawing(word, stage))
        assert len(marks) == 12
        for i, (x, y, ringed) in enumerate(marks):
            above = (module.TOP + module.SIZE - y) - (x - module.LEFT)
            if abs(above) > 0.2:  # a tenth of a pixel is lost in each coordinate
                assert ringed == ((above > 0) != (i >= 6))
            assert module.LEFT <= x <= module.LEFT + module.SIZE and module.TOP <= y <= module.TOP + module.SIZE


def test_both_sentences_are_shown_as_they_are():
    for word, its_senses in SENSES.items():
        for number in range(1, 7):
            svg = drawing(word, "static", first=number, second=7 - number)
            words = [node.text for node in ET.fromstring(svg).iter("text")]
            first, second = its_senses.values()
            assert first[number - 1] in words and second[6 - number] in words


def test_the_learners_functions_draw_it():
    mine = module.uses(
        context_average=lambda X, position, window: -reference.context_average(X, position, 1),
        nearest_sense=lambda vector, two: 1 - reference.nearest_sense(vector, two),
    )
    state = module.UsesChoice(stage="near")
    assert aria_label(mine.draw(state)) != EXPLORER.describe(state)
    assert "your context_average, your nearest_sense and the reference sense_separation" in mine.whose


def test_a_function_that_fails_says_so_where_the_picture_would_be():
    broken = module.uses(nearest_sense=lambda vector, two: None)
    with pytest.raises(CannotDraw, match="gave back None"):
        broken.draw(broken.start.put("stage", "layer 1"))
    assert "gave back None" in broken.body(broken.start.put("stage", "layer 1"))
