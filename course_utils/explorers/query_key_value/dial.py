"""A dial: arrows from one middle, and around the rim the names of those that stay, where no hand can cover them."""

import math
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from course_utils.explorers.kit.labels import Box, place, text_width
from course_utils.explorers.kit.svg import arrow, box, line, px, text

HAND = 2.4  # length of the longest arrow, in the vectors' own units
_RIM = 8  # px between the longest arrow and a name
_LINE = 13  # px of height that a name takes
_SHORT = 0.5  # of a hand's length: ahead of a shorter arrow there is room for its name


@dataclass(frozen=True)
class Dial:
    """A soft box with the origin in its middle; ``caption`` says what the arrows are."""

    left: float
    top: float
    width: float
    height: float
    caption: str

    @cached_property
    def unit(self) -> float:
        return min(self.height / 2 - _RIM - _LINE - 3, self.width / 2 - _RIM - 38) / HAND

    @cached_property
    def middle(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def cls(self) -> str:
        return "lab" if self.roomy else "lab sm"

    @property
    def roomy(self) -> bool:
        return self.height > 200

    def drawn(self, fixed, thick, moving) -> str:
        """``fixed``: (name, vector) of arrows that stay, in the five hues, ``thick`` their widths; ``moving``: (name,
        vector, colour, width, opacity), drawn on top, the name beside the arrow."""
        arrows = [_arrow(self, *vector, str(i), width) for i, ((_, vector), width) in enumerate(zip(fixed, thick))]
        arrows += [_arrow(self, *map(float, vector), *how) for _, vector, *how in moving]
        names, taken = _rim(self, tuple((name, *map(float, vector)) for name, vector in fixed))
        hands = [(name, *map(float, vector)) for name, vector, *_ in moving]
        kept_free = (*taken, *(box for _, x, y in hands for box in self._shaft(x, y)))
        frame = (self.left, self.top, self.left + self.width, self.top + self.height)
        beside = place([self._beside(*hand) for hand in hands], frame, kept_free, self.cls)
        return "".join([_ground(self), *arrows, names, beside])

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.middle[0] + x * self.unit, self.middle[1] - y * self.unit

    def _shaft(self, x: float, y: float) -> list[Box]:
        return [Box(*self.at(share * x, share * y), 5, 5) for share in (0.2, 0.4, 0.6, 0.8, 1)]

    def _beside(self, name: str, x: float, y: float) -> tuple[str, float, float]:
        """Where the name of an arrow wishes to be: always on the same side of a long one, ahead of a short one."""
        (ux, uy), length = _direction(x, y), math.hypot(x, y)
        wide = text_width(name, self.cls) / 2
        if length < _SHORT * HAND:
            along, aside = length * self.unit + 10 + wide * abs(ux) + _LINE / 2 * abs(uy), 0.0
        else:
            along, aside = 0.6 * length * self.unit, 8 + wide * abs(uy) + _LINE / 2 * abs(ux)
        return name, self.middle[0] + ux * along + uy * aside, self.middle[1] - uy * along + ux * aside


@lru_cache(maxsize=256)  # the keys' arrows are the same in every draw
def _arrow(dial: Dial, x: float, y: float, colour: str, width: float, opacity: float = 1) -> str:
    return arrow(*dial.middle, *dial.at(x, y), colour, width, 15 if dial.roomy else 11, opacity)


def _direction(x: float, y: float) -> tuple[float, float]:
    length = max(math.hypot(x, y), 1e-9)
    return x / length, y / length


@cache
def _ground(dial: Dial) -> str:
    """The box, a faint rim and axes with a tick at every whole number, and the caption in the lower left corner."""
    (x, y), reach = dial.middle, HAND * dial.unit + 2
    axes = f"M{px(x - reach)} {px(y)}H{px(x + reach)}M{px(x)} {px(y - reach)}V{px(y + reach)}"
    for step in (-2 * dial.unit, -dial.unit, dial.unit, 2 * dial.unit):
        axes += f"M{px(x + step)} {px(y - 3)}v6M{px(x - 3)} {px(y + step)}h6"
    return (
        f"{box(dial.left, dial.top, dial.width, dial.height)}"
        f'<circle class="sl no" cx="{px(x)}" cy="{px(y)}" r="{px(reach)}"/><path class="sl no" d="{axes}"/>'
        f"{text(dial.left + 10, dial.top + dial.height - 9, dial.caption, 'm sm')}"
    )


@cache
def _rim(dial: Dial, words: tuple[tuple[str, float, float], ...]) -> tuple[str, tuple[Box, ...]]:
    """The names of fixed arrows just outside the rim, and the room that they and the caption take."""
    half = text_width(dial.caption, "m sm") / 2 + 4
    taken = [Box(dial.left + 8 + half, dial.top + dial.height - 13, half, 9)]
    drawn = []
    for i, (name, x, y) in enumerate(words):
        ux, uy = _direction(x, y)
        wide = text_width(name, dial.cls) / 2 + 2
        rim = HAND * dial.unit + _RIM
        centre_x = dial.middle[0] + ux * (rim + wide * abs(ux))
        centre_x = min(max(centre_x, dial.left + wide + 3), dial.left + dial.width - wide - 3)
        centre_y = dial.middle[1] - uy * (rim + _LINE / 2 * abs(uy))
        if dial.roomy:
            drawn.append(line(*dial.at(x, y), *dial.at(HAND * ux, HAND * uy), str(i), 1, "1 5"))
        drawn.append(text(centre_x, centre_y + _LINE / 3, name, dial.cls, "middle"))
        taken.append(Box(centre_x, centre_y, wide, _LINE / 2 + 1))
        taken += [Box(*dial.at(share * x, share * y), 4, 4) for share in (0.4, 0.6, 0.8, 0.95)]
    return "".join(drawn), tuple(taken)
