"""Workers where there is no fork (Windows): each is a Python of its own, started ahead of its submission.

They hold as little as the forked ones do, but starting one takes a second or two, and the system holds nothing back.
"""

import contextlib
import dataclasses
import mmap
import secrets
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from autograde.sandbox.wire import PROGRESS, CourseModules

from .start import START_SECONDS, SandboxError, exit_reason, scratch_folder, settings, start_python
from .watch import Limits

BOOT = """
from autograde.sandbox.worker.fork_server import serve_one
serve_one(start)
"""


@dataclass
class StartedWorker:
    """A worker that has not called yet. progress: the file of its progress record."""

    process: subprocess.Popen
    token: bytes
    progress: Path


class SpawnClient:
    """Has the interface of ``ForkServerClient``; the next worker is always on its way."""

    def __init__(self, limits: Limits):
        self.start, self.modules = settings(limits), CourseModules()
        self.next: StartedWorker | None = None
        self.folder = scratch_folder()
        self.server = socket.create_server(("127.0.0.1", 0))
        self.server.settimeout(1.0)
        self.running: dict[int, subprocess.Popen] = {}

    def prepare(self, modules: CourseModules) -> None:
        if modules != self.modules:
            self.modules = modules
            self._discard()

    def worker(self) -> tuple[socket.socket, mmap.mmap, int]:
        started = self.next or self._started()
        self.next = None
        channel = self._line(started)
        with open(started.progress, "r+b") as file:
            progress = mmap.mmap(file.fileno(), PROGRESS.size)
        self.running[started.process.pid] = started.process
        self.next = self._started()
        return channel, progress, started.process.pid

    def _started(self) -> StartedWorker:
        token = secrets.token_hex(16)
        progress, scratch = Path(self.folder.name, token), Path(self.folder.name, f"{token}-scratch")
        scratch.mkdir()
        progress.write_bytes(bytes(PROGRESS.size))
        mine = {"port": self.server.getsockname()[1], "token": token, "progress": str(progress), "scratch": str(scratch)}
        start = self.start | mine | {"modules": dataclasses.asdict(self.modules)}
        return StartedWorker(start_python(BOOT, start), token.encode(), progress)

    def _line(self, started: StartedWorker) -> socket.socket:
        """The connection on which the worker names its token; others are hung up on."""
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and started.process.poll() is None:
            with contextlib.suppress(OSError):
                channel = self.server.accept()[0]
                channel.settimeout(1.0)
                if secrets.compare_digest(channel.recv(len(started.token), socket.MSG_WAITALL), started.token):
                    return channel
                channel.close()
        raise SandboxError(f"a worker could not be started: {exit_reason(started.process)}")

    def reap(self, process: int) -> int:
        with self.running.pop(process) as started:
            started.kill()
        return started.returncode

    def _discard(self) -> None:
        if self.next:
            with self.next.process as process:
                process.kill()
            self.next = None

    def close(self) -> None:
        self._discard()
        for process in list(self.running):
            self.reap(process)
        self.server.close()
        self.folder.cleanup()
