"""Marks for learning systems: by ids alone, to the right person or to nobody, and never half."""

import csv
import io
import unicodedata

import pytest

from autograde.classreport.csv_files import exercises_csv, for_roster, grades_csv
from autograde.classreport.roster import read_roster
from autograde.engine.exercise import Status
from autograde.grading.errors import GradingError
from autograde.grading.marks import ExerciseMark, Mark


def mark(student, score, status=Status.SCORED, lesson="word_vectors", **more):
    exercises = () if status == Status.NOT_SUBMITTED else (ExerciseMark("embed", score, 8.0, **more),)
    return Mark(student, lesson, status, 8.0, exercises)


CLASS = [
    mark("007", 8.0),
    mark("Ünal, Zoë", 5.0),
    mark("bob", 1.0),
    mark("eve", None, Status.NOT_GRADABLE),
    mark("lee", None, Status.NOT_SUBMITTED),
    mark("blank", 0.0, Status.NOT_ATTEMPTED),
]


def rows_of(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def filled(tmp_path, roster, marks=CLASS, **more):
    path = tmp_path / "roster.csv"
    path.write_bytes(roster if isinstance(roster, bytes) else roster.encode())
    known = read_roster(path)
    text, told = for_roster(marks, known, **more)
    return rows_of(text), told, known.notices


def test_no_score_is_an_empty_field_never_a_zero():
    table = {row[0]: row for row in rows_of(grades_csv(CLASS))}
    assert table["007"][3:5] == ["8", "8"] and table["bob"][3] == "1" and table["blank"][3] == "0"
    assert table["eve"][2:4] == ["not gradable", ""] and table["lee"][2:4] == ["not submitted", ""]


def test_a_penalty_and_marks_by_hand_are_in_the_score():
    """5 by the grader and 3 by hand, less 2 for being late: 6. An answer that waits counts 0; never below 0."""
    exercises = (ExerciseMark("embed", 5.0, 5.0), ExerciseMark("why", 3.0, 4.0, by_hand=True))
    one = Mark("ada", "word_vectors", Status.SCORED, 9.0, exercises, penalty=2.0)
    assert (one.score, one.by_hand, one.waiting) == (6.0, 3.0, 0)
    waiting = Mark("ada", "word_vectors", Status.SCORED, 9.0, (exercises[0], ExerciseMark("why", None, 4.0, waiting=True)), 7.0)
    assert (waiting.score, waiting.waiting) == (0.0, 1)
    assert rows_of(grades_csv([one]))[1][3:] == ["6", "9", "3", "2", "0"]
    assert rows_of(exercises_csv([one]))[2] == ["ada", "word_vectors", "why", "3", "4", "yes"]


CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Old quiz (12)\r\n    Points Possible,,,,,10\r\n"
    '"Bond, James",11,001,007,A,3\r\n"Ünal, Zoë",12,008,"Ünal, Zoë",A,\r\n"Nobody",13,009,nobody,B,\r\n'
)


def test_canvas_gets_its_own_columns_back(tmp_path):
    rows, told, _ = filled(tmp_path, CANVAS)
    assert rows == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "word_vectors"],
        ["    Points Possible", "", "", "", "", "8"],
        ["Bond, James", "11", "001", "007", "A", "8"],
        ["Ünal, Zoë", "12", "008", "Ünal, Zoë", "A", "5"],
        ["Nobody", "13", "009", "nobody", "B", ""],
    ]
    assert "students matched by the column 'SIS Login ID'" in told
    assert "in the results, not in the roster: bob" in told and "in the roster, without a result: nobody" in told


def test_a_column_that_canvas_has_for_the_lesson_is_filled_and_no_second_made(tmp_path):
    roster = CANVAS.replace("Old quiz (12)", "01 word vectors (1234)")
    assert filled(tmp_path, roster)[0][0][-2:] == ["Section", "01 word vectors (1234)"]
    with pytest.raises(GradingError, match="2 columns for word_vectors"):
        filled(tmp_path, roster.replace("Section", "Word vectors (7)"))


def test_by_exercise(tmp_path):
    assert filled(tmp_path, CANVAS, by_exercise=True)[0][0][-1] == "word_vectors: embed"


MOODLE = "First name;Surname;ID number;Email address\nJames;Bond;007;j@x.org\nZoë;Ünal;Ünal, Zoë;z@x.org\n"


