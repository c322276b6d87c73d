"""Points and arrows in the plane."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc

from course_utils.explorers.kit.palette import HUES, LIGHT, WORDS

from .pictures import COLOURS, MARKERS, Picture, picture, say, styled


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
        axes.scatter(mine[:, 0], mine[:, 1], color=COLOURS[i % HUES], marker=MARKERS[i % HUES], s=34, label=kind)
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
            box = label.get_window_extent().extents
            if not any(_meet(box, other) for other in taken if other is not own):
                taken.append(box)
                break
            label.remove()


def _meet(a, b) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@styled
def cloud(points: np.ndarray, directions: np.ndarray, title: str) -> Picture:
    """Points (n, 2) and, from their centre, directions (2, 2) of length 1, each twice as long as the spread along it."""
    points, centre = np.asarray(points, dtype=float), np.mean(points, axis=0)
    figure, axes = picture(title, 4.2, 5.6)
    axes.scatter(points[:, 0], points[:, 1], s=14, color=COLOURS[4], alpha=0.5, linewidth=0)
    spreads = np.std((points - centre) @ np.transpose(directions), axis=0)
    for i, (direction, spread) in enumerate(zip(directions, spreads)):
        tip = centre + 2 * spread * direction
        style = {"arrowstyle": "-|>,head_width=0.35,head_length=0.8", "color": COLOURS[i], "linewidth": 2.5, "shrinkA": 0}
        axes.annotate("", tuple(tip), tuple(centre), arrowprops=style)
        beyond = tip + 0.35 * direction
        axes.annotate(
            f"{i + 1}: spread {spread:.1f}",
            tuple(beyond),
            color=COLOURS[i],
            weight="bold",
            ha="center",
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1},
        )
    axes.set(aspect="equal", xlabel="first number", ylabel="second number")
    axes.grid(True)
    axes.tick_params(length=0)
    figure.alt = say(title, {f"spread along direction {i + 1}": spread for i, spread in enumerate(spreads)})
    return figure


@styled
def arrows(vectors: Mapping[str, Sequence[float]], title: str) -> Picture:
    """Arrows in the plane from the origin, with the angle from the first one to each of the others."""
    figure, axes = picture(title, 4.4, 5.2)
    found = {name: np.asarray(vector, dtype=float) for name, vector in vectors.items()}
    reach = 1.15 * max(np.abs(list(found.values())).max(), 1e-9)
    for i, (name, vector) in enumerate(found.items()):
        hue = WORDS.get(name.lower())
        _draw_arrow(axes, name, vector, COLOURS[i % HUES] if hue is None else LIGHT[f"c{hue}"])
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
    axes.annotate("", tuple(vector), (0, 0), arrowprops=style, zorder=4 - np.tanh(np.linalg.norm(vector) / 100))
    where = ", ".join(f"{value + 0.0:g}".replace("-", "−") for value in vector)
    right, up = (1 if value >= 0 else -1 for value in vector)
    axes.annotate(
        f"{name} ({where})",
        tuple(vector),
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
