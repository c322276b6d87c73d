"""One submission's cells in, its result out: the judge asks, the sandbox answers.

This is the whole work of a worker, whether a process of this machine, of a cluster, or nbgrader itself.
"""

import re
from dataclasses import dataclass, replace

from autograde.engine.calling import Failure
from autograde.engine.exercise import Quiz, Report, Status
from autograde.engine.judge import judge, not_gradable, refused
from autograde.exercises import in_lesson
from autograde.exercises.withheld import course_modules
from autograde.sandbox.host.sandbox import Sandbox, SandboxedNotebook, Unprotected
from autograde.submissions.folders import Job
from autograde.submissions.second_look import changed_after

from .missing_modules import absent, lacks, without
from .records import AnswerResult, Result, result


@dataclass(frozen=True)
class Marked:
    """result: None where there is none yet. limited: a limit was hit, which a busy machine may bring about.

    failure: the grader's own, in words. refused: no submission can be marked on this machine, and why.
    """

    result: Result | None
    limited: bool = False
    failure: str = ""
    refused: str = ""


@dataclass(frozen=True)
class Judged:
    """An answer's report; whether a limit was hit on the way to it; what the learner is to know about how it was judged."""

    report: Report
    limited: bool = False
    notice: str = ""


def mark(job: Job, sandbox: Sandbox) -> Marked:
    """Never raises: what goes wrong on our side is a ``failure``, never the learner's."""
    try:
        return _mark(job, sandbox)
    except Unprotected as error:
        return Marked(None, refused=str(error))
    except Exception as error:  # whatever it is, the other submissions go on
        return Marked(None, failure=in_words(error))


def _mark(job: Job, sandbox: Sandbox) -> Marked:
    student, lesson = job.submission.student, job.submission.lesson
    with opened(job, sandbox) as notebook:
        judged = judged_answers(notebook, job, sandbox)
        reports = [each.report for each in judged]
        found = result(
            student,
            lesson,
            map(AnswerResult.of, reports),
            seed=job.seed,
            sha256=job.sha256,
            notices=(*job.notices, *notebook.notices, *(each.notice for each in judged if each.notice)),
            sandbox=notebook.layers,
        )
        in_cells = any(failure.kind == "limit" for failure in notebook.failures.values())
        limited = any(each.limited for each in judged) or (in_cells and not all(report.passed for report in reports))
    return Marked(found, limited)


def opened(job: Job, sandbox: Sandbox) -> SandboxedNotebook:
    """The submission's cells run, without what answers their lesson."""
    lesson = job.submission.lesson
    return sandbox.open(job.cells, [record.name for record in in_lesson(lesson)], course_modules(lesson))


def judged_answers(notebook: SandboxedNotebook, job: Job, sandbox: Sandbox) -> list[Judged]:
    """Each exercise of the lesson. A module that this machine lacks is not the learner's fault: its import is left out and
    what did not pass is judged again; somebody must look at the answers that needed it."""
    found: set[str] = set()
    names, first = set[str](), _each(notebook, job, sandbox)
    judged, failures = first, notebook.failures
    while (more := absent(job.cells, failures) - found) and not all(each.report.passed for each in judged):
        found |= more
        cells, names = without(job.cells, found)
        with opened(replace(job, cells=cells), sandbox) as again:
            judged, failures = _each(again, replace(job, cells=cells), sandbox), again.failures
    if not found:
        return first
    records = in_lesson(job.submission.lesson)
    return [_excused(*each, ", ".join(sorted(found)), names) for each in zip(records, first, judged)]


def _excused(record, first: Judged, again: Judged, modules: str, names: set[str]) -> Judged:
    """modules: what grading lacks. names: what their imports would have brought."""
    if first.report.passed or again.report.status != Status.SCORED:
        return first if first.report.passed else again
    if lacks(again.report, names):
        why = again.report.reason or next(check.message for check in again.report.checks if "NameError" in check.message)
        return replace(again, report=not_gradable(record, f"{why}: it needs {modules}, which grading does not have"))
    return replace(again, notice=again.notice or f"grading does not have {modules}: {record.name} was judged without it")


def _each(notebook: SandboxedNotebook, job: Job, sandbox: Sandbox) -> list[Judged]:
    """Judged at the end of the notebook, and once more as it was when its own check ran where a later cell may have spoilt
    it: the better counts."""
    return [_better(_judged(notebook, record, job), record, job, sandbox) for record in in_lesson(job.submission.lesson)]


def _better(last: Judged, record, job: Job, sandbox: Sandbox) -> Judged:
    number = job.checked.get(record.name)
    if last.report.passed or last.limited or number is None or not changed_after(job.cells, number, record.name):
        return last
    until_then = replace(job, cells=job.cells[:number])
    with opened(until_then, sandbox) as notebook:
        first = _judged(notebook, record, until_then)
    if first.report.score <= last.report.score:
        return last
    return replace(first, notice=f"{record.name} counts as it was when its check ran: a later cell changed what it needs")


def _judged(notebook: SandboxedNotebook, record, job: Job) -> Judged:
    function = None if isinstance(record, Quiz) else notebook.answer(record.name)
    try:
        report = _report(notebook, record, function, job)
    except Exception as error:  # our fault with this answer; the others are judged
        report = not_gradable(record, in_words(error))
    return Judged(report, function is not None and function.limited)


def _report(notebook: SandboxedNotebook, record, function, job: Job) -> Report:
    if isinstance(record, Quiz):
        return judge(record, notebook.value(record.name))
    if function is None and (why := _failure_of_its_cell(record.name, job.cells, notebook.failures)):
        return refused(record, f"{record.name} is not defined: {why}")
    return judge(record, function, job.seed)


def _failure_of_its_cell(name: str, cells: tuple[str, ...], failures: dict[int, Failure]) -> str:
    """Why the last cell that defines this answer did not get that far; "" where there is none."""
    pattern = re.compile(rf"^[ \t]*(?:async )?def {name}\b|^{name}[ \t]*=", re.MULTILINE)
    failed = [number for number, cell in enumerate(cells, start=1) if number in failures and pattern.search(cell)]
    return cell_in_words(failed[-1], failures[failed[-1]]) if failed else ""


def cell_in_words(number: int, failure: Failure) -> str:
    how = failure.message if failure.kind == "limit" else f"{failure.type}: {failure.message}".removesuffix(": ")
    return f"code cell {number} stopped with {how}" + (f" ({failure.line})" if failure.line else "")


def in_words(error: Exception) -> str:
    return f"the grader failed ({type(error).__name__}: {str(error)[:200]}); this is not the learner's fault"
