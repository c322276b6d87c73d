"""What all figures of the course share: size, palette, font, an alt text, and the same bytes every time."""

import base64
import io
from collections.abc import Mapping
from functools import wraps
from html import escape
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from PIL import Image

from course_utils.explorers.kit.palette import LIGHT
from course_utils.explorers.kit.svg import num

WIDTH = 7.2  # inches
DPI = 100
SHADES = 128  # of a stored picture
SHARP = 2  # a picture has this many pixels for each that it takes on the page
PAD = 0.12  # inches round what is drawn
NAMES_APART = 4  # pixels between two names beside one another
MARKERS, DASHES = ("o", "s", "^", "D", "v"), ("-", "--", "-.", ":", (0, (5, 1)))
COLOURS = tuple(LIGHT[f"c{i}"] for i in (2, 1, 4, 3, 0))
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": LIGHT["fg"],
    "axes.titlesize": 11.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 12,
    "axes.labelcolor": LIGHT["fg"],
    "axes.edgecolor": LIGHT["line"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": False,
    "grid.color": LIGHT["line"],
    "grid.linewidth": 0.6,
    "xtick.color": LIGHT["mut"],
    "ytick.color": LIGHT["mut"],
    "lines.linewidth": 2,
    "axes.unicode_minus": True,
}


class Picture(Figure):
    """A figure with ``alt``, the sentence that a screen reader says and that stands where images are not shown."""

    alt = ""

    def _repr_mimebundle_(self, include=None, exclude=None):
        """HTML, because JupyterLab and exported pages drop the alternative text of a plain PNG."""
        wide, high = (round(DPI * inches) for inches in self.get_size_inches())
        data = base64.b64encode(self.png()).decode()
        image = f'<img alt="{escape(self.alt)}" width="{wide}" height="{high}" src="data:image/png;base64,{data}">'
        return {"text/html": image, "text/plain": self.alt}

    def png(self) -> bytes:
        """The same bytes for the same figure, whenever it is drawn; a palette keeps notebooks small."""
        drawn, small = io.BytesIO(), io.BytesIO()
        self.savefig(drawn, format="png", dpi=DPI * SHARP)  # which holds its size: releases of matplotlib round it differently
        picture = Image.open(drawn).convert("RGB")
        picture.quantize(SHADES, dither=Image.Dither.NONE).save(small, format="png", optimize=True)
        return small.getvalue()


def styled(function):
    """Draw in the course's style, and leave matplotlib's settings as they were."""

    @wraps(function)
    def inside(*args, **settings):
        with rc_context(STYLE):
            return function(*args, **settings)

    return inside


def picture(title: str, height: float = 3.6, width: float = WIDTH) -> tuple[Picture, Axes]:
    """An empty picture and its axes, to be filled inside a function that is ``styled``."""
    figure = Picture(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=PAD, h_pad=PAD))
    axes = figure.add_subplot()
    axes.set_title(title)
    return figure, axes


def say(title: str, numbers: Mapping[str, float] | None = None, digits: int = 2) -> str:
    """An alt text: the title, and each number by its name."""
    found = "; ".join(f"{name} {num(value, digits)}" for name, value in (numbers or {}).items())
    return f"{title}: {found}." if found else f"{title}."
