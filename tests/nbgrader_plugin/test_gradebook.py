"""Three entry points to one engine, with a real nbgrader: the same scores, and nbgrader goes on from there."""

import csv
import json
import os
import shutil
import sqlite3

import make_class
import nbformat
import pytest
from commands import all_results, grade
from paths import MANGLED
from small_gradebook import CONFIG, WITH_OUR_CLASSES, auto_scores, nbgrader, released

from autograde.exercises import folder, in_lesson
from autograde.grading.errors import GradingError
from autograde.nbgrader_plugin.gradebook import fill
from autograde.nbgrader_plugin.gradebook_rows import needs_person
from autograde.nbgrader_plugin.restored_notebook import Released, restored, show_notices
from autograde.submissions.notebook import Unreadable, whole

LESSON = "word_vectors"
ASSIGNMENT = folder(LESSON)
RECORDS = in_lesson(LESSON)


def copied(answers, change):
    document = make_class.filled(LESSON, answers)
    change(document["cells"])
    return document


def _double(cells):
    """An old, wrong attempt first, the same tag on both, as a copied cell has."""
    at = next(i for i, cell in enumerate(cells) if "def embed(" in cell["source"])
    old = json.loads(json.dumps(cells[at])) | {"source": "def embed(ids, E):\n    return E"}
    cells.insert(at, old)


def _delete_checks(cells):
    cells[:] = [cell for cell in cells if 'check("embed"' not in cell["source"]]


def _strip(cells):
    for cell in cells:
        cell["metadata"], cell["id"] = {}, "same"


