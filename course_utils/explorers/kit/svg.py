"""Small strings of SVG: numbers as people write them, text, boxes, bars, arrows.

Colour is named by class: ``0`` to ``4`` are the five hues of ``palette``, ``f`` the foreground,
``m`` muted, ``l`` lines, ``b`` the soft ground.
"""

import math
from functools import lru_cache
from html import escape

WIDTH = 980  # every explorer is drawn this wide; the page scales it

_kept = lru_cache(maxsize=4096)  # most pieces of a picture are the same in the next one


def num(value: float, digits: int = 2, sign: bool = False) -> str:
    """A number with a real minus sign, and never a negative zero.

    >>> num(-0.5), num(3, 0, sign=True), num(-0.001)
    ('−0.50', '+3', '0.00')
    """
    text = ("%+.*f" if sign else "%.*f") % (digits, value)  # quicker than a format that is put together
    if text[0] in "+-" and not text.strip("+-0."):
        return text[1:]
    return text.replace("-", "−")


def px(value: float) -> str:
    """A coordinate to a tenth of a pixel, as short as it can be; + 0.0, for −0.0 would be another word for the same."""
    return f"{value + 0.0:.1f}".removesuffix(".0")


@_kept
def text(x: float, y: float, words: str, cls: str = "", anchor: str = "start") -> str:
    """``words`` on the baseline ``y``; ``anchor`` is start, middle or end. Classes: palette's ``h m sm b num lab``."""
    put = "" if anchor == "start" else f' text-anchor="{anchor}"'
    name = f' class="{cls}"' if cls else ""
    return f'<text{name} x="{px(x)}" y="{px(y)}"{put}>{escape(words, quote=False)}</text>'


@_kept
def box(x: float, y: float, width: float, height: float, colour: str = "b", radius: float = 8) -> str:
    return f'<rect class="f{colour}" x="{px(x)}" y="{px(y)}" width="{px(width)}" height="{px(height)}" rx="{px(radius)}"/>'


@_kept
def line(
    x0: float, y0: float, x1: float, y1: float, colour: str = "l", width: float = 1, dash: str = "", opacity: float = 1
) -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line class="s{colour}" x1="{px(x0)}" y1="{px(y0)}" x2="{px(x1)}" y2="{px(y1)}" '
        f'stroke-width="{px(width)}"{dashes} opacity="{opacity:.2f}"/>'
    )


def curve(points, colour: str = "f", width: float = 2) -> str:
    """A line through many points (x, y)."""
    path = "L".join(f"{px(x)} {px(y)}" for x, y in points)
    return f'<path class="s{colour} no" d="M{path}" stroke-width="{px(width)}" stroke-linejoin="round"/>'


def dot(x: float, y: float, radius: float = 5, colour: str = "f") -> str:
    return f'<circle class="f{colour}" cx="{px(x)}" cy="{px(y)}" r="{px(radius)}"/>'


def arrow(
    x0: float, y0: float, x1: float, y1: float, colour: str = "f", width: float = 2.5, head: float = 11, opacity: float = 1
) -> str:
    """A shaft and a head of fixed size; shorter than its head, an arrow is all head. No ``marker``: a head keeps
    its colour class."""
    length = math.hypot(x1 - x0, y1 - y0)
    ux, uy = ((x1 - x0) / length, (y1 - y0) / length) if length > 1e-6 else (1.0, 0.0)
    head = min(head, length)
    bx, by, half = x1 - ux * head, y1 - uy * head, head * 0.45
    corners = ((x1, y1), (bx - uy * half, by + ux * half), (bx + uy * half, by - ux * half))
    points = " ".join(f"{px(x)},{px(y)}" for x, y in corners)
    shaft = line(x0, y0, bx, by, colour, width, opacity=opacity)
    return f'{shaft}<polygon class="f{colour}" points="{points}" opacity="{opacity:.2f}"/>'


def bar(x: float, y: float, width: float, height: float, share: float, colour: str = "f") -> str:
    """A horizontal bar filled to ``share`` (0 to 1) on a track that shows where 1 is."""
    full = min(max(share, 0.0), 1.0) * width
    return (
        f'<rect class="fl" x="{px(x)}" y="{px(y)}" width="{px(width)}" height="{px(height)}" rx="3" '
        f'opacity=".45"/>{box(x, y, full, height, colour, 3)}'
    )


def signed_bar(x: float, y: float, width: float, height: float, share: float, colour: str = "f") -> str:
    """A bar to the right of the middle for a positive share (up to 1), to its left for a negative one."""
    middle, half = x + width / 2, width / 2
    full = min(abs(share), 1.0) * half
    return (
        f'<rect class="fl" x="{px(x)}" y="{px(y)}" width="{px(width)}" height="{px(height)}" rx="3" opacity=".45"/>'
        f"{box(middle if share >= 0 else middle - full, y, full, height, colour, 0)}"
        f"{line(middle, y - 4, middle, y + height + 4, 'm')}"
    )


def arc(x: float, y: float, radius: float, start: float, stop: float, colour: str = "m") -> str:
    """The shorter arc about (x, y) between two directions in degrees, counted anticlockwise."""
    turn = (stop - start + 180) % 360 - 180
    ends = [(x + radius * math.cos(math.radians(a)), y - radius * math.sin(math.radians(a))) for a in (start, stop)]
    (x0, y0), (x1, y1) = ends
    return (
        f'<path class="s{colour} no" d="M{px(x0)} {px(y0)}A{px(radius)} {px(radius)} 0 0 {int(turn < 0)} '
        f'{px(x1)} {px(y1)}" stroke-width="1.5"/>'
    )


def picture(height: int, label: str, parts) -> str:
    """The whole drawing. ``label`` is what a screen reader says: it must carry the numbers shown."""
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'
