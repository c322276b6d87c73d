"""What a reader can move: plain records that say nothing of any widget library."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .svg import num


@dataclass(frozen=True)
class State:
    """Base of every explorer's positions: a frozen dataclass with one field (or property) per control.

    Override ``put`` where a control stands for something other than a field of its own name.
    """

    def put(self, name: str, value: Any) -> "State":
        return dataclasses.replace(self, **{name: value})


@dataclass(frozen=True)
class Slider:
    """A number from ``low`` to ``high`` in steps; whole numbers where all three are ints."""

    name: str
    label: str
    low: float
    high: float
    step: float
    unit: str = ""

    @property
    def whole(self) -> bool:
        return all(isinstance(value, int) for value in (self.low, self.high, self.step))

    @property
    def digits(self) -> int:
        """Decimals needed to tell two positions apart."""
        return next(d for d in range(9) if abs(round(self.step, d) - self.step) < 1e-9)

    def positions(self) -> tuple:
        count = round((self.high - self.low) / self.step) + 1
        return tuple(self.snap(self.low + i * self.step) for i in range(count))

    def snap(self, value: float):
        """The nearest position, free of the noise of binary fractions."""
        steps = round((min(max(value, self.low), self.high) - self.low) / self.step)
        exact = self.low + steps * self.step
        return exact if self.whole else round(exact, self.digits)

    def readout(self, value) -> str:
        return num(value, self.digits) + self.unit


@dataclass(frozen=True)
class _Options:
    name: str
    label: str
    options: tuple
    labels: tuple[str, ...] = ()  # as the reader sees them; the options themselves where left out

    def positions(self) -> tuple:
        return self.options

    def snap(self, value):
        return value

    def readout(self, value) -> str:
        return (self.labels or tuple(map(str, self.options)))[self.options.index(value)]


class Choice(_Options):
    """A few options side by side as buttons."""


@dataclass(frozen=True)
class Pick(_Options):
    """Many options in their order along a slider; with ``play`` a button runs through them from where it stands."""

    play: bool = False


class Typed(_Options):
    """Free text. Its ``options`` are prepared ones, which a page without Python offers as buttons."""

    def readout(self, value) -> str:
        return value


@dataclass(frozen=True)
class Switch:
    """On or off."""

    name: str
    label: str

    def positions(self) -> tuple:
        return False, True

    def snap(self, value) -> bool:
        return bool(value)

    def readout(self, value) -> str:
        return "on" if value else "off"


@dataclass(frozen=True)
class Action:
    """A button: ``change`` takes the state to another. Without a kernel it is offered where that state was drawn."""

    label: str
    change: Callable[[State], State]
