"""Whatever front ends and learners do to a notebook or its folder: nbgrader's own command with our classes in its
configuration gives the grades of ``autograde grade``, or says who was not graded and why. Never a silent 0.
"""

import json
import shutil
import sqlite3
from contextlib import closing

import nbformat
import pytest
from commands import grade
from nbgrader.apps import NbGraderAPI
from paths import MANGLED
from small_gradebook import CONFIG, WITH_OUR_CLASSES, nbgrader, released
from traitlets.config import Config, PyFileConfigLoader

from autograde.exercises import folder
from autograde.grading import results

LESSON = "embedding_space"
ASSIGNMENT = folder(LESSON)
RIGHT = (MANGLED / "00_clean_control.ipynb").read_bytes()


def put(home, where, data=RIGHT):
    path = home / where
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _linked(target):
    def make(home):
        put(home, "elsewhere/real.ipynb")
        (home / ASSIGNMENT).mkdir()
        (home / ASSIGNMENT / f"{LESSON}.ipynb").symlink_to(target)

    return make


def _linked_folder(home):
    put(home, "elsewhere/embedding_space.ipynb")
    (home / ASSIGNMENT).symlink_to("elsewhere")


EXACT = f"{ASSIGNMENT}/{LESSON}.ipynb"
GRADED = {  # student -> how the notebook was handed in: by path, or by a function
    "renamed": f"{ASSIGNMENT}/Copy of embedding_space (1).ipynb",
    "second-ending": f"{ASSIGNMENT}/{LESSON}.ipynb.txt",
    "one-folder-too-deep": f"{ASSIGNMENT}/homework/{LESSON}.ipynb",
    "deep-and-renamed": f"{ASSIGNMENT}/homework/mine.ipynb",
    "no-number": f"{LESSON}/{LESSON}.ipynb",
    "another-number": f"07_{LESSON}/{LESSON}.ipynb",
    "Zoë Ångström": f"{ASSIGNMENT}/Übung.ipynb",
    "more-files": lambda home: [put(home, path) for path in (EXACT, f"{ASSIGNMENT}/old.ipynb", f"{ASSIGNMENT}/._x.ipynb")],
    "checkpoints": lambda home: [put(home, f"{ASSIGNMENT}/my.ipynb"), put(home, f"{ASSIGNMENT}/.ipynb_checkpoints/b.ipynb", b"")],
}
WAITING = {
    "two": lambda home: [put(home, f"{ASSIGNMENT}/{name}.ipynb") for name in ("one", "two")],
    "link": _linked("../elsewhere/real.ipynb"),
    "dangling-link": _linked("nowhere.ipynb"),
    "linked-folder": _linked_folder,
    "a-folder": lambda home: put(home, f"{ASSIGNMENT}/{LESSON}.ipynb/{LESSON}.ipynb"),
    "another-lesson": lambda home: put(home, EXACT, json.dumps({"cells": [{"cell_type": "code", "source": "x = 1"}]}).encode()),
    "renamed-and-empty": lambda home: put(home, f"{ASSIGNMENT}/mine.ipynb", b""),
}
NOTHING = {"empty-folder": lambda home: (home / ASSIGNMENT).mkdir(), "no-folder": lambda home: None}
UNREADABLE = {"11_zero_bytes", "12_truncated", "13_git_conflict_markers", "16_html_page_saved_as_ipynb"}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    home = tmp_path_factory.mktemp("course")
    released(home, LESSON)
    for path in sorted(MANGLED.glob("*.ipynb")):
        put(
            home / "submitted" / path.stem,
            f"{ASSIGNMENT}/{path.name if path.name.startswith('Copy') else f'{LESSON}.ipynb'}",
            path.read_bytes(),
        )
    for student, make in (GRADED | WAITING | NOTHING).items():
        student = home / "submitted" / student
        student.mkdir()
        put(student, make) if isinstance(make, str) else make(student)
    return home


def graded_by(course, tmp_path_factory, entry_point):
    """(folder, what was said) of a copy of the course after grading."""
    home = tmp_path_factory.mktemp(f"entry_point{entry_point}") / "course"
    shutil.copytree(course, home, symlinks=True)
    (home / "nbgrader_config.py").write_text(CONFIG.format(home=home) + WITH_OUR_CLASSES * (entry_point == 2))
    if entry_point == 2:
        return home, nbgrader(home, "autograde", ASSIGNMENT, fails=True)
    url = f"sqlite:///{home}/gradebook.db"
    code, said = grade(home / "submitted", home / "results", jobs=2, gradebook=url)
    assert code == 1
    return home, said


@pytest.fixture(scope="module")
def entry_point_2(course, tmp_path_factory):
    return graded_by(course, tmp_path_factory, 2)


@pytest.fixture(scope="module")
def entry_point_3(course, tmp_path_factory):
    return graded_by(course, tmp_path_factory, 3)


def grades(home):
    """student -> {cell: (score, whether a person has to look)}, questions in words included."""
    query = """select s.student_id, c.name, g.auto_score, g.needs_manual_grade from grade g
               join submitted_notebook n on g.notebook_id = n.id join submitted_assignment s on n.assignment_id = s.id
               join base_cell c on g.cell_id = c.id"""
    found = {}
    with closing(sqlite3.connect(home / "gradebook.db")) as database:
        for student, name, score, waiting in database.execute(query):
            found.setdefault(student, {})[name] = (score, bool(waiting))
    return found


