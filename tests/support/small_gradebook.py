"""A small course with nbgrader's gradebook: what the tests of grading with nbgrader share."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import make_class
from commands import grade

from autograde.exercises import folder, in_lesson
from autograde.release.layout import as_text
from autograde.release.script import to_notebook

LESSON = "word_vectors"
ASSIGNMENT = folder(LESSON)
RECORDS = in_lesson(LESSON)
RIGHT = {record.name: make_class.right(record)[0] for record in RECORDS}
POINTS = float(sum(record.points for record in RECORDS))  # 2 more are given by hand, for why_so
ON_TIME, LATE = "2030-02-01 12:00:00 UTC", "2030-02-03 12:00:00 UTC"

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


def hand_in(home, student, answers, stamp=ON_TIME, words="Why?"):
    """words: what the learner makes of the question in words."""
    target = home / "submitted" / student / ASSIGNMENT
    target.mkdir(parents=True, exist_ok=True)
    document = make_class.filled(LESSON, answers)
    for cell in document["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "why_so":
            cell["source"] = words
    (target / f"{LESSON}.ipynb").write_text(json.dumps(document))
    (target / "timestamp.txt").write_text(stamp)


def graded(home, *flags):
    """What ``autograde grade`` says that fills the gradebook as well."""
    code, said = grade(home / "submitted", home / "results", *flags, gradebook=home / "gradebook.db")
    assert code in (0, 1), said
    return said


def sql(home, query, *values):
    with sqlite3.connect(home / "gradebook.db") as database:
        return database.execute(query, values).fetchall()


def mark_by_hand(home, student, points, cell="why_so"):
    """As the formgrader writes it."""
    sql(
        home,
        """update grade set manual_score = ?, needs_manual_grade = 0 where
           cell_id = (select id from base_cell where name = ? and type in ('GradeCell', 'TaskCell')) and notebook_id in
           (select n.id from submitted_notebook n join submitted_assignment s on n.assignment_id = s.id
            where s.student_id = ?)""",
        points,
        cell,
        student,
    )
