"""The cells of one submission as the next worker is to run them, and what came of them so far."""

from collections.abc import Sequence

from autograde.engine.calling import Failure
from autograde.sandbox.wire import ProtocolError

from .replies import failure, text
from .watch import Limits


class Replay:
    """A worker that ends early leaves a cut: the statement before which its cell ends the next time.

    failures: cell (from 1) -> how it ended, for the cells that did not run to their end.
    notices: one line per skipped magic or limit. empty: each name that a cell defined, and whether it is a stub.
    """

    def __init__(self, cells: Sequence[str], names: tuple[str, ...]):
        self.names = names
        self.cells = dict(enumerate(cells, start=1))
        self.cuts: dict[int, int] = {}
        self.failures: dict[int, Failure] = {}
        self.notices: tuple[str, ...] = ()
        self.empty: dict[str, bool] = {}

    def opening(self, limits: Limits) -> dict:
        """The first message to a worker."""
        return {
            "cells": list(self.cells.items()),
            "names": self.names,
            "cuts": self.cuts,
            "cell_seconds": limits.cell,
            "call_seconds": limits.call,
        }

    def cut(self, position: tuple[int, int], why: Failure) -> bool:
        """The statement that was running ends its cell in the replay; if it is the first, the cell is left out.

        False if that is no cell of ours: then the worker itself wrote the position.
        """
        cell, statement = position
        if cell not in self.cells:
            return False
        self.cuts[cell] = max(0, min(statement, self.cuts.get(cell, statement + 1) - 1))
        self.failures[cell] = why
        if self.cuts[cell] == 0:
            self.cells[cell] = ""
        return True

    def note(self, message: dict) -> None:
        """What a run of all cells reported. Only the first is kept: a replay reports the same. Raises ProtocolError."""
        try:
            ran = message["ran"]
            for cell, statement in ran["stopped"]:
                self.cuts.setdefault(int(cell), max(int(statement), 0))
            failures = {int(cell): failure(node) for cell, node in ran["failures"]}
            empty = {name: ran["names"][name] is True for name in self.names if name in ran["names"]}
            notices = [text(notice) for notice in ran["notices"]]
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ProtocolError("an account of the cells that is none") from error
        kept = {cell: why for cell, why in failures.items() if cell in self.cells and why is not None}
        self.failures = kept | self.failures
        self.empty = self.empty or empty
        self.notices = self.notices or (*notices, *self._limits())

    def _limits(self) -> list[str]:
        return [
            f"code cell {cell}: {why.message}{f' ({why.line})' if why.line else ''}; the rest of it was not run"
            for cell, why in sorted(self.failures.items())
            if why.kind == "limit"
        ]
