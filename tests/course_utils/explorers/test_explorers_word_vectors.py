"""Lesson 1's explorers: every printed number against NumPy, and what the words above the pictures claim."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from explorer_cases import positions

from course_utils.explorers import word_vectors as explore
from course_utils.explorers.kit.live import Live
from course_utils.explorers.word_vectors.feature_table import DOG, FEATURES
from course_utils.explorers.word_vectors.two_arrows import Arrows

NUMBER = r"(?<![\w.])[−+]?\d+\.\d+"


def numbers(words: str) -> list[float]:
    return [float(found.replace("−", "-")) for found in re.findall(NUMBER, words)]


def texts(drawing: str) -> list[str]:
    return ["".join(node.itertext()) for node in ET.fromstring(drawing).iter("text")]


def close(found, expected, digits: int = 2) -> None:
    """Printed to so many digits, a number is at most half a unit of the last one away."""
    assert found == pytest.approx(expected, abs=0.5 * 10**-digits + 1e-9)


def plane(angle, length):
    return length * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])


def test_arrows_print_numpys_numbers_at_every_position():
    explorer = explore.arrows()
    for state in positions(explorer, many=300):
        dog, cat = plane(state.dog_angle, state.dog_length), plane(state.cat_angle, state.cat_length)
        truck = plane(0, 4.5)
        dots = [np.dot(cat, dog), np.dot(truck, dog)]
        norms = [np.linalg.norm(cat) * np.linalg.norm(dog), np.linalg.norm(truck) * np.linalg.norm(dog)]
        cosines = [dot / norm if norm > 0 else 0.0 for dot, norm in zip(dots, norms, strict=True)]
        shadow = dots[0] / np.linalg.norm(dog) if state.dog_length else 0.0
        drawing = explorer.draw(state)

        close(numbers(explorer.describe(state)), [state.dog_length, state.cat_length, *dots, *cosines, shadow])
        shown = [numbers(words) for words in texts(drawing) if "=" in words]
        by_coordinate, by_projection, by_angle, *_ = shown
        close(by_coordinate, [dog[0], cat[0], dog[1], cat[1], dots[0]])
        close(by_projection, [state.dog_length, shadow, dots[0]])
        close(by_angle, [state.dog_length, state.cat_length, dots[0]])
        if state.dog_length and state.cat_length:
            close(shown[3], [dots[0], state.dog_length, state.cat_length, cosines[0]])
            close(shown[4], [dots[1], state.dog_length, 4.5, cosines[1]])
            turned = np.degrees(np.arccos(np.clip(cosines[0], -1, 1)))
            close(float(re.search(r"cos (\d+)°", drawing).group(1)), turned, digits=4)


def test_the_ranking_flips_when_only_a_length_changes_and_the_words_say_so():
    """Dog (55°, 3) and Truck (0°, 4.5): 13.5 cos 55° = 7.74. Cat at 75°: 3 cos 20° = 2.82 for each unit of length."""
    explorer = explore.arrows()
    start = explorer.start
    assert "Both measures agree: nearer to Dog is Cat." in explorer.describe(start)
    short = explorer.describe(start.put("cat_length", 2.5))  # 7.05 < 7.74
    assert "The ranking flips: Truck by dot product, Cat by cosine." in short
    assert "Both measures agree" in explorer.describe(start.put("cat_length", 3.0))  # 8.46 > 7.74
    assert "Cosine: Cat 0.94, Truck 0.57" in short and "Cosine: Cat 0.94, Truck 0.57" in explorer.describe(start)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"cat_angle": 0}, "Equally near to Dog by cosine; by dot product, Truck is nearer."),
        ({"cat_angle": 0, "cat_length": 4.5}, "Cat and Truck are equally near to Dog."),
        ({"dog_length": 0.0}, "Dog has length 0: no direction, so no angle to compare."),  # every score is 0
        ({"cat_length": 0.0}, "Cat has length 0: no direction, so no angle to compare."),
        ({"dog_length": 0.0, "cat_length": 0.0}, "Dog and Cat have length 0: no direction, so no angle to compare."),
    ],
)
def test_ties_are_called_ties(change, words):
    explorer, state = explore.arrows(), Arrows(**change)
    assert texts(explorer.draw(state))[0] == words
    assert texts(explorer.draw(state)).count("nearer") == (1 if "by dot" in words else 0)


def test_the_one_called_nearer_has_the_larger_number():
    explorer = explore.arrows()
    for state in positions(explorer, many=200):
        words = explorer.describe(state)
        dot_cat, dot_truck, cat, truck = numbers(words)[2:6]
        if found := re.search(r"flips: (\w+) by dot product, (\w+) by cosine", words):
            assert found.group(1) != found.group(2)
            assert (dot_cat >= dot_truck) == (found.group(1) == "Cat") or dot_cat == dot_truck
            assert (cat >= truck) == (found.group(2) == "Cat") or cat == truck


def test_features_print_numpys_numbers_at_every_position():
    explorer = explore.features()
    for state in positions(explorer, many=200):
        X = np.array(state.rows)
        unit = np.array([row / np.linalg.norm(row) if row.any() else row for row in X])
        shown = texts(explorer.draw(state))
        close([value for words in shown[1:] for value in numbers(words)], [*X.ravel(), *(unit @ unit.T).ravel()])
        here = state.words.index(state.word)
        label = numbers(explorer.describe(state))
        others = np.delete(unit[here] @ unit.T, here)
        close(label, [others.max(), others.min(), *X[here], *(unit @ unit.T).ravel()])


def test_sliders_follow_the_chosen_word_and_move_its_row_alone():
    live = Live(explore.features({"Cat": [0.5] * 5, "Car": (0, 0, 1, 0.6, 0.25)}))
    moved = {control.name: widget for control, widget in live.moved.items()}
    assert moved["animality"].value == 0.5
    moved["word"].value = "Car"
    assert [moved[name].value for name in FEATURES] == [0, 0, 1, 0.6, 0.25]
    moved["body size"].value = 0.61
    assert live.state.rows == (DOG, (0.5,) * 5, (0, 0, 1, 0.61, 0.25))
    assert "Sliders" not in live.picture.value and "body size 0.61" in live.picture.value


def test_words_left_open_start_in_the_middle_and_share_their_place():
    explorer = explore.features({"Cat": None, "Car": None, "Truck": None})
    assert explorer.start.rows == (DOG, *[(0.5,) * 5] * 3)
    assert texts(explorer.draw(explorer.start))[0] == "Cat stands at 0.50 in every feature: give it numbers of its own."
    from_dog = explorer.start.put("word", "Dog")
    assert texts(explorer.draw(from_dog))[0] == "All other words are equally near to Dog (0.87)."
    level = explore.features(dict.fromkeys(("Cat", "Car", "Truck"), [0.4] * 5))
    assert texts(level.draw(level.start))[0] == "Nearest to Cat: Car and Truck (1.00). Furthest: Dog (0.87)."


@pytest.mark.parametrize("row", [[0.5] * 4, [2, 0, 0, 0, 0], "abc", 7, [[0.1] * 5], [float("nan")] * 5, ["a"] * 5])
def test_a_row_that_cannot_be_drawn_is_said_in_one_sentence(row):
    explorer = explore.features({"Cat": row, "Car": [0.5] * 5})
    assert explorer.describe(explorer.start).startswith("Cat needs five numbers between 0 and 1 (animality,")
    assert "<svg" not in Live(explorer).picture.value


def test_one_word_alone_has_nobody_to_be_near_to():
    explorer = explore.features({})
    assert "Give a second word its features" in explorer.describe(explorer.start)
