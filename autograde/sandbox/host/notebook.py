"""A submission after its cells ran: what the judge may ask of it."""

from typing import Any

from autograde.engine.calling import Failure
from autograde.sandbox.wire import ProtocolError

from .answer import SandboxAnswer
from .replay import Replay
from .replies import plain_value
from .workers import Workers, missing_layers


class SandboxedNotebook:
    """A submission whose cells have run in a worker. A context manager: at its end the worker is gone."""

    def __init__(self, workers: Workers, replay: Replay):
        self.workers, self.replay = workers, replay
        workers.ready()

    def __enter__(self) -> "SandboxedNotebook":
        return self

    def __exit__(self, *_) -> None:
        self.workers.drop()

    @property
    def layers(self) -> tuple[str, ...]:
        """What held the worker back."""
        return self.workers.layers

    @property
    def missing_layers(self) -> str:
        """ "landlock", "landlock and no seccomp": what should have held the worker back and did not; "" for nothing."""
        return missing_layers(self.workers.layers)

    @property
    def notices(self) -> tuple[str, ...]:
        """One line per skipped magic or limit."""
        return self.replay.notices

    @property
    def failures(self) -> dict[int, Failure]:
        """Cell (from 1) -> how it ended, for the cells that did not run to their end."""
        return self.replay.failures

    def answer(self, name: str) -> SandboxAnswer | None:
        """The learner's function of this name; None where no cell defined it, though all had their chance to."""
        if name not in self.replay.empty and not self.workers.spent:
            return None
        return SandboxAnswer(self.workers, name, self.replay.empty.get(name, False))

    def value(self, name: str) -> Any:
        """The value of a variable for a quiz: None, a number or a text."""
        reply = self.workers.request({"name": name}) if name in self.replay.empty else None
        if reply is None or isinstance(reply, Failure):
            return None
        try:
            return plain_value(reply[0].get("value"))
        except ProtocolError as error:
            self.workers.distrust(error)
            return None
