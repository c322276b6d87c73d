"""The workers of one submission, one after another, under the limits that hold for it as a whole."""

from collections.abc import Callable, Sequence

from autograde.engine.calling import Failure
from autograde.sandbox.wire import ProtocolError, frame

from .link import Link
from .replay import Replay
from .start import SandboxError
from .watch import Limits, Stopped

GRACE = 0.5  # seconds that a worker has to stop a slow call by itself, which tells the line
RESTARTS = 60  # of one submission
REAL_LAYERS = ("landlock", "seccomp")


class Unprotected(SandboxError):
    """This system cannot hold back a hostile submission."""


class Workers:
    """Asks the worker whose cells have run; where that has died, the next one, which replays them.

    layers: what held the workers back. spent: why nothing more is run; None while this may go on.
    """

    def __init__(self, start: Callable[[float], Link], replay: Replay, limits: Limits, unprotected: bool):
        self.start, self.replay, self.limits, self.unprotected = start, replay, limits, unprotected
        self.link: Link | None = None
        self.left = limits.submission  # seconds
        self.restarts, self.asked = 0, 0  # workers, questions
        self.ended = (0, 0)  # where the last worker was: a cell and its statement, or 0 and the case that it was called with
        self.layers: tuple[str, ...] = ()
        self.spent: Failure | None = None

    def request(self, message: dict, blobs: Sequence[bytes] = ()) -> tuple[dict, bytes] | Failure:
        """The answer to one question, or why there is none."""
        link = self.ready()
        if isinstance(link, Failure):
            return link
        self.asked += 1
        try:
            link.send(frame({**message, "id": self.asked}, blobs), self.limits.call + GRACE)
            reply = link.receive(self.limits.call + GRACE)
            if reply[0].get("id") != self.asked:
                raise ProtocolError("an answer to no question")
            return reply
        except Stopped as stopped:
            self.drop()
            return stopped.failure
        except ProtocolError as error:
            return self.distrust(error)

    def distrust(self, error: ProtocolError) -> Failure:
        """Ends a worker that sent what is no message of ours."""
        self.drop()
        return forged(error)

    def drop(self) -> None:
        if self.link:
            self.link.close()
            self.ended = self.link.position()
            self.left = self.link.watch.left
            self.link = None

    def ready(self) -> Link | Failure:
        """A worker whose cells have run, or why there is none: this submission has used up what it may."""
        while self.link is None:
            if not self.spent and (self.restarts == RESTARTS or self.left <= 0):
                self.spent = Failure("limit", "time", "the submission as a whole took too long or ended too often")
            if self.spent:
                return self.spent
            self.restarts += 1
            self._run()
        if self.link.watch.left <= 0:
            self.drop()
            self.spent = Failure("limit", "time", f"the submission took longer than {self.limits.submission:g} seconds")
            return self.spent
        return self.link

    def _run(self) -> None:
        """One attempt to run the cells; one that does not end well leaves a cut for the next."""
        self.link = self.start(self.left)
        try:
            self._protected(self.link.receive(self.limits.cell)[0])
            self.link.send(frame(self.replay.opening(self.limits)), self.limits.cell)
            self.replay.note(self.link.receive(self.limits.cell + GRACE, cells=True)[0])
        except Stopped as stopped:
            self._ended_early(stopped.failure)
        except ProtocolError as error:
            self._ended_early(forged(error))

    def _ended_early(self, why: Failure) -> None:
        self.drop()
        if not self.layers:
            raise SandboxError(f"a worker ended before it ran anything: {why.message}")
        if not self.replay.cut(self.ended, why):
            self.spent = why

    def _protected(self, message: dict) -> None:
        """The first message, written before any cell ran."""
        self.layers = tuple(message["layers"])
        missing = missing_layers(self.layers)
        if missing and not self.unprotected:
            self.drop()
            raise Unprotected(
                f"this system has no {missing}: a submission could read or change files. Grade work you trust with --unprotected"
            )


def missing_layers(layers: Sequence[str]) -> str:
    """ "landlock and no seccomp": what should hold workers back and is not among these layers; "" where all is."""
    active = [layer.partition(" ")[0] for layer in layers]
    return " and no ".join(layer for layer in REAL_LAYERS if layer not in active)


def forged(error: ProtocolError) -> Failure:
    return Failure("limit", "message", f"it sent the judge {error}")
