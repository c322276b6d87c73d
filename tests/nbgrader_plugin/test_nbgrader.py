"""Stock nbgrader on a small class: release, validate, autograde, feedback, export.

Everything after the release runs without any configuration of ours, as on somebody else's nbgrader server.
"""

import csv
import html
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from paths import ROOT
from small_class import CLASS, NAMES, SCRIPT, points
from traitlets.config import Config, PyFileConfigLoader

from autograde import judge, release
from autograde.exercises import LESSONS, find, folder, in_lesson

LESSON, ASSIGNMENT = "word_vectors", "01_word_vectors"
SECRET_SEED = 990_017
BIN = Path(sys.executable).parent
pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own, on each new student
BUILT = [lesson for lesson in LESSONS if (ROOT / "notebooks" / folder(lesson) / f"{lesson}.ipynb").exists()]


@contextmanager
def in_environment():
    """nbgrader finds alembic by PATH, as in an activated environment; kernels get the secret seed from here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("OPENBLAS_NUM_THREADS", "1")
        patch.setenv("AUTOGRADE_SEED", str(SECRET_SEED))
        yield


def nbgrader(root: Path, *words: str) -> str:
    """What one command, given in a course's folder, has to say."""
    with in_environment():
        done = subprocess.run([sys.executable, "-m", "nbgrader", *words], cwd=root, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


def hand_in(root: Path, student: str, released: nbformat.NotebookNode) -> None:
    notebook = nbformat.from_dict(released)
    for cell in notebook.cells:
        if cell.id.removesuffix("-answer") in NAMES and cell.id.endswith("-answer"):
            source = CLASS[student][NAMES.index(cell.id.removesuffix("-answer"))]
            cell.source = cell.source if source is None else source
    path = root / "submitted" / student / ASSIGNMENT / f"{LESSON}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A released course: by our builder, then again by nbgrader's command from the same solved notebook."""
    root = tmp_path_factory.mktemp("course")
    script = root / "solutions" / ASSIGNMENT / f"{LESSON}.py"
    script.parent.mkdir(parents=True)
    script.write_text(SCRIPT, encoding="utf-8")
    (root / "nbgrader_config.py").write_bytes((ROOT / "nbgrader_config.py").read_bytes())
    release.build([LESSON], root)
    built = (root / "notebooks" / ASSIGNMENT / f"{LESSON}.ipynb").rename(root / "built.ipynb")
    nbgrader(root, "generate_assignment", ASSIGNMENT, "--force")
    assert (root / "notebooks" / ASSIGNMENT / f"{LESSON}.ipynb").read_bytes() == built.read_bytes()
    return root


@pytest.fixture(scope="module")
def graded(course):
    """The class handed in and graded, with feedback and exported marks, and nothing of ours configured."""
    (course / "nbgrader_config.py").unlink()
    (course / "solutions").rename(course / "kept")
    released = nbformat.read(course / "built.ipynb", as_version=4)
    for student in CLASS:
        hand_in(course, student, released.copy())
    nbgrader(course, "autograde", ASSIGNMENT)
    nbgrader(course, "generate_feedback", ASSIGNMENT)
    nbgrader(course, "export")
    return course


@pytest.fixture(scope="module")
def feedback(graded):
    """student -> text of the feedback page, tags and entities gone."""
    texts = {}
    for student in CLASS:
        page = (graded / "feedback" / student / ASSIGNMENT / f"{LESSON}.html").read_text(encoding="utf-8")
        texts[student] = html.unescape(re.sub(r"<style.*?</style>|<[^>]+>", "", page, flags=re.DOTALL))
    return texts


def test_nbgrader_releases_nothing_but_the_notebook(course):
    assert [path.name for path in (course / "notebooks").rglob("*") if path.is_file()] == [f"{LESSON}.ipynb"]


@pytest.mark.parametrize("student", CLASS)
def test_scores(graded, student):
    with Gradebook(f"sqlite:///{graded}/gradebook.db") as gradebook:
        submission = gradebook.find_submission_notebook(LESSON, ASSIGNMENT, student)
        scores = {grade.name: grade.auto_score for grade in submission.grades}
        waiting = {grade.name for grade in submission.grades if grade.needs_manual_grade}
    assert tuple(scores[name] for name in NAMES) == points(student, SECRET_SEED)
    assert waiting == {"why_cosine"}  # only what a person has to mark


def test_the_export_holds_the_same_marks(graded):
    with open(graded / "grades.csv", newline="", encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert {student: float(row["score"]) for student, row in rows.items()} == {
        student: float(sum(points(student, SECRET_SEED))) for student in CLASS
    }
    assert {float(row["max_score"]) for row in rows.values()} == {6 + 5 + 1 + 2}


def test_the_last_value_of_a_graded_cell_is_the_hidden_run(graded):
    notebook = nbformat.read(graded / "autograded" / "memorised" / ASSIGNMENT / f"{LESSON}.ipynb", as_version=4)
    cell = next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "embed")
    visible, hidden, value = cell.outputs
    assert "embed: 5 of 5 points" in visible.data["text/plain"]
    assert "embed: 0 of 5 points" in hidden.data["text/plain"]
    assert value.data["text/plain"] == "0.0"


def test_feedback_names_the_mistake(feedback):
    for student, mistake in {"dot_product": "cosine_similarity", "sign_lost": "cosine_similarity"}.items():
        namespace = {"np": np}
        exec(CLASS[student][0], namespace)
        diagnosis = judge(mistake, namespace[mistake], seed=SECRET_SEED).diagnosis
        assert diagnosis is not None
        assert diagnosis.explanation in feedback[student]


def test_feedback_shows_no_expected_value(feedback):
    """Of all cases of the secret seed: the reference's results, as printed with 4 to 8 digits."""
    expected = set()
    for name in ("cosine_similarity", "embed"):
        exercise = find(name)
        for check in exercise.checks:
            for arguments in check.cases(np.random.default_rng(SECRET_SEED)):
                expected |= set(np.ravel(exercise.reference(*arguments)).tolist())
    printed = {f"{value:.{digits}g}" for value in expected for digits in range(4, 9) if len(f"{value:.12g}") > 9}
    assert len(printed) > 50
    for student in ("dot_product", "no_zero_case", "sign_lost", "memorised"):
        numbers = set(re.findall(r"-?\d+\.\d{3,}", feedback[student]))
        assert not numbers & printed


def test_feedback_shows_no_traceback_of_ours(feedback):
    for student, text in feedback.items():
        assert "autograde/" not in text
        assert ("Traceback" in text) == (student == "raises")  # that one is the learner's own


def test_validate(graded):
    """It exits 0 even when it finds faults, so its words are what counts."""
    files = [f"submitted/{student}/{ASSIGNMENT}/{LESSON}.ipynb" for student in ("perfect", "sign_lost")]
    said = nbgrader(graded, "validate", *files)
    perfect, sign_lost = said.split("Success! Your notebook passes all the tests.")
    assert "FAILED" not in perfect
    assert "VALIDATION FAILED ON 3 CELL(S)!" in " ".join(sign_lost.split())


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """The course's own lessons, released by nbgrader under the course's configuration."""
    root = tmp_path_factory.mktemp("released")
    config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    config.CourseDirectory.root = str(ROOT)
    config.CourseDirectory.release_directory = str(root / "notebooks")
    config.CourseDirectory.db_url = f"sqlite:///{root}/gradebook.db"
    with in_environment():
        for lesson in BUILT:
            assert NbGraderAPI(config=config).generate_assignment(folder(lesson))["success"]
    return root


@pytest.mark.parametrize("lesson", BUILT)
def test_nbgrader_releases_a_lesson_as_the_builder_does(released, lesson):
    name = f"{folder(lesson)}/{lesson}.ipynb"
    assert (released / "notebooks" / name).read_bytes() == (ROOT / "notebooks" / name).read_bytes()


@pytest.mark.parametrize("solved", [True, False], ids=["solved", "blank"])
def test_lesson_1_solved_gets_everything_and_blank_nothing(released, solved):
    student = "solved" if solved else "blank"
    path = released / "submitted" / student / ASSIGNMENT / f"{LESSON}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes((ROOT / ("solutions" if solved else "notebooks") / ASSIGNMENT / path.name).read_bytes())
    config = Config({"CourseDirectory": {"root": str(released)}, "Execute": {"timeout": 300}})
    with in_environment():
        assert NbGraderAPI(config=config).autograde(ASSIGNMENT, student)["success"]
    with Gradebook(f"sqlite:///{released}/gradebook.db") as gradebook:
        grades = gradebook.find_submission_notebook(LESSON, ASSIGNMENT, student).grades
        scores = {grade.name: grade.auto_score for grade in grades if grade.name != "why_cosine"}
    assert scores == {record.name: record.points if solved else 0 for record in in_lesson(LESSON)}
