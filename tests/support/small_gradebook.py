"""A small course with nbgrader's gradebook: what the tests of grading with nbgrader share."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import make_class

from autograde.exercises import folder
from autograde.release.layout import as_text
from autograde.release.script import to_notebook

CONFIG = """
c = get_config()
c.CourseDirectory.db_url = "sqlite:///{home}/gradebook.db"
c.ClearSolutions.code_stub = {{"python": "# your code here\\npass"}}
c.ExecutePreprocessor.timeout = 300
"""
WITH_OUR_CLASSES = "from autograde.nbgrader_plugin.preprocessors import configure\nconfigure(c)\n"


def nbgrader(home, *words, fails=False):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # nbgrader calls "alembic"
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *words],
        cwd=home,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
        check=False,
    )
    assert (done.returncode != 0) == fails, done.stderr[-3000:]
    return done.stdout + done.stderr


def released(home, lesson):
    """The lesson as a solved notebook in source/, released by nbgrader."""
    (home / "nbgrader_config.py").write_text(CONFIG.format(home=home))
    source = home / "source" / folder(lesson) / f"{lesson}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(as_text(to_notebook(make_class.script(lesson), lesson)))
    nbgrader(home, "generate_assignment", folder(lesson))


def auto_scores(home):
    """student -> {cell: score} of the checks, straight from the database."""
    query = """select s.student_id, c.name, g.auto_score, g.needs_manual_grade from grade g
               join submitted_notebook n on g.notebook_id = n.id join submitted_assignment s on n.assignment_id = s.id
               join base_cell c on g.cell_id = c.id where c.type = 'GradeCell'"""
    with sqlite3.connect(home / "gradebook.db") as database:
        rows = database.execute(query).fetchall()
    found = {}
    for student, name, score, waiting in rows:
        assert bool(waiting) == (score is None)
        found.setdefault(student, {})[name] = score
    return found
