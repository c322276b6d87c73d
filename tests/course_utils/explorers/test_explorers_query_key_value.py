"""The four-stage panel: its numbers, its words and its lessons, over every position it has."""

import itertools
import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from course_utils.explorers.kit.explorer import aria_label
from course_utils.explorers.kit.labels import text_width
from course_utils.explorers.query_key_value import four_stages as panel

STAGES, ANGLES = range(1, 5), range(-180, 180, 5)
EXPLORER = panel.panel()
SCORE = re.compile(r"\(([−\d.]+)·\(?([−\d.]+)\)? ([+−]) ([\d.]+)·([\d.]+)\) ÷ √2 = ([+−]?[\d.]+)")


def positions(*stages):
    for stage, angle, calculation in itertools.product(stages or STAGES, ANGLES, (False, True)):
        yield panel.Panel(stage, angle, calculation)


def by_hand(query, keys, values):
    """Weights and output with math.exp and loops."""
    scores = [sum(a * b for a, b in zip(query, key)) / math.sqrt(2) for key in keys]
    exps = [math.exp(score) for score in scores]
    weights = [e / sum(exps) for e in exps]
    return scores, weights, [sum(w * v[c] for w, v in zip(weights, values)) for c in range(2)]


def texts(drawing):
    return [node.text or "" for node in ET.fromstring(drawing).iter("text")]


def number(words):
    return float(words.replace("−", "-"))


@pytest.mark.parametrize("stage", (2, 3, 4))
def test_every_printed_number_is_what_a_loop_computes(stage):
    for angle in ANGLES:
        closed, opened = (EXPLORER.draw(panel.Panel(stage, angle, shown)) for shown in (False, True))
        for head in panel.heads_of(panel.Panel(stage, angle)):
            scores, weights, output = by_hand(head.query.tolist(), head.keys.tolist(), head.values.tolist())
            for i in range(5):
                score = f"{scores[i]:+.2f}".replace("-", "−")
                assert ("0.00" if score in ("+0.00", "−0.00") else score) in texts(closed)
                assert f"{100 * weights[i]:.0f} %" in texts(closed) and f"{100 * weights[i]:.0f} %" in texts(opened)
                assert f"{math.exp(scores[i]):.2f} ÷ {sum(map(math.exp, scores)):.2f} =" in texts(opened)
            assert any(f"{output[0]:+.2f}".replace("-", "−").lstrip("+−") in words for words in texts(closed))


def test_the_printed_calculation_can_be_followed():
    """Whoever types (q·k + q·k) ÷ √2 as printed arrives at the printed score, and weight × value at the product."""
    checked = 0
    for state in positions(3, 4):
        if not state.calculation:
            continue
        for words in texts(EXPLORER.draw(state)):
            if found := SCORE.fullmatch(words):
                a, b, c, d, score = map(number, found.group(1, 2, 4, 5, 6))
                total = a * b + c * d if found[3] == "+" else a * b - c * d
                assert total / math.sqrt(2) == pytest.approx(score, abs=6e-4)
                checked += 1
            elif re.match(r"0\.\d{3} · \(", words) or words.startswith("1.000"):
                weight, *numbers = map(number, re.findall(r"[+−]?\d+\.\d+", words))
                assert [weight * value for value in numbers[:2]] == pytest.approx(numbers[2:], abs=7e-3)
                checked += 1
    assert checked == len(ANGLES) * (5 + 10) * 2


def test_the_label_says_the_numbers_that_are_shown():
    for state in positions():
        drawing = EXPLORER.draw(state)
        label = aria_label(drawing)
        shown = {words for words in texts(drawing) if re.fullmatch(r"\d+ %|[+−]?\d\.\d\d", words)}
        assert shown and all(words in label for words in shown)


def test_no_word_leaves_its_column():
    """Left column up to x = 296, middle up to 640, right up to 974: by estimated widths, which are never too small."""
    for state in positions():
        for node in ET.fromstring(EXPLORER.draw(state)).iter("text"):
            if not node.text or float(node.get("y")) < 85 or float(node.get("y")) > 440:
                continue  # headlines and foot may run on
            width, x = text_width(node.text, node.get("class", "")), float(node.get("x"))
            left = x - {"start": 0, "middle": 0.5, "end": 1}[node.get("text-anchor", "start")] * width
            column = next(end for end in (296, 640, 974) if x <= end)
            assert left >= {296: 6, 640: 326, 974: 684}[column] - 1 and left + width <= column + 1, (state, node.text)


def test_turning_the_query_changes_nothing_in_the_uniform_average():
    first = panel.heads_of(panel.Panel(1, -180))[0]
    for angle in ANGLES:
        head = panel.heads_of(panel.Panel(1, angle))[0]
        assert np.array_equal(head.weights, np.full(5, 0.2)) and np.array_equal(head.output, first.output)


def test_in_the_raw_stage_he_always_listens_mostly_to_himself():
    own = [panel.heads_of(panel.Panel(2, angle))[0].weights[-1] for angle in ANGLES]
    assert min(own) > 0.5


@pytest.mark.parametrize("stage, head", [(3, 0), (4, 0), (4, 1)])
def test_with_query_and_key_every_word_can_be_found(stage, head):
    strongest = [panel.heads_of(panel.Panel(stage, angle))[head].strongest for angle in ANGLES]
    assert set(strongest) == set(range(5))


def test_lines_are_as_thick_as_weights():
    for state in positions(2, 3):
        weights = panel.heads_of(state)[0].weights
        ribbons = [node for node in ET.fromstring(EXPLORER.draw(state)).iter("path") if node.get("stroke-linecap")]
        widths = [float(node.get("stroke-width")) for node in ribbons]
        assert np.allclose(widths, 0.8 + 14 * weights, atol=0.051)


def test_it_says_that_its_vectors_are_set_by_hand():
    assert all("set by hand" in EXPLORER.draw(state) for state in positions())


def test_the_learners_own_function_draws():
    def uniform(Q, K, V, mask=None):
        weights = np.full((len(Q), len(K)), 1 / len(K))
        return weights @ V, weights

    own = panel.panel(attention=uniform)
    assert "patient 20 %" in own.describe(panel.Panel(3, 30)) and "your attention" in own.body(panel.Panel(3, 30))
    broken = panel.panel(attention=lambda Q, K, V, mask=None: None)
    assert "gave back None" in broken.body(panel.Panel(3, 30))
