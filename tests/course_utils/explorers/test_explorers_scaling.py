"""Lesson 5's explorer: its numbers against loops, and the story that its curves tell."""

import math
import re

import numpy as np
import pytest

from course_utils.explorers.kit.explorer import aria_label
from course_utils.explorers.scaling import divisors as explore
from course_utils.scaling import entropy

EXPLORER = explore.race()


def heard(width, divisor, temperature=1.0):
    return aria_label(EXPLORER.draw(explore.Race(width, divisor, temperature)))


def number(words, name):
    return float(re.search(rf"{name} (-?\d+\.\d+)", words.replace("−", "-"))[1])


def by_loops(width, divisor, temperature):
    """(spread, mean largest weight, mean entropy, mean norm of the Jacobian), a query at a time."""
    scores = explore.drawn_scores()[explore.WIDTHS.index(width)] / (divisor * temperature)
    largest, entropies, slopes = [], [], []
    for row in scores[:400].reshape(40, 10):
        e = [math.exp(s - max(row)) for s in row]
        p = [x / sum(e) for x in e]
        largest.append(max(p))
        entropies.append(-sum(x * math.log(x) for x in p if x > 0))
        slopes.append(math.sqrt(sum((p[i] * ((i == j) - p[j])) ** 2 for i in range(10) for j in range(10))))
    return scores.std(), np.mean(largest), np.mean(entropies), np.mean(slopes)


@pytest.mark.parametrize(
    "width, name, divisor, temperature",
    [
        (64, "nothing", 1, 1.0),
        (64, "√d_k", 8, 1.0),
        (4096, "d_k", 4096, 0.5),
        (512, "√n_k", math.sqrt(10), 2.0),
        (2, "ln d_k", math.log(2), 4.0),
        (8, "√d_v", 4, 1.0),
        (1024, "√d_model", math.sqrt(512), 1.0),
        (16, "8", 8, 1.0),
    ],
)
def test_its_numbers_are_those_of_loops(width, name, divisor, temperature):
    words = heard(width, name, temperature)
    spread, largest, mean, slope = by_loops(width, divisor, temperature)
    for said, value, digits in (
        ("Spread of the scores", spread, 2),
        ("largest weight", largest, 2),
        ("entropy", mean, 2),
        ("gradient", slope, 3),
    ):
        assert number(words, said) == pytest.approx(value, abs=0.51 * 10**-digits)


def test_only_the_root_of_d_k_keeps_entropy_level():
    def range_over_widths(name):
        found = re.search(r"4096: ([\d., ]+)\.$", heard(64, name))[1]
        values = [float(value) for value in found.split(", ")]
        assert len(values) == len(explore.WIDTHS)
        return max(values) - min(values)

    ranges = {name: range_over_widths(name) for name in explore.DIVISORS}
    assert ranges["√d_k"] < 0.15
    assert all(value > 0.2 for name, value in ranges.items() if name != "√d_k"), ranges


@pytest.mark.parametrize(
    "width, divisor, says",
    [
        (64, "nothing", "one key takes nearly all"),
        (64, "√d_k", "the weights stay open"),
        (4096, "d_k", "nearly even"),
        (64, "8", "the weights stay open"),
        (4096, "8", "one key takes"),
    ],
)
def test_what_it_says(width, divisor, says):
    assert says in heard(width, divisor)


def test_it_runs_the_learners_functions():
    def in_bits(p, axis=-1):
        return entropy(p, axis) / np.log(2)

    own = explore.race(entropy=in_bits)
    state = explore.Race(64, "√d_k")
    assert number(aria_label(own.draw(state)), "entropy") == pytest.approx(
        number(heard(64, "√d_k"), "entropy") / math.log(2), abs=0.02
    )
    assert "Computed by your in_bits" in own.whose or "Computed by your entropy" in own.whose
