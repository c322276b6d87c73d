"""The judge's end of the line to one worker: messages to and fro, under the limits of time."""

import mmap
import signal
import socket
import struct
from typing import Protocol

from autograde.sandbox.wire import LENGTHS, PROGRESS, CourseModules

from .replies import lengths, parse
from .watch import LINUX, LOOK, Limits, Stopped, Watch


class Client(Protocol):
    """What makes and ends workers: a fork server's client, or one that starts each by itself."""

    def prepare(self, modules: CourseModules) -> None:
        """Which modules of ``course_utils`` the workers from now on may import, and which are withheld."""

    def worker(self) -> tuple[socket.socket, mmap.mmap, int]:
        """A new worker: the line to it, the progress record that it shares, and its process id."""

    def reap(self, process: int) -> int:
        """Ends a worker and everything it left. Its exit code, or minus the number of the signal that ended it."""

    def close(self) -> None:
        """Ends all that is left."""


class Link:
    """One worker, seen from the judge."""

    def __init__(self, client: Client, limits: Limits, left: float):
        self.client = client
        self.channel, self.progress, self.process = client.worker()
        _look_every(self.channel, LOOK)
        self.last = (0, 0)
        self.watch = Watch(self.process, limits, left, lambda: self.position()[0])
        self.received = bytearray()
        self.status: int | None = None

    def position(self) -> tuple[int, int]:
        """The cell and the statement that run. The worker writes it, so it may be anything."""
        if not self.progress.closed:
            self.last = PROGRESS.unpack_from(self.progress)
        return self.last

    def send(self, message: bytes, seconds: float) -> None:
        self.watch.begin(seconds)
        view = memoryview(message)
        while view:
            try:
                view = view[self.channel.send(view) :]
            except (TimeoutError, BlockingIOError):
                self.watch.look()
            except OSError:
                raise self.dead() from None
        self.watch.end()

    def receive(self, seconds: float, cells: bool = False) -> tuple[dict, bytes]:
        """The next message, within ``seconds`` of computing time, or so many for each of the cells.

        Raises Stopped or ProtocolError.
        """
        self.watch.begin(seconds, cells)
        header, body = lengths(self._exactly(LENGTHS.size))
        message = parse(self._exactly(header)), self._exactly(body)
        self.watch.end()
        return message

    def _exactly(self, length: int) -> bytes:
        while len(self.received) < length:
            try:
                part = self.channel.recv(1 << 18)
            except (TimeoutError, BlockingIOError):
                self.watch.look()
                continue
            except OSError:
                part = b""
            if not part:
                raise self.dead()
            self.received += part
            self.watch.look_if_due()
        data = bytes(self.received[:length])
        del self.received[:length]
        return data

    def dead(self) -> Stopped:
        """How the worker ended."""
        code = self.close()
        if code >= 0:
            return Stopped("died", f"it ended its process (exit code {code})")
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        return Stopped("died", "its process was stopped" if name == "SIGKILL" else f"it crashed its process ({name})")

    def close(self) -> int:
        """Ends the worker. Its exit code, or minus the number of a signal; may be called again."""
        if self.status is None:
            self.watch.end()
            self.channel.close()
            self.position()
            self.progress.close()
            self.status = self.client.reap(self.process)
        return self.status


def _look_every(channel: socket.socket, seconds: float) -> None:
    """A timeout kept by the system, which is spared a poll before each message; by Python where that is not known."""
    if not LINUX:
        channel.settimeout(seconds)
        return
    channel.setblocking(True)
    interval = struct.pack("@ll", int(seconds), int(seconds % 1 * 1_000_000))
    for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        channel.setsockopt(socket.SOL_SOCKET, option, interval)
