"""Every mark leaves the gradebook: the grader's, those by hand, and late penalties; what is not known stays empty."""

import csv
import json

from commands import autograde
from small_gradebook import ASSIGNMENT, CONFIG, LATE, LESSON, POINTS, RECORDS, RIGHT, graded, hand_in, mark_by_hand, sql

ROSTER = "Student,ID,SIS Login ID,01 word vectors (77)\nAda,1,ADA,\nBob,2,bob,\nEve,3,eve,\nKim,4,kim,\n"
ZERO = 'c.LateSubmissionPlugin.penalty_method = "zero"\n'


def made(home):
    """Ada is right and marked by hand, Bob handed in a blank, Eve what nobody can read, Kim is right and late."""
    hand_in(home, "ada", RIGHT)
    hand_in(home, "bob", {})
    hand_in(home, "eve", {})
    (home / "submitted" / "eve" / ASSIGNMENT / f"{LESSON}.ipynb").write_bytes(b"")
    hand_in(home, "kim", RIGHT, LATE)
    (home / "nbgrader_config.py").write_text(CONFIG.format(home=home) + ZERO)
    sql(home, "update assignment set duedate = '2030-02-02 00:00:00.000000'")
    sql(home, "insert into student (id) values ('lee')")
    graded(home)
    mark_by_hand(home, "ada", 1.5)
    mark_by_hand(home, "kim", 2)
    (home / "roster.csv").write_text(ROSTER)


def rows(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def test_all_forms(home):
    made(home)
    code, said = autograde(
        "export", home / "gradebook.db", "--roster", home / "roster.csv", "--gradescope", "--to", home / "export"
    )
    assert code == 0 and "2 answers in words wait for a mark" in said, said
    grades = {row["student"]: row for row in rows(home / "export" / "grades.csv")}
    shown = {student: (row["status"], row["score"], row["late penalty"]) for student, row in grades.items()}
    assert shown == {
        "ada": ("scored", f"{POINTS + 1.5:g}", "0"),
        "bob": ("scored", "0", "0"),
        "eve": ("not gradable", "", "0"),
        "kim": ("scored", "0", f"{POINTS + 2:g}"),  # the whole mark, that by hand as well, as the plugin says
        "lee": ("not submitted", "", "0"),
    }
    assert {row["points"] for row in grades.values()} == {f"{POINTS + 2:g}"}
    canvas = rows(home / "export" / "canvas.csv")
    assert [row["01 word vectors (77)"] for row in canvas] == [f"{POINTS + 2:g}", f"{POINTS + 1.5:g}", "0", "", "0"]
    one = [row for row in rows(home / "export" / "exercises.csv") if row["student"] == "ada"]
    assert [row["exercise"] for row in one] == [*(record.name for record in RECORDS), "why_so"]
    assert [row["by hand"] for row in one] == [""] * len(RECORDS) + ["yes"]
    form = json.loads((home / "export" / "gradescope" / "ada" / f"{LESSON}.json").read_text())
    assert form["score"] == POINTS + 1.5 and len(form["tests"]) == len(RECORDS) + 1
    assert "score" not in json.loads((home / "export" / "gradescope" / "eve" / f"{LESSON}.json").read_text())


def test_the_class_page_takes_the_gradebooks_marks(home):
    made(home)
    code, said = autograde("report", home / "results", "--gradebook", home / "gradebook.db", "--roster", home / "roster.csv")
    assert code == 0 and "the grader's marks alone" not in said, said
    assert {row["student"]: row["score"] for row in rows(home / "results" / "report" / "grades.csv")}[
        "ada"
    ] == f"{POINTS + 1.5:g}"
    assert "the grader's marks alone" in autograde("report", home / "results")[1]


def test_nothing_is_written_where_somebody_could_get_anothers_mark(home):
    made(home)
    (home / "roster.csv").write_text(ROSTER + "Ada too,5,ada,\n")
    code, said = autograde("export", home / "gradebook.db", "--roster", home / "roster.csv", "--to", home / "export")
    assert code == 2 and "names several people alike: ada (2 rows)" in said and not (home / "export").exists()


def test_wrong_usage_is_one_sentence(tmp_path):
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be looked at as one: " * 20)
    for place, words in {
        tmp_path / "nowhere.db": "there is no gradebook",
        tmp_path / "notes.txt": "file is not a database",
        "postgresql://nobody@127.0.0.1:9/none": "postgresql",
        "nonsense://x": "is no gradebook",
    }.items():
        code, said = autograde("export", place)
        assert code == 2 and words in said and said.count("\n") == 1, said
