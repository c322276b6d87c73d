"""The judge's ends of the lines to the warm parent and to a worker, and the clocks that watch the worker."""

import contextlib
import fcntl
import json
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys
import sysconfig
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from .calling import Failure
from .wire import BOARD, LENGTHS, REQUEST, lengths, parse

HERE = Path(__file__).resolve().parent
COURSE_UTILS = HERE.parent / "course_utils"
LOOK = 0.1  # seconds between two looks at a worker that has not answered
LINUX = sys.platform.startswith("linux")
START_SECONDS = 120  # matplotlib may build its list of fonts

BOOT = """
import json, socket, sys, types
start = json.load(sys.stdin)
sys.path[:] = start["path"]
package = sys.modules["autograde"] = types.ModuleType("autograde")
package.__path__ = [start["here"]]  # its own __init__ would import the judge
from autograde.sandbox_nursery import serve
serve(socket.socket(fileno=start["control"]), start)
"""


@dataclass(frozen=True)
class Limits:
    """Seconds are of computing time, so that a busy machine makes no difference. ``idle``: of waiting for nothing."""

    cell: float = 10.0
    call: float = 5.0
    submission: float = 60.0
    idle: float = 5.0
    memory: int = 1 << 30  # bytes beyond the warm parent's


class SandboxError(Exception):
    """The sandbox itself failed: nobody's answer is to blame."""


class Stopped(Exception):
    """The worker hit a limit or is dead."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.failure = Failure("limit", kind, message)


class WarmParent:
    """The process that has everything imported and forks workers. Started afresh, so it holds nothing of ours."""

    def __init__(self, limits: Limits):
        self.lesson = None
        self.control, theirs = socket.socketpair()
        start = {"path": _import_path(), "here": str(HERE), "control": theirs.fileno(),
                 "readable": _readable(), "hidden": [str(HERE), str(COURSE_UTILS)],
                 "course_utils": str(COURSE_UTILS), "memory": limits.memory, "cpu_seconds": int(2 * limits.submission)}
        self.process = subprocess.Popen(
            [sys.executable, "-s", "-P", "-c", BOOT], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, pass_fds=[theirs.fileno()], env=_environment(), cwd="/", start_new_session=True)
        theirs.close()
        with contextlib.suppress(BrokenPipeError), self.process.stdin as stdin:
            stdin.write(json.dumps(start).encode())
        self.control.settimeout(START_SECONDS)
        if self._receive(1) != b"+":
            self.close()
            told = self.process.stderr.read().decode(errors="replace").strip().splitlines()
            raise SandboxError(f"the sandbox could not be started: {told[-1] if told else 'no reason was given'}")

    def prepare(self, lesson: dict) -> None:
        """Which modules of ``course_utils`` the workers from now on may import, and which are withheld."""
        if lesson != self.lesson:
            message = json.dumps(lesson).encode()
            with contextlib.suppress(OSError):
                self.control.sendall(REQUEST.pack(b"L", len(message)) + message)
            self.lesson = lesson

    def fork(self, channel: int, board: int) -> int:
        """A new worker at the other end of a socket pair, sharing the board's memory. Its process id."""
        with contextlib.suppress(OSError):
            socket.send_fds(self.control, [REQUEST.pack(b"F", 0)], [channel, board])
        return self._number()

    def reap(self, process: int) -> int:
        """Ends a worker and everything it left. The status as ``os.waitpid`` gives it."""
        with contextlib.suppress(OSError):
            self.control.sendall(REQUEST.pack(b"K", process))
        return self._number()

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
            self.process.wait()


class Link:
    """One worker, seen from the judge: messages to and fro under the limits."""

    def __init__(self, parent: WarmParent, limits: Limits):
        self.parent, self.limits = parent, limits
        self.channel, theirs = socket.socketpair()
        with theirs, _shared_memory() as memory:
            self.process = parent.fork(theirs.fileno(), memory.fileno())
            self.board = mmap.mmap(memory.fileno(), BOARD.size)
        self.channel.settimeout(LOOK)
        self.received = bytearray()
        self.cpu_in_all, self.status = 0.0, None

    def cpu(self) -> float:
        """Computing time that the worker has used so far; 0 where the system does not tell."""
        try:
            return time.clock_gettime(~self.process << 3 | 2) if LINUX else 0.0  # see clock_getcpuclockid(3)
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
                view = view[self.channel.send(view):]
            except TimeoutError:
                self._look()
            except OSError:
                raise self.dead() from None

    def receive(self, seconds: float, cells: bool = False) -> tuple[dict, bytes]:
        """The next message, within ``seconds`` of computing time, or so many for each of the cells.

        Raises Stopped or Forged.
        """
        self._begin(seconds, cells)
        header, body = lengths(self._exactly(LENGTHS.size))
        return parse(self._exactly(header)), self._exactly(body)

    def _exactly(self, length: int) -> bytes:
        while len(self.received) < length:
            try:
                part = self.channel.recv(1 << 18)
            except TimeoutError:
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

    def _look(self) -> None:
        """Is it computing too long, or waiting for nothing? ``idle`` is for all cells together."""
        now, cpu = time.monotonic(), self.cpu()
        waiting = self._state() not in ("R", "D", "")
        self.idle, self.looked = self.idle + waiting * (now - self.looked), now
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
        """"R" running or ready to, "D" waiting for a disk, "S" asleep; "" where the system does not tell."""
        with contextlib.suppress(OSError, IndexError):
            return Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()[0]
        return ""

    def dead(self) -> Stopped:
        """How the worker ended."""
        status = self.close()
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
            reason = {"SIGXCPU": "it used up its computing time", "SIGKILL": "its process was stopped"}.get(
                name, f"it crashed its process ({name})")
            return Stopped("died", reason)
        return Stopped("died", f"it ended its process (exit code {os.waitstatus_to_exitcode(status)})")

    def close(self) -> int:
        """Ends the worker. Its status; may be called again."""
        if self.status is None:
            self.cpu_in_all = self.cpu()
            self.channel.close()
            self.at()
            self.board.close()
            self.status = self.parent.reap(self.process)
        return self.status


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


def _environment() -> dict[str, str]:
    """Nothing of the judge's environment but where matplotlib keeps its list of fonts."""
    kept = {name: os.environ[name] for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "MPLCONFIGDIR")
            if name in os.environ}
    return kept | {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "MPLBACKEND": "agg", "PYTHONHASHSEED": "0",
                   "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
                   "MKL_NUM_THREADS": "1"}


def _import_path() -> list[str]:
    """Where Python's and the installed packages are found; not the folder of an editable install, nor the current one."""
    home = [os.path.realpath(folder) for folder in (sys.prefix, sys.base_prefix, sys.exec_prefix)]
    inside = [path for path in sys.path if path and any(
        os.path.realpath(path).startswith(folder + os.sep) for folder in home) or path.endswith("-packages")]
    return [path for path in inside if Path(path).resolve() != HERE.parent or path.endswith("-packages")]


def _readable() -> list[str]:
    """What Python needs when it imports or loads something late."""
    system = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/usr/share/fonts", "/dev/null",
              "/dev/urandom")
    return [*dict.fromkeys((*_import_path(), sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *system))]