RIGHT = {record.name: make_class.right(record)[0] for record in RECORDS}
WRONG = RIGHT | {"embed": "def embed(ids, E):\n    return E[np.asarray(ids) - 1]", "answer_near": 'answer_near = "zzz"'}
CLASS = {  # student -> document; those of the first four are as honest people hand them in
    "all-right": make_class.filled(LESSON, RIGHT),
    "two-wrong": make_class.filled(LESSON, WRONG),
    "blank": make_class.filled(LESSON, {}),
    "007": make_class.filled(LESSON, {name: RIGHT[name] for name in list(RIGHT)[:3]}),
    "doubled": copied(RIGHT, _double),
    "deleted": copied(RIGHT, _delete_checks),
    "stripped": copied(RIGHT, _strip),
}
STOCK = ["all-right", "two-wrong", "blank", "007"]
POINTS = float(sum(record.points for record in RECORDS))


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course with the lesson released and the class handed in, before any grading."""
    home = tmp_path_factory.mktemp("course")
    released(home, LESSON)
    for student, document in CLASS.items():
        target = home / "submitted" / student / ASSIGNMENT
        target.mkdir(parents=True)
        (target / f"{LESSON}.ipynb").write_text(json.dumps(document))
        (target / "timestamp.txt").write_text("2030-02-01 12:00:00 UTC")
    return home


def copy_of(course, tmp_path, students=tuple(CLASS), entry_point_2=False):
    home = tmp_path / "course"
    shutil.copytree(course, home)
    (home / "nbgrader_config.py").write_text(CONFIG.format(home=home) + WITH_OUR_CLASSES * entry_point_2)
    for student in set(CLASS) - set(students):
        shutil.rmtree(home / "submitted" / student)
    return home


@pytest.fixture(scope="module")
def entry_point_3(course, tmp_path_factory):
    home = copy_of(course, tmp_path_factory.mktemp("three"))
    code, said = grade(home / "submitted", home / "results", gradebook=f"sqlite:///{home}/gradebook.db")
    assert code == 0, said
    return home


def test_entry_point_3_writes_what_the_results_say(entry_point_3):
    found = auto_scores(entry_point_3)
    for result in all_results(entry_point_3 / "results"):
        assert found[result.student] == {answer.name: answer.score for answer in result.answers}
    assert sum(found["all-right"].values()) == POINTS == sum(found["doubled"].values())
    assert sum(found["deleted"].values()) == POINTS == sum(found["stripped"].values())
    assert found["two-wrong"]["embed"] == 0 and sum(found["two-wrong"].values()) == POINTS - 6


def test_entry_point_2_gives_the_same_scores(course, entry_point_3, tmp_path):
    """The same command as ever, with our preprocessors in the configuration; doubled and stripped cells included."""
    home = copy_of(course, tmp_path, entry_point_2=True)
    nbgrader(home, "autograde", ASSIGNMENT)
    assert auto_scores(home) == auto_scores(entry_point_3)


def test_entry_point_1_gives_an_honest_submission_the_same_score(course, entry_point_3, tmp_path):
    """Stock nbgrader with nothing of ours in its configuration."""
    home = copy_of(course, tmp_path, students=STOCK)
    nbgrader(home, "autograde", ASSIGNMENT)
    expected = auto_scores(entry_point_3)
    assert auto_scores(home) == {student: expected[student] for student in STOCK}


def test_nbgrader_goes_on_from_there(entry_point_3):
    """Feedback and export, as if nbgrader had graded; the report stands in the feedback, hidden cases do not."""
    nbgrader(entry_point_3, "generate_feedback", ASSIGNMENT, "--student", "two-wrong")
    page = (entry_point_3 / "feedback" / "two-wrong" / ASSIGNMENT / f"{LESSON}.html").read_text()
    assert "Ids count from 0" in page and "embed: 0 of 5 points" in page
    nbgrader(entry_point_3, "export")
    with open(entry_point_3 / "grades.csv", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert float(rows["all-right"]["score"]) == POINTS and float(rows["two-wrong"]["score"]) == POINTS - 6
    assert rows["007"]["timestamp"].startswith("2030-02-01 12:00")


def test_autograded_notebooks_are_valid_and_hold_each_cell_once(entry_point_3):
    for path in (entry_point_3 / "autograded").rglob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        tags = [cell.metadata.nbgrader.grade_id for cell in notebook.cells if "nbgrader" in cell.metadata]
        assert sorted(tags) == sorted([record.name for record in RECORDS] + [f"{r.name}-answer" for r in RECORDS] + ["why_so"])


def test_filling_again_changes_nothing(entry_point_3):
    def rows():
        with sqlite3.connect(entry_point_3 / "gradebook.db") as database:
            return [
                database.execute(f"select * from {table} order by id").fetchall()
                for table in ("grade", "comment", "submitted_assignment", "submitted_notebook", "student")
            ]

    before = rows()
    assert fill(
        f"sqlite:///{entry_point_3}/gradebook.db", entry_point_3 / "results", entry_point_3 / "submitted", [LESSON]
    ).count == len(CLASS)
    assert rows() == before


def test_a_persons_mark_stays(course, tmp_path):
    home = copy_of(course, tmp_path, students=["blank"])
    url, cell = f"sqlite:///{home}/gradebook.db", "select id from base_cell where name = 'embed' and type = 'GradeCell'"
    grade(home / "submitted", home / "results", gradebook=url)
    with sqlite3.connect(home / "gradebook.db") as database:
        database.execute(f"update grade set manual_score = 4.5 where cell_id = ({cell})")
    fill(url, home / "results", home / "submitted", [LESSON])
    with sqlite3.connect(home / "gradebook.db") as database:
        assert database.execute(f"select manual_score, auto_score from grade where cell_id = ({cell})").fetchone() == (4.5, 0)


def test_not_gradable_waits_for_a_person_and_is_shown_with_its_reason(course, tmp_path):
    home = copy_of(course, tmp_path, students=["blank"])
    notebook = home / "submitted" / "blank" / ASSIGNMENT / f"{LESSON}.ipynb"
    notebook.write_bytes(b"<!DOCTYPE html><html></html>")
    code, said = grade(home / "submitted", home / "results", gradebook=f"sqlite:///{home}/gradebook.db")
    assert code == 1
    assert set(auto_scores(home)["blank"].values()) == {None}
    shown = nbformat.read(home / "autograded" / "blank" / ASSIGNMENT / f"{LESSON}.ipynb", as_version=4)
    assert "this is a web page" in shown.cells[0].source
    nbgrader(home, "generate_feedback", ASSIGNMENT)
    (home / "nbgrader_config.py").write_text(CONFIG.format(home=home) + WITH_OUR_CLASSES)
    nbgrader(home, "export")
    with open(home / "grades.csv", newline="") as file:
        assert [(row["raw_score"], row["score"]) for row in csv.DictReader(file)] == [("", "")]


def test_entry_point_2_reads_a_mark_and_loses_nobody_to_a_bad_file(course, tmp_path):
    home = copy_of(course, tmp_path, students=["all-right", "blank", "007"], entry_point_2=True)
    right = home / "submitted" / "all-right" / ASSIGNMENT / f"{LESSON}.ipynb"
    right.write_bytes(b"\xef\xbb\xbf" + right.read_bytes().replace(b"\\n", b"\\r\\n"))
    (home / "submitted" / "blank" / ASSIGNMENT / f"{LESSON}.ipynb").write_bytes(b"")
    said = nbgrader(home, "autograde", ASSIGNMENT, fails=True)
    assert "unreadable: empty file" in said
    with sqlite3.connect(home / "gradebook.db") as database:
        found = dict(
            database.execute("""select s.student_id, sum(g.auto_score) from grade g join submitted_notebook n
            on g.notebook_id = n.id join submitted_assignment s on n.assignment_id = s.id group by 1""").fetchall()
        )
    assert found["all-right"] == POINTS and found["blank"] is None and found["007"] > 0


def test_a_gradebook_that_is_not_there_or_does_not_know_the_lesson(course, tmp_path):
    with pytest.raises(GradingError, match="there is no gradebook"):
        fill(f"sqlite:///{tmp_path}/new.db", tmp_path, tmp_path, [LESSON])
    assert not (tmp_path / "new.db").exists()
    with pytest.raises(GradingError, match="run nbgrader generate_assignment 02_embedding_space first"):
        fill(f"sqlite:///{course}/gradebook.db", tmp_path, tmp_path, ["embedding_space"])


def test_a_gradebook_that_cannot_be_written(course, entry_point_3, tmp_path):
    """Locked by another program: said in words, and nothing half-written."""
    home = copy_of(course, tmp_path, students=["blank"])
    with sqlite3.connect(home / "gradebook.db") as database:
        database.execute("begin exclusive")
        with pytest.raises(GradingError, match="cannot be read or written"):
            fill(f"sqlite:///{home}/gradebook.db?timeout=0.1", entry_point_3 / "results", home / "submitted", [LESSON])
        database.rollback()


def test_hostile_files_beside_the_notebook_stop_nobody(course, tmp_path):
    """A pipe instead of the time stamp would be read for ever; half characters cannot be written."""
    home = copy_of(course, tmp_path, students=["blank", "007"])
    stamp = home / "submitted" / "blank" / ASSIGNMENT / "timestamp.txt"
    stamp.unlink()
    os.mkfifo(stamp)
    document = make_class.filled(LESSON, {})
    document["cells"][0] |= {"attachments": {"\ud800.png": {"image/png": "\ud800"}, "p\ud800": {"image/png": "iVBO"}}}
    (stamp.parent / f"{LESSON}.ipynb").write_text(json.dumps(document))
    url = f"sqlite:///{home}/gradebook.db"
    assert grade(home / "submitted", home / "results", gradebook=url)[0] == 0
    assert set(auto_scores(home)) == {"blank", "007"}


@pytest.mark.parametrize(
    "score, before, manual, waiting, needed",
    [
        (3.0, None, None, True, False),  # graded for the first time
        (None, None, None, True, True),  # not gradable
        (None, None, 2.0, False, False),  # not gradable, and somebody has marked it
        (3.0, 3.0, 4.0, False, False),  # marked by hand, nothing new
        (2.0, 3.0, 4.0, False, True),  # marked by hand, and the score under it changed
    ],
)
def test_who_has_to_look(score, before, manual, waiting, needed):
    assert needs_person(score, before, manual, waiting) == needed


# ---- restoring, without a database


RELEASE = [
    Released("f-answer", "code", "def f(x):\n    pass", "a" * 32, solution=True),
    Released(
        "f",
        "code",
        'check("f", f)\n### BEGIN HIDDEN TESTS\ncheck("f", f, hidden=True)\n### END HIDDEN TESTS',
        "b" * 32,
        locked=True,
        grade=True,
        points=2.0,
    ),
    Released(
        "why",
        "markdown",
        "Why?\n### BEGIN MARK SCHEME\nBecause.\n### END MARK SCHEME",
        "c" * 32,
        locked=True,
        task=True,
        points=1.0,
    ),
]


def restored_from(*cells):
    """(tag or "", first line) of each cell after restoring cells given as (type, source, tag)."""
    document = {
        "cells": [
            {"cell_type": kind, "source": source, "metadata": {"nbgrader": {"grade_id": tag}} if tag else {}}
            for kind, source, tag in cells
        ]
    }
    notices = []
    notebook = restored(whole(json.dumps(document).encode(), []), RELEASE, notices)
    nbformat.validate(notebook)
    tags = [cell.metadata.get("nbgrader", {}).get("grade_id", "") for cell in notebook.cells]
    return list(zip(tags, (cell.source.split("\n")[0] for cell in notebook.cells))), notices


ANSWER, CHECK, WHY = ("code", "def f(x):\n    return x", ""), ("code", 'check("f", f)', ""), ("markdown", "Why?", "")


@pytest.mark.parametrize(
    "cells",
    [
        [("code", ANSWER[1], "f-answer"), ("code", CHECK[1], "f"), ("markdown", "Why?", "why")],  # as it should be
        [ANSWER, CHECK, WHY],  # every tag lost
        [("code", ANSWER[1], "f-answer"), ("markdown", CHECK[1], "f"), ("raw", "Why?", "why")],  # types changed
        [("code", ANSWER[1], "f-answer")],  # check and question deleted
        [("code", ANSWER[1], "f"), ("code", CHECK[1], "test_f"), ("markdown", "Why?", "f")],  # tags of somebody else's
    ],
)
def test_every_released_cell_stands_once_and_in_order(cells):
    found, _ = restored_from(*cells)
    assert found == [("f-answer", "def f(x):"), ("f", 'check("f", f)'), ("why", "Why?")]


def test_what_was_written_into_a_locked_cell_stays_beside_it():
    """A helper or an answer in words may stand there: neither is lost, and nbgrader finds its own cell as well."""
    found, notices = restored_from(("code", ANSWER[1], "f-answer"), ("code", "x = 1", "f"), ("markdown", "Why? Because.", "why"))
    assert found == [("f-answer", "def f(x):"), ("", "x = 1"), ("f", 'check("f", f)'), ("", "Why? Because."), ("why", "Why?")]
    assert [notice.split(":")[0] for notice in notices] == ["the locked cell f was changed", "the locked cell why was changed"]


def test_an_answer_moved_into_its_check_is_an_answer():
    """The locked text would take the place of the definition."""
    found, _ = restored_from(("code", f"{ANSWER[1]}\n{CHECK[1]}", "f"), WHY)
    assert found == [("f-answer", "def f(x):"), ("f", 'check("f", f)'), ("why", "Why?")]


def test_notices_told_later_join_those_that_stand_there():
    """Two cells of one id would get random ones, and nbformat's warning with them."""
    notebook = restored([], RELEASE, [])
    for notices in (["it was renamed"], [], ["a shell line was not run", "a plot was not drawn"]):
        show_notices(notebook, notices)
    assert notebook.cells[0].source == "* it was renamed\n* a shell line was not run\n* a plot was not drawn"
    assert [cell.id for cell in notebook.cells] == ["notices", *(f"cell-{i}" for i in range(1, len(notebook.cells)))]


