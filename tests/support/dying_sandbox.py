"""A sandbox that ends the process it is in: a module of its own, since every worker of the test imports it."""

import os
import signal
from pathlib import Path


class Dies:
    """Stands for a sandbox: a cell "die" ends the worker's process, once or always."""

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

    def open(self, cells, names, modules):
        if cells[0] == "die" or (cells[0].startswith("once ") and not Path(cells[0][5:]).exists()):
            if cells[0].startswith("once "):
                Path(cells[0][5:]).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return Empty()


class Empty:
    layers, notices, failures = (), (), {}

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

    def answer(self, name):
        return None

    value = answer


class NeverStarts(Dies):
    def __enter__(self):
        raise OSError("no such thing here")
