"""Runs a submission's cells in a process that holds no answers, and serves calls from the judge.

    with Nursery() as nursery, nursery.open(cells, ["softmax", "answer_axis"]) as submission:
        report = judge("softmax", submission.answer("softmax"), seed)

The judge's process never runs a learner's code and believes nothing that comes back but plain arrays. What takes too
long, needs too much memory or ends its process loses that call only: the worker is started again and its cells
are replayed without the statement that did it.

On Linux, without privileges: rlimits, Landlock and seccomp. macOS has rlimits only, Windows nothing of the kind and no
fork (each worker is a Python started ahead), and some kernels lack one of the two: there untrusted work needs
``Nursery(unprotected=True)``, and limits of time are of real time outside Linux.
"""

import os
from collections.abc import Iterable, Sequence

from autograde.engine.calling import Answer, Failure, Outcome
from autograde.sandbox.wire import ProtocolError, encode, failure, frame, plain_value, results, text

from .answer import Lost, SandboxAnswer
from .link import Limits, Link, Stopped
from .start import SandboxError, course_modules

if hasattr(os, "fork"):
    from .fork_client import WarmParent as Parent
else:
    from .spawn_client import StartedParent as Parent

__all__ = ["Limits", "Nursery", "SandboxError", "Submission", "Unprotected"]

GRACE = 0.5  # seconds that a worker has to stop a slow call by itself, which tells the line
RESTARTS = 60  # of one submission
REAL_LAYERS = ("landlock", "seccomp")


class Unprotected(SandboxError):
    """This system cannot hold back a hostile submission."""


class Nursery:
    """A warm process that forks a worker for each submission. A context manager; for one thread.

    unprotected: go on where the system has not both Landlock and seccomp.
    """

    def __init__(self, limits: Limits = Limits(), unprotected: bool = False):
        self.limits, self.unprotected = limits, unprotected
        self.parent: Parent | None = Parent(limits)

    def __enter__(self) -> "Nursery":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        if self.parent:
            self.parent.close()
            self.parent = None

    def open(self, cells: Sequence[str], names: Iterable[str]) -> "Submission":
        """Runs the code cells. names: what the lesson grades: those names can be asked for, and its references
        and those of later lessons cannot be imported by the cells."""
        return Submission(self, cells, tuple(names))

    def link(self, lesson: dict) -> Link:
        """A new worker; a warm parent that has died is started again, once."""
        try:
            self.parent.prepare(lesson)
            return Link(self.parent, self.limits)
        except SandboxError:
            self.parent.close()
            self.parent = Parent(self.limits)
            self.parent.prepare(lesson)
            return Link(self.parent, self.limits)


