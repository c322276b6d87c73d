"""Grading a class: every submission has one result, the same in any run, and the run says what is open."""

import io
import json
import random
import shutil
from dataclasses import replace

import make_class
import pytest
from commands import all_results, grade
from small_submissions import LESSON, POINTS, hand_in, notebook, tree

from autograde.exercises import folder, in_lesson
from autograde.grading import results
from autograde.grading import run as grading
from autograde.grading.preparing import prepared
from autograde.submissions.folders import Job, Submission


def test_fields_are_the_contract(graded):
    _, out, _, _ = graded
    one = json.loads((out / "student_00001" / f"{LESSON}.json").read_text())
    assert list(one) == [
        "student",
        "lesson",
        "status",
        "score",
        "points",
        "answers",
        "notices",
        "sandbox",
        "seed",
        "submission_sha256",
        "exercises_version",
    ]
    assert list(one["answers"][0]) == ["name", "status", "score", "points", "diagnosis", "checks", "reason"]
    assert one["points"] == POINTS and one["seed"] == 11 and "seccomp" in one["sandbox"]


def test_every_submission_has_one_result_and_a_sound_status(graded):
    submitted, out, code, _ = graded
    found = {result.student: result for result in all_results(out)}
    assert sorted(found) == sorted(path.name for path in submitted.iterdir())
    for result in found.values():
        unknown = result.status in ("not gradable", "not submitted")
        assert (result.score is None) == unknown
        assert all(answer.reason for answer in result.answers if answer.status == "not gradable")
    assert code == int("not gradable" in {result.status for result in found.values()})


def test_right_answers_written_differently_get_all_points(graded):
    """The class's makers chose from the ``accepted`` answers: who has only right ones has every point."""
    _, out, _, _ = graded
    rng, whole = random.Random(4), 0
    for number in range(1, 31):
        kind = rng.choices(list(make_class.KINDS), list(make_class.KINDS.values()))[0]
        bank = {record.name: (make_class.right(record), make_class.wrong(record)) for record in in_lesson(LESSON)}
        if kind != "nothing":
            make_class.submission(LESSON, bank, kind, rng)  # draws the same numbers again
        result = results.read(out / f"student_{number:05d}" / f"{LESSON}.json")
        if kind == "right":
            assert result.score == POINTS
            whole += 1
        if kind == "blank":
            assert result.status == "not attempted" and result.score == 0
    assert whole > 5


def test_a_second_run_does_nothing(graded):
    submitted, out, code, _ = graded
    before = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in out.rglob("*.json")}
    again, said = grade(submitted, out, jobs=2)
    assert again == code
    assert {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in out.rglob("*.json")} == before
    assert "a second" not in said  # no line for anything marked anew


def test_the_summary_names_every_answer_without_a_score(graded):
    _, out, _, said = graded
    told = said[said.index("Without a score:") :].splitlines()[1:]
    expected = []
    for result in all_results(out):
        if result.status == "not submitted":
            expected.append(f"  {result.student} {LESSON}: not submitted")
        elif result.status == "not gradable":
            assert len({answer.reason for answer in result.answers}) == 1  # of this class, only files that cannot be read
            expected.append(f"  {result.student} {LESSON}, all answers: {result.answers[0].reason}")
    assert len(expected) > 1 and sorted(told) == sorted(expected)


def test_one_worker_gives_the_same_bytes(graded, tmp_path):
    submitted, out, _, _ = graded
    grade(submitted, tmp_path / "out", jobs=1, seed=11)
    assert tree(tmp_path / "out") == tree(out)


def test_another_seed_is_graded_anew(graded, tmp_path):
    submitted, _, _, _ = graded
    shutil.copytree(submitted / "student_00001", tmp_path / "submitted" / "student_00001")
    grade(tmp_path / "submitted", tmp_path / "out", jobs=1, seed=1)
    grade(tmp_path / "submitted", tmp_path / "out", jobs=1, seed=2)
    assert json.loads((tmp_path / "out" / "student_00001" / f"{LESSON}.json").read_text())["seed"] == 2


def test_the_seed_is_drawn_once_for_a_folder(tmp_path):
    hand_in(tmp_path / "submitted", "ada", notebook({}))

    def seed(out, **options):
        grade(tmp_path / "submitted", tmp_path / out, **options)
        return json.loads((tmp_path / out / "run.json").read_text())["seed"]

    first = seed("out")
    assert seed("out") == first != seed("other")
    assert seed("out", seed=7) == 7 == seed("out")
    (tmp_path / "out" / "run.json").write_text("{")  # a new seed would grade everybody anew without a word
    code, said = grade(tmp_path / "submitted", tmp_path / "out")
    assert code == 2 and "give the seed" in said
    assert seed("out", seed=7) == 7


def test_prepared_reads_what_is_current_only_once(graded):
    submitted, out, _, _ = graded
    known = results.read(out / "student_00001" / f"{LESSON}.json")
    submission = Submission("student_00001", LESSON, submitted / "student_00001" / folder(LESSON))
    assert prepared(submission, 11, (known,)) is known
    assert isinstance(prepared(submission, 12, (known,)), Job)
    assert isinstance(prepared(submission, 11, (replace(known, exercises_version="old"),)), Job)


@pytest.mark.parametrize(
    "make, words",
    [(lambda home: None, "there is no folder"), (lambda home: (home / "submitted").mkdir(), "holds no folders of students")],
)
def test_wrong_usage_is_told_and_ends_with_2(tmp_path, make, words):
    make(tmp_path)
    code, said = grade(tmp_path / "submitted", tmp_path / "out")
    assert code == 2 and words in said


def test_an_output_folder_that_cannot_be_written(tmp_path):
    hand_in(tmp_path / "submitted", "ada", notebook({}))
    (tmp_path / "out").write_text("a file")
    code, said = grade(tmp_path / "submitted", tmp_path / "out")
    assert code == 2 and "cannot be written" in said


def test_two_runs_never_share_a_folder(tmp_path):
    hand_in(tmp_path / "submitted", "ada", notebook({}))
    with grading._owned(tmp_path / "out"):
        code, said = grade(tmp_path / "submitted", tmp_path / "out")
    assert code == 2 and "another run is grading" in said


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_on_a_terminal_and_lines_elsewhere(tmp_path):
    hand_in(tmp_path / "submitted", "ada", notebook({}))
    hand_in(tmp_path / "submitted", "bob", None)
    bar, lines = Terminal(), io.StringIO()
    grade(tmp_path / "submitted", tmp_path / "one", said=bar)
    grade(tmp_path / "submitted", tmp_path / "two", said=lines)
    assert "\r[##############################] 2/2" in bar.getvalue() and " left" in bar.getvalue()
    assert "/2 ada word_vectors: not attempted" in lines.getvalue() and "\r" not in lines.getvalue()
    assert "2 submissions: 1 not attempted, 1 not submitted" in lines.getvalue()
