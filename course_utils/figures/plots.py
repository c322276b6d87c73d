"""Static figures of the course: arrays in, a figure out, in one size, palette and font.

Every figure is a ``Picture``: a matplotlib ``Figure`` that knows a sentence for those who cannot see it, and shows
itself as the last line of a cell. ``pyplot`` is never used, so no figure stays in memory.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Arc

from course_utils.explorers.kit.palette import HUES, LIGHT
from course_utils.explorers.kit.svg import num

from .pictures import COLOURS, DPI, PAD, WIDTH, Picture, picture, say, styled

NAMES_APART = 4  # pixels between two names beside one another
MARKERS, DASHES = ("o", "s", "^", "D", "v"), ("-", "--", "-.", ":", (0, (5, 1)))
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
        axes.text(j + 0.5, i + 0.5, num(value, digits), ha="center", va="center", color=_ink(shown.to_rgba(value)))
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
    beyond = (axes.get_tightbbox().x1 - figure.bbox.x1) / figure.dpi + PAD
    if beyond <= 0:
        return
    width = float(np.ceil((figure.get_figwidth() + beyond) * DPI)) / DPI  # whole pixels
    if width > WIDTH:
        raise ValueError(
            f"the title {axes.get_title('left')!r} asks for a picture {width:.1f} inches wide; there are {WIDTH}. Shorten it."
        )
    figure.set_figwidth(width)


def _ink(ground) -> str:
    """Black or white, whichever has more contrast with a colour: the two are equal at a luminance of 0.18."""
    rgb = np.asarray(ground[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return "black" if linear @ [0.2126, 0.7152, 0.0722] > 0.18 else "white"


@styled
def bars(
    numbers: Mapping[str, float], title: str, label: str = "", digits: int = 2, limits: tuple[float, float] | None = None
) -> Picture:
    """One horizontal bar for each name, in their order from the top, with its number at the end."""
    names, values = list(numbers), np.array(list(numbers.values()), dtype=float)
    figure, axes = picture(title, 1.2 + 0.34 * len(names))
    axes.barh(range(len(names)), values, height=0.62, color=COLOURS[0])
    low, high = limits or (min(values.min(), 0.0), max(values.max(), 0.0))
    room = 0.09 * (high - low)
    for i, value in enumerate(values):
        axes.text(
            value + 0.12 * room * (1 if value >= 0 else -1),
            i,
            num(value, digits),
            va="center",
            ha="left" if value >= 0 else "right",
        )
    axes.set(xlim=(low - room * (values.min() < 0), high + room), xlabel=label)
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0, labelcolor=LIGHT["fg"])
    axes.axvline(0, color=LIGHT["mut"], linewidth=1)
    axes.spines["left"].set_visible(False)
    axes.invert_yaxis()
    figure.alt = say(title, numbers, digits)
    return figure


@styled
def lines(
    x: Sequence[float],
    series: Mapping[str, Sequence[float]],
    title: str,
    x_label: str,
    y_label: str,
    log_x: bool = False,
    log_y: bool = False,
    limits: tuple[float, float] | None = None,
) -> Picture:
    """One line for each name, told apart by colour, dash and marker, and named in the legend."""
    figure, axes = picture(title)
    few = len(x) <= 30
    for i, (name, values) in enumerate(series.items()):
        axes.plot(
            x,
            values,
            color=COLOURS[i % HUES],
            linestyle=DASHES[i % HUES],
            label=name,
            marker=MARKERS[i % HUES] if few else None,
            markersize=5,
        )
    axes.set(xlabel=x_label, ylabel=y_label, xscale="log" if log_x else "linear", yscale="log" if log_y else "linear")
    if limits:
        axes.set_ylim(*limits)
    axes.grid(axis="y")
    axes.tick_params(length=0)
    if len(series) > 1:
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=3)
    if len(x) <= 12:
        _name_steps(figure, axes, x)
    ends = {f"{name} from {float(values[0]):.2f} to": float(values[-1]) for name, values in series.items()}
    figure.alt = say(f"{title}, {y_label} over {x_label}", ends)
    return figure


def _name_steps(figure: Picture, axes: Axes, x: Sequence[float]) -> None:
    """Ticks at the very x of the points, but for those whose name would meet the one before."""
    axes.set_xticks(x, [f"{value:g}" for value in x])
    axes.set_xticks([], minor=True)
    figure.draw_without_rendering()
    kept, end = [], -np.inf
    for value, label in zip(x, axes.get_xticklabels()):
        box = label.get_window_extent()
        if box.x0 >= end + NAMES_APART:
            kept, end = [*kept, value], box.x1
    axes.set_xticks(kept, [f"{value:g}" for value in kept])


@styled
def scatter(
    points: np.ndarray,
    names: Sequence[str],
    title: str,
    groups: Sequence[str] | None = None,
    x_label: str = "",
    y_label: str = "",
) -> Picture:
    """Points (n, 2) with their names beside them; each group has its colour and its marker."""
    points, kinds = np.asarray(points, dtype=float), list(groups or [""] * len(names))
    figure, axes = picture(title, 5.2)
    for i, kind in enumerate(dict.fromkeys(kinds)):
        mine = points[[k == kind for k in kinds]]
        axes.scatter(*mine.T, color=COLOURS[i % HUES], marker=MARKERS[i % HUES], s=34, label=kind)
    axes.margins(0.1)
    axes.set(xlabel=x_label, ylabel=y_label)
    axes.grid(True)
    axes.tick_params(length=0)
    if groups:
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.draw_without_rendering()
    _name_points(axes, points, names)
    said = {kind: ", ".join(n for n, k in zip(names, kinds) if k == kind) for kind in dict.fromkeys(kinds)}
    figure.alt = f"{title}: " + "; ".join(f"{kind}: {words}" if kind else words for kind, words in said.items()) + "."
    return figure


_AROUND = ((6, 4, "left"), (-6, 4, "right"), (6, -10, "left"), (-6, -10, "right"), (0, 8, "center"), (0, -14, "center"))


def _name_points(axes: Axes, points: np.ndarray, names: Sequence[str]) -> None:
    """Each name at the first of six places round its point that is free; a name that finds none is left out."""
    places = axes.transData.transform(points)
    taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in places]
    for name, point, own in zip(names, points, list(taken)):
        for dx, dy, side in _AROUND:
            label = axes.annotate(name, point, (dx, dy), textcoords="offset points", ha=side, fontsize=9)
            box = tuple(label.get_window_extent().extents)
            if not any(_meet(box, other) for other in taken if other is not own):
                taken.append(box)
                break
            label.remove()


def _meet(a, b) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@styled
def arrows(vectors: Mapping[str, Sequence[float]], title: str) -> Picture:
    """Arrows in the plane from the origin, with the angle from the first one to each of the others."""
    figure, axes = picture(title, 4.4, 5.2)
    found = {name: np.asarray(vector, dtype=float) for name, vector in vectors.items()}
    reach = 1.15 * max(np.abs(list(found.values())).max(), 1e-9)
    for i, (name, vector) in enumerate(found.items()):
        _draw_arrow(axes, name, vector, COLOURS[i % HUES])
    angles = _draw_angles(axes, list(found.values()), reach)
    axes.set(
        xlim=(min(0, *(v[0] for v in found.values())) - 0.1 * reach, 1.35 * reach),
        aspect="equal",
        ylim=(min(0, *(v[1] for v in found.values())) - 0.2 * reach, reach),
    )
    axes.axhline(0, color=LIGHT["line"], linewidth=1, zorder=0)
    axes.axvline(0, color=LIGHT["line"], linewidth=1, zorder=0)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    first, *rest = found
    figure.alt = say(title, {f"{first} and {name}, degrees": angle for name, angle in zip(rest, angles)}, 1)
    return figure


def _draw_arrow(axes: Axes, name: str, vector: np.ndarray, colour: str) -> None:
    """Shorter ones on top, so that none hides another of its direction; the name stands off the shaft."""
    style = {"arrowstyle": "-|>,head_width=0.35,head_length=0.8", "color": colour, "linewidth": 2.5, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", vector, (0, 0), arrowprops=style, zorder=4 - np.tanh(np.linalg.norm(vector) / 100))
    where = ", ".join(f"{value + 0.0:g}".replace("-", "−") for value in vector)
    right, up = (1 if value >= 0 else -1 for value in vector)
    axes.annotate(
        f"{name} ({where})",
        vector,
        (10 * right, -5 * up),
        textcoords="offset points",
        va="center",
        ha="left" if right > 0 else "right",
        weight="bold",
        color=colour,
    )


def _draw_angles(axes: Axes, vectors: list[np.ndarray], reach: float) -> list[float]:
    """An arc for each vector after the first, each with its own radius; the angles in degrees."""
    directions, angles = [np.degrees(np.arctan2(y, x)) for x, y in vectors], []
    for i, direction in enumerate(directions[1:], 1):
        turn = (direction - directions[0] + 180) % 360 - 180
        radius = reach * (0.2 + 0.14 * (i - 1))
        start, stop = sorted((directions[0], directions[0] + turn))
        axes.add_patch(Arc((0, 0), 2 * radius, 2 * radius, theta1=start, theta2=stop, color=LIGHT["mut"]))
        middle = np.radians(directions[0] + (turn / 2 if abs(turn) > 15 else 12))  # beside a narrow arc, not on it
        axes.text(
            1.25 * radius * np.cos(middle),
            1.25 * radius * np.sin(middle),
            f"{abs(turn):.1f}°",
            ha="center",
            va="center",
            color=LIGHT["mut"],
            fontsize=9,
        )
        angles.append(abs(turn))
    return angles
