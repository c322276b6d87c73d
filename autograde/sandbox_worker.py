"""The processes on the other side: a warm nursery, and the workers it forks, one for each submission.

The nursery imports NumPy, matplotlib and IPython once and nothing that knows an answer, so that a fork of it has
nothing to be found. A worker gives up its rights, runs the cells, and then answers calls until its judge hangs up.
"""

import contextlib
import functools
import gc
import importlib.util
import json
import mmap
import os
import random
import select
import signal
import socket
import struct
import sys
from pathlib import Path

import matplotlib
import numpy as np
import numpy.linalg
import numpy.random

from .calling import Failure, LocalAnswer, is_empty
from .sandbox_cells import Cells, Clock
from .sandbox_layers import landlock, openings, set_rlimits, tie_to_parent
from .sandbox_seccomp import seccomp
from .sandbox_standins import install
from .wire import BOARD, LENGTHS, MOST_BODY, MOST_HEADER, Body, decode, encode, frame

REQUEST = struct.Struct(">cQ")  # what the judge asks the nursery for: b"F" (fork), b"K" (kill and reap), and a process
MOST_TOLD = 50  # failed cells and notices in one message


def warm() -> None:
    """All that a submission may need and that takes long to import."""
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    plt.show = lambda *_, **__: None
    plt.close(plt.figure())
    gc.collect()
    gc.freeze()  # what is there now is never looked at again, so that forks share its pages


def nursery(control: socket.socket, readable: list[str], hidden: list[str]) -> None:
    """Forks and reaps workers for the judge at the other end of ``control`` until that is gone."""
    allowed = openings(readable, hidden) if sys.platform.startswith("linux") else []
    warm()
    parent, workers = os.getppid(), set()
    control.sendall(b"+")
    try:
        while os.getppid() == parent:
            if not select.select([control], [], [], 1.0)[0]:
                continue
            message, descriptors, *_ = socket.recv_fds(control, REQUEST.size, 2)
            if len(message) < REQUEST.size:
                return
            kind, process = REQUEST.unpack(message)
            if kind == b"F":
                process = _forked(descriptors, allowed)
                workers.add(process)
                control.sendall(struct.pack(">q", process))
            elif process in workers:
                workers.discard(process)
                control.sendall(struct.pack(">q", _reaped(process)))
    finally:
        for process in workers:
            _reaped(process)


def _forked(descriptors: list[int], allowed: list[tuple[int, int]]) -> int:
    process = os.fork()
    if process:
        for descriptor in descriptors:
            os.close(descriptor)
        return process
    status = 70  # a fault of ours
    try:
        _hold_only({*descriptors, *(opened for opened, _ in allowed)})
        channel, board = descriptors
        Worker(socket.socket(fileno=channel), mmap.mmap(board, BOARD.size), allowed).serve()
        status = 0
    finally:
        os._exit(status)


def _reaped(process: int) -> int:
    """Ends a worker with everything it may have left behind. The status of ``os.waitpid``."""
    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(process, signal.SIGKILL)
    return os.waitpid(process, 0)[1]


def _hold_only(kept: set[int]) -> None:
    """A session of its own, and no descriptor but the standard ones (on nothing) and the kept ones."""
    os.setsid()
    keep = sorted(kept)
    for low, high in zip([2, *keep], [*keep, 4096]):
        os.closerange(low + 1, high)


class Worker:
    def __init__(self, channel: socket.socket, board: mmap.mmap, allowed: list[tuple[int, int]]):
        self.channel, self.board, self.allowed = channel, board, allowed
        self.clock = Clock()
        self.functions: dict[str, object] = {}

    def serve(self) -> None:
        opening, _ = self.receive()
        self.seconds = opening["call_seconds"]
        self.send({"layers": self.protect(opening)})
        self.run(opening)
        while True:
            request, body = self.receive()
            self.answer(request, body)

    def protect(self, opening: dict) -> list[str]:
        """Gives up, for good, what no submission needs. The names of the layers that are in force."""
        shown = {name: Path(path) for name, path in opening["shown"].items()}
        folder = Path(opening["course_utils"])
        tie_to_parent()
        mine = openings([folder / "data", *shown.values(), *map(_compiled, shown.values())], [])
        install(folder, shown, opening["withheld"])
        read = landlock(self.allowed + mine)
        for descriptor, _ in self.allowed + mine:
            os.close(descriptor)
        limited = set_rlimits(opening["cpu_seconds"], opening["memory"], seccomp=sys.platform.startswith("linux"))
        return [layer for layer in ("rlimits" if limited else "", read, seccomp()) if layer]

    def run(self, opening: dict) -> None:
        cells = Cells(self.clock, opening["cell_seconds"], {int(cell): at for cell, at in opening["cuts"].items()},
                      functools.partial(BOARD.pack_into, self.board, 0))
        sys.modules["__main__"] = cells.module
        random.seed(0)
        np.random.seed(0)
        for number, source in opening["cells"]:
            cells.run(number, source)
        self.functions = {name: cells.names[name] for name in opening["names"] if name in cells.names}
        self.send({"ran": {
            "names": {name: bool(is_empty(function)) for name, function in self.functions.items()},
            "notices": [str(notice)[:100] for notice in cells.notices][:MOST_TOLD],
            "failures": [[cell, _told(failure)] for cell, failure in cells.failures.items()][:MOST_TOLD],
            "stopped": list(cells.stopped.items())[:MOST_TOLD],
        }})

    def answer(self, request: dict, body: bytes) -> None:
        function = self.functions.get(request["name"])
        if "args" not in request:
            self.send({"id": request["id"], "value": _plain_value(function)})
            return
        outcome = LocalAnswer(function, self.seconds, self.clock.limit).call(decode(request["args"], Body(body)))
        blobs: list[bytes] = []
        try:
            value = encode(outcome.value, blobs)
        except RecursionError:
            value = {"strange": "a sequence nested too deeply"}
        message = {"id": request["id"], "value": value, "failure": _told(outcome.failure),
                   "changed": list(outcome.changed)}
        if sum(map(len, blobs)) > MOST_BODY or len(str(value)) > MOST_HEADER // 2:
            message["value"], blobs = {"strange": "a result too large to look at"}, []
        self.send(message, blobs)

    def send(self, message: dict, blobs=()) -> None:
        self.channel.sendall(frame(message, blobs))

    def receive(self) -> tuple[dict, bytes]:
        """The next question. There is never more than one on its way."""
        data = self.channel.recv(1 << 16) or os._exit(0)  # nothing: the judge has hung up
        while len(data) < LENGTHS.size or len(data) < LENGTHS.size + sum(LENGTHS.unpack_from(data)):
            data += self.channel.recv(1 << 20) or os._exit(0)
        end = LENGTHS.size + LENGTHS.unpack_from(data)[0]
        return json.loads(data[LENGTHS.size:end]), data[end:]


def _compiled(path: Path) -> Path:
    return Path(importlib.util.cache_from_source(path))


def _told(failure: Failure | None) -> list[str] | None:
    if failure is None:
        return None
    if failure.type == "MemoryError":
        failure = Failure("limit", "memory", "it needed more memory than a submission may have", failure.line)
    return [failure.kind, failure.type[:100], failure.message[:200], failure.line[:200]]


def _plain_value(value):
    """What a quiz's answer may be: a short text, a number or nothing."""
    return value if value is None or type(value) in (bool, int, float) else str(value)[:200]