@pytest.mark.parametrize(
    "encoding, notices",
    [
        ("utf-8", 0),
        ("utf-8-sig", 0),
        ("utf-16", 0),
        ("cp1252", 1),  # Excel's own: the names are shown before anybody trusts them
    ],
)
def test_moodle_in_every_encoding_with_semicolons(tmp_path, encoding, notices):
    rows, _, told = filled(tmp_path, MOODLE.encode(encoding))
    assert rows[1:] == [["James", "Bond", "007", "j@x.org", "8"], ["Zoë", "Ünal", "Ünal, Zoë", "z@x.org", "5"]]
    assert rows[0][-1] == "word_vectors (8)"
    assert len(told) == notices and all("Zoë;Ünal" in notice for notice in told)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("change", [str, str.upper])
def test_composed_or_not_and_in_any_case_an_id_is_the_same(tmp_path, form, change):
    login = change(unicodedata.normalize(form, "zoé"))
    student = unicodedata.normalize("NFC" if form == "NFD" else "NFD", "zoé")
    rows, _, _ = filled(tmp_path, f"Student,ID,SIS Login ID\nZoé,1,{login}\n", [mark(student, 8.0)])
    assert rows[-1][-1] == "8"


REFUSED = {  # a roster: a piece of the sentence
    "first names only": ("First name,Surname\nbob,Smith\n", "has no column of ids"),
    "a first name is no id": (
        "Student,ID,SIS Login ID,First name\nBob,1,xx,bob\n",
        "nobody in the roster is one of the students",
    ),
    "two with one login": ("Student,ID,SIS Login ID\nBob A,1,bob\nBob B,2,bob\n", r"names several people alike: bob \(2 rows\)"),
    "one login in two cases": ("Student,ID,SIS Login ID\nBob A,1,bob\nBob B,2,BOB\n", r"bob \(2 rows\)"),
    "display names and empty ids": ("Student,ID,SIS User ID,SIS Login ID\nbob,,,\nbob,,,\n", "nobody in the roster"),
    "nobody": ("Student,ID,SIS Login ID\nX,1,x\n", "nobody in the roster"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_no_double_and_unclear_matches_are_refused_by_name(tmp_path, kind):
    roster, words = REFUSED[kind]
    with pytest.raises(GradingError, match=words):
        filled(tmp_path, roster)


def test_two_folders_that_differ_in_case_alone_are_refused(tmp_path):
    with pytest.raises(GradingError, match="Bob and bob|bob and Bob"):
        filled(tmp_path, "Student,ID,SIS Login ID\nBob,1,bob\n", [mark("bob", 1.0), mark("Bob", 2.0)])


def test_a_second_column_of_the_same_name_shifts_nothing(tmp_path):
    rows, told, _ = filled(tmp_path, "Student,ID,SIS Login ID,ID,Section\nBob,1,xx,bob,A\nEve,2,eve2,eve,B\n")
    assert rows[0] == ["Student", "ID", "SIS Login ID", "ID", "Section", "word_vectors"]
    assert rows[2] == ["Bob", "1", "xx", "bob", "A", "1"] and rows[3] == ["Eve", "2", "eve2", "eve", "B", ""]
    assert "students matched by the column 'ID'" in told


def test_formulas_are_text(tmp_path):
    """A student's name or a roster's field that a spreadsheet would run."""
    assert rows_of(grades_csv([mark("=HYPERLINK(1)", 1.0)]))[1][0] == "'=HYPERLINK(1)"
    rows, _, _ = filled(tmp_path, "Student,ID,SIS Login ID\n@SUM(A1),1,bob\n")
    assert rows[-1][0] == "'@SUM(A1)"


BROKEN = [b"", b"one line only\n", b"\x81\x8d\xff", b'Student,ID\n"' + b"x" * 140_000 + b'",1\n']


@pytest.mark.parametrize("data", BROKEN, ids=["empty", "one line", "no text", "a field without an end"])
def test_a_roster_that_is_none_is_refused_in_words(tmp_path, data):
    (tmp_path / "roster.csv").write_bytes(data)
    with pytest.raises(GradingError, match="the roster"):
        read_roster(tmp_path / "roster.csv")
    with pytest.raises(GradingError, match="cannot be read"):
        read_roster(tmp_path / "other.csv")
