"""Bars and lines."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from course_utils.explorers.kit.palette import HUES, LIGHT
from course_utils.explorers.kit.svg import num

from .pictures import COLOURS, DASHES, MARKERS, NAMES_APART, Picture, picture, say, styled


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
    for axis, log in ((axes.xaxis, log_x), (axes.yaxis, log_y)):
        if log:
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))  # 1,000 and 0.01, not powers of ten
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
    kept: list[float] = []
    end = -np.inf
    for value, label in zip(x, axes.get_xticklabels()):
        box = label.get_window_extent()
        if box.x0 >= end + NAMES_APART:
            kept, end = [*kept, value], box.x1
    axes.set_xticks(kept, [f"{value:g}" for value in kept])
