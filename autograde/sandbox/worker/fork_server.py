"""The warm process that forks a worker for each submission, and reaps it.

It imports NumPy, matplotlib and IPython once and nothing that knows an answer, so that a fork of it has nothing to be
found. It also prepares all that a worker needs to give up its rights, so that a fork costs little more than a bare one.
"""

import contextlib
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
from pathlib import Path

import matplotlib
import numpy as np
import numpy.linalg
import numpy.random

from autograde.sandbox.wire import BOARD, REQUEST, frame

from .layers import hide_from_others, restrict, ruleset, set_cpu_limit, set_rlimits, tie_to_parent
from .seccomp import filter_program, install_filter
from .stubs import install
from .worker import Clock, Worker

OWN_FAULT = 70  # exit status of a worker that failed by itself


def warm() -> None:
    """All that a submission may need and that takes long to import or to make."""
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    plt.show = lambda *_, **__: None
    plt.close(plt.figure())
    random.seed(0)
    np.random.seed(0)


def serve(control: socket.socket, start: dict) -> None:
    """Forks and reaps for the judge at the other end of ``control`` until that is gone."""
    warm()
    nursery = Nursery(start)
    control.sendall(b"+")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    judge = os.getppid()
    try:
        while os.getppid() == judge:
            if select.select([control], [], [], 1.0)[0]:
                nursery.answer(control)
    except EOFError:
        pass
    finally:
        for process in nursery.workers:
            _reaped(process)


def single(start: dict) -> None:
    """One worker and no fork, connected to the judge by its port. For systems that have no fork."""
    channel = socket.create_connection(("127.0.0.1", start["port"]))
    channel.sendall(start["token"].encode())
    with open(start["board"], "r+b") as file:
        board = mmap.mmap(file.fileno(), BOARD.size)
    warm()
    nursery = Nursery(start)
    nursery.prepare(start["lesson"])
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    nursery.work(channel, board)


class Nursery:
    def __init__(self, start: dict):
        self.start, self.workers, self.clock = start, set(), Clock()
        self.rules: dict[tuple, int | None] = {}  # a Landlock ruleset for each lesson
        self.lesson = ()
        self.filter = filter_program()
        hide_from_others()
        self.limited = set_rlimits(start["memory"], bool(self.filter))

    def answer(self, control: socket.socket) -> None:
        """One request: L a lesson to prepare for (and its length), F fork, K kill and reap (and the process)."""
        message, descriptors, *_ = socket.recv_fds(control, REQUEST.size, 2)
        if len(message) < REQUEST.size:
            raise EOFError
        kind, number = REQUEST.unpack(message)
        if kind == b"L":
            self.prepare(json.loads(control.recv(number, socket.MSG_WAITALL)))
        elif kind == b"F":
            control.sendall(struct.pack(">q", self.fork(*descriptors)))
        elif number in self.workers:
            self.workers.discard(number)
            control.sendall(struct.pack(">q", _reaped(number)))

    def prepare(self, lesson: dict) -> None:
        """What the cells of a lesson may import and read."""
        self.lesson = tuple(lesson["withheld"])
        shown = {name: Path(path) for name, path in lesson["shown"].items()}
        install(shown, lesson["withheld"])
        if self.lesson not in self.rules:
            compiled = [Path(importlib.util.cache_from_source(path)) for path in shown.values()]
            files = [Path(self.start["course_utils"], "data"), *shown.values(), *compiled]
            self.rules[self.lesson] = ruleset(self.start["readable"], self.start["hidden"], files)
            gc.collect()
            gc.freeze()  # what is there now is never looked at again, so that forks share its pages

    def fork(self, channel: int, board: int) -> int:
        process = os.fork()
        if process:
            os.close(channel)
            os.close(board)
            self.workers.add(process)
            return process
        status = OWN_FAULT
        try:
            memory = mmap.mmap(board, BOARD.size)
            rules = self.rules[self.lesson]
            _hold_only({channel} | ({rules} if rules is not None else set()))
            tie_to_parent()
            self.work(socket.socket(fileno=channel), memory)
        finally:
            os._exit(status)

    def work(self, channel: socket.socket, board: mmap.mmap) -> None:
        """Becomes a worker: from here on nothing of a submission can reach what it should not."""
        channel.sendall(frame({"layers": self._give_up_rights()}))
        Worker(channel, board, self.clock).serve()

    def _give_up_rights(self) -> list[str]:
        """For good. The names of the layers that are in force."""
        set_cpu_limit(self.start["cpu_seconds"])
        read = restrict(self.rules[self.lesson])
        return [layer for layer in ("rlimits" if self.limited else "", read, install_filter(self.filter)) if layer]


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
