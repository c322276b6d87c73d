"""One submission's cells in, its result out: the judge asks, the sandbox answers.

This is the whole work of a worker, whether a process of this machine, of a cluster, or nbgrader itself.
"""

from dataclasses import dataclass

from .calling import Answer, Outcome
from .exercise import Quiz
from .exercises import in_lesson
from .judge import judge, not_gradable
from .results import answer, result
from .submissions import Job


@dataclass(frozen=True)
class Marked:
    """limited: a limit of time was hit, which a busy machine may bring about. failure: the grader's own, in words."""

    result: dict | None
    limited: bool = False
    failure: str = ""


def mark(job: Job, nursery) -> Marked:
    """Never raises: what goes wrong on our side is a ``failure``, never the learner's."""
    try:
        return _mark(job, nursery)
    except Exception as error:
        return Marked(None, failure=in_words(error))


def _mark(job: Job, nursery) -> Marked:
    student, lesson = job.submission.student, job.submission.lesson
    records = in_lesson(lesson)
    with nursery.open(job.cells, [record.name for record in records]) as submission:
        answers = [Watched(submission, record, job.seed) for record in records]
        reports = [each.report() for each in answers]
        found = result(student, lesson, [answer(report) for report in reports], seed=job.seed, sha256=job.sha256,
                       notices=(*job.notices, *submission.notices), sandbox=submission.layers)
    return Marked(found, limited=any(each.limited for each in answers))


class Watched(Answer):
    """A submission's answer to one exercise on its way to the judge; remembers whether a limit was hit."""

    def __init__(self, submission, record, seed: int):
        self.submission, self.record, self.seed = submission, record, seed
        self.limited = False

    def report(self):
        try:
            if isinstance(self.record, Quiz):
                return judge(self.record, self.submission.value(self.record.name))
            self.inner = self.submission.answer(self.record.name)
            return judge(self.record, None if self.inner is None else self, self.seed)
        except Exception as error:
            return not_gradable(self.record, in_words(error))

    @property
    def empty(self) -> bool:
        return self.inner.empty

    def call(self, args: tuple) -> Outcome:
        outcome = self.inner.call(args)
        self.limited |= outcome.failure is not None and outcome.failure.kind == "limit"
        return outcome


def in_words(error: Exception) -> str:
    return f"the grader failed ({type(error).__name__}: {str(error)[:200]}); this is not the learner's fault"
