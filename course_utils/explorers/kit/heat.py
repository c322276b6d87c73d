"""A table of numbers as cells: the stronger the colour, the larger the number, and the number itself in each cell."""

from collections.abc import Sequence

import numpy as np

from .svg import num, px, text


def heat(
    left: float,
    top: float,
    cell: float,
    rows: Sequence[str],
    columns: Sequence[str],
    values: np.ndarray,
    colour: str = "2",
    digits: int = 2,
    marked: int = -1,
) -> str:
    """``values`` (rows, columns), drawn with names on top and at the left; 1 is full colour, 0 and less none.

    (left, top) is the corner of the cells; names are written outside it. The row ``marked`` has a frame.
    """
    cells = []
    parts = [text(left + cell * (j + 0.5), top - 8, name, "m sm", "middle") for j, name in enumerate(columns)]
    for i, name in enumerate(rows):
        y = top + cell * i
        parts.append(text(left - 8, y + cell / 2 + 5, name, "b" if i == marked else "", "end"))
        for j, value in enumerate(values[i]):
            x = left + cell * j
            cells.append(_cell(x, y, cell, float(value), colour))
            parts.append(text(x + cell / 2, y + cell / 2 + 5, num(value, digits), "num", "middle"))
    if marked >= 0:
        parts.append(
            f'<rect class="sf no" x="{px(left)}" y="{px(top + cell * marked)}" '
            f'width="{px(cell * len(columns))}" height="{px(cell)}" rx="4" stroke-width="2"/>'
        )
    return f'<g class="heat">{"".join(cells)}</g>{"".join(parts)}'


def _cell(x: float, y: float, cell: float, value: float, colour: str) -> str:
    strength = 0.1 + 0.9 * min(max(value, 0.0), 1.0)
    return (
        f'<rect class="f{colour}" x="{px(x + 1)}" y="{px(y + 1)}" width="{px(cell - 2)}" height="{px(cell - 2)}" '
        f'rx="4" opacity="{strength:.2f}"/>'
    )
