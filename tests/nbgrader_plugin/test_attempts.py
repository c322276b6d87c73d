"""No mark goes wrong: of several attempts one counts, everywhere; late penalties are nbgrader's own; what is gone is gone."""

import json
import shutil

import nbformat
import pytest
from commands import all_results, autograde, grade
from small_gradebook import (
    ASSIGNMENT,
    CONFIG,
    LATE,
    LESSON,
    ON_TIME,
    POINTS,
    RECORDS,
    RIGHT,
    WITH_OUR_CLASSES,
    graded,
    hand_in,
    mark_by_hand,
    nbgrader,
    sql,
)

from autograde import course_seed

ZERO = 'c.LateSubmissionPlugin.penalty_method = "zero"\n'


def in_gradebook(home, student):
    """(score, penalty, time stamp, number of answers "No response."), straight from the database."""
    found = sql(
        home,
        """select (select sum(coalesce(g.auto_score, 0)) from grade g where g.notebook_id = n.id),
               n.late_submission_penalty, s.timestamp,
               (select count(*) from comment c where c.notebook_id = n.id and c.auto_comment = 'No response.')
           from submitted_notebook n join submitted_assignment s on n.assignment_id = s.id where s.student_id = ?""",
        student,
    )
    return found[0] if found else None


def shown(home, student):
    path = home / "autograded" / student / ASSIGNMENT / f"{LESSON}.ipynb"
    return "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)


def test_a_lower_attempt_changes_nothing_where_the_best_counts(home):
    hand_in(home, "ada", RIGHT, ON_TIME)
    graded(home)
    before = in_gradebook(home, "ada"), shown(home, "ada")
    assert before[0][:2] == (POINTS, None) and before[0][2].startswith("2030-02-01") and before[0][3] == 0
    hand_in(home, "ada", {}, LATE)
    said = graded(home)
    assert (in_gradebook(home, "ada"), shown(home, "ada")) == before  # code, score and time stamp of one attempt
    assert "Lower than an earlier attempt, which counts" in said


def test_the_last_attempt_counts_where_that_is_the_rule(home):
    hand_in(home, "ada", RIGHT, ON_TIME)
    graded(home)
    hand_in(home, "ada", {}, LATE)
    graded(home, "--keep", "last")
    score, _, stamp, empty = in_gradebook(home, "ada")
    assert (score, stamp[:10], empty) == (0, "2030-02-03", len(RECORDS)) and RIGHT["embed"] not in shown(home, "ada")


def test_a_better_attempt_is_taken_whole(home):
    hand_in(home, "ada", {}, ON_TIME)
    graded(home)
    hand_in(home, "ada", RIGHT, LATE)
    graded(home)
    assert in_gradebook(home, "ada")[0] == POINTS and in_gradebook(home, "ada")[2].startswith("2030-02-03")
    assert RIGHT["embed"] in shown(home, "ada")


def set_due(home, due):
    sql(home, "update assignment set duedate = ?", due)


def test_penalties_are_those_of_nbgraders_own_plugin(home):
    """The same class, graded by nbgrader's command: the same penalties, and an extended deadline takes them away."""
    for student, stamp in {"punctual": ON_TIME, "late": LATE}.items():
        hand_in(home, student, RIGHT, stamp)
    (home / "nbgrader_config.py").write_text(CONFIG.format(home=home) + ZERO)
    set_due(home, "2030-02-02 00:00:00.000000")
    graded(home)
    ours = {student: in_gradebook(home, student)[:2] for student in ("punctual", "late")}
    assert ours == {"punctual": (POINTS, None), "late": (POINTS, POINTS)}
    nbgrader(home, "autograde", ASSIGNMENT, "--force")
    assert {student: in_gradebook(home, student)[:2] for student in ours} == ours
    set_due(home, "2030-02-04 00:00:00.000000")
    graded(home)
    assert in_gradebook(home, "late")[:2] == (POINTS, None)


def test_the_best_attempt_is_the_best_before_any_penalty(home):
    """An attempt is worth the same on every day; docs/instructors.md says how nobody loses by it."""
    hand_in(home, "ada", RIGHT | {"one_hot": "def one_hot(ids, vocab_size):\n    return ids"}, ON_TIME)
    (home / "nbgrader_config.py").write_text(CONFIG.format(home=home) + ZERO)
    set_due(home, "2030-02-02 00:00:00.000000")
    graded(home)
    assert 0 < in_gradebook(home, "ada")[0] < POINTS and in_gradebook(home, "ada")[1] is None
    hand_in(home, "ada", RIGHT, LATE)
    graded(home)
    assert in_gradebook(home, "ada")[:2] == (POINTS, POINTS)


@pytest.mark.parametrize("classes", ["", WITH_OUR_CLASSES])
def test_with_nbgraders_own_command_the_last_attempt_counts(home, classes):
    """As docs/instructors.md says: it knows the file that lies there, and no other."""
    (home / "nbgrader_config.py").write_text(CONFIG.format(home=home) + classes)
    for answers, score in ((RIGHT, POINTS), ({}, 0)):
        hand_in(home, "ada", answers, ON_TIME)
        nbgrader(home, "autograde", ASSIGNMENT, "--force")
        assert in_gradebook(home, "ada")[0] == score


