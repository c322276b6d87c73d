"""A pool of worker processes on this machine that outlives the death of any of them.

``concurrent.futures`` gives up all its work when one process dies; a grader must not. Each worker has a
connection and at most two jobs, so that it never waits for the parent's disk; only the parent writes.
"""

import contextlib
import multiprocessing
import signal
import sys
import time
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait

from autograde.sandbox.host.sandbox import Sandbox

from .errors import GradingError
from .marking import Marked, mark

AHEAD = 2  # jobs that a worker holds
PATIENCE = 1_800.0  # seconds of real time; the sandbox has its own, shorter limits, so this is a grader that hangs
READY = "ready"


class Pool:
    """``with Pool(2) as pool: for job, marked in pool.results(jobs)``: in the order in which they are done."""

    def __init__(self, size: int, make_sandbox: Callable = Sandbox):
        self.size, self.make_sandbox = size, make_sandbox
        self.workers: list[_Worker] = []

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        for worker in self.workers:
            worker.stop()

    def results(self, jobs: Iterable) -> Iterator[tuple]:
        """(job, Marked) for each job; ``jobs`` is read only as far as workers are free. Raises GradingError."""
        waiting = iter(jobs)
        self._feed(waiting)
        while any(worker.jobs for worker in self.workers):
            for worker in self._ready():
                yield from self._collected(worker)
            self._feed(waiting)

    def _feed(self, waiting: Iterator) -> None:
        """One job for everybody before anybody has two."""
        for held in range(AHEAD):
            for number in range(self.size):
                if number < len(self.workers) and len(self.workers[number].jobs) > held:
                    continue
                job = next(waiting, None)
                if job is None:
                    return
                if number == len(self.workers):
                    self.workers.append(_Worker(self.make_sandbox))
                self.workers[number].take(job)

    def _ready(self) -> list["_Worker"]:
        busy: dict[object, _Worker] = {worker.connection: worker for worker in self.workers if worker.jobs}
        found = [busy[connection] for connection in wait([worker.connection for worker in busy.values()], timeout=1.0)]
        return found or [worker for worker in busy.values() if worker.hangs()]

    def _collected(self, worker: "_Worker") -> Iterator[tuple]:
        try:
            marked = worker.receive()
        except (EOFError, OSError):
            yield worker.jobs[0], self._replaced(worker)
            return
        if marked == READY:
            worker.started = True
        else:
            yield worker.done(), marked

    def _replaced(self, worker: "_Worker") -> Marked:
        """A new worker for the jobs that the dead one had not begun. Who dies before the first would die again."""
        failure = worker.obituary()
        worker.stop()
        if not worker.started:
            raise GradingError(f"a worker did not start: {failure}")
        place = self.workers.index(worker)
        self.workers[place] = _Worker(self.make_sandbox)
        for job in list(worker.jobs)[1:]:
            self.workers[place].take(job)
        return Marked(None, failure=failure)


class _Worker:
    """A process and the jobs that it has; the first is the one it works on."""

    def __init__(self, make_sandbox: Callable):
        context = multiprocessing.get_context("spawn")  # a fork would inherit the lock of the output folder
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, make_sandbox), daemon=True)
        with theirs, _no_main_module():
            self.process.start()
        self.started = False
        self.jobs: deque = deque()
        self.since = time.monotonic()

    def take(self, job) -> None:
        if not self.jobs:
            self.since = time.monotonic()
        self.jobs.append(job)
        with contextlib.suppress(OSError):  # a dead worker is noticed when its result is waited for
            self.connection.send(job)

    def receive(self):
        if self.hangs():
            raise EOFError
        return self.connection.recv()

    def done(self):
        self.since = time.monotonic()
        return self.jobs.popleft()

    def hangs(self) -> bool:
        return time.monotonic() - self.since > PATIENCE

    def obituary(self) -> str:
        self.process.join(timeout=1.0)
        code = self.process.exitcode
        how = (
            f"gave no answer for {PATIENCE / 60:.0f} minutes"
            if code is None
            else f"was ended by {signal.Signals(-code).name}"
            if code < 0
            else f"ended with code {code}"
        )
        return f"the grader failed (its process {how}); this is not the learner's fault"

    def stop(self) -> None:
        self.connection.close()
        self.process.join(timeout=0.5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


@contextlib.contextmanager
def _no_main_module():
    """A started process runs the program's main module again, a script without a guard with all its work: not here."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def work(connection: Connection, make_sandbox: Callable) -> None:
    """What a worker does until its connection closes, as it does too when the parent is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then closes the connection
    with make_sandbox() as sandbox, contextlib.suppress(EOFError, OSError):
        connection.send(READY)
        while True:
            connection.send(mark(connection.recv(), sandbox))
