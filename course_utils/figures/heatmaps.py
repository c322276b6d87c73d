"""A table of numbers as coloured cells."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from course_utils.explorers.kit.palette import LIGHT
from course_utils.explorers.kit.svg import num

from .pictures import DPI, NAMES_APART, PAD, WIDTH, Picture, picture, say, styled

RISING = LinearSegmentedColormap.from_list("rising", [LIGHT["soft"], LIGHT["c2"]])
SIGNED = LinearSegmentedColormap.from_list("signed", [LIGHT["c1"], LIGHT["soft"], LIGHT["c2"]])


@styled
def heatmap(
    values: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
    low: float = 0.0,
    high: float = 1.0,
    digits: int = 2,
) -> Picture:
    """A table (rows, columns) as coloured cells with their numbers; colours run from ``low`` to ``high``.

    Above 12 rows or columns the cells carry no numbers, and a scale stands beside them. Raises ValueError for a title
    wider than a page.
    """
    values = np.asarray(values, dtype=float)
    figure, axes = picture(title, min(1.1 + 0.42 * len(rows), 6.4), min(1.8 + 0.62 * len(columns), WIDTH))
    large = max(values.shape) > 12
    shown = axes.pcolormesh(
        values, cmap=SIGNED if low < 0 else RISING, vmin=low, vmax=high, edgecolors="white", linewidth=0.5 if large else 2
    )
    axes.invert_yaxis()
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns)
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows)
    axes.tick_params(length=0, labelcolor=LIGHT["fg"])
    axes.spines[:].set_visible(False)
    if large:
        figure.colorbar(shown, ax=axes, shrink=0.8).outline.set_visible(False)
    _fit(figure, axes)
    if large:
        figure.alt = f"{title}: heat map of {len(rows)} rows and {len(columns)} columns."
        return figure
    for (i, j), value in np.ndenumerate(values):
        axes.text(j + 0.5, i + 0.5, num(value, digits), ha="center", va="center", color=ink(shown.to_rgba(value)))
    figure.alt = say(
        title, {f"{row} and {column}": values[i, j] for i, row in enumerate(rows) for j, column in enumerate(columns)}, digits
    )
    return figure


def _fit(figure: Picture, axes: Axes) -> None:
    """Turns column names that would meet, and widens the picture until its title fits; ValueError where it cannot."""
    figure.draw_without_rendering()
    names = [label.get_window_extent() for label in axes.get_xticklabels()]
    if any(left.x1 + NAMES_APART > right.x0 for left, right in pairwise(names)):
        axes.tick_params(axis="x", labelrotation=45)
    drawn = axes.get_tightbbox()
    assert drawn is not None, "a picture has just been drawn"
    beyond = (drawn.x1 - figure.bbox.x1) / figure.dpi + PAD
    if beyond <= 0:
        return
    width = float(np.ceil((figure.get_figwidth() + beyond) * DPI)) / DPI  # whole pixels
    if width > WIDTH:
        raise ValueError(
            f"the title {axes.get_title('left')!r} asks for a picture {width:.1f} inches wide; there are {WIDTH}. Shorten it."
        )
    figure.set_figwidth(width)


def ink(ground) -> str:
    """Black or white, whichever has more contrast with a colour: the two are equal at a luminance of 0.18."""
    rgb = np.asarray(ground[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return "black" if linear @ [0.2126, 0.7152, 0.0722] > 0.18 else "white"
