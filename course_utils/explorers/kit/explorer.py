"""An explorer: a state, what moves it, and one pure drawing. How it is hosted is not its business."""

import base64
import os
from collections.abc import Callable
from dataclasses import dataclass
from html import escape, unescape

from .controls import Action, State
from .learner_function import CannotDraw, LearnerFunction, credits
from .palette import LIGHT, style
from .svg import WIDTH

HOSTS = ("live", "player")


def host(name: str) -> None:
    """Choose how explorers are shown from now on: "live" (widgets that talk to Python) or "player" (a page without
    Python). The environment variable ``COURSE_EXPLORERS`` sets it from outside."""
    global _host
    if name not in HOSTS:
        raise ValueError(f"no host is called {name!r}; choose one of {', '.join(map(repr, HOSTS))}")
    _host = name


host(os.environ.get("COURSE_EXPLORERS", "live"))


@dataclass(frozen=True)
class Explorer:
    """``draw(state)`` gives an SVG string of ``svg.WIDTH`` by ``height``, and must be pure."""

    title: str
    start: State
    controls: tuple
    draw: Callable[[State], str]
    height: int
    functions: tuple[LearnerFunction, ...] = ()

    def __post_init__(self):
        for control in self.movable:
            value = getattr(self.start, control.name)
            if value not in control.positions():
                raise ValueError(f"{self.title}: {control.name} starts at {value!r}, which is none of its positions")

    @property
    def movable(self) -> tuple:
        """The controls that have positions: all but the actions."""
        return tuple(control for control in self.controls if not isinstance(control, Action))

    def body(self, state: State) -> str:
        """The picture, or one plain sentence in the same place; below it, whose code ran."""
        shape = f"aspect-ratio:{WIDTH}/{self.height}"
        try:
            inside = f'<div style="{shape}">{self.draw(state)}</div>'
        except CannotDraw as trouble:
            inside = f'<div class="trouble" role="status" style="{shape}">{escape(str(trouble))}</div>'
        return f'<div class="pic">{inside}</div>{self.whose}'

    @property
    def whose(self) -> str:
        words = credits(self.functions)
        return f'<p class="whose">{escape(words)}</p>' if words else ""

    def describe(self, state: State) -> str:
        """What a screen reader says of the picture: the numbers shown."""
        try:
            return aria_label(self.draw(state))
        except CannotDraw as trouble:
            return str(trouble)

    def image(self, state: State) -> str:
        """``<img>`` with the picture inside it: the one form that an untrusted notebook, GitHub's and paper keep."""
        try:
            drawing = standalone(self.draw(state), self.height)
        except CannotDraw as trouble:
            return f"<p>{escape(str(trouble))}</p>"
        data = base64.b64encode(drawing.encode()).decode()
        return f'<img alt="{escape(self.describe(state))}" width="{WIDTH}" src="data:image/svg+xml;base64,{data}">'

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        from . import live, player  # here, so that drawing needs no widget library

        shown = live.bundle(self) if _host == "live" else player.bundle(self)
        return {"text/plain": f"{self.title}. {self.describe(self.start)}", **shown}


def aria_label(drawing: str) -> str:
    """The label of a drawing, as it is heard."""
    return unescape(drawing.split('aria-label="', 1)[1].split('"', 1)[0])


def standalone(drawing: str, height: int) -> str:
    """A drawing that stands by itself in a file, in light colours, on a ground of its own."""
    opening, rest = drawing.split(">", 1)
    return (
        f'{opening} xmlns="http://www.w3.org/2000/svg" class="explorer" width="{WIDTH}" height="{height}">'
        f'<style>{style()}</style><rect width="{WIDTH}" height="{height}" fill="{LIGHT["bg"]}"/>{rest}'
    )
