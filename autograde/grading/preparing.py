"""What is to be done with a submission: a job, or nothing where its result is known or can be told without one."""

import hashlib
from collections.abc import Sequence

from autograde.engine.exercise import Status
from autograde.exercises import in_lesson
from autograde.submissions.document import Unreadable, load_bytes
from autograde.submissions.folders import Job, Submission, job_for, opened

from .records import Result, is_current, result, unknown


def prepared(submission: Submission, seed: int, earlier: Sequence[Result] = ()) -> Job | Result:
    """The job to be done, or the result itself where there is nothing to be done.

    earlier: results that are good still if the file, the exercises and the seed are the same.
    """
    lesson, sha256, notices = submission.lesson, None, []
    try:
        path, notice = submission.file()
        notices += [notice] * bool(notice)
        if path is None:
            return without_answers(submission, "nothing was handed in", seed, Status.NOT_SUBMITTED)
        data = load_bytes(path)
        sha256 = hashlib.sha256(data).hexdigest()
        for known in earlier:
            if is_current(known, sha256, lesson, seed):
                return known
        return job_for(submission, opened(data, lesson), seed, notices)
    except Unreadable as refused:
        return without_answers(submission, refused.reason, seed, sha256=sha256, notices=notices)


def without_answers(
    submission: Submission,
    reason: str,
    seed: int,
    status: Status = Status.NOT_GRADABLE,
    sha256: str | None = None,
    notices: Sequence[str] = (),
) -> Result:
    """The result of a submission of which no answer could be looked at."""
    answers = unknown(in_lesson(submission.lesson), reason, status)
    return result(submission.student, submission.lesson, answers, seed=seed, sha256=sha256, notices=notices)
