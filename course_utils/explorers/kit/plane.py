"""A square piece of the plane with axes, and arrows from its origin that carry their names.

What never changes in a plane is drawn once and kept: a draw has less than a millisecond.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from .labels import Box, place, text_width
from .svg import arrow, box, num, px, text

_ALONG = (0.1, 0.3, 0.5, 0.7, 0.85, 0.97)  # where an arrow keeps words away


@dataclass(frozen=True)
class Arrow:
    """A vector (x, y) from the origin with a name; ``colour`` as in ``svg``."""

    name: str
    x: float
    y: float
    colour: str = "f"
    width: float = 3
    opacity: float = 1


@dataclass(frozen=True)
class Plane:
    """``size`` pixels wide with its corner at (left, top); the axes run from −reach to reach."""

    left: float
    top: float
    size: float
    reach: float

    @cached_property
    def centre(self) -> tuple[float, float]:
        return self.left + self.size / 2, self.top + self.size / 2

    @cached_property
    def unit(self) -> float:
        return self.size / 2 / self.reach

    def at(self, x: float, y: float) -> tuple[float, float]:
        cx, cy = self.centre
        return cx + x * self.unit, cy - y * self.unit

    def ground(self, caption: str = "", tick: float = 1, numbered: bool = True) -> str:
        """The soft square, its axes and ticks; with a caption in the lower left corner."""
        return _ground(self, caption, tick, numbered)

    def blocked(self, caption: str = "", tick: float = 1, numbered: bool = True) -> tuple[Box, ...]:
        """What ``ground`` has written, which labels must leave free."""
        return _written(self, caption, tick, numbered)

    def arrow(self, vector: Arrow) -> str:
        return arrow(
            *self.centre, *self.at(vector.x, vector.y), vector.colour, vector.width, 8 + 1.6 * vector.width, vector.opacity
        )

    def names(self, vectors: Sequence[Arrow], blocked: Iterable[Box] = (), more: Sequence = (), cls: str = "lab") -> str:
        """Each arrow's name just beyond its tip, and ``more`` labels (words, x, y); moved aside where a place is
        taken by another word or lies on an arrow."""
        wishes, taken = [], list(blocked)
        for vector in vectors:
            x, y = self.at(vector.x, vector.y)
            length = max(math.hypot(vector.x, vector.y), 1e-9)
            ux, uy = vector.x / length, vector.y / length
            beyond = text_width(vector.name, cls) / 2 * abs(ux) + 12
            wishes.append((vector.name, x + ux * beyond, y - uy * beyond))
            taken += [Box(*self.at(vector.x * share, vector.y * share), 5, 5) for share in _ALONG]
        frame = (self.left, self.top, self.left + self.size, self.top + self.size)
        return place([*wishes, *more], frame, taken, cls)


@cache
def _ground(plane: Plane, caption: str, tick: float, numbered: bool) -> str:
    cx, cy = plane.centre
    right, bottom = plane.left + plane.size, plane.top + plane.size
    ticks = "".join(_tick(plane, sign * value) for value in _ticks(plane, tick) for sign in (-1, 1))
    axes = f"M{px(plane.left)} {px(cy)}H{px(right)}M{px(cx)} {px(plane.top)}V{px(bottom)}"
    parts = [box(plane.left, plane.top, plane.size, plane.size), f'<path class="sl no" d="{axes}{ticks}"/>']
    if numbered:
        parts += [text(plane.at(value, 0)[0], cy + 17, num(value, 0), "m sm", "middle") for value in _numbered(plane, tick)]
    if caption:
        parts.append(text(plane.left + 10, bottom - 10, caption, "m"))
    return "".join(parts)


@cache
def _written(plane: Plane, caption: str, tick: float, numbered: bool) -> tuple[Box, ...]:
    _, cy = plane.centre
    values = _numbered(plane, tick) if numbered else []
    taken = [Box(plane.at(value, 0)[0], cy + 13, 13, 9) for value in values]
    if caption:
        half = text_width(caption, "m") / 2 + 4
        taken.append(Box(plane.left + 10 + half, plane.top + plane.size - 14, half, 10))
    return tuple(taken)


def _ticks(plane: Plane, tick: float) -> list[float]:
    return [tick * i for i in range(1, math.ceil(plane.reach / tick))]


def _numbered(plane: Plane, tick: float) -> list[float]:
    """Only the outermost ticks carry numbers: a plane has many labels of its own."""
    return [sign * value for value in _ticks(plane, tick)[-1:] for sign in (-1, 1)]


def _tick(plane: Plane, value: float) -> str:
    (x, _), (_, y) = plane.at(value, 0), plane.at(0, value)
    cx, cy = plane.centre
    return f"M{px(x)} {px(cy - 3)}v6M{px(cx - 3)} {px(y)}h6"
