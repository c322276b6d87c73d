"""The process that forks a worker for each submission, and reaps it.

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
import tempfile
from pathlib import Path

import matplotlib
import numpy as np
import numpy.linalg
import numpy.random

from autograde.sandbox.wire import PROGRESS, REQUEST, frame

from .layers import hide_from_others, restrict, ruleset, set_cpu_limit, set_rlimits, tie_to_parent
from .scratch import Scratch, over
from .seccomp import filter_program, install_filter
from .stubs import install
from .warm_up import warm_up
from .worker import Clock, Worker

LOOK = 0.1  # seconds between two looks at what workers have written
OWN_FAULT = 70  # exit status of a worker that failed by itself


def preload() -> None:
    """All that a submission may need and that takes long to import or to make."""
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    plt.show = lambda *_, **__: None
    plt.close(plt.figure())
    random.seed(0)
    np.random.seed(0)


def serve(control: socket.socket, start: dict) -> None:
    """Forks and reaps for the judge at the other end of ``control`` until that is gone."""
    preload()
    server = ForkServer(start)
    control.sendall(b"+")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    judge = os.getppid()
    try:
        while os.getppid() == judge:
            if select.select([control], [], [], LOOK if server.workers else 1.0)[0]:
                server.handle(control)
            else:
                server.look()
    except EOFError:
        pass
    finally:
        for process in list(server.workers):
            server.reap(process)


def serve_one(start: dict) -> None:
    """One worker and no fork, connected to the judge by its port. For systems that have no fork."""
    channel = socket.create_connection(("127.0.0.1", start["port"]))
    channel.sendall(start["token"].encode())
    with open(start["progress"], "r+b") as file:
        progress = mmap.mmap(file.fileno(), PROGRESS.size)
    preload()
    server = ForkServer(start)
    server.prepare(start["modules"])
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    folder = server.scratch.take()
    server.work(channel, progress, folder, server._rules(folder))


class ForkServer:
    """Holds what every worker needs, ready to be inherited."""

    def __init__(self, start: dict):
        self.start, self.clock = start, Clock()
        self.workers: dict[int, Path] = {}  # process -> its scratch folder
        self.scratch = Scratch(start["scratch"])
        self.rules: dict[tuple, int | None] = {}  # a Landlock ruleset for each set of modules and scratch folder
        self.files: tuple[Path, ...] = ()  # of modules that are shown
        self.filter = filter_program()
        hide_from_others()
        self.limited = set_rlimits(start["memory"], bool(self.filter))

    def handle(self, control: socket.socket) -> None:
        """One request: M modules to prepare (and their length), F fork, K kill and reap (and the process)."""
        message, descriptors, *_ = socket.recv_fds(control, REQUEST.size, 2)
        if len(message) < REQUEST.size:
            raise EOFError
        kind, number = REQUEST.unpack(message)
        if kind == b"M":
            self.prepare(json.loads(control.recv(number, socket.MSG_WAITALL)))
        elif kind == b"F":
            control.sendall(struct.pack(">q", self.fork(*descriptors)))
        elif number in self.workers:
            control.sendall(struct.pack(">q", self.reap(number)))

    def prepare(self, modules: dict) -> None:
        """What the cells from now on may import and read: ``CourseModules`` as a dict."""
        shown = {name: Path(path) for name, path in modules["shown"].items()}
        compiled = [Path(importlib.util.cache_from_source(path)) for path in shown.values()]
        self.files = (Path(self.start["course_utils"], "data"), *shown.values(), *compiled)
        install(shown, modules["withheld"])
        warm_up(self.clock)
        gc.collect()
        gc.freeze()  # what is there now is never looked at again, so that forks share its pages

    def _rules(self, folder: Path) -> int | None:
        key = (folder, *self.files)
        if key not in self.rules:
            self.rules[key] = ruleset(self.start["readable"], self.start["hidden"], self.files, folder)
        return self.rules[key]

    def fork(self, channel: int, record: int) -> int:
        folder = self.scratch.take()
        rules = self._rules(folder)
        process = os.fork()
        if process:
            os.close(channel)
            os.close(record)
            self.workers[process] = folder
            return process
        try:
            progress = mmap.mmap(record, PROGRESS.size)
            _hold_only({channel} | ({rules} if rules is not None else set()))
            tie_to_parent()
            self.work(socket.socket(fileno=channel), progress, folder, rules)
        finally:
            os._exit(OWN_FAULT)

    def reap(self, process: int) -> int:
        """Ends a worker with everything it may have left behind. The status of ``os.waitpid``."""
        for end in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                end(process, signal.SIGKILL)
        status = os.waitpid(process, 0)[1]
        self.scratch.give_back(self.workers.pop(process))
        return status

    def look(self) -> None:
        """Ends workers that wrote more than they may, where the system itself does not keep that bound."""
        for process, folder in self.workers.items():
            if not self.scratch.bounded and over(folder):
                os.kill(process, signal.SIGKILL)

    def work(self, channel: socket.socket, progress: mmap.mmap, folder: Path, rules: int | None) -> None:
        """Becomes a worker: from here on nothing of a submission can reach what it should not."""
        os.chdir(folder)
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        channel.sendall(frame({"layers": self._give_up_rights(rules)}))
        Worker(channel, progress, self.clock, str(folder)).serve()

    def _give_up_rights(self, rules: int | None) -> list[str]:
        """For good. The names of the layers that are in force."""
        set_cpu_limit(self.start["cpu_seconds"])
        read = restrict(rules)
        return [layer for layer in ("rlimits" if self.limited else "", read, install_filter(self.filter)) if layer]


def _hold_only(kept: set[int]) -> None:
    """A session of its own, and no descriptor but the standard ones (on nothing) and the kept ones."""
    os.setsid()
    keep = sorted(kept)
    for low, high in zip([2, *keep], [*keep, 4096]):
        os.closerange(low + 1, high)
