"""An explorer: a state, what moves it, and one pure drawing. How it is hosted is not its business."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from html import escape, unescape
from typing import Generic, TypeVar

from .controls import Action, State
from .learner_function import CannotDraw, LearnerFunction, credits
from .palette import LIGHT, style
from .svg import WIDTH

S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class Explorer(Generic[S]):
    """``draw(state)`` gives an SVG string of ``svg.WIDTH`` by ``height``, and must be pure."""

    title: str
    start: S
    controls: tuple
    draw: Callable[[S], str]
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

    def body(self, state: S) -> str:
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

    def describe(self, state: S) -> str:
        """What a screen reader says of the picture: the numbers shown."""
        try:
            return aria_label(self.draw(state))
        except CannotDraw as trouble:
            return str(trouble)

    def image(self, state: S) -> str:
        """``<img>`` with the picture inside it: the one form that an untrusted notebook, GitHub's and paper keep."""
        try:
            drawing = standalone(self.draw(state), self.height)
        except CannotDraw as trouble:
            return f"<p>{escape(str(trouble))}</p>"
        data = base64.b64encode(drawing.encode()).decode()
        return f'<img alt="{escape(self.describe(state))}" width="{WIDTH}" src="data:image/svg+xml;base64,{data}">'

    @property
    def summary(self) -> str:
        """The text that stands where no picture can: title and opening numbers."""
        return f"{self.title}. {self.describe(self.start)}"


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
