"""How fast explorers are: CPU of one drawing, and key press to painted picture in a JupyterLab.

JupyterLab's own round trip from a key to Python and back is most of the second time, and no explorer can be quicker:
so the smallest widget there is, a slider and a picture of a few bytes, is measured beside them, and ``interact`` with
matplotlib. All stand in one notebook and are pressed in turns; the ratios are what counts, for the times depend on
the machine and on what else it does.
"""

import statistics
import sys
import time
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "browser")]

from browser_server import NotFound
from explorer_cases import constructors, made, positions, source
from lab import notebook_of

from course_utils.explorers.kit.player import player

ROUNDS, PRESSES, WARM = 4, 8, 2
PLAYERS = ("word_vectors.arrows", "query_key_value.panel")
SMALLEST = """
from ipywidgets import HTML, IntSlider, VBox
slider, picture = IntSlider(50), HTML('<svg aria-label="50"></svg>')
slider.observe(lambda change: setattr(picture, "value", f'<svg aria-label="{change.new}"></svg>'), "value")
VBox([slider, picture])
"""
INTERACT = """
%matplotlib inline
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import IntSlider, interact

@interact(angle=IntSlider(55, -180, 180, 5))
def show(angle):
    dog, cat, truck = np.array([[3 * np.cos(np.radians(angle)), 3 * np.sin(np.radians(angle))], [1.04, 3.86], [4.5, 0]])
    figure, (plane, dots, cosines) = plt.subplots(1, 3, figsize=(9, 4))
    for vector, colour, name in ((dog, "C0", "Dog"), (cat, "C1", "Cat"), (truck, "C2", "Truck")):
        plane.annotate("", vector, (0, 0), arrowprops={"color": colour, "width": 2})
        plane.text(*vector, name)
    plane.set(xlim=(-5, 5), ylim=(-5, 5))
    dots.barh(["Cat", "Truck"], [dog @ cat, dog @ truck])
    cosines.barh(["Cat", "Truck"], [dog @ cat / 12, dog @ truck / 13.5])
    plt.show()
"""
# From a key press to the end of the first frame that shows another picture (decoded, if it is an image): a message posted
# in that frame's callback arrives once the frame is painted.
WATCH = """([output, what, attribute]) => new Promise((done, fail) => {
  const look = () => { const node = output.querySelector(what); return node && node.getAttribute(attribute); };
  const before = look();
  window.addEventListener("keydown", () => {
    const start = performance.now();
    const frame = () => {
      const node = output.querySelector(what);
      if (node && look() !== before && node.complete !== false) {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(performance.now() - start);
        port2.postMessage(null); }
      else if (performance.now() - start > 10000) fail(new Error("no new picture in 10 s"));
      else requestAnimationFrame(frame); };
    requestAnimationFrame(frame); }, {once: true, capture: true}); })"""


class Row(NamedTuple):
    """What is pressed: a cell's text, the handle of its first slider, and the attribute that a new picture changes."""

    name: str
    source: str
    handle: str = ".noUi-handle"
    picture: str = "svg[aria-label]"
    attribute: str = "aria-label"


def rows() -> list[Row]:
    """Players come last: a host, once chosen, holds for all that follows."""
    host = "from course_utils.explorers import host\nhost('player')\n"
    return [
        Row("the smallest widget", SMALLEST),
        *(Row(name, source(name)) for name in constructors()),
        Row("interact + matplotlib", INTERACT, picture=".jp-RenderedImage img", attribute="src"),
        *(Row(f"{name} (player)", host + source(name), "input[type=range]") for name in PLAYERS),
    ]


def drawing() -> None:
    print(f"{'one drawing':36} {'CPU ms: median':>15} {'p95':>6} {'KB':>6}   player KB")
    for name in constructors():
        explorer, times = made(name), []
        states = list(positions(explorer, many=200))[-200:]
        for state in states:
            start = time.thread_time()
            explorer.draw(state)
            times.append(1000 * (time.thread_time() - start))
        size = max(len(explorer.draw(state).encode()) for state in states) / 1000
        print(
            f"{name:36} {statistics.median(times):15.2f} {p95(times):6.2f} {size:6.1f}   "
            f"{len(player(explorer).encode()) / 1000:9.0f}"
        )


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def pressing() -> None:
    pressed = rows()
    with notebook_of(*(row.source for row in pressed)) as notebook:
        times = {row.name: [] for row in pressed}
        for _ in range(ROUNDS):
            for cell, row in enumerate(pressed):
                times[row.name] += press(notebook.page, cell, row)
    smallest = statistics.median(times[pressed[0].name])
    print(f"\n{'key press to painted picture':36} {'ms: median':>15} {'p95':>6}   times the smallest widget")
    for name, found in times.items():
        print(f"{name:36} {statistics.median(found):15.1f} {p95(found):6.1f}   {statistics.median(found) / smallest:9.2f}")


def press(page, cell: int, row: Row) -> list[float]:
    """Milliseconds of each of many presses, right and left in turns, each after the one before is painted."""
    output = page.locator(".jp-Notebook .jp-Cell").nth(cell).locator(".jp-Cell-outputArea")
    output.locator(row.picture).first.wait_for()
    output.scroll_into_view_if_needed()
    times = []
    for i in range(WARM + PRESSES):
        output.locator(row.handle).first.focus()
        page.evaluate(f"found => {{ window.painted = ({WATCH})(found); }}", [output.element_handle(), row.picture, row.attribute])
        page.keyboard.press("ArrowLeft" if i % 2 else "ArrowRight")
        times.append(page.evaluate("() => window.painted"))
        page.wait_for_timeout(30)
    return times[WARM:]


if __name__ == "__main__":
    drawing()
    try:
        pressing()
    except NotFound as reason:
        print(f"\nkey press to painted picture: not measured, {reason}")
