"""Where words may stand: widths of text, and places for labels so that none covers another."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from .palette import BOLD, SIZES
from .svg import text

# Widths in hundredths of the font size: the wide end of the fonts that systems use, so an estimate is never too small.
_WIDTHS = {
    30: "IJijl",
    35: ",./:;\\| '·‘’",
    40: "!()-[]ft²₁₂",
    45: "r",
    50: '"*_`°–‖',
    55: "?csz“”",
    60: "FLkvxy",
    70: "ABCKRVXZ",
    75: "NU",
    80: "&DGHOQ",
    85: "#+<=>^w~−×→≈",
    90: "M",
    95: "%",
    100: "@Wm…",
}
_WIDTH = {letter: width / 100 for width, letters in _WIDTHS.items() for letter in letters}
_OTHER = 0.65
_WIDER_WHEN_BOLD = 1.12


@lru_cache(maxsize=4096)  # names come again in every draw
def text_width(words: str, cls: str = "") -> float:
    """An upper estimate of how wide ``words`` is in pixels, in the text class ``cls``."""
    names = cls.split() or [""]
    size = next((SIZES[name] for name in reversed(names) if name in SIZES), SIZES[""])
    wide = _WIDER_WHEN_BOLD if any(name in BOLD for name in names) else 1.0
    return sum(_WIDTH.get(letter, _OTHER) for letter in words) * size * wide


class Box(NamedTuple):
    """A rectangle by its centre and half sizes."""

    x: float
    y: float
    half_width: float
    half_height: float


_SHIFTS = sorted(
    ((dx, dy) for dx in range(-96, 97, 16) for dy in range(-72, 73, 8)), key=lambda shift: math.hypot(shift[0], 1.3 * shift[1])
)


def place(
    labels: Sequence[tuple[str, float, float]],
    frame: tuple[float, float, float, float],
    blocked: Iterable[Box] = (),
    cls: str = "lab",
) -> str:
    """Each label (words, x, y) drawn as near to its wish as it can be: inside ``frame`` (x0, y0, x1, y1), apart from
    the others and from ``blocked``. Earlier labels get their wish first; where all is full, words still keep apart."""
    words_at: list[Box] = []
    blocked, drawn = list(blocked), []
    half_height = SIZES[cls.split()[0]] * 0.62 + 1
    for words, x, y in labels:
        half_width = text_width(words, cls) / 2 + 2
        box = (
            _free(x, y, half_width, half_height, frame, blocked + words_at)
            or _free(x, y, half_width, half_height, frame, words_at)
            or _within(x, y, half_width, half_height, frame)
        )
        words_at.append(box)
        drawn.append(text(box.x, box.y + half_height * 0.5, words, cls, "middle"))
    return "".join(drawn)


def _free(x: float, y: float, half_width: float, half_height: float, frame, taken: list[Box]) -> Box | None:
    """The nearest place to (x, y) that meets nothing, if there is one. Draws spend most of their time here: hence a
    box is made for the place that is found alone."""
    left, top, right, bottom = _room(half_width, half_height, frame)
    others = [(other_x, other_y, half_width + wide, half_height + high) for other_x, other_y, wide, high in taken]
    for dx, dy in _SHIFTS:
        at_x, at_y = min(max(x + dx, left), right), min(max(y + dy, top), bottom)
        for i, (other_x, other_y, wide, high) in enumerate(others):
            if abs(at_x - other_x) < wide and abs(at_y - other_y) < high:
                others[0], others[i] = others[i], others[0]  # what was met here is likely to be met one step on
                break
        else:
            return Box(at_x, at_y, half_width, half_height)
    return None


def _within(x: float, y: float, half_width: float, half_height: float, frame) -> Box:
    """A box at (x, y), moved into the frame."""
    left, top, right, bottom = _room(half_width, half_height, frame)
    return Box(min(max(x, left), right), min(max(y, top), bottom), half_width, half_height)


def _room(half_width: float, half_height: float, frame) -> tuple[float, float, float, float]:
    """Where the middle of a box may lie, so that all of it is in the frame."""
    x0, y0, x1, y1 = frame
    return x0 + half_width + 2, y0 + half_height + 2, x1 - half_width - 2, y1 - half_height - 2
