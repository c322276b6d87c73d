"""Every explorer's drawing and its page without Python, in a real browser."""

import pytest
from explorer_cases import constructors, made, sample
from lab import QUARRELS

from course_utils.explorers import Choice, Switch, Typed
from course_utils.explorers.kit.frames import frames
from course_utils.explorers.kit.palette import style
from course_utils.explorers.kit.player import player

ALL = constructors()
MOST, SOAK, AT_ONCE = 60, 3000, 200  # drawings looked at per explorer

CHECK = f"""drawings => drawings.map(drawing => {{
  const pic = document.querySelector(".pic"); pic.innerHTML = drawing;
  return ({QUARRELS})(pic.firstElementChild); }})"""


@pytest.mark.parametrize("most", [MOST, pytest.param(SOAK, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", ALL)
def test_words_stay_inside_and_apart(name, most, page):
    """Measured on the page; ``test_explorers.py`` looks at more drawings, by estimated widths."""
    explorer, found = made(name), {}
    page.set_content(f'<style>{style()}</style><div class="explorer"><div class="pic"></div></div>')
    states = sample(explorer, most)
    for i in range(0, len(states), AT_ONCE):
        some = states[i : i + AT_ONCE]
        quarrels = page.evaluate(CHECK, [explorer.draw(state) for state in some])
        found.update((state, words) for state, words in zip(some, quarrels, strict=True) if words)
    assert found == {}


@pytest.mark.parametrize("name", ALL)
def test_the_page_without_python_moves_by_keyboard_and_agrees(name, page):
    explorer = made(name)
    page.set_content(player(explorer))
    shown = frames(explorer)
    label = page.locator(".explorer svg")
    assert label.get_attribute("aria-label") == explorer.describe(explorer.start)
    for control, stops in zip(explorer.movable, shown.stops, strict=True):
        if isinstance(control, (Choice, Switch, Typed)):
            continue
        handle = page.get_by_label(control.label, exact=True)
        here = stops.index(getattr(explorer.start, control.name))
        there, key, back = (
            (here + 1, "ArrowRight", "ArrowLeft") if here + 1 < len(stops) else (here - 1, "ArrowLeft", "ArrowRight")
        )
        handle.focus()
        page.keyboard.press(key)
        moved = explorer.describe(explorer.start.put(control.name, stops[there]))
        assert label.get_attribute("aria-label") == page.locator(".heard").text_content() == moved
        assert handle.get_attribute("aria-valuetext") == control.readout(stops[there])
        page.keyboard.press(back)
        assert label.get_attribute("aria-label") == explorer.describe(explorer.start)


@pytest.mark.parametrize("name", ALL)
def test_the_still_picture_stands_alone(name, page):
    """Well-formed, with its own style and size: an image has nothing else."""
    explorer = made(name)
    page.set_content(explorer.image(explorer.start))
    picture = page.locator("img")
    assert picture.evaluate("img => img.decode().then(() => [img.naturalWidth, img.naturalHeight])") == [980, explorer.height]
    assert picture.get_attribute("alt") == explorer.describe(explorer.start)
