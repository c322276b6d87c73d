"""Calling an answer and putting what comes back into one plain form.

``judge`` talks to an ``Answer`` and never to a function: ``LocalAnswer`` calls a function of this
process (a learner's own check), the sandbox has one that asks a worker. This module knows no answers,
so the worker may hold it too.
"""

import contextlib
import inspect
import io
import linecache
import math
import numbers
import os
import signal
import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .exercise import Rng

CALL_SECONDS = 5.0  # a learner's own check stops a call that takes longer
LARGEST = 20_000_000  # entries of a result that are looked at
MOST_BASES = 20  # classes above an error's own that are looked at
LONGEST = 64  # parts of a result; no exercise asks for more than three
MOST_AXES = 16  # of a result; no exercise asks for more than five


@dataclass(frozen=True)
class Failure:
    """How a call ended without a result.

    kind: "raised", "limit" (time, memory, output or a dead process), "interrupted".
    bases: the names of the classes that a raised error's own class is derived from, nearest first.
    """

    kind: str
    type: str
    message: str
    line: str = ""  # the learner's own line, where it is known
    bases: tuple[str, ...] = ()

    @property
    def limited(self) -> bool:
        """It did not end by itself: what was called had no fair chance to answer."""
        return self.kind != "raised"


@dataclass(frozen=True)
class Unsupported:
    """A result that is not made of numbers, described in words."""

    what: str


@dataclass(frozen=True)
class Outcome:
    """What one call did. ``value`` is None, an ndarray of bool or real numbers, a tuple of these, or Unsupported."""

    value: Any = None
    failure: Failure | None = None
    changed: tuple[int, ...] = ()  # positions of arguments that the call changed

    @property
    def limited(self) -> bool:
        return self.failure is not None and self.failure.limited


class Answer:
    """Something that can be called with a case's arguments. ``empty`` means nothing was written yet."""

    empty = False

    def call(self, args: tuple) -> Outcome:
        raise NotImplementedError

    def calls(self, cases: Sequence[tuple]) -> list[Outcome]:
        """Outcomes of the first of these cases: of one at least, and of none after one that hit a limit."""
        outcomes = [self.call(cases[0])]
        for args in cases[1:]:
            if outcomes[-1].limited:
                break
            outcomes.append(self.call(args))
        return outcomes


class LocalAnswer(Answer):
    """An answer that is a callable of this process."""

    def __init__(self, function, seconds: float | None = CALL_SECONDS, around=None):
        self.function = function
        self.seconds, self.around = seconds, around or undisturbed
        self.empty = is_empty(function)

    def call(self, args: tuple) -> Outcome:
        mine = fresh(args)
        failure, value = None, None
        with self.around(self.seconds):
            try:
                value = plain(self.function(*mine))
            except KeyboardInterrupt:
                failure = Failure("interrupted", "KeyboardInterrupt", "it was stopped by hand")
            except TooSlow as slow:
                failure = Failure("limit", "time", f"it took longer than {self.seconds:g} seconds", own_line(slow))
            except BaseException as error:  # SystemExit and the like must not end the notebook
                failure = Failure("raised", type(error).__name__, first_line(error), own_line(error), base_names(error))
        return Outcome(value, failure, changed_arguments(args, mine))


def is_empty(function) -> bool:
    """True for a function whose body does nothing: the stub that a learner starts from."""
    code = getattr(function, "__code__", None)
    return code is not None and code.co_code in _EMPTY and set(code.co_consts) <= {None, function.__doc__}


def _bare():
    pass


def _documented():
    """Its docstring takes a place among the constants, which shows in the bytecode."""


_EMPTY = {_bare.__code__.co_code, _documented.__code__.co_code}