def test_an_extension_of_one_learner_counts(home):
    hand_in(home, "late", RIGHT, LATE)
    (home / "nbgrader_config.py").write_text(CONFIG.format(home=home) + ZERO)
    set_due(home, "2030-02-02 00:00:00.000000")
    graded(home)
    sql(home, "update submitted_assignment set extension = '1970-01-03 00:00:00.000000'")  # SQLAlchemy's two days
    graded(home)
    assert in_gradebook(home, "late")[1] is None


@pytest.mark.parametrize("classes", ["", WITH_OUR_CLASSES])
def test_a_time_stamp_that_is_no_time_costs_nothing(home, classes):
    hand_in(home, "ada", RIGHT, "yesterday, I think")
    if classes:
        (home / "nbgrader_config.py").write_text(CONFIG.format(home=home) + classes)
        said = nbgrader(home, "autograde", ASSIGNMENT)
    else:
        said = graded(home)
    assert in_gradebook(home, "ada")[0] == POINTS and in_gradebook(home, "ada")[2] is None
    assert "timestamp.txt holds no time" in said


def test_what_is_no_longer_handed_in_haunts_nobody(home):
    for student in ("ada", "bob", "eve"):
        hand_in(home, student, RIGHT, ON_TIME)
    graded(home)
    mark_by_hand(home, "eve", 2)
    for student in ("bob", "eve"):
        shutil.rmtree(home / "submitted" / student)
    said = graded(home)
    assert "No longer handed in" in said and f"bob {LESSON}: was {POINTS:g} of {POINTS:g}" in said
    assert [each.student for each in all_results(home / "results")] == ["ada"]
    assert in_gradebook(home, "bob") is None and not (home / "autograded" / "bob" / ASSIGNMENT).exists()
    assert in_gradebook(home, "eve") and f"eve {LESSON}: no longer handed in, and kept" in said  # somebody marked it by hand
    hand_in(home, "bob", RIGHT, ON_TIME)
    graded(home)
    assert in_gradebook(home, "bob")[0] == POINTS


def test_another_folder_with_other_students_removes_nobody(home):
    hand_in(home, "ada", RIGHT, ON_TIME)
    graded(home)
    (home / "submitted").rename(home / "group-a")
    hand_in(home, "bob", RIGHT, ON_TIME)
    (home / "submitted").rename(home / "group-b")
    grade(home / "group-b", home / "results")
    assert [each.student for each in all_results(home / "results")] == ["ada", "bob"]


def test_the_course_has_one_secret_seed(home, monkeypatch):
    """Made by the first that grades, then used by all; without one, nbgrader's own feedback says so."""
    monkeypatch.delenv("AUTOGRADE_SEED", raising=False)
    hand_in(home, "ada", RIGHT, ON_TIME)
    nbgrader(home, "autograde", ASSIGNMENT)
    page = (home / "autograded" / "ada" / ASSIGNMENT / f"{LESSON}.ipynb").read_text()
    assert "This course has no secret seed yet" in page
    graded(home)
    kept = int((home / course_seed.FILE).read_text())
    assert json.loads((home / "results" / "run.json").read_text())["seed"] == kept != course_seed.SHIPPED
    assert (home / course_seed.FILE).stat().st_mode & 0o077 == 0
    graded(home)
    nbgrader(home, "autograde", ASSIGNMENT, "--force")
    assert int((home / course_seed.FILE).read_text()) == kept
    assert "no secret seed" not in (home / "autograded" / "ada" / ASSIGNMENT / f"{LESSON}.ipynb").read_text()


def test_nbgrader_with_our_classes_makes_the_seed_too(home, monkeypatch):
    monkeypatch.delenv("AUTOGRADE_SEED", raising=False)
    hand_in(home, "ada", {}, ON_TIME)
    (home / "nbgrader_config.py").write_text(CONFIG.format(home=home) + WITH_OUR_CLASSES)
    nbgrader(home, "autograde", ASSIGNMENT)
    assert course_seed.stored(home) != course_seed.SHIPPED


def test_a_seed_that_is_none_is_never_silently_the_shipped_one(home, monkeypatch):
    monkeypatch.setenv("AUTOGRADE_SEED", "my secret")
    hand_in(home, "ada", {}, ON_TIME)
    code, said = grade(home / "submitted", home / "results")
    assert code == 2 and "AUTOGRADE_SEED is 'my secret', expected was a whole number" in said
    assert course_seed.hidden() == (
        course_seed.SHIPPED,
        "AUTOGRADE_SEED is 'my secret', expected was a whole number of 0 or more",
    )


def test_the_seed_is_made_once(tmp_path):
    code, said = autograde("seed", tmp_path)
    first = (tmp_path / course_seed.FILE).read_text()
    assert code == 0 and first.strip() not in said
    assert autograde("seed", tmp_path)[0] == 0 and (tmp_path / course_seed.FILE).read_text() == first
    assert course_seed.in_course(tmp_path / "autograded" / "ada" / ASSIGNMENT) == int(first)
    (tmp_path / course_seed.FILE).write_text("-4")
    code, said = autograde("seed", tmp_path)
    assert code == 2 and "expected was a whole number" in said
