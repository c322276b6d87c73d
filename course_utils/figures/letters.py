"""A figure of lettered arrays: where each cell of a table went when it was split into heads."""

from collections.abc import Mapping

import numpy as np

from course_utils.explorers.kit.palette import HUES, LIGHT

from .pictures import COLOURS, Picture, picture, styled

TINT = 0.28  # of a token's colour behind its letters, so that the letters stay readable


@styled
def lettered(arrays: Mapping[str, np.ndarray], title: str) -> Picture:
    """Arrays (h, n, d_head) of texts such as "a1" side by side, a table for each head; the letter chooses the colour."""
    figure, axes = picture(title, 1.5 + 0.55 * max(len(a[0]) for a in arrays.values()))
    tokens = sorted({str(cell)[0] for array in arrays.values() for cell in array.flat})
    left, said = 0.0, []
    for name, array in arrays.items():
        start = left
        for head, table in enumerate(array):
            _table(axes, table, left, f"head {head}", tokens)
            left += table.shape[1] + 0.5
        axes.text((start + left - 0.5) / 2, -0.95, name, ha="center", weight="bold")
        said.append(f"{name}: " + "; ".join(f"head {i} {' / '.join(' '.join(r) for r in t)}" for i, t in enumerate(array)))
        left += 1.2
    axes.set(xlim=(-0.1, left - 1.5), ylim=(max(len(a[0]) for a in arrays.values()) + 0.1, -1.3), aspect="equal")
    axes.set_axis_off()
    figure.alt = f"{title}. {'. '.join(said)}."
    return figure


def _table(axes, table, left: float, name: str, tokens) -> None:
    axes.text(left + table.shape[1] / 2, -0.25, name, ha="center", color=LIGHT["mut"])
    for (row, column), cell in np.ndenumerate(table):
        colour = COLOURS[tokens.index(str(cell)[0]) % HUES]
        axes.fill_between(
            [left + column + 0.04, left + column + 0.96], row + 0.04, row + 0.96, color=colour, alpha=TINT, linewidth=0
        )
        axes.text(left + column + 0.5, row + 0.5, str(cell), ha="center", va="center", weight="bold")