def fresh(value):
    """A deep copy of a case's arguments, with ``Rng`` turned into a generator."""
    if isinstance(value, Rng):
        return np.random.default_rng(value.seed)
    if isinstance(value, np.ndarray):
        return laid_out_alike(value)
    if isinstance(value, Mapping):
        return {key: fresh(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(fresh(item) for item in value)
    return value


def laid_out_alike(array: np.ndarray) -> np.ndarray:
    """A copy with the original's strides and writeability: a reversed, spread out or read-only one stays so."""
    if array.flags.c_contiguous:
        copy = array.copy()
    else:
        low, _ = np.lib.array_utils.byte_bounds(array)
        copy = with_strides(array, array.strides, array.ctypes.data - low)
    copy.flags.writeable = array.flags.writeable
    return copy


def with_strides(array: np.ndarray, strides: tuple[int, ...], offset: int) -> np.ndarray:
    """The same numbers in new memory, their first one ``offset`` bytes from its beginning."""
    behind = sum((size - 1) * stride for size, stride in zip(array.shape, strides) if stride > 0)
    laid_out = np.ndarray(array.shape, array.dtype, np.zeros(offset + behind + array.itemsize, np.uint8), offset, strides)
    laid_out[...] = array
    return laid_out


def changed_arguments(before: tuple, after: tuple) -> tuple[int, ...]:
    return tuple(i for i, (b, a) in enumerate(zip(before, after)) if not _same(b, a))


def _same(before, after) -> bool:
    if isinstance(before, Rng):
        return True
    if isinstance(before, np.ndarray):
        return (
            isinstance(after, np.ndarray)
            and before.shape == after.shape
            and before.dtype == after.dtype
            and before.tobytes() == after.tobytes()
        )  # so that NaN is the same as NaN
    if isinstance(before, Mapping):
        return (
            isinstance(after, Mapping) and before.keys() == after.keys() and all(_same(before[key], after[key]) for key in before)
        )
    if isinstance(before, (list, tuple)):
        return type(before) is type(after) and len(before) == len(after) and all(map(_same, before, after))
    return type(before) is type(after) and before == after


def plain(value):
    """The one plain form of a result: None, an array of numbers or bools, a tuple of such parts, Unsupported."""
    if value is None or isinstance(value, Unsupported):
        return value
    array = _array(value)
    if isinstance(array, Unsupported) and isinstance(value, (list, tuple)) and 0 < len(value) <= LONGEST:
        return tuple(None if part is None else _array(part) for part in value)  # parts of unequal shape
    return array


def _array(value) -> "np.ndarray | Unsupported":
    if inspect.isgenerator(value) or inspect.iscoroutine(value):
        value.close()
        return Unsupported("a generator" if inspect.isgenerator(value) else "a coroutine")
    if isinstance(value, (str, bytes, Mapping, set, frozenset, type)) or callable(value):
        return Unsupported(described(value))
    if isinstance(value, np.ma.MaskedArray) and np.ma.getmaskarray(value).any():
        return Unsupported("a masked array with masked entries")
    try:
        array = np.asarray(value)
    except Exception:  # ragged lists, and objects that raise when they are looked at
        return Unsupported(described(value))
    return _real_numbers(array, value)


def _real_numbers(array: np.ndarray, value) -> "np.ndarray | Unsupported":
    if not looked_at(array.shape):
        return Unsupported(f"an array of shape {array.shape}, too large to look at")
    if array.dtype == object and all(isinstance(item, numbers.Real) for item in array.flat):
        return array.astype(float)
    if array.dtype == object:
        return Unsupported("an object array" if array.ndim and not isinstance(value, (list, tuple)) else described(value))
    return array.copy() if array.dtype.kind in "biuf" else Unsupported(f"{described(value)} of dtype {array.dtype}")


def looked_at(shape: Sequence[int], largest: int = LARGEST) -> bool:
    """Whether an array of this shape is of a size that a result may have; axes of length 0 hide no others."""
    entries = math.prod(shape) or math.prod(max(size, 1) for size in shape)
    return len(shape) <= MOST_AXES and entries <= largest


def described(value) -> str:
    """ "a list", "an ndarray": words for what kind of object it is."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


@contextlib.contextmanager
def quiet():
    """Nothing that is printed or warned reaches the notebook, and NumPy's settings come back."""
    sink = _Sink()
    with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with np.errstate(all="ignore"), np.printoptions():
            yield


@contextlib.contextmanager
def undisturbed(seconds: float | None):
    """Quiet and limited in time: how a learner's own check calls."""
    with quiet(), time_limit(seconds):
        yield


class _Sink(io.TextIOBase):
    def writable(self):
        return True

    def write(self, text):
        return len(text)


class TooSlow(BaseException):
    """Not an Exception, so that ``except Exception`` in an answer does not swallow it."""


@contextlib.contextmanager
def time_limit(seconds: float | None):
    """Stops a call of the main thread after ``seconds``; elsewhere (threads, Windows) there is no limit."""
    usable = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not seconds or not usable:
        yield
        return

    def stop(signum, frame):
        raise TooSlow

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def first_line(error: BaseException) -> str:
    try:
        lines = str(error).strip().splitlines()
    except Exception:
        lines = []
    return lines[0][:200] if lines else ""


def base_names(error: BaseException) -> tuple[str, ...]:
    """The classes above the error's own, by name: a KeyError's are LookupError and Exception."""
    return tuple(base.__name__ for base in type(error).__mro__[1:-2][:MOST_BASES])


def own_line(error: BaseException) -> str:
    """The innermost line of the learner's own code in a traceback: neither ours, nor a library's."""
    line, trace = "", error.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if not filename.startswith(_NOT_THEIRS) and "site-packages" not in filename:
            text = linecache.getline(filename, trace.tb_lineno).strip()
            line = f"line {trace.tb_lineno}: {text}" if text else f"line {trace.tb_lineno}"
        trace = trace.tb_next
    return line


_OURS = os.path.dirname(os.path.dirname(__file__))
_NOT_THEIRS = (
    _OURS,
    os.path.join(os.path.dirname(_OURS), "course_utils"),  # a wrong call of ours is told with the line that calls
    os.path.dirname(os.__file__),
    "<frozen",
    "<__array_function__",
)
