"""A drawing of boxes in a row, each of which works on what the one before it made, with ways round some of them."""

from collections.abc import Sequence

from course_utils.explorers.kit.palette import LIGHT

from .pictures import COLOURS, Picture, picture, styled

WIDE, HIGH, GAP = 1.5, 0.9, 0.55


@styled
def plan(steps: Sequence[str], rounds: Sequence[tuple[int, int]], shapes: Sequence[str], title: str) -> Picture:
    """Boxes from left to right, joined by arrows with a shape under each.

    rounds: (first, last) box that a way leads round: what goes into the first is added in the last.
    shapes: of what goes into the first box, between boxes, and out of the last: one more than boxes.
    """
    figure, axes = picture(title, 2.3)
    reach = WIDE + GAP
    for i, step in enumerate(steps):
        added = any(i == last for _, last in rounds)
        axes.fill_between(
            [i * reach, i * reach + WIDE], -HIGH / 2, HIGH / 2, color=COLOURS[1 if added else 0], alpha=0.2, linewidth=0
        )
        axes.text(i * reach + WIDE / 2, 0, step, ha="center", va="center", weight="bold", fontsize=8.5)
    for i, shape in enumerate(shapes):
        x = i * reach
        axes.annotate("", (x, 0), (x - GAP, 0), arrowprops={"arrowstyle": "->", "color": LIGHT["fg"], "shrinkA": 0, "shrinkB": 0})
        axes.text(x - GAP / 2, -HIGH / 2 - 0.12, shape, ha="center", va="top", color=LIGHT["mut"], fontsize=8)
    for first, last in rounds:
        start, end, top = first * reach - GAP / 2, last * reach + WIDE / 2, HIGH / 2 + 0.45
        axes.plot([start, start, end], [0, top, top], color=COLOURS[1], linewidth=1.5)
        axes.annotate(
            "", (end, HIGH / 2), (end, top), arrowprops={"arrowstyle": "->", "color": COLOURS[1], "shrinkA": 0, "shrinkB": 0}
        )
    axes.set(xlim=(-GAP - 0.45, len(steps) * reach + 0.45), ylim=(-HIGH / 2 - 0.6, HIGH / 2 + 0.6))
    axes.set_axis_off()
    names = [" ".join(step.split()) for step in steps]
    ways = "".join(f" What goes into {names[first]} (box {first + 1}) is added at box {last + 1}." for first, last in rounds)
    figure.alt = f"{title}: {', then '.join(names)}.{ways}"
    return figure
