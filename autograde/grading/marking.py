"""One submission's cells in, its result out: the judge asks, the sandbox answers.

This is the whole work of a worker, whether a process of this machine, of a cluster, or nbgrader itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograde.engine.calling import Answer, Failure, Outcome
from autograde.engine.exercise import Quiz, Report
from autograde.engine.judge import judge, not_gradable, refused
from autograde.exercises import in_lesson
from autograde.sandbox.host.submission import Nursery, Submission, Unprotected
from autograde.submissions.folders import Job

from .results import answer, result


@dataclass(frozen=True)
class Marked:
    """result: None where there is none yet. limited: a limit was hit, which a busy machine may bring about.

    failure: the grader's own, in words. refused: no submission can be marked on this machine, and why.
    """

    result: dict | None
    limited: bool = False
    failure: str = ""
    refused: str = ""


def mark(job: Job, nursery: Nursery) -> Marked:
    """Never raises: what goes wrong on our side is a ``failure``, never the learner's."""
    try:
        return _mark(job, nursery)
    except Unprotected as error:
        return Marked(None, refused=str(error))
    except Exception as error:  # whatever it is, the other submissions go on
        return Marked(None, failure=in_words(error))


def _mark(job: Job, nursery: Nursery) -> Marked:
    student, lesson = job.submission.student, job.submission.lesson
    records = in_lesson(lesson)
    with nursery.open(job.cells, [record.name for record in records]) as submission:
        answers = answers_of(submission, job)
        reports = [each.report() for each in answers]
        found = result(
            student,
            lesson,
            [answer(report) for report in reports],
            seed=job.seed,
            sha256=job.sha256,
            notices=(*job.notices, *submission.notices),
            sandbox=submission.layers,
        )
        in_cells = any(failure.kind == "limit" for failure in submission.failures.values())
        limited = any(each.limited for each in answers) or (in_cells and not all(report.passed for report in reports))
    return Marked(found, limited)


def answers_of(submission: Submission, job: Job) -> list["Watched"]:
    return [Watched(submission, record, job) for record in in_lesson(job.submission.lesson)]


class Watched(Answer):
    """A submission's answer to one exercise on its way to the judge; remembers whether a limit was hit."""

    def __init__(self, submission: Submission, record, job: Job):
        self.submission, self.record, self.job = submission, record, job
        self.limited = False

    def report(self) -> Report:
        try:
            report = self._judged()
        except Exception as error:  # our fault with this answer; the others are judged
            return not_gradable(self.record, in_words(error))
        return report if report.passed else self._excused(report)

    def _judged(self) -> Report:
        name = self.record.name
        if isinstance(self.record, Quiz):
            return judge(self.record, self.submission.value(name))
        self.inner = self.submission.answer(name)
        if self.inner is None and (why := self._failure_of_its_cell()):
            return refused(self.record, f"{name} is not defined: {why}")
        return judge(self.record, None if self.inner is None else self, self.job.seed)

    def _failure_of_its_cell(self) -> str:
        """Why the last cell that defines this answer did not get that far; "" where there is none."""
        pattern = re.compile(rf"^[ \t]*(?:async )?def {self.record.name}\b|^{self.record.name}[ \t]*=", re.MULTILINE)
        cells = [number for number, cell in enumerate(self.job.cells, start=1) if pattern.search(cell)]
        failed = [number for number in cells if number in self.submission.failures]
        return cell_in_words(failed[-1], self.submission.failures[failed[-1]]) if failed else ""

    def _excused(self, report: Report) -> Report:
        """A module that this machine lacks is not the learner's fault: somebody must look."""
        for number, failure in self.submission.failures.items():
            if failure.type == "ModuleNotFoundError" and "course_utils" not in failure.message:
                return not_gradable(self.record, f"{cell_in_words(number, failure)}, which grading does not have")
        return report

    @property
    def empty(self) -> bool:
        return self.inner.empty

    def call(self, args: tuple) -> Outcome:
        return self.calls([args])[0]

    def calls(self, cases: Sequence[tuple]) -> list[Outcome]:
        outcomes = self.inner.calls(cases)
        self.limited |= outcomes[-1].limited
        return outcomes


def cell_in_words(number: int, failure: Failure) -> str:
    how = failure.message if failure.kind == "limit" else f"{failure.type}: {failure.message}".removesuffix(": ")
    return f"code cell {number} stopped with {how}" + (f" ({failure.line})" if failure.line else "")


def in_words(error: Exception) -> str:
    return f"the grader failed ({type(error).__name__}: {str(error)[:200]}); this is not the learner's fault"
