"""Every explorer's drawing and its page without Python, in a real browser."""

import random

import pytest
from explorer_cases import constructors, positions
from lab import QUARRELS

from course_utils.explorers.explorer import standalone
from course_utils.explorers.frames import frames
from course_utils.explorers.palette import style
from course_utils.explorers.player import player

ALL = constructors()
MOST = 240  # drawings looked at per explorer

CHECK = """drawings => drawings.map(drawing => {
  const pic = document.querySelector(".pic"); pic.innerHTML = drawing;
  return (%s)(pic.firstElementChild); })""" % QUARRELS


@pytest.mark.parametrize("name", ALL)
def test_words_stay_inside_and_apart(name, page):
    explorer = ALL[name]()
    states = list(dict.fromkeys(positions(explorer, many=100)))
    states = random.Random(1).sample(states, min(MOST, len(states)))
    page.set_content(f'<style>{style()}</style><div class="explorer"><div class="pic"></div></div>')
    found = page.evaluate(CHECK, [explorer.draw(state) for state in states])
    assert {state: quarrels for state, quarrels in zip(states, found) if quarrels} == {}


@pytest.mark.parametrize("name", ALL)
def test_the_page_without_python_moves_by_keyboard_and_agrees(name, page):
    explorer = ALL[name]()
    page.set_content(player(explorer))
    shown, controls = frames(explorer), explorer.movable
    label = page.locator(".explorer svg")
    assert label.get_attribute("aria-label") == explorer.describe(explorer.start)
    sliders = [i for i, stops in enumerate(shown.stops) if page.get_by_label(controls[i].label, exact=True).get_attribute("type") == "range"]
    for i in sliders:
        handle = page.get_by_label(controls[i].label, exact=True)
        here = shown.stops[i].index(getattr(explorer.start, controls[i].name))
        key, there = ("ArrowRight", here + 1) if here + 1 < len(shown.stops[i]) else ("ArrowLeft", here - 1)
        handle.focus()
        page.keyboard.press(key)
        moved = explorer.start.put(controls[i].name, shown.stops[i][there])
        assert label.get_attribute("aria-label") == explorer.describe(moved)
        assert handle.get_attribute("aria-valuetext") == controls[i].readout(shown.stops[i][there])
        assert page.locator(".heard").text_content() == explorer.describe(moved)
        page.keyboard.press("ArrowLeft" if key == "ArrowRight" else "ArrowRight")
        assert label.get_attribute("aria-label") == explorer.describe(explorer.start)


@pytest.mark.parametrize("name", ALL)
def test_the_still_picture_stands_alone(name, page, tmp_path):
    """A file of its own: well-formed, with its own style and ground."""
    explorer = ALL[name]()
    file = tmp_path / "still.svg"
    file.write_text(standalone(explorer.draw(explorer.start), explorer.height), encoding="utf-8")
    page.set_content(explorer.image(explorer.start))
    picture = page.locator("img")
    assert picture.evaluate("img => img.decode().then(() => [img.naturalWidth, img.naturalHeight])") == [
        980, explorer.height]
    assert picture.get_attribute("alt") == explorer.describe(explorer.start)
