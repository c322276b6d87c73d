"""What Python's own errors mean for a learner's check: a cell that failed, a cell never run, a letter without quotes.

The kernel does not know a cell's text before it is run, so a cell that was changed and *not* run again cannot be told
from one that was not changed; a run that failed can.
"""

import ast
import re

from autograde.engine.exercise import Quiz
from autograde.exercises import UnknownExercise, find

from .shown import say, shell

_GIVEN = re.compile(r"^(?:def\s+(\w+)\s*\(|(\w+)\s*=(?!=))", re.MULTILINE)
_failed: dict[str, str] = {}  # name of an answer → why the last run of its cell gave nothing new


def note(name: str) -> str:
    """A sentence where the last run of the cell that holds this answer failed; empty otherwise."""
    return _failed.get(name, "") if isinstance(name, str) else ""


def after_cell(result) -> None:
    """Keep which answers a cell was to give, when it failed. ``result`` is IPython's ExecutionResult."""
    error = result.error_before_exec or result.error_in_exec
    source = result.info.raw_cell or ""
    for name in {first or second for first, second in _GIVEN.findall(source)}:
        _failed.pop(name, None)
        if error is not None:
            _failed[name] = f"The last run of the cell with {name} ended in an error, so {_seen(name)}: {_why(error)}"
    if isinstance(error, NameError):
        sentence = about_name(getattr(error, "name", None), source)
        if sentence:
            say(sentence)


def about_name(missing: str | None, source: str) -> str:
    """What a NameError means in a cell that checks or holds an answer; empty where we cannot know."""
    quiz = next((name for name in _answers(source) if isinstance(_record(name), Quiz)), None)
    if quiz and missing in _record(quiz).options:
        return f'{missing} without quotation marks is a name that Python does not know. Write {quiz} = "{missing}".'
    if missing and _record(missing) and f'"{missing}"' in source:
        return f"{missing} is not there yet: the cell above, in which you write it, has not been run. Run it, then this one."
    return ""


def watch() -> None:
    """Look at every cell once it has run, where there is a notebook."""
    notebook = shell()
    if notebook is not None:
        notebook.events.register("post_run_cell", after_cell)


def _answers(source: str) -> list[str]:
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return []
    return [target.id for node in body if isinstance(node, ast.Assign) for target in node.targets if isinstance(target, ast.Name)]


def _record(name):
    try:
        return find(name)
    except UnknownExercise:
        return None


def _seen(name: str) -> str:
    return "nothing was chosen" if isinstance(_record(name), Quiz) else "this looks at what was there before"


def _why(error: BaseException) -> str:
    line = f" in line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
    words = getattr(error, "msg", None) or str(error).strip() or "no message"
    return f"{type(error).__name__}{line}, {words.splitlines()[0]}."
