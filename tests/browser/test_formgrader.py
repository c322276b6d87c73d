"""nbgrader's formgrader over a gradebook that ``autograde grade`` has filled: list, submission, hand mark, feedback, totals."""

import os
import re
import sys
from pathlib import Path

import pytest
from browser_server import jupyterlab
from commands import autograde
from small_gradebook import ASSIGNMENT, CONFIG, LESSON, POINTS, RECORDS, RIGHT, WITH_OUR_CLASSES, graded, hand_in, released, sql

LOST = {name: answer for name, answer in RIGHT.items() if name != "one_hot"}


@pytest.fixture
def formgrader(tmp_path, window, monkeypatch):
    """A page of the formgrader by its path, for a class of two: ada has everything, bob lacks one_hot."""
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    course = tmp_path / "notebooks"
    course.mkdir()
    released(course, LESSON)
    (course / "nbgrader_config.py").write_text(CONFIG.format(home=course) + WITH_OUR_CLASSES)
    hand_in(course, "ada", RIGHT, words="Why? Since length is no meaning.")
    hand_in(course, "bob", LOST)
    graded(course)
    with jupyterlab(tmp_path) as (address, token):
        page = window.new_page()
        page.goto(f"{address}/lab?token={token}", wait_until="domcontentloaded")  # signs in: the formgrader takes no token

        def at(path):
            page.goto(f"{address}/formgrader/{path}", wait_until="networkidle")
            return page

        yield course, at
        page.close()


def numbers(row) -> set[float]:
    return {float(found) for found in re.findall(r"\d+(?:\.\d+)?", row.inner_text())}


def test_a_markers_way_through_it(formgrader):
    course, at = formgrader
    listed = at(f"manage_submissions/{ASSIGNMENT}")
    rows = {name: listed.locator("tr", has_text=name) for name in ("ada", "bob")}
    lost = next(record.points for record in RECORDS if record.name == "one_hot")
    assert POINTS in numbers(rows["ada"]) and POINTS - lost in numbers(rows["bob"])

    page = at(f"gradebook/{ASSIGNMENT}/{LESSON}")
    page.locator("table a", has_text="Submission #").first.click()
    page.wait_for_selector("input.score")
    student = _shown_student(course, page.url)
    shown = page.content()
    assert ("one_hot: not attempted" in shown) == (student == "bob") and "one_hot" in shown

    page.locator("input#why_so").fill("1.5")
    with page.expect_response(lambda answer: "/api/grade/" in answer.url and answer.request.method == "PUT") as saved:
        page.locator("input#why_so").blur()
    assert saved.value.ok
    assert sql(course, "select manual_score from grade where manual_score is not null") == [(1.5,)]

    page = at(f"manage_submissions/{ASSIGNMENT}")
    with page.expect_response(lambda answer: "generate_feedback" in answer.url) as made:
        page.locator("tr", has_text=student).locator(".generate-feedback a").click()
    assert made.value.json()["success"], made.value.json()
    feedback = (course / "feedback" / student / ASSIGNMENT / f"{LESSON}.html").read_text()
    total = POINTS + 1.5 - (lost if student == "bob" else 0)
    assert f"(Score: {total} / {POINTS + 2})" in feedback and "MARK SCHEME" not in feedback and "cdnjs" not in feedback

    totals = at("manage_students")
    assert total in numbers(totals.locator("tr", has_text=student))
    assert autograde("export", course / "gradebook.db", "--to", course / "export")[0] == 0
    assert f"{student},{LESSON},scored,{total:g}," in (course / "export" / "grades.csv").read_text(encoding="utf-8-sig")


def _shown_student(course, address: str) -> str:
    row = re.search(r"submissions/(\w+)", address).group(1)
    query = "select s.student_id from submitted_notebook n join submitted_assignment s on n.assignment_id = s.id where n.id = ?"
    return sql(course, query, row)[0][0]
