"""Runs a submission's cells in a process that holds no answers, and asks it from the judge's side.

    with Sandbox() as sandbox, sandbox.open(cells, ["softmax", "answer_axis"]) as notebook:
        report = judge("softmax", notebook.answer("softmax"), seed)

The judge's process never runs a learner's code and believes nothing that comes back but plain arrays. What takes too
long, needs too much memory or ends its process loses that call only: the worker is started again and its cells
are replayed without the statement that did it.

On Linux, without privileges: rlimits, Landlock and seccomp. macOS has rlimits only, Windows nothing of the kind and no
fork (each worker is a Python started ahead), and some kernels lack one of the two: there untrusted work needs
``Sandbox(unprotected=True)``, and limits of time are of real time outside Linux.
"""

import functools
import os
from collections.abc import Iterable, Sequence

from autograde.sandbox.wire import CourseModules

from .link import Client, Link
from .notebook import SandboxedNotebook
from .replay import Replay
from .start import SandboxError
from .watch import Limits
from .workers import Unprotected, Workers

if hasattr(os, "fork"):
    from .fork_client import ForkServerClient as make_client
else:
    from .spawn_client import SpawnClient as make_client  # type: ignore[assignment]

__all__ = ["Limits", "Sandbox", "SandboxError", "SandboxedNotebook", "Unprotected"]


class Sandbox:
    """What makes a worker for each submission. A context manager; for one thread.

    unprotected: go on where the system has not both Landlock and seccomp.
    """

    def __init__(self, limits: Limits = Limits(), unprotected: bool = False):
        self.limits, self.unprotected = limits, unprotected
        self.client: Client | None = make_client(limits)

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        if self.client:
            self.client.close()
            self.client = None

    def open(self, cells: Sequence[str], names: Iterable[str], modules: CourseModules = CourseModules()) -> SandboxedNotebook:
        """Runs the code cells. names: what can be asked for. modules: what the cells may import of ``course_utils``.

        Raises SandboxError, and Unprotected on a system that holds nothing back.
        """
        replay = Replay(cells, tuple(names))
        workers = Workers(functools.partial(self.link, modules), replay, self.limits, self.unprotected)
        return SandboxedNotebook(workers, replay)

    def link(self, modules: CourseModules, left: float) -> Link:
        """A new worker of a submission that has ``left`` seconds; a fork server that has died is started again, once."""
        if self.client is None:
            raise SandboxError("the sandbox is closed")
        try:
            self.client.prepare(modules)
            return Link(self.client, self.limits, left)
        except SandboxError:
            self.client.close()
            self.client = make_client(self.limits)
            self.client.prepare(modules)
            return Link(self.client, self.limits, left)
