"""Late penalties as nbgrader's own preprocessor gives them, by the plugin that the course's configuration names."""

from datetime import datetime, timedelta
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment, SubmittedNotebook
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import select, update
from traitlets.config import Config, PyFileConfigLoader

from autograde.grading.errors import GradingError

CONFIG = "nbgrader_config.py"


class Penalties(AssignLatePenalties):
    """The plugin, and nbgrader's bounds for what it says."""

    def of(self, notebook: SubmittedNotebook, student: str, seconds: float) -> float | None:
        if seconds <= 0:
            return None
        penalty = self.plugin_inst.late_submission_penalty(student, notebook.score, seconds)
        return None if penalty is None else self._check_late_penalty(notebook, penalty)


def penalties(course: Path) -> Penalties:
    """By the configuration in the course's folder; nbgrader's own default, no penalty, where there is none."""
    config = Config()
    if (course / CONFIG).is_file():
        try:
            config = PyFileConfigLoader(CONFIG, path=str(course)).load_config()
        except Exception as error:  # the file is Python: whatever it does wrong
            raise GradingError(f"{course / CONFIG} cannot be read ({type(error).__name__}: {error})") from None
    found = Penalties(config=config)
    found.log.setLevel("ERROR")  # nbgrader's says a line for every late notebook
    found.init_plugin()
    return found


def configured(course: Path) -> Penalties | None:
    """None where the folder has no configuration: then nothing is known of penalties, and those that are there stay."""
    return penalties(course) if (course / CONFIG).is_file() else None


def assign(gradebook: Gradebook, assignment: str, notebook: str, plugin: Penalties) -> None:
    """Penalties of everybody, computed anew: one that is due no longer is gone. The caller commits."""
    db = gradebook.db
    source = gradebook.find_notebook(notebook, assignment)
    db.execute(update(SubmittedNotebook).where(SubmittedNotebook.notebook_id == source.id).values(late_submission_penalty=None))
    db.expire_all()
    for row, student, seconds in late(gradebook, source.id):
        submitted = db.get(SubmittedNotebook, row)
        submitted.late_submission_penalty = plugin.of(submitted, student, seconds)
    db.flush()


def late(gradebook: Gradebook, notebook: str) -> list[tuple[str, str, float]]:
    """(id of the submitted notebook, student, seconds) of everybody who was late, extensions counted."""
    query = (
        select(
            SubmittedNotebook.id,
            SubmittedAssignment.student_id,
            SubmittedAssignment.timestamp,
            SubmittedAssignment.extension,
            Assignment.duedate,
        )
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .where(SubmittedNotebook.notebook_id == notebook)
    )
    rows = gradebook.db.execute(query).all()
    found = [(row, student, _seconds(stamp, extension, due)) for row, student, stamp, extension, due in rows]
    return [(row, student, seconds) for row, student, seconds in found if seconds > 0]


def _seconds(stamp: datetime | None, extension: timedelta | None, due: datetime | None) -> float:
    return (stamp - due - (extension or timedelta())).total_seconds() if stamp and due else 0.0