def test_both_entry_points_give_everybody_the_same_grades(entry_point_2, entry_point_3):
    two, three = grades(entry_point_2[0]), grades(entry_point_3[0])
    assert two == three
    readable = {path.stem for path in MANGLED.glob("*.ipynb")} - UNREADABLE
    assert set(two) == readable | UNREADABLE | set(GRADED) | set(WAITING)
    for student in readable | set(GRADED):
        assert two[student]["softmax"] == two["00_clean_control"]["softmax"] != (0, False)
        assert two[student]["softmax"][0] > 0 and two[student]["why_so"] == (None, True)
    for student in UNREADABLE | set(WAITING):
        assert set(two[student].values()) == {(None, True)}, student


@pytest.mark.parametrize("entry_point", ["entry_point_2", "entry_point_3"])
def test_whoever_was_not_graded_is_named_with_the_reason(entry_point, request):
    home, said = request.getfixturevalue(entry_point)
    for student in UNREADABLE | set(WAITING) | set(NOTHING):
        assert student in said, student
    for reason in (
        "2 notebooks and none is called",
        "symbolic link",
        "is it the right file?",
        "empty file",
        "merge conflict",
        "this is not a file",
    ):
        assert reason in said
    assert "Traceback" not in said


def test_the_reason_and_the_repairs_stand_on_top_of_the_notebook_in_both(entry_point_2, entry_point_3):
    """For the marker in the formgrader, and for the learner in the feedback."""
    for student in sorted(UNREADABLE | set(WAITING) | {"renamed", "06_bom_and_crlf", "09_magics_and_deleted_test"}):
        tops = []
        for home, _ in (entry_point_2, entry_point_3):
            path = home / "autograded" / student / ASSIGNMENT / f"{LESSON}.ipynb"
            notebook = nbformat.read(path, as_version=4)
            nbformat.validate(notebook)
            tops.append(
                {
                    line
                    for cell in notebook.cells[:2]
                    if cell.cell_type == "markdown"
                    for line in cell.source.splitlines()
                    if line.startswith("* ")
                }
            )
        assert tops[0] and tops[0] <= tops[1], student  # that an empty file had another name, only one says


def test_the_submissions_are_as_they_were(course, entry_point_2):
    def content(home):
        return {
            path.relative_to(home).as_posix(): path.read_bytes()
            for path in sorted((home / "submitted").rglob("*"))
            if path.is_file()
        }

    assert content(course) == content(entry_point_2[0])


def test_feedback_and_export_go_on_from_entry_point_2(entry_point_2):
    home, _ = entry_point_2
    nbgrader(home, "generate_feedback", ASSIGNMENT, "--student", "12_truncated")
    page = home / "feedback" / "12_truncated" / ASSIGNMENT / f"{LESSON}.html"
    assert "JSON ends early" in page.read_text(encoding="utf-8")
    nbgrader(home, "export")
    rows = [line.split(",") for line in (home / "grades.csv").read_text(encoding="utf-8").splitlines()]
    scores = {row[rows[0].index("student_id")]: row[rows[0].index("score")] for row in rows[1:]}
    assert scores["12_truncated"] == "" and float(scores["renamed"]) == float(scores["00_clean_control"]) > 0


@pytest.fixture
def button(course, tmp_path):
    """(folder, what the formgrader's button does for one student): nbgrader in this process."""
    home = tmp_path / "course"
    shutil.copytree(course, home, symlinks=True)
    (home / "nbgrader_config.py").write_text(CONFIG.format(home=home) + WITH_OUR_CLASSES)
    config = PyFileConfigLoader("nbgrader_config.py", path=str(home)).load_config()
    config.merge(Config({"CourseDirectory": {"root": str(home)}}))

    def press(student, **more):
        return NbGraderAPI(config=Config(config | more)).autograde(ASSIGNMENT, student)

    return home, press


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")
def test_the_formgraders_button(button, entry_point_3):
    """It grades one learner at a time; a notebook in a folder of its own must be found there too."""
    (home, press), expected = button, grades(entry_point_3[0])
    for student in ("renamed", "one-folder-too-deep", "no-number"):
        assert press(student)["success"]
        assert grades(home)[student] == expected[student]
    refused = press("two")
    assert not refused["success"] and "2 notebooks and none is called" in refused["log"]
    assert grades(home)["two"] == expected["two"]
    missing = press("empty-folder")
    assert not missing["success"] and "no notebook of 02_embedding_space was handed in" in missing["log"]


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")
def test_graded_again_after_a_better_file_came(button, entry_point_3):
    """And a mark that a person gave to the question in words stays."""
    home, press = button
    assert not press("renamed-and-empty")["success"]
    with sqlite3.connect(home / "gradebook.db") as database:
        task = "(select id from base_cell where name = 'why_so')"
        database.execute(f"update grade set manual_score = 1.5, needs_manual_grade = 0 where cell_id = {task}")
    (home / "submitted" / "renamed-and-empty" / ASSIGNMENT / "mine.ipynb").write_bytes(RIGHT)
    assert press("renamed-and-empty")["success"]
    found = grades(home)["renamed-and-empty"]
    assert found == grades(entry_point_3[0])["00_clean_control"] | {"why_so": (None, False)}


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")
def test_without_execution_nobody_gets_points(button):
    """nbgrader's own --no-execute, which sets this, gives everybody all points."""
    home, press = button
    assert press("renamed", Execute={"enabled": False}, ClearOutput={"enabled": False})["success"]
    assert set(grades(home)["renamed"].values()) == {(None, True)}


def test_results_name_the_repair(entry_point_3):
    found = results.read(entry_point_3[0] / "results" / "one-folder-too-deep" / f"{LESSON}.json")
    assert found.notices[0] == f"the notebook is called homework/{LESSON}.ipynb, expected was {LESSON}.ipynb"
