"""Many submissions in, a result file for each; a run that was stopped goes on where it stopped.

The verdicts do not depend on order, load or number of workers: every submission is marked by itself under
the folder's seed, and what hit a limit of time, or the grader's own failure, is tried once more with
nothing else running.
"""

import contextlib
import functools
import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from autograde.engine.exercise import Status
from autograde.exercises import LESSONS
from autograde.sandbox.host.sandbox import Sandbox
from autograde.submissions.folders import Job, Submission, handed_in, listed, students

from . import attempts, results
from .errors import GradingError
from .pool import Pool
from .preparing import prepared, without_answers
from .progress import Progress, score, who, without_score
from .records import Result, is_lower
from .seeds import Run, earlier_run, remember, seed_of
from .summary import Summary, missing_layers

RESERVED = ("run.json", "events.log")


def grade(
    submitted,
    out,
    lessons: Sequence[str] = (),
    jobs: int | None = None,
    seed: int | None = None,
    scheduler: str | None = None,
    keep: str = "best",
    unprotected: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Grades a folder of submissions into a folder of result files. Raises GradingError, in words.

    submitted, out: folders. lessons: names (default: every lesson that anybody handed in). jobs: workers
    (default: one per processor). seed: default is the folder's own, secret one. scheduler: the address of a
    Dask cluster. keep: which of several attempts counts, "best" (the most points; of equals the last) or "last".
    unprotected: grade on a system that cannot hold back hostile work.
    """
    submitted, out = Path(submitted), Path(out)
    names = _students(submitted)
    lessons = tuple(lessons) or lessons_of(submitted)
    progress = progress or Progress(lambda text: None)
    progress.begin(len(names) * len(lessons))
    with _owned(out), _backend(scheduler, jobs, unprotected) as backend:
        earlier = _earlier(out, seed)
        here = Run(seed_of(earlier, seed, submitted), str(submitted.resolve()))
        if here != earlier:
            remember(out, here)
        run = _Run((submitted, out), here.seed, keep, progress, Summary(lessons))
        try:
            if earlier and earlier.submitted == here.submitted:  # another folder's students are not gone
                run.remove_all_but(names)
            run.grade(listed(submitted, run.without_reserved(names), lessons), backend)
        except OSError as error:  # the disk is full, or gone
            raise GradingError(
                f"{out} cannot be written ({error.strerror or type(error).__name__}). What is there is whole: make room, "
                "and run the same command again"
            ) from None
    return run.summary


def lessons_of(submitted: Path) -> tuple[str, ...]:
    """The lessons that anybody handed in. Raises GradingError."""
    found = tuple(handed_in(submitted, _students(submitted)))
    if not found:
        raise GradingError(
            f"nobody in {submitted} has handed in a lesson of this course; expected is SUBMITTED/student/01_word_vectors/…"
        )
    return found


class _Run:
    """One run over a class: what is marked already is left alone, the rest goes to the backend."""

    def __init__(self, folders: tuple[Path, Path], seed: int, keep: str, progress: Progress, summary: Summary):
        self.submitted, self.out = folders
        self.seed, self.keep, self.progress, self.summary = seed, keep, progress, summary

    def grade(self, submissions: Iterator[Submission], backend) -> None:
        again: list[Submission] = []
        with open(self.out / "events.log", "a", encoding="utf-8", errors="backslashreplace") as self.log:
            for job, marked in backend.results(self._todo(submissions)):
                if marked.refused:
                    raise GradingError(marked.refused)
                if marked.result is None or marked.limited:
                    again.append(job.submission)
                else:
                    self._keep(job.submission, marked.result)
            for submission in again:  # alone: nothing else runs
                for job, marked in backend.results(self._todo([submission])):
                    self._keep(job.submission, marked.result or _failed(job, marked.failure))

    def _todo(self, submissions: Iterable[Submission]) -> Iterator[Job]:
        for submission in submissions:
            path = self._path(submission)
            beside = (path, path.with_suffix(results.LOWER), path.with_suffix(results.REMOVED))
            earlier = [result for each in beside if (result := self._read(each))]
            found = prepared(submission, self.seed, earlier)
            if isinstance(found, Job):
                yield found
            else:
                self._keep(submission, found, fresh=found not in earlier)

    def _read(self, path: Path) -> Result | None:
        try:
            return results.read(path)
        except results.DamagedResult as error:  # it is made again
            self.summary.damaged[path] = str(error)
            return None

    def _path(self, submission: Submission) -> Path:
        return self.out / submission.student / f"{submission.lesson}.json"

    def _keep(self, submission: Submission, result: Result, fresh: bool = True) -> None:
        """Of two attempts one counts, by the rule: code, reports, score and time stamp are those of that one."""
        path = self._path(submission)
        result = replace(result, time_stamp=submission.time_stamp())
        earlier = self._read(path)
        if result.status == Status.NOT_SUBMITTED:
            self._remove(path, earlier)
        if self.keep == "best" and earlier and is_lower(result, earlier) and result.status != Status.NOT_SUBMITTED:
            results.write(path.with_suffix(results.LOWER), result)
            self.summary.lower.append(f"{who(result)}: was {score(earlier)}, would now be {score(result)}")
        else:
            self._count(path, submission, result)
        self.summary.counts[result.status] += 1
        if missing := " and without ".join(missing_layers(result)):
            self.summary.unprotected[missing] += 1
        self.progress.tell(result, fresh)
        if fresh:
            self._log(result)

    def _count(self, path: Path, submission: Submission, result: Result) -> None:
        results.write(path, result)
        attempts.keep(path, result, submission)
        for suffix in (results.LOWER, results.REMOVED)[: 1 if result.status == Status.NOT_SUBMITTED else 2]:
            path.with_suffix(suffix).unlink(missing_ok=True)
        self.summary.open += without_score(result)

    def _remove(self, path: Path, earlier: Result | None) -> None:
        """The result of a submission that is not there any more is put aside, so that nothing counts it."""
        if earlier and earlier.status != Status.NOT_SUBMITTED:
            os.replace(path, path.with_suffix(results.REMOVED))
            attempts.forget(path)
            path.with_suffix(results.LOWER).unlink(missing_ok=True)
            self.summary.removed.append(f"{who(earlier)}: was {score(earlier)}")

    def without_reserved(self, names: Iterable[str]) -> list[str]:
        """Names of students' folders; one that is called as a file of the run itself can have no results."""
        reserved = [name for name in names if name in RESERVED]
        for name in reserved:
            self.summary.open.append(f"{name}: results have a file of this name; rename the student's folder")
            self.summary.counts[Status.NOT_GRADABLE] += len(self.summary.lessons)
        return [name for name in names if name not in RESERVED]

    def remove_all_but(self, names: Iterable[str]) -> None:
        """Results of students whose folder is gone."""
        there = set(names)
        for lesson in self.summary.lessons:
            for path in sorted(self.out.glob(f"*/{lesson}.json")):
                if path.parent.name not in there:
                    self._remove(path, self._read(path))
                    path.unlink(missing_ok=True)  # where it said that nothing was handed in

    def _log(self, result: Result) -> None:
        found = {"student": result.student, "lesson": result.lesson, "status": result.status, "score": result.score}
        self.log.write(json.dumps({"time": round(time.time(), 3), **found}, ensure_ascii=False) + "\n")
        self.log.flush()


def _failed(job: Job, reason: str) -> Result:
    return without_answers(job.submission, reason, job.seed, sha256=job.sha256, notices=job.notices)


def _earlier(out: Path, seed: int | None) -> Run | None:
    try:
        return earlier_run(out)
    except GradingError:
        if seed is None:
            raise
        return None  # what could not be read is replaced by what is given


def _students(submitted: Path) -> list[str]:
    if not submitted.is_dir():
        raise GradingError(f"there is no folder {submitted}; expected is SUBMITTED/student/01_word_vectors/word_vectors.ipynb")
    names = students(submitted)
    if not names:
        raise GradingError(f"{submitted} holds no folders of students; expected is SUBMITTED/student/01_word_vectors/…")
    if all(re.sub(r"^\d+_", "", name) in LESSONS for name in names):
        raise GradingError(
            f"{submitted} holds folders of lessons, not of students; expected is SUBMITTED/student/01_word_vectors/…"
        )
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
