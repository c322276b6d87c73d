"""What holds for every explorer, whichever lesson it belongs to."""

import gc
import json
import random
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from explorer_cases import constructors, made, positions, sample, text_boxes

from course_utils.explorers.kit.explorer import aria_label
from course_utils.explorers.kit.frames import FIRST, frames
from course_utils.explorers.kit.live import Live
from course_utils.explorers.kit.player import player
from course_utils.explorers.kit.show import outputs
from course_utils.explorers.kit.svg import WIDTH

ALL = constructors()
VIEW = "application/vnd.jupyter.widget-view+json"
CHANGES, ROUNDS = 50, 10
OBJECTS, BLOCKS = 50, 300  # that may be left: a leak leaves 500, and CPython's cache of looked-up names grows a little


@cache
def page_of(name: str) -> str:
    return player(made(name))


@pytest.fixture(params=ALL)
def name(request):
    return request.param


@pytest.fixture
def explorer(name):
    return made(name)


def test_lesson_1_is_among_them():
    assert {"word_vectors.arrows", "word_vectors.features"} <= set(ALL)


def test_a_drawing_is_pure_small_and_says_its_numbers(explorer):
    for state in sample(explorer, 60):
        drawing = explorer.draw(state)
        assert drawing == explorer.draw(state)
        assert len(drawing.encode()) <= 15_000
        svg = ET.fromstring(drawing)
        assert svg.get("viewBox") == f"0 0 {WIDTH} {explorer.height}" and svg.get("role") == "img"
        assert re.search(r"\d", aria_label(drawing))
        assert not re.search(r"\bnan\b|\binf\b|http|<script|\bNone\b", drawing)


def test_words_stay_inside_and_apart(explorer):
    """By estimated widths, which are never too small; the browser tests measure real ones."""
    for state in sample(explorer, 200):
        words, boxes = zip(*text_boxes(explorer.draw(state)))
        x, y, wide, high = np.array([(b.x, b.y, b.half_width, b.half_height) for b in boxes]).T
        outside = (x - wide < 0) | (x + wide > WIDTH) | (y - high < 0) | (y + high > explorer.height)
        assert not outside.any(), (state, [words[i] for i in np.flatnonzero(outside)])
        meet = np.triu((abs(x[:, None] - x) < wide[:, None] + wide) & (abs(y[:, None] - y) < high[:, None] + high), 1)
        assert not meet.any(), (state, [(words[i], words[j]) for i, j in np.argwhere(meet)])


def test_the_live_host_draws_the_state_of_its_widgets(explorer):
    live = Live(explorer)
    for control, widget in live.moved.items():
        for value in control.positions()[:3]:
            widget.value = value
            assert getattr(live.state, control.name) == value
            assert explorer.body(live.state) in live.picture.value


def test_the_live_host_keeps_to_widgets_that_never_hang_and_leave_keys_alone(explorer):
    def inside(widget):
        yield widget
        for child in getattr(widget, "children", ()):
            yield from inside(child)

    allowed = set("VBox Box HTML IntSlider FloatSlider SelectionSlider ToggleButtons Checkbox Button Play Text".split())
    assert {type(widget).__name__ for widget in inside(Live(explorer).box)} <= allowed


def test_what_a_notebook_stores_is_the_same_every_time_and_names_no_object(explorer):
    (still, widget), (again, _) = outputs(explorer), outputs(explorer)
    assert widget.keys() == {VIEW} and still == again and still.keys() == {"text/html", "text/plain"}
    assert still["text/plain"] == f"{explorer.title}. {explorer.describe(explorer.start)}" and "0x" not in still["text/plain"]
    assert f'<div class="course-still">{explorer.image(explorer.start)}</div>' in still["text/html"]


def test_the_player_fits_and_needs_nothing_from_elsewhere(name):
    page = page_of(name)
    assert len(page.encode()) <= 300_000
    assert page.index("<img alt=") < page.index("<script>")
    assert not re.search(r"(src|href)=.https?:|url\(|@import", page)


def test_the_players_table_gives_back_every_drawing(name, explorer):
    data = json.loads(re.search(r"D = (\{.*\});", page_of(name)).group(1))
    shown = frames(explorer)
    assert shown.states[data["start"]] == explorer.start and len(data["groups"]) <= 12
    assert sorted(frame for group in data["groups"] for frame in group["frames"]) == list(range(len(shown.states)))
    for group in data["groups"]:
        for i, frame in list(enumerate(group["frames"]))[::9]:
            nodes = list(ET.fromstring(f"<div>{group['body']}</div>").iter())
            for k, attribute, pieces in group["vary"]:
                value = " ".join(
                    piece if isinstance(piece, str) else piece[0][ord(data["orders"][piece[1]][i]) - FIRST] for piece in pieces
                )
                if attribute == "#":
                    nodes[k + 1].text = value
                else:
                    nodes[k + 1].set(attribute, value)
            wanted = ET.fromstring(f"<div>{explorer.body(shown.states[frame])}</div>")
            assert [(n.tag, n.attrib, n.text or "") for n in nodes] == [(n.tag, n.attrib, n.text or "") for n in wanted.iter()]


# ---- Five hundred updates leave nothing behind


def grown(change, count) -> int:
    """How much ``count`` has grown by 500 calls of ``change``, after two rounds over the same positions."""

    def after(rounds: int) -> int:
        for _ in range(rounds):
            for i in range(CHANGES):
                change(i)
        gc.collect()
        return count()

    before = after(2)
    return after(ROUNDS) - before


def objects_left(explorer) -> int:
    """By the live host: widgets, states and what else the collector sees."""
    live, draw = Live(explorer), random.Random(3)
    moves = [(live.moved[control], draw.choice(control.positions())) for control in draw.choices(explorer.movable, k=CHANGES)]
    return grown(lambda i: setattr(moves[i][0], "value", moves[i][1]), lambda: len(gc.get_objects()))


def blocks_left(explorer) -> int:
    """By the drawing: memory of any kind, such as texts and arrays, which the collector does not see."""
    states = list(positions(explorer, many=CHANGES))[-CHANGES:]
    return grown(lambda i: explorer.body(states[i]), sys.getallocatedblocks)


def test_updates_leave_nothing(explorer):
    assert objects_left(explorer) < OBJECTS
    assert blocks_left(explorer) < BLOCKS


@pytest.mark.parametrize(
    "keep, left, bound",
    [(lambda state, drawing: state, objects_left, OBJECTS), (lambda state, drawing: drawing, blocks_left, BLOCKS)],
)
def test_a_leak_is_seen(keep, left, bound):
    """A drawing that keeps its states, and one that keeps its texts."""
    explorer, kept = made("query_key_value.panel"), []

    def draw(state):
        drawing = explorer.draw(state)
        kept.append(keep(state, drawing))
        return drawing

    assert left(replace(explorer, draw=draw)) > 1.5 * bound