class Submission:
    """The cells of one submission after they ran.

    notices: one line per skipped magic or limit. layers: what held the worker back.
    failures: cell (from 1) -> how it ended, for the cells that did not run to their end.
    """

    def __init__(self, nursery: Nursery, cells: Sequence[str], names: tuple[str, ...]):
        self.nursery, self.limits, self.names = nursery, nursery.limits, names
        self.lesson = course_modules(names)
        self.cells = dict(enumerate(cells, start=1))
        self.cuts: dict[int, int] = {}
        self.link: Link | None = None
        self.used, self.restarts, self.asked = 0.0, 0, 0  # seconds of earlier workers, workers, questions
        self.ended = (0, 0)  # where the last worker was: a cell and its statement, or 0 and the case that it was called with
        self.layers: tuple[str, ...] = ()
        self.notices: tuple[str, ...] = ()
        self.failures: dict[int, Failure] = {}
        self.empty: dict[str, bool] = {}
        self.spent: Failure | None = None  # why nothing more is run
        self._ready()

    def __enter__(self) -> "Submission":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        if self.link:
            self._drop()

    def answer(self, name: str) -> Answer | None:
        """The learner's function of this name, or None where no cell defined it."""
        if self.spent and name not in self.empty:
            return Lost(self.spent)
        return SandboxAnswer(self, name, self.empty[name]) if name in self.empty else None

    def value(self, name: str):
        """The value of a variable for a quiz: None, a number or a text."""
        reply = self._request({"name": name}) if name in self.empty else None
        if reply is None or isinstance(reply, Failure):
            return None
        try:
            return plain_value(reply[0].get("value"))
        except ProtocolError as error:
            self._lost(_forged(error))
            return None

    def calls(self, name: str, cases: Sequence[tuple]) -> list[Outcome]:
        """As ``Answer.calls``. What a worker has not told when it dies is asked of the next."""
        blobs: list[bytes] = []
        reply = self._request({"name": name, "cases": [encode(args, blobs) for args in cases]}, blobs)
        if isinstance(reply, Failure):
            return self._until(reply, name, cases)
        try:
            outcomes = results(*reply, len(cases))
        except ProtocolError as error:
            return self._until(self._lost(_forged(error)), name, cases)
        if outcomes[-1].limited:
            self._drop()
        return outcomes

    def _until(self, why: Failure, name: str, cases: Sequence[tuple]) -> list[Outcome]:
        """The outcomes before the call that ended a worker, and this end."""
        cell, at = self.ended
        if self.spent or cell != 0 or not 0 < at < len(cases):  # it wrote there itself
            return [Outcome(failure=why)]
        before = self.calls(name, cases[:at])
        return [*before, Outcome(failure=why)] if len(before) == at and not before[-1].limited else before

    def _request(self, message: dict, blobs=()) -> tuple[dict, bytes] | Failure:
        if not self._ready():
            return self.spent
        self.asked += 1
        try:
            self.link.send(frame({**message, "id": self.asked}, blobs), self.limits.call + GRACE)
            reply = self.link.receive(self.limits.call + GRACE)
            if reply[0].get("id") != self.asked:
                raise ProtocolError("an answer to no question")
            return reply
        except Stopped as stopped:
            return self._lost(stopped.failure)
        except ProtocolError as error:
            return self._lost(_forged(error))

    def _lost(self, why: Failure) -> Failure:
        if self.link:
            self._drop()
        return why

    def _drop(self) -> None:
        self.link.close()
        self.ended = self.link.at()
        self.used += self.link.cpu_in_all + self.link.waited
        self.link = None

    def _ready(self) -> bool:
        """A worker whose cells have run; False where this submission has used up what it may."""
        while not self.spent and not self.link:
            self.restarts += 1
            if self.restarts > RESTARTS or self.used > self.limits.submission:
                self.spent = Failure("limit", "time", "the submission as a whole took too long or ended too often")
                break
            self._run()
        if self.link and self.used + self.link.cpu() > self.limits.submission:
            self._drop()
            self.spent = Failure("limit", "time", f"the submission took longer than {self.limits.submission:g} seconds")
        return not self.spent

    def _run(self) -> None:
        """One attempt to run the cells; one that does not end well leaves a cut for the next."""
        self.link = self.nursery.link(self.lesson)
        try:
            self._protected(self.link.receive(self.limits.cell)[0])
            self.link.send(frame(self._opening()), self.limits.cell)
            self._note(self.link.receive(self.limits.cell + GRACE, cells=True)[0])
        except Stopped as stopped:
            self._blame(stopped.failure)
        except ProtocolError as error:
            self._blame(_forged(error))

    def _blame(self, why: Failure) -> None:
        """The statement that was running ends its cell in the replay; if it is the first, the cell is left out."""
        cell, statement = self.link.at()
        self._drop()
        if not self.layers:
            raise SandboxError(f"a worker ended before it ran anything: {why.message}")
        if cell not in self.cells:  # it wrote there itself
            self.spent = why
            return
        self.cuts[cell] = max(0, min(statement, self.cuts.get(cell, statement + 1) - 1))
        self.failures[cell] = why
        if self.cuts[cell] == 0:
            self.cells[cell] = ""

    def _opening(self) -> dict:
        return {
            "cells": list(self.cells.items()),
            "names": self.names,
            "cuts": self.cuts,
            "cell_seconds": self.limits.cell,
            "call_seconds": self.limits.call,
        }

    def _protected(self, message: dict) -> None:
        """The first message, written before any cell ran."""
        self.layers = tuple(message["layers"])
        active = [layer.partition(" ")[0] for layer in self.layers]
        missing = [layer for layer in REAL_LAYERS if layer not in active]
        if missing and not self.nursery.unprotected:
            self._drop()
            raise Unprotected(
                f"this system has no {' and no '.join(missing)}: a submission could read or change files. "
                "Grade work you trust with --unprotected"
            )

    def _note(self, message: dict) -> None:
        """What a run of all cells told. Only the first is kept: a replay tells the same."""
        try:
            ran = message["ran"]
            for cell, statement in ran["stopped"]:
                self.cuts.setdefault(int(cell), max(int(statement), 0))
            failures = {int(cell): failure(node) for cell, node in ran["failures"]}
            empty = {name: ran["names"][name] is True for name in self.names if name in ran["names"]}
            told = [text(notice) for notice in ran["notices"]]
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ProtocolError("an account of the cells that is none") from error
        self.failures = {cell: failures[cell] for cell in failures if cell in self.cells} | self.failures
        self.empty = self.empty or empty
        limits = [
            f"code cell {cell}: {why.message}{f' ({why.line})' if why.line else ''}; the rest of it was not run"
            for cell, why in sorted(self.failures.items())
            if why.kind == "limit"
        ]
        self.notices = self.notices or (*told, *limits)


def _forged(error: ProtocolError) -> Failure:
    return Failure("limit", "message", f"it sent the judge {error}")
