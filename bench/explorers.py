"""How fast explorers are: CPU of one drawing, and key press to painted picture beside ``interact`` with matplotlib.

Both hosts and ``interact`` draw the same two arrows in the same JupyterLab, one after the other; the ratios are what
counts, for the times depend on the machine and on what else it does.
"""

import contextlib
import statistics
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "browser")]

from browser_server import NotFound, chromium_browser, jupyterlab
from explorer_cases import constructors, positions
from lab import Lab

from course_utils.explorers.player import player

PRESSES = 40
LIVE = "from course_utils.explorers import word_vectors as explore\nexplore.arrows()"
PLAYER = "from course_utils.explorers import host\nhost('player')\nexplore.arrows()"
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
# From a key press to the first frame in which the picture has changed (and, if it is an image, is decoded).
WATCH = """([output, what, attribute]) => new Promise((done, fail) => {
  const look = () => { const node = output.querySelector(what); return node && node.getAttribute(attribute); };
  const before = look();
  window.addEventListener("keydown", () => {
    const start = performance.now();
    const frame = () => {
      const node = output.querySelector(what);
      if (node && look() !== before && node.complete !== false) requestAnimationFrame(now => done(now - start));
      else if (performance.now() - start > 10000) fail(new Error("no new picture in 10 s"));
      else requestAnimationFrame(frame); };
    requestAnimationFrame(frame); }, {once: true, capture: true}); })"""


def drawing() -> None:
    print(f"{'one drawing':34} {'CPU ms: median':>15} {'p95':>6} {'KB':>6}   player KB")
    for name, make in constructors().items():
        explorer, times = make(), []
        states = list(positions(explorer, many=200))[-200:]
        for state in states:
            start = time.thread_time()
            explorer.draw(state)
            times.append(1000 * (time.thread_time() - start))
        size = max(len(explorer.draw(state).encode()) for state in states) / 1000
        print(f"{name:34} {statistics.median(times):15.2f} {p95(times):6.2f} {size:6.1f}   "
              f"{len(player(explorer).encode()) / 1000:9.0f}")


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def pressing() -> None:
    with contextlib.ExitStack() as open_now:
        home = Path(open_now.enter_context(tempfile.TemporaryDirectory()))
        (home / "notebooks").mkdir()
        page = open_now.enter_context(chromium_browser()).new_page()
        lab = Lab(*open_now.enter_context(jupyterlab(home)), home / "notebooks").on(page)
        notebook = lab.open(lab.write("bench.ipynb", LIVE, PLAYER, INTERACT))
        notebook.run_all()
        picture = ("svg[aria-label]", "aria-label")
        times = {"live explorer": press(page, 0, ".noUi-handle", *picture),
                 "player": press(page, 1, "input[type=range]", *picture),
                 "interact + matplotlib": press(page, 2, ".noUi-handle", ".jp-RenderedImage img", "src")}
        lab.leave()
    slow = times["interact + matplotlib"]
    print(f"\n{'key press to painted picture':34} {'ms: median':>15} {'p95':>6}   interact takes")
    for name, found in times.items():
        ratio = statistics.median(slow) / statistics.median(found)
        print(f"{name:34} {statistics.median(found):15.1f} {p95(found):6.1f}   {ratio:9.1f} times as long")


def press(page, cell: int, handle: str, what: str, attribute: str) -> list[float]:
    """Milliseconds of each of many presses, right and left in turns, each after the one before is painted."""
    output = page.locator(".jp-Notebook .jp-Cell").nth(cell).locator(".jp-Cell-outputArea")
    output.locator(what).first.wait_for()
    output.scroll_into_view_if_needed()
    times = []
    for i in range(PRESSES + 3):
        output.locator(handle).first.focus()
        page.evaluate(f"found => {{ window.painted = ({WATCH})(found); }}", [output.element_handle(), what, attribute])
        page.keyboard.press("ArrowLeft" if i % 2 else "ArrowRight")
        times.append(page.evaluate("() => window.painted"))
        page.wait_for_timeout(60)
    return times[3:]  # the first ones warm up


if __name__ == "__main__":
    drawing()
    try:
        pressing()
    except NotFound as reason:
        print(f"\nkey press to painted picture: not measured, {reason}")
