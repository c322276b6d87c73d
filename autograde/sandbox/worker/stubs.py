"""What a submission may import in the worker, and what is a stub instead.

Real: NumPy, matplotlib, IPython, the standard library, and of ``course_utils`` its data, sentences and figures
and the references of earlier lessons. Stubs, which do nothing: ``autograde``, ``ipywidgets``, the lessons' explorers,
and whatever of ``course_utils`` cannot be loaded without what is withheld: the references of the lesson that is
graded and of all later ones.
"""

import builtins
import importlib.abc
import importlib.machinery
import importlib.util
import shutil
import sys
import time
import types
from pathlib import Path


def _attribute(_, name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Nothing


class _NothingType(type):
    """For what is used without being called: a module, a constant."""

    __getattr__ = _attribute

    def __getitem__(cls, _):
        return Nothing

    def __iter__(cls):
        return iter(())

    def __len__(cls):
        return 0


class Nothing(metaclass=_NothingType):
    """Takes part in anything and does nothing: a widget, an explorer, a value that is not looked at."""

    def __init__(self, *_, **__):
        pass

    __getattr__ = _attribute

    def __call__(self, *_, **__):
        return Nothing()

    def __getitem__(self, _):
        return Nothing()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0


class Withheld:
    """A name of ``course_utils`` that is an answer to what is graded."""

    def __init__(self, name: str):
        self.__name__ = name

    def __call__(self, *_, **__):
        raise ImportError(f"{self.__name__} is not to be had while it is graded")


class StubModule(types.ModuleType):
    """A module whose every name is ``make(name)``."""

    def __init__(self, name: str, make, **known):
        super().__init__(name)
        self.__dict__.update(known, __path__=[], _make=make)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._make(f"{self.__name__}.{name}")


def _nothing(_):
    return Nothing


def _interact(function=None, **_):
    """``@interact(...)`` and ``interact(f, ...)`` leave the function as it is."""
    return function if callable(function) else lambda decorated: decorated


def _yours(name, function=None):
    return function


class Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the stubs, and the modules of ``course_utils`` that may be had.

    shown: file of each of these modules by its full name. withheld: names of modules.
    """

    def __init__(self, shown: dict[str, Path], withheld: list[str]):
        self.shown, self.withheld = shown, withheld

    def find_spec(self, name, path=None, target=None):
        package = name.partition(".")[0]
        if package not in ("course_utils", "ipywidgets"):
            return None
        if name in self.shown:
            return importlib.util.spec_from_file_location(name, self.shown[name], loader=Real(name, str(self.shown[name])))
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        if spec.name in self.withheld:
            return StubModule(spec.name, Withheld)
        known = dict.fromkeys(("interact", "interactive", "interact_manual", "interactive_output"), _interact)
        return StubModule(spec.name, _nothing, **(known if spec.name == "ipywidgets" else {}))

    def exec_module(self, module):
        pass


class Real(importlib.machinery.SourceFileLoader):
    """Loads a module of ``course_utils``; one that cannot do without what is withheld becomes a stub."""

    def exec_module(self, module):
        try:
            super().exec_module(module)
        except Exception:  # whatever it is, a submission's import must not fail for it
            module.__class__ = StubModule
            module._make = _nothing


def install(shown: dict[str, Path], withheld: list[str]) -> None:
    """Puts all of it in place, in the fork server and before any submission."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, Importer)]
    sys.meta_path.insert(0, Importer(shown, withheld))
    known = {
        "check": lambda *_, **__: 0.0,
        "hint": lambda *_: None,
        "yours": _yours,
        "earlier": lambda *references, **_: references,
    }
    sys.modules["autograde"] = StubModule("autograde", _nothing, **known)
    sys.dont_write_bytecode = True
    builtins.input = lambda *_: ""
    time.sleep = lambda *_: None
    shutil.copymode = shutil.copystat = lambda *_, **__: None  # rights and times are not a worker's to change
