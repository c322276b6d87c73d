"""One notebook, whichever lesson it is, looked at as ``check`` looks at its answers; its cells run in the sandbox."""

from dataclasses import dataclass
from pathlib import Path

from autograde.engine.exercise import PUBLIC_SEED, Report
from autograde.exercises import in_lesson
from autograde.sandbox.host.sandbox import Sandbox
from autograde.submissions.folders import Submission, job_for, lesson_of
from autograde.submissions.notebook import read

from .marking import judged_answers, opened


@dataclass(frozen=True)
class Checked:
    lesson: str
    reports: tuple[Report, ...]
    notices: tuple[str, ...]


def check_file(path: Path) -> Checked:
    """Raises Unreadable for a file that is no notebook of the course, SandboxError where the cells cannot be run."""
    lesson = lesson_of(read(path).cells)
    names = [record.name for record in in_lesson(lesson)]
    work = job_for(Submission("", lesson, None), read(path, names), PUBLIC_SEED)
    # unprotected will do: a learner's own work on the learner's own machine
    with Sandbox(unprotected=True) as sandbox, opened(work, sandbox) as notebook:
        judged = judged_answers(notebook, work, sandbox)
        notices = (
            *_unprotected(notebook.missing_layers),
            *work.notices,
            *notebook.notices,
            *(each.notice for each in judged if each.notice),
        )
        return Checked(lesson, tuple(each.report for each in judged), notices)


def _unprotected(missing: str) -> list[str]:
    if not missing:
        return []
    return [f"this system has no {missing}: nothing holds a notebook back from your files. Check only work that you trust"]
