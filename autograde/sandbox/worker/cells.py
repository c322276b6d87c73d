"""Running a submission's cells in the worker, as a notebook would, but without a kernel.

A cell that fails does not stop the cells after it, and a statement that the system refuses (a file that is not
there, a folder that may not be written, a network) does not stop the statements after it: in the learner's notebook it
did not either. Nothing is shown: prints, plots and displays go nowhere.
"""

import __future__

import ast
import asyncio
import inspect
import linecache
import types

from IPython.core.inputtransformer2 import TransformerManager

from autograde.engine.calling import Failure, TooSlow, first_line, own_line

from .stubs import Nothing

TIMED = ("time", "timeit", "capture", "prun", "memit", "mprun", "debug", "python", "python3", "pypy")
FUTURES = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})


class Cells:
    """The namespace that the cells share, and what happened while they ran.

    cuts: {cell: statement} from an earlier worker that died or stopped there: the cell ends before it.
    progress: called with each cell and statement before it runs, so that the judge knows where a worker died.
    """

    def __init__(self, around, seconds: float, cuts: dict[int, int], progress):
        self.around, self.seconds, self.cuts, self.progress = around, seconds, cuts, progress
        self.flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        self.module = types.ModuleType("__main__")
        self.names = self.module.__dict__
        self.notices: dict[str, None] = {}  # a set that keeps its order
        self.failures: dict[int, Failure] = {}
        self.stopped: dict[int, int] = {}  # cell -> statement that took too long
        self.shell = Shell(self)
        self.names.update(get_ipython=lambda: self.shell, display=_nothing)

    def run(self, number: int, source: str) -> None:
        self.progress(number, 0)
        name = f"<cell {number}>"
        body = []
        try:
            with self.around(self.seconds):
                body = self.parsed(name, source)
                self.execute(body[: self.cuts.get(number)], name, number)
        except TooSlow as error:
            self.stopped[number] = _statement(error, name, body)
            self.failures[number] = Failure("limit", "time", f"it took longer than {self.seconds:g} seconds", _line(error, name))
        except BaseException as error:  # SystemExit, KeyboardInterrupt and a learner's own must not end the worker
            kind = ("limit", "memory") if isinstance(error, MemoryError) else ("raised", type(error).__name__)
            self.failures[number] = Failure(*kind, first_line(error), _line(error, name))

    def parsed(self, name: str, source: str) -> list[ast.stmt]:
        try:
            tree = ast.parse(source, name)
        except SyntaxError:  # magics, shell lines, question marks, pasted prompts
            source = TransformerManager().transform_cell(source)
            tree = ast.parse(source, name)
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        return tree.body

    def execute(self, body: list[ast.stmt], name: str, number: int | None = None) -> None:
        for index, code in enumerate([self._compiled(statement, name) for statement in body]):
            if number is not None:
                self.progress(number, index)
            try:
                self._run(code)
            except OSError as error:
                if number is None or not _refused(error):
                    raise
                why = Failure("raised", type(error).__name__, first_line(error), _line(error, name))
                if self.failures.setdefault(number, why) is why:
                    self.notices[f"code cell {number}: not possible in grading: {why.message} ({why.line})"] = None

    def _run(self, code: types.CodeType) -> None:
        if code.co_flags & inspect.CO_COROUTINE:
            asyncio.run(eval(code, self.names))
        else:
            exec(code, self.names)

    def _compiled(self, statement: ast.stmt, name: str):
        code = compile(ast.Module([statement], []), name, "exec", self.flags, dont_inherit=True)
        self.flags |= code.co_flags & FUTURES  # from __future__ import ... holds from here on
        return code


class Shell:
    """What ``get_ipython()`` gives: magics that time or capture run their code, all others do nothing."""

    def __init__(self, cells: Cells):
        self.cells, self.user_ns = cells, cells.names

    def run_line_magic(self, name, line, *_, **__):
        if name in ("time", "prun"):
            self._run(line)
        elif name not in ("timeit", "matplotlib", "config", "load_ext", "autoreload", "pinfo", "pinfo2", "pip"):
            self.cells.notices[f"the magic %{name} was skipped"] = None

    def run_cell_magic(self, name, line, body):
        if name in TIMED:
            self._run(body)
        else:
            self.cells.notices[f"a cell with %%{name} was skipped"] = None

    def _run(self, source: str) -> None:
        name = "<magic>"
        self.cells.execute(self.cells.parsed(name, source), name)

    def system(self, *_):
        self.cells.notices["shell lines were not run"] = None

    def getoutput(self, *_, **__):
        self.system()
        return []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing


def _nothing(*_, **__):
    return None


def _refused(error: OSError) -> bool:
    """By the system, or by a library that was refused by it; an error that a cell raises by hand has no number."""
    return isinstance(error.errno, int) or isinstance(getattr(error, "reason", None), OSError)


def _statement(error: BaseException, name: str, body: list[ast.stmt]) -> int:
    """Which statement of the cell was running: the outermost frame of the cell tells the line."""
    line = _outermost(error, name)
    return sum((statement.end_lineno or 0) < line for statement in body)


def _outermost(error: BaseException, name: str) -> int:
    """The line of the cell that led to the error; 0 where none did."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != name:
        trace = trace.tb_next
    return trace.tb_lineno if trace else 0


def _line(error: BaseException, name: str) -> str:
    if isinstance(error, SyntaxError) and error.lineno and error.filename == name:
        return f"line {error.lineno}: {(error.text or '').strip()}"[:200]
    return own_line(error) if _outermost(error, name) else ""
