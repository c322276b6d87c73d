"""The judge's end of the line to one worker, and the clocks that watch it."""

import contextlib
import signal
import socket
import struct
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from autograde.engine.calling import Failure
from autograde.sandbox.wire import BOARD, LENGTHS, lengths, parse

LOOK = 0.1  # seconds between two looks at a worker that has not answered
IDLE = 0.05  # the share of computing below which a sleeping worker waits for nothing
LINUX = sys.platform.startswith("linux")


@dataclass(frozen=True)
class Limits:
    """Seconds are of computing time, so that a busy machine makes no difference. ``idle``: of waiting for nothing."""

    cell: float = 10.0
    call: float = 5.0
    submission: float = 60.0
    idle: float = 5.0
    memory: int = 1 << 30  # bytes beyond the warm parent's


class Stopped(Exception):
    """The worker hit a limit or is dead."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.failure = Failure("limit", kind, message)


class Link:
    """One worker, seen from the judge: messages to and fro under the limits."""

    def __init__(self, parent, limits: Limits):
        self.parent, self.limits = parent, limits
        self.channel, self.board, self.process = parent.worker()
        _look_every(self.channel, LOOK)
        self.born, self.last = time.monotonic(), (0, 0)
        self.received = bytearray()
        self.cpu_in_all, self.waited, self.status = 0.0, 0.0, None

    def cpu(self) -> float:
        """Computing time that the worker has used so far; where the system does not tell, the time since its start."""
        if not LINUX:
            return time.monotonic() - self.born
        try:
            return time.clock_gettime(~self.process << 3 | 2)  # the clock of another process: clock_getcpuclockid(3)
        except OSError:
            return 0.0

    def at(self) -> tuple[int, int]:
        """The cell and the statement that run. The worker writes it, so it may be anything."""
        if not self.board.closed:
            self.last = BOARD.unpack_from(self.board)
        return self.last

    def send(self, message: bytes, seconds: float) -> None:
        self._begin(seconds)
        view = memoryview(message)
        while view:
            try:
                view = view[self.channel.send(view) :]
            except (TimeoutError, BlockingIOError):
                self._look()
            except OSError:
                raise self.dead() from None

    def receive(self, seconds: float, cells: bool = False) -> tuple[dict, bytes]:
        """The next message, within ``seconds`` of computing time, or so many for each of the cells.

        Raises Stopped or ProtocolError.
        """
        self._begin(seconds, cells)
        header, body = lengths(self._exactly(LENGTHS.size))
        return parse(self._exactly(header)), self._exactly(body)

    def _exactly(self, length: int) -> bytes:
        while len(self.received) < length:
            try:
                part = self.channel.recv(1 << 18)
            except (TimeoutError, BlockingIOError):
                part = None
            except OSError:
                part = b""
            if part == b"":
                raise self.dead()
            self.received += part or b""
            if part is None or time.monotonic() - self.looked > LOOK:
                self._look()
        data = bytes(self.received[:length])
        del self.received[:length]
        return data

    def _begin(self, seconds: float, cells: bool = False) -> None:
        self.seconds, self.cells, self.idle = seconds, cells, 0.0
        self.cpu_then = self.where = None
        self.began = self.looked = time.monotonic()
        self.cpu_looked = 0.0  # so that the first look finds it at work, without a system call for each message

    def _look(self) -> None:
        """Is it computing too long, or waiting for nothing? ``idle`` is for all cells together."""
        now, cpu = time.monotonic(), self.cpu()
        # Its first thread may sleep while others, that it left behind, hold the interpreter: then it is not idle.
        resting = cpu - self.cpu_looked < IDLE * (now - self.looked) and self._state() not in ("R", "D", "")
        idle, self.looked, self.cpu_looked = resting * (now - self.looked), now, cpu
        self.idle, self.waited = self.idle + idle, self.waited + idle
        if self.cpu_then is None or self.cells and self.where != self.at()[0]:
            self.cpu_then, self.where = cpu, self.at()[0]
        if cpu - self.cpu_then > self.seconds:
            raise Stopped("time", "it took too long and could not be interrupted")
        if cpu > self.limits.submission:
            raise Stopped("time", f"the submission took longer than {self.limits.submission:g} seconds")
        if self.idle > self.limits.idle:
            raise Stopped("wall clock", f"it waited for {self.limits.idle:g} seconds without computing")
        if now - self.began > 20 * (self.limits.submission if self.cells else self.seconds):
            raise Stopped("wall clock", "it did not answer")

    def _state(self) -> str:
        """ "R" running or ready to, "D" waiting for a disk, "S" asleep; "" where the system does not tell."""
        with contextlib.suppress(OSError, IndexError):
            return Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()[0]
        return ""

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
            self.cpu_in_all = self.cpu()
            self.channel.close()
            self.at()
            self.board.close()
            self.status = self.parent.reap(self.process)
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
