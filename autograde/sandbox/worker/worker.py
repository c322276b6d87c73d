"""The process that holds one submission: it runs the cells and then answers calls until its judge hangs up.

All of it is in a learner's hands once the cells have run, so the judge believes nothing it says.
"""

import contextlib
import functools
import json
import mmap
import os
import signal
import socket
import sys
import warnings
from time import process_time

import numpy as np

from autograde.engine.calling import Failure, LocalAnswer, TooSlow, is_empty, looked_at, quiet
from autograde.sandbox.wire import (
    LENGTHS,
    LONG_BODY,
    LONG_HEADER,
    LONGEST_TEXT,
    MOST_BODY,
    MOST_ENTRIES,
    MOST_HEADER,
    PROGRESS,
    Body,
    decode,
    encode,
    frame,
)

from .cells import Cells

MOST_REPORTED = 50  # failed cells and notices in one message
TICK = 0.05  # seconds of computing time between two looks at the clock
SLOW = 0.25  # seconds of computing time after which the judge gets what there is


class Clock:
    """Stops what computes for too long by an exception, which tells the line. The judge's own clock needs no help."""

    def __init__(self):
        self.deadline: float | None = None
        if hasattr(signal, "SIGPROF"):  # Windows has none: there the judge's clock is the only one
            signal.signal(signal.SIGPROF, self._tick)

    def start(self) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, TICK, TICK)

    def _tick(self, *_) -> None:
        if self.deadline is not None and process_time() > self.deadline:
            self.deadline = None
            raise TooSlow

    @contextlib.contextmanager
    def around(self, seconds: float):
        """As ``calling.undisturbed``, but cheap: what a cell changed of warnings and NumPy's errors is undone."""
        warnings.resetwarnings()
        warnings.simplefilter("ignore")
        np.seterr(all="ignore")
        self.deadline = process_time() + seconds
        try:
            yield
        finally:
            self.deadline = None


class Worker:
    """scratch: the folder whose name changes from run to run, and so is in no message."""

    def __init__(self, channel: socket.socket, record: mmap.mmap, clock: Clock, scratch: str):
        self.channel, self.record, self.clock, self.scratch = channel, record, clock, scratch
        self.progress = functools.partial(PROGRESS.pack_into, record, 0)
        self.functions: dict[str, object] = {}

    def serve(self) -> None:
        self.clock.start()
        with quiet():  # nothing is shown from here on
            opening, _ = self.receive()
            self.seconds = opening["call_seconds"]
            self.run(opening)
            while True:
                self.answer(*self.receive())

    def run(self, opening: dict) -> None:
        cells = Cells(
            self.clock.around, opening["cell_seconds"], {int(cell): at for cell, at in opening["cuts"].items()}, self.progress
        )
        sys.modules["__main__"] = cells.module
        for number, source in opening["cells"]:
            cells.run(number, source)
        self.functions = {name: cells.names[name] for name in opening["names"] if name in cells.names}
        notices = [notice.replace(self.scratch, ".")[:LONGEST_TEXT] for notice in cells.notices]
        ran = {
            "names": {name: bool(is_empty(function)) for name, function in self.functions.items()},
            "notices": notices[:MOST_REPORTED],
            "failures": [[cell, self.failure(failure)] for cell, failure in cells.failures.items()][:MOST_REPORTED],
            "stopped": list(cells.stopped.items())[:MOST_REPORTED],
        }
        self.send({"ran": ran})

    def answer(self, request: dict, body: bytes) -> None:
        function = self.functions.get(request["name"])
        if "cases" not in request:
            self.send({"id": request["id"], "value": _plain_value(function)})
            return
        outcomes, blobs = self.outcomes(function, request["cases"], Body(body))
        self.send({"id": request["id"], "outcomes": outcomes}, blobs)

    def outcomes(self, function, cases: list, body: Body) -> tuple[list[dict], list[bytes]]:
        """Of the first cases: the judge asks again for the others when one hit a limit or the message has grown."""
        answer, began = LocalAnswer(function, self.seconds, self.clock.around), process_time()
        outcomes, blobs, header, size = [], [], 0, 0
        for index, case in enumerate(cases):
            self.progress(0, index)
            outcome = answer.call(decode(case, body))
            failure = self.failure(outcome.failure)
            value, arrays = _encoded(outcome.value)
            outcomes.append({"value": value, "failure": failure, "changed": list(outcome.changed)})
            blobs += arrays
            header, size = header + len(str(outcomes[-1])), size + sum(map(len, arrays))
            if failure and Failure(*failure).limited or header > LONG_HEADER or size > LONG_BODY or process_time() - began > SLOW:
                break
        return outcomes, blobs

    def failure(self, failure: Failure | None) -> list | None:
        if failure is None:
            return None
        if failure.type == "MemoryError":
            failure = Failure("limit", "memory", "it needed more memory than a submission may have", failure.line)
        message, bases = failure.message.replace(self.scratch, "."), [name[:100] for name in failure.bases]
        return [failure.kind, failure.type[:100], message[:200], failure.line[:200], bases]

    def send(self, message: dict, blobs=()) -> None:
        self.channel.sendall(frame(message, blobs))

    def receive(self) -> tuple[dict, bytes]:
        """The next question. There is never more than one on its way."""
        data = self.channel.recv(1 << 16) or os._exit(0)  # nothing: the judge has hung up
        while len(data) < LENGTHS.size or len(data) < LENGTHS.size + sum(LENGTHS.unpack_from(data)):
            data += self.channel.recv(1 << 20) or os._exit(0)
        end = LENGTHS.size + LENGTHS.unpack_from(data)[0]
        return json.loads(data[LENGTHS.size : end]), data[end:]


def _encoded(value) -> tuple[object, list[bytes]]:
    """A result for the judge and the bytes of its arrays, or in words why it is not sent."""
    arrays: list[bytes] = []
    parts = value if isinstance(value, tuple) else (value,)
    fits = all(looked_at(part.shape, MOST_ENTRIES) for part in parts if isinstance(part, np.ndarray))
    node = encode(value, arrays) if fits else None
    if not fits or sum(map(len, arrays)) > MOST_BODY - LONG_BODY or len(str(node)) > MOST_HEADER // 2:
        return {"unsupported": "a result too large to look at"}, []
    return node, arrays


def _plain_value(value):
    """What a quiz's answer may be: a short text, a number or nothing."""
    return value if value is None or type(value) in (bool, int, float) else str(value)[:200]
