"""All answers to one question on one sheet; marks and comments come back whole, once, or not at all."""

import csv

from commands import autograde
from small_gradebook import ASSIGNMENT, LESSON, RIGHT, graded, hand_in, sql

WRITTEN = {"ada": "Why? Because <b>length</b> is no meaning.", "bob": "Why?", "eve": "Why?\n\n=1+1 is 2"}


def made(home):
    for student, words in WRITTEN.items():
        hand_in(home, student, RIGHT, words=words)
    graded(home)
    assert autograde("sheets", home / "gradebook.db", "--lesson", ASSIGNMENT, "--to", home / "sheets")[0] == 0
    return home / "sheets" / f"{LESSON}-why_so.csv"


def rows(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def marked(path, marks):
    """The sheet with marks and comments filled in, as a spreadsheet of some countries would save it."""
    filled = [row | dict(zip(("mark", "comment"), marks.get(row["student"], ("", "")))) for row in rows(path)]
    with open(path, "w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, filled[0], delimiter=";")
        writer.writeheader()
        writer.writerows(filled)
    return path


def by_hand(home):
    """student -> (mark, waiting, comment) of the question, straight from the database."""
    query = """select s.student_id, g.manual_score, g.needs_manual_grade, c.manual_comment from grade g
               join base_cell b on b.id = g.cell_id and b.name = 'why_so' and b.type = 'TaskCell'
               join submitted_notebook n on n.id = g.notebook_id join submitted_assignment s on s.id = n.assignment_id
               left join comment c on c.notebook_id = n.id and c.cell_id = b.id"""
    return {student: (mark, bool(waiting), comment) for student, mark, waiting, comment in sql(home, query)}


def test_there_and_back(home):
    sheet = made(home)
    shown = {row["student"]: row["answer"] for row in rows(sheet)}
    assert shown == {"ada": "Because <b>length</b> is no meaning.", "bob": "", "eve": "'=1+1 is 2"}  # a blank one waits too
    page = sheet.with_suffix(".html").read_text()
    assert "Because &lt;b&gt;length" in page and "(blank)" in page and "3 of them wait" in page
    marked(sheet, {"ada": ("1,5", "Good, but short."), "bob": ("0", "")})
    assert autograde("marks", home / "gradebook.db", sheet) == (0, "2 marks, 2 of them new or changed\n")
    after = {"ada": (1.5, False, "Good, but short."), "bob": (0.0, False, None), "eve": (None, True, None)}
    assert by_hand(home) == after
    assert autograde("marks", home / "gradebook.db", sheet) == (0, "2 marks, 0 of them new or changed\n")
    graded(home)  # and grading again keeps them
    assert by_hand(home) == after
    assert autograde("sheets", home / "gradebook.db", "--lesson", LESSON, "--to", home / "again")[0] == 0
    again = {row["student"]: (row["mark"], row["comment"]) for row in rows(home / "again" / sheet.name)}
    assert again == {"ada": ("1.5", "Good, but short."), "bob": ("0", ""), "eve": ("", "")}


def test_a_wrong_mark_writes_nothing(home):
    sheet = made(home)
    whole = sheet.read_bytes()
    for mark, words in {"3": "expected was 0 to 2", "-1": "expected was 0 to 2", "good": "expected was a number"}.items():
        sheet.write_bytes(whole)
        code, said = autograde("marks", home / "gradebook.db", marked(sheet, {"ada": ("1", ""), "bob": (mark, "")}))
        assert code == 2 and words in said and "row 3" in said, said
    sheet.write_bytes(whole.replace(b"eve", b"zoe"))
    code, said = autograde("marks", home / "gradebook.db", marked(sheet, {"ada": ("1", ""), "zoe": ("1", "")}))
    assert code == 2 and "no such answer: zoe" in said
    sheet.write_bytes(whole.replace(b"bob", b"ada"))
    code, said = autograde("marks", home / "gradebook.db", marked(sheet, {"ada": ("1", "")}))
    assert code == 2 and "two marks for ada" in said
    assert set(by_hand(home).values()) == {(None, True, None)}