def test_notices_are_text_and_no_markup():
    """A file's name stands in one, and a marker's browser shows it."""
    notebook = restored([], RELEASE, [])
    show_notices(notebook, ["the notebook is called <script>alert(1)</script>.ipynb"])
    assert notebook.cells[0].source == "* the notebook is called &lt;script&gt;alert(1)&lt;/script&gt;.ipynb"
    nbformat.validate(notebook)


def test_the_last_of_doubled_cells_has_the_tag_and_none_is_dropped():
    old = ("code", "def f(x):\n    return 0", "f-answer")
    found, _ = restored_from(old, ("code", "# helper\ny = 1", ""), ("code", ANSWER[1], "f-answer"), CHECK, WHY)
    assert [tag for tag, _ in found] == ["", "", "f-answer", "f", "why"]


def test_a_deleted_answer_is_put_back_before_its_check():
    found, notices = restored_from(CHECK, WHY)
    assert [tag for tag, _ in found] == ["f-answer", "f", "why"] and notices == ["the cell f-answer was missing and was put back"]


def test_attachments_of_an_answer_in_words_survive():
    """A picture in a written answer is for the marker to see."""
    picture = {"p.png": {"image/png": "iVBORw0KGgo="}}
    document = {"cells": [{"cell_type": "markdown", "source": "![](attachment:p.png)", "metadata": {}, "attachments": picture}]}
    notebook = restored(whole(json.dumps(document).encode(), []), RELEASE, [])
    assert [cell.attachments for cell in notebook.cells if "attachments" in cell] == [picture]


UNREADABLE = {"11_zero_bytes", "12_truncated", "13_git_conflict_markers", "16_html_page_saved_as_ipynb"}


@pytest.mark.parametrize("path", sorted(MANGLED.glob("*.ipynb")), ids=lambda path: path.stem)
def test_every_readable_mangled_file_can_be_shown(path):
    """Valid, and every cell of the file stands in it, in the same order."""
    if path.stem in UNREADABLE:
        with pytest.raises(Unreadable):
            whole(path.read_bytes(), [])
        return
    cells = whole(path.read_bytes(), [])
    notebook = restored(cells, RELEASE, [])
    nbformat.validate(notebook)
    shown = [cell.source for cell in notebook.cells if "put-back" not in cell.metadata.get("tags", ())]
    assert [text for text in shown if text] == [cell.text for cell in cells if cell.text]
    assert "def softmax" in "\n".join(shown)
