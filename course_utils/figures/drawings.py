"""Drawings that explain: matrices in a product, a sliding window, a word cut into pieces, a loop, a line of time."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle

from course_utils.explorers.kit.palette import LIGHT
from course_utils.explorers.kit.svg import num

from .heatmaps import RISING, SIGNED, ink
from .pictures import COLOURS, Picture, picture, styled

GAP = 1.5  # cells between two matrices


@styled
def product(A: np.ndarray, B: np.ndarray, names: Sequence[str], title: str, digits: int = 0) -> Picture:
    """A (n, m) times B (m, d) is A @ B (n, d), as three grids side by side with their ``names`` and numbers."""
    tables = [np.asarray(A, float), np.asarray(B, float), np.asarray(A, float) @ np.asarray(B, float)]
    high = max(len(table) for table in tables)
    figure, axes = picture(title, 1.3 + 0.36 * high)
    left = 0.0
    for table, name, sign in zip(tables, names, ("@", "=", "")):
        _grid(axes, table, left, (high - len(table)) / 2, digits)
        axes.text(left + table.shape[1] / 2, high + 0.75, name, ha="center", color=LIGHT["mut"])
        left += table.shape[1] + GAP
        axes.text(left - GAP / 2, high / 2, sign, ha="center", va="center", fontsize=15)
    _blank(axes, left - GAP, high + 1)
    rows = "; ".join(f"{name}: {_said(table, digits)}" for name, table in zip(names, tables))
    figure.alt = f"{title}. {rows}."
    return figure


def _grid(axes: Axes, table: np.ndarray, left: float, top: float, digits: int) -> None:
    """Numbers on cells; the larger, the stronger the colour, and negative ones in the other hue."""
    reach = max(np.abs(table).max(), 1e-9)
    for (i, j), value in np.ndenumerate(table):
        colour = SIGNED(0.5 + value / reach / 2) if table.min() < 0 else RISING(value / reach)
        axes.add_patch(Rectangle((left + j + 0.03, top + i + 0.03), 0.94, 0.94, color=colour, linewidth=0))
        axes.text(left + j + 0.5, top + i + 0.5, num(value, digits), ha="center", va="center", color=ink(colour))


def _blank(axes: Axes, width: float, height: float) -> None:
    axes.set(xlim=(-0.2, width + 0.2), ylim=(height + 0.1, -0.2), aspect="equal")
    axes.set_axis_off()


def _said(table: np.ndarray, digits: int) -> str:
    return " / ".join(" ".join(num(value, digits) for value in row) for row in table)


@styled
def window(words: Sequence[str], blank: int, size: int, title: str) -> Picture:
    """A sentence with one word as the blank and up to ``size`` words on either side as its context."""
    figure, axes = picture(title, 1.7)
    left, context = 0.0, []
    for i, word in enumerate(words):
        wide, inside = 0.4 + 0.19 * len(word), i != blank and abs(i - blank) <= size
        colour = COLOURS[1] if i == blank else COLOURS[0] if inside else LIGHT["line"]
        axes.add_patch(Rectangle((left, 0), wide, 0.8, facecolor=colour, alpha=0.25, edgecolor=colour, linewidth=1.5))
        axes.text(left + wide / 2, 0.4, "___" if i == blank else word, ha="center", va="center")
        axes.text(
            left + wide / 2,
            1.2,
            f"target: {word}" if i == blank else "context" if inside else "",
            ha="center",
            color=LIGHT["mut"],
            fontsize=8,
        )
        context += [word] if inside else []
        left += wide + 0.12
    _blank(axes, left, 1.4)
    figure.alt = f"{title}. Context: {', '.join(context)}. Target: {words[blank]}."
    return figure


@styled
def boxes(labels: Sequence[tuple[str, str]], title: str) -> Picture:
    """(name, note) as boxes in a row, with an arrow from each to the next: what happens to what, in order."""
    figure, axes = picture(title, 1.9)
    for i, (name, note) in enumerate(labels):
        axes.add_patch(Rectangle((3.2 * i, 0), 2.5, 1, facecolor=LIGHT["soft"], edgecolor=COLOURS[0], linewidth=1.5))
        axes.text(3.2 * i + 1.25, 0.5, name, ha="center", va="center", fontsize=9)
        axes.text(3.2 * i + 1.25, 1.45, note, ha="center", va="center", color=LIGHT["mut"], fontsize=8)
        if i:
            axes.add_patch(_arrow((3.2 * i - 0.65, 0.5), (3.2 * i - 0.05, 0.5)))
    _blank(axes, 3.2 * len(labels) - 0.7, 1.7)
    figure.alt = f"{title}: " + ", then ".join(f"{name} ({note})" if note else name for name, note in labels) + "."
    return figure


def _arrow(start, end, bend: float = 0.0) -> FancyArrowPatch:
    style = f"arc3,rad={bend}"
    return FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=12, color=LIGHT["fg"], connectionstyle=style)


@styled
def recurrence(words: Sequence[str], title: str) -> Picture:
    """A recurrent network: one loop, and the same loop laid out in time, a state for each word."""
    figure, axes = picture(title, 2.7)
    for i, (word, state) in enumerate([("x", "h"), *((word, f"h{j}") for j, word in enumerate(words, 1))]):
        x = 0 if i == 0 else 1.2 + 2 * i
        axes.add_patch(Rectangle((x, 1), 1.2, 0.8, facecolor=LIGHT["soft"], edgecolor=COLOURS[0], linewidth=1.5))
        axes.text(x + 0.6, 1.4, state, ha="center", va="center")
        axes.text(x + 0.6, 2.75, word, ha="center", va="center", weight="bold")
        axes.add_patch(_arrow((x + 0.6, 2.55), (x + 0.6, 1.83)))
        if i > 1:
            axes.add_patch(_arrow((x - 0.8, 1.4), (x - 0.02, 1.4)))
    axes.add_patch(_arrow((0.9, 1), (0.3, 1), bend=1.6))
    axes.text(2.2, 1.4, "=", ha="center", va="center", fontsize=15)
    _blank(axes, 1.2 + 2 * len(words) + 1.2, 2.9)
    figure.alt = f"{title}. Each state is made of the state before it and one word: {', '.join(words)}."
    return figure


@styled
def pieces(words: Mapping[str, Sequence[str]], title: str) -> Picture:
    """Words and the pieces that each is cut into, one word a row."""
    figure, axes = picture(title, 0.8 + 0.5 * len(words))
    widest = 0.0
    for i, (word, parts) in enumerate(words.items()):
        axes.text(0, i + 0.4, word, va="center", weight="bold")
        left = 3.4
        for j, part in enumerate(parts):
            wide = 0.35 + 0.2 * len(part)
            axes.add_patch(Rectangle((left, i), wide, 0.8, facecolor=COLOURS[j % 2], alpha=0.2, linewidth=0))
            axes.text(left + wide / 2, i + 0.4, part, ha="center", va="center")
            left += wide + 0.12
        widest = max(widest, left)
    _blank(axes, widest, len(words))
    figure.alt = f"{title}. " + "; ".join(f"{word}: {' '.join(parts)}" for word, parts in words.items()) + "."
    return figure


@styled
def timeline(events: Mapping[int, str], title: str) -> Picture:
    """Years along a line, what came in each beside it; above and below in turns."""
    figure, axes = picture(title, 2.5)
    years = list(events)
    axes.axhline(0, color=LIGHT["mut"], linewidth=1.5)
    for i, (year, what) in enumerate(events.items()):
        side = 1 if i % 2 == 0 else -1
        axes.plot([i, i], [0, 0.35 * side], color=LIGHT["line"], linewidth=1)
        axes.plot([i], [0], "o", color=COLOURS[0], markersize=6)
        axes.text(
            i,
            0.45 * side,
            f"{year}\n{what}" if side > 0 else f"{year}\n{what}",
            ha="center",
            va="bottom" if side > 0 else "top",
            fontsize=8.5,
        )
    axes.set(xlim=(-0.6, len(years) - 0.4), ylim=(-1.9, 1.9))
    axes.set_axis_off()
    figure.alt = f"{title}: " + "; ".join(f"{year} {what}".replace("\n", " ") for year, what in events.items()) + "."
    return figure
