"""Many submissions in, a result file for each; a run that was stopped goes on where it stopped.

The verdicts do not depend on order, load or number of workers: every submission is marked by itself under
the folder's seed, and what hit a limit of time, or the grader's own failure, is tried once more with
nothing else running.
"""

import contextlib
import functools
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from autograde.engine.exercise import PUBLIC_SEED
from autograde.engine.report import as_text, counted, of_points
from autograde.exercises import in_lesson
from autograde.sandbox.host.sandbox import Sandbox, SandboxError
from autograde.submissions.folders import Job, Submission, handed_in, job_for, lesson_of, listed, prepared, students
from autograde.submissions.notebook import Unreadable, read

from . import results
from .marking import in_words, judged_answers, opened
from .pool import Pool
from .progress import Progress
from .results import GradingError


def grade(
    submitted,
    out,
    lessons=(),
    jobs=None,
    seed=None,
    scheduler=None,
    gradebook=None,
    accept_lower=False,
    unprotected=False,
    stream=None,
) -> int:
    """Grades a folder of submissions; returns the exit code: 0 all graded, 1 something has no score, 2 wrong usage.

    submitted, out: folders. lessons: names (default: every lesson that anybody handed in). jobs: workers
    (default: one per processor). seed: default is the folder's own, secret one. scheduler: the address of a
    Dask cluster. gradebook: URL of nbgrader's gradebook to fill as well. accept_lower: let a result replace
    a better earlier one. unprotected: grade on a system that cannot hold back hostile work.
    """
    stream = stream or sys.stdout
    submitted, out = Path(submitted), Path(out)
    try:
        names = _students(submitted)
        lessons = list(lessons) or handed_in(submitted, names)
        with _owned(out), _backend(scheduler, jobs, unprotected) as backend:
            run = Run(out, results.seed_of(out, seed), accept_lower, Progress(len(names) * len(lessons), stream))
            run.grade(listed(submitted, names, lessons), backend)
            run.progress.say(run.progress.summary())
            if gradebook:
                from autograde.nbgrader_plugin.gradebook import fill

                run.progress.say(f"{counted(fill(gradebook, out, submitted, lessons), 'submission')} in the gradebook")
    except GradingError as error:
        print(f"autograde: {error}", file=sys.stderr)
        return 2
    return run.exit_code


def check_file(path) -> tuple[str, int]:
    """One notebook, whichever lesson it is, in the words that ``check`` uses in it; its cells run in the sandbox.

    Returns the words and the exit code: 0 all graded, however few points; 1 something could not be graded.
    """
    try:
        lesson = lesson_of(read(path).cells)
        names = [record.name for record in in_lesson(lesson)]
        work = job_for(Submission("", lesson, None), read(path, names), PUBLIC_SEED)
        # unprotected will do: a learner's own work on the learner's own machine
        with Sandbox(unprotected=True) as sandbox, opened(work, sandbox) as notebook:
            reports = [report for report, _ in judged_answers(notebook, work)]
            notices = [*work.notices, *notebook.notices]
    except Unreadable as refused:
        return f"{path}: {refused.reason}", 1
    except SandboxError as error:
        return f"{path}: {in_words(error)}", 1
    total = f"{lesson}: {of_points(sum(r.score for r in reports), sum(r.points for r in reports))}"
    parts = ["\n".join(f"note: {notice}" for notice in notices)] * bool(notices) + [as_text(report) for report in reports]
    return "\n\n".join([*parts, total]), int(any(report.status == results.NOT_GRADABLE for report in reports))


class Run:
    """One run over a class: what is marked already is left alone, the rest goes to the backend."""

    def __init__(self, out: Path, seed: int, accept_lower: bool, progress: Progress):
        self.out, self.seed, self.accept_lower, self.progress = out, seed, accept_lower, progress

    @property
    def exit_code(self) -> int:
        return int(bool(self.progress.counts[results.NOT_GRADABLE] or self.progress.lower))

    def grade(self, submissions: Iterator[Submission], backend) -> None:
        again: list[Submission] = []
        with open(self.out / "events.log", "a", encoding="utf-8", errors="backslashreplace") as self.log:
            for job, marked in backend.results(self._todo(submissions)):
                if marked.refused:
                    raise GradingError(marked.refused)
                if marked.result is None or marked.limited:
                    again.append(job.submission)
                else:
                    self._keep(marked.result)
            for submission in again:  # alone: nothing else runs
                for job, marked in backend.results(self._todo([submission])):
                    self._keep(marked.result or _failed(job, marked.failure))

    def _todo(self, submissions) -> Iterator[Job]:
        for submission in submissions:
            path = self._path(submission.student, submission.lesson)
            lower = path.with_suffix(results.LOWER)
            earlier = tuple(results.load(each) for each in (path, lower) if each.exists())
            found = prepared(submission, self.seed, earlier)
            if isinstance(found, Job):
                yield found
            else:
                self._keep(found, fresh=found not in earlier)

    def _path(self, student: str, lesson: str) -> Path:
        return self.out / student / f"{lesson}.json"

    def _keep(self, result: dict, fresh: bool = True) -> None:
        """The better of two results stays until somebody confirms that it is to go."""
        path = self._path(result["student"], result["lesson"])
        lower = path.with_suffix(results.LOWER)
        earlier = results.load(path)
        if results.is_lower(result, earlier) and not self.accept_lower:
            results.write(lower, result)
            self.progress.tell(result, fresh, lower_than=earlier)
        else:
            results.write(path, result)
            lower.unlink(missing_ok=True)
            self.progress.tell(result, fresh)
        if fresh:
            event = {"time": round(time.time(), 3), **{key: result[key] for key in ("student", "lesson", "status", "score")}}
            self.log.write(json.dumps(event, ensure_ascii=False) + "\n")
            self.log.flush()


def _failed(job: Job, reason: str) -> dict:
    student, lesson = job.submission.student, job.submission.lesson
    return results.result(
        student, lesson, results.unknown(in_lesson(lesson), reason), seed=job.seed, sha256=job.sha256, notices=job.notices
    )


def _students(submitted: Path) -> list[str]:
    if not submitted.is_dir():
        raise GradingError(f"there is no folder {submitted}; expected is SUBMITTED/student/01_word_vectors/word_vectors.ipynb")
    names = students(submitted)
    if not names:
        raise GradingError(f"{submitted} holds no folders of students; expected is SUBMITTED/student/01_word_vectors/…")
    return names


def _backend(scheduler: str | None, jobs: int | None, unprotected: bool):
    make_sandbox = functools.partial(Sandbox, unprotected=unprotected)
    if scheduler:
        from .cluster import connected

        return connected(scheduler, make_sandbox)
    return Pool(jobs or _processors(), make_sandbox)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def _owned(out: Path) -> Iterator[None]:
    """One run at a time in a folder that can be written. The system lets go of the lock when a run is killed."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = open(out / ".lock", "w")
    except OSError as error:
        raise GradingError(f"{out} cannot be written ({error.strerror}): choose another folder with --out") from None
    with lock:
        with contextlib.suppress(ImportError):  # Windows has no fcntl: there nobody checks
            import fcntl

            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise GradingError(f"another run is grading into {out}: wait for it, or choose another folder") from None
            except OSError:  # a network disk without locks
                pass
        yield
