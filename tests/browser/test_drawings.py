"""Every explorer's drawing and its page without Python, in a real browser."""

import pytest
from explorer_cases import constructors, made, sample
from lab import QUARRELS

from course_utils.explorers import Choice, Switch
from course_utils.explorers.explorer import standalone
from course_utils.explorers.frames import frames
from course_utils.explorers.palette import style
from course_utils.explorers.player import player

ALL = constructors()
MOST = 240  # drawings looked at per explorer

CHECK = f"""drawings => drawings.map(drawing => {{
  const pic = document.querySelector(".pic"); pic.innerHTML = drawing;
  return ({QUARRELS})(pic.firstElementChild); }})"""


@pytest.mark.parametrize("name", ALL)
def test_words_stay_inside_and_apart(name, page):
    explorer = made(name)
    states = sample(explorer, MOST)
    page.set_content(f'<style>{style()}</style><div class="explorer"><div class="pic"></div></div>')
    found = page.evaluate(CHECK, [explorer.draw(state) for state in states])
    assert {state: quarrels for state, quarrels in zip(states, found) if quarrels} == {}


@pytest.mark.parametrize("name", ALL)
def test_the_page_without_python_moves_by_keyboard_and_agrees(name, page):
    explorer = made(name)
    page.set_content(player(explorer))
    shown = frames(explorer)
    label = page.locator(".explorer svg")
    assert label.get_attribute("aria-label") == explorer.describe(explorer.start)
    for control, stops in zip(explorer.movable, shown.stops, strict=True):
        if isinstance(control, (Choice, Switch)):
            continue
        handle = page.get_by_label(control.label, exact=True)
        here = stops.index(getattr(explorer.start, control.name))
        there, key, back = (here + 1, "ArrowRight", "ArrowLeft") if here + 1 < len(stops) else (
            here - 1, "ArrowLeft", "ArrowRight")
        handle.focus()
        page.keyboard.press(key)
        moved = explorer.describe(explorer.start.put(control.name, stops[there]))
        assert label.get_attribute("aria-label") == page.locator(".heard").text_content() == moved
        assert handle.get_attribute("aria-valuetext") == control.readout(stops[there])
        page.keyboard.press(back)
        assert label.get_attribute("aria-label") == explorer.describe(explorer.start)


@pytest.mark.parametrize("name", ALL)
def test_the_still_picture_stands_alone(name, page, tmp_path):
    """A file of its own: well-formed, with its own style and ground."""
    explorer = made(name)
    file = tmp_path / "still.svg"
    file.write_text(standalone(explorer.draw(explorer.start), explorer.height), encoding="utf-8")
    page.set_content(explorer.image(explorer.start))
    picture = page.locator("img")
    assert picture.evaluate("img => img.decode().then(() => [img.naturalWidth, img.naturalHeight])") == [
        980, explorer.height]
    assert picture.get_attribute("alt") == explorer.describe(explorer.start)
