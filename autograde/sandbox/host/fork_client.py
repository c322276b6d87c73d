"""The judge's end of the line to the warm process that forks workers (any system that has fork)."""

import contextlib
import fcntl
import json
import mmap
import os
import socket
import struct
import subprocess
import tempfile

from autograde.sandbox.wire import BOARD, REQUEST

from .link import LINUX, Limits
from .start import START_SECONDS, SandboxError, beginning, exit_reason, start_python

BOOT = """
from autograde.sandbox.worker.fork_server import serve
serve(socket.socket(fileno=start["control"]), start)
"""


class WarmParent:
    """The process that has everything imported and forks workers."""

    def __init__(self, limits: Limits):
        self.lesson = None
        self.control, theirs = socket.socketpair()
        self.process = start_python(BOOT, beginning(limits) | {"control": theirs.fileno()}, pass_fds=[theirs.fileno()])
        theirs.close()
        self.control.settimeout(START_SECONDS)
        if self._receive(1) != b"+":
            self.control.close()
            raise SandboxError(f"the sandbox could not be started: {exit_reason(self.process)}")

    def prepare(self, lesson: dict) -> None:
        """Which modules of ``course_utils`` the workers from now on may import, and which are withheld."""
        if lesson != self.lesson:
            message = json.dumps(lesson).encode()
            with contextlib.suppress(OSError):
                self.control.sendall(REQUEST.pack(b"L", len(message)) + message)
            self.lesson = lesson

    def worker(self) -> tuple[socket.socket, mmap.mmap, int]:
        """A new worker: the line to it, the board that it shares, and its process id."""
        ours, theirs = socket.socketpair()
        with theirs, _shared_memory() as memory:
            with contextlib.suppress(OSError):
                socket.send_fds(self.control, [REQUEST.pack(b"F", 0)], [theirs.fileno(), memory.fileno()])
            return ours, mmap.mmap(memory.fileno(), BOARD.size), self._number()

    def reap(self, process: int) -> int:
        """Ends a worker and everything it left. Its exit code, or minus the number of the signal that ended it."""
        with contextlib.suppress(OSError):
            self.control.sendall(REQUEST.pack(b"K", process))
        return os.waitstatus_to_exitcode(self._number())

    def _number(self) -> int:
        data = self._receive(8)
        if len(data) < 8:
            raise SandboxError("the sandbox's warm parent has died")
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
            pass


def _shared_memory():
    """A file of one board. Where it can be, its size is sealed: the judge reads it, and must find it there."""
    if not LINUX:
        memory = tempfile.TemporaryFile(buffering=0)
        memory.truncate(BOARD.size)
        return memory
    memory = os.fdopen(os.memfd_create("board", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), "r+b", buffering=0)
    memory.truncate(BOARD.size)
    fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    return memory
