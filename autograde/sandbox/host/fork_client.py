"""The judge's end of the line to the fork server, which makes workers (any system that has fork)."""

import contextlib
import dataclasses
import fcntl
import json
import mmap
import os
import socket
import struct
import subprocess
import tempfile
from typing import IO

from autograde.sandbox.wire import PROGRESS, REQUEST, CourseModules

from .start import START_SECONDS, SandboxError, exit_reason, scratch_folder, settings, start_python
from .watch import LINUX, Limits

BOOT = """
from autograde.sandbox.worker.fork_server import serve
serve(socket.socket(fileno=start["control"]), start)
"""


class ForkServerClient:
    """Starts a fork server and asks it for workers."""

    def __init__(self, limits: Limits):
        self.modules: CourseModules | None = None
        self.control, theirs = socket.socketpair()
        self.scratch = scratch_folder()
        start = settings(limits) | {"control": theirs.fileno(), "scratch": self.scratch.name}
        self.process = start_python(BOOT, start, pass_fds=[theirs.fileno()])
        theirs.close()
        self.control.settimeout(START_SECONDS)
        if self._receive(1) != b"+":
            self.control.close()
            raise SandboxError(f"the sandbox could not be started: {exit_reason(self.process)}")

    def prepare(self, modules: CourseModules) -> None:
        if modules != self.modules:
            message = json.dumps(dataclasses.asdict(modules)).encode()
            with contextlib.suppress(OSError):
                self.control.sendall(REQUEST.pack(b"M", len(message)) + message)
            self.modules = modules

    def worker(self) -> tuple[socket.socket, mmap.mmap, int]:
        ours, theirs = socket.socketpair()
        with theirs, _shared_memory() as memory:
            with contextlib.suppress(OSError):
                socket.send_fds(self.control, [REQUEST.pack(b"F", 0)], [theirs.fileno(), memory.fileno()])
            return ours, mmap.mmap(memory.fileno(), PROGRESS.size), self._number()

    def reap(self, process: int) -> int:
        with contextlib.suppress(OSError):
            self.control.sendall(REQUEST.pack(b"K", process))
        return os.waitstatus_to_exitcode(self._number())

    def _number(self) -> int:
        data = self._receive(8)
        if len(data) < 8:
            raise SandboxError("the sandbox's fork server has died")
        return struct.unpack(">q", data)[0]

    def _receive(self, length: int) -> bytes:
        try:
            return self.control.recv(length, socket.MSG_WAITALL)
        except OSError:
            return b""

    def close(self) -> None:
        self.control.close()  # which ends it and every worker
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
        with self.process:  # waits, and closes what is open
            self.scratch.cleanup()


def _shared_memory() -> IO[bytes]:
    """A file of one progress record. Where it can be, its size is sealed: the judge reads it, and must find it there."""
    if not LINUX:
        memory: IO[bytes] = tempfile.TemporaryFile(buffering=0)
        memory.truncate(PROGRESS.size)
        return memory
    memory = os.fdopen(os.memfd_create("progress", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), "r+b", buffering=0)
    memory.truncate(PROGRESS.size)
    fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    return memory
