"""The clocks that watch one worker from outside: is it computing too long, or waiting for nothing?"""

import contextlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograde.engine.calling import Failure

LOOK = 0.1  # seconds between two looks at a worker that has not answered
IDLE = 0.05  # the share of computing below which a sleeping worker waits for nothing
LINUX = sys.platform.startswith("linux")


@dataclass(frozen=True)
class Limits:
    """Seconds of a cell and of a call are of computing time, so that a busy machine makes no difference.

    submission: seconds of real time in which its workers are waited for, whatever they do. idle: of waiting for nothing.
    """

    cell: float = 10.0
    call: float = 5.0
    submission: float = 60.0
    idle: float = 5.0
    memory: int = 1 << 30  # bytes beyond the fork server's


class Stopped(Exception):
    """The worker hit a limit or is dead."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.failure = Failure("limit", kind, message)


class Watch:
    """The limits of time of one worker. left: seconds that its submission has. running: gives the cell that runs."""

    def __init__(self, process: int, limits: Limits, left: float, running: Callable[[], int]):
        self.process, self.limits, self.left, self.running = process, limits, left, running
        self.born = time.monotonic()
        self.begin(0.0)
        self.end()

    def begin(self, seconds: float, cells: bool = False) -> None:
        """A message is on its way: ``seconds`` of computing for it, or so many for each of the cells."""
        self.seconds, self.cells, self.idle, self.waiting = seconds, cells, 0.0, True
        self.cpu_then: float | None = None
        self.cell: int | None = None
        self.began = self.looked = time.monotonic()
        self.cpu_looked = 0.0  # so that the first look finds it at work, without a system call for each message

    def end(self) -> None:
        """The message has come, or no longer will."""
        if self.waiting:
            self.left -= time.monotonic() - self.began
        self.waiting = False

    def cpu(self) -> float:
        """Computing time that the worker has used so far; where the system does not tell, the time since its start."""
        if not LINUX:
            return time.monotonic() - self.born
        try:
            return time.clock_gettime(~self.process << 3 | 2)  # the clock of another process: clock_getcpuclockid(3)
        except OSError:
            return 0.0

    def look_if_due(self) -> None:
        if time.monotonic() - self.looked > LOOK:
            self.look()

    def look(self) -> None:
        """Raises Stopped where a limit is passed. ``idle`` is for all cells together."""
        now, cpu = time.monotonic(), self.cpu()
        self._add_idle(now, cpu)
        if self.cpu_then is None or self.cells and self.cell != self.running():
            self.cpu_then, self.cell = cpu, self.running()
        if cpu - self.cpu_then > self.seconds:
            raise Stopped("time", "it took too long and could not be interrupted")
        if now - self.began > self.left:
            raise Stopped("time", f"the submission took longer than {self.limits.submission:g} seconds")
        if self.idle > self.limits.idle:
            raise Stopped("wall clock", f"it waited for {self.limits.idle:g} seconds without computing")

    def _add_idle(self, now: float, cpu: float) -> None:
        # Its first thread may sleep while others, that it left behind, hold the interpreter: then it is not idle.
        resting = cpu - self.cpu_looked < IDLE * (now - self.looked) and self._state() not in ("R", "D", "")
        self.idle += resting * (now - self.looked)
        self.looked, self.cpu_looked = now, cpu

    def _state(self) -> str:
        """ "R" running or ready to, "D" waiting for a disk, "S" asleep; "" where the system does not tell."""
        with contextlib.suppress(OSError, IndexError):
            return Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()[0]
        return ""
