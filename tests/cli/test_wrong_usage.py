"""Wrong usage, and what disks and systems do: one sentence, the right exit code, and the rest of the class is graded."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import all_results, autograde, grade
from small_submissions import LESSON, all_right, hand_in, notebook

from autograde.exercises import folder
from autograde.grading import results
from autograde.grading.progress import Progress
from autograde.grading.summary import missing_layers


@pytest.fixture
def submitted(tmp_path):
    hand_in(tmp_path / "submitted", "ada", notebook(all_right()))
    return tmp_path / "submitted"


def one_sentence(code, said, words):
    assert code == 2 and words in said and said.count("\n") == 1 and "Traceback" not in said, said


def test_folders_the_wrong_way_round(tmp_path):
    hand_in(tmp_path / "submitted", "ada", notebook({}))
    (tmp_path / "turned" / folder(LESSON)).mkdir(parents=True)
    (tmp_path / "submitted" / "ada" / folder(LESSON)).rename(tmp_path / "turned" / folder(LESSON) / "ada")
    one_sentence(*grade(tmp_path / "turned", tmp_path / "out"), "holds folders of lessons, not of students")
    assert not (tmp_path / "out").exists()


def test_nothing_to_grade_is_no_success(tmp_path):
    (tmp_path / "submitted" / "ada" / "homework").mkdir(parents=True)
    one_sentence(*grade(tmp_path / "submitted", tmp_path / "out"), "has handed in a lesson of this course")


def test_a_report_of_no_results_writes_nothing(submitted):
    one_sentence(*autograde("report", submitted), "holds no results")
    assert [path.name for path in submitted.iterdir()] == ["ada"]


def test_a_lesson_by_the_name_of_its_folder(submitted, tmp_path):
    assert grade(submitted, tmp_path / "out", lesson=folder(LESSON))[0] == 0
    assert [each.lesson for each in all_results(tmp_path / "out")] == [LESSON]
    one_sentence(*grade(submitted, tmp_path / "out", lesson="09_scaling_up"), "there is no lesson 'scaling_up'")


@pytest.mark.parametrize("seed", ["-5", "x", "1.5", "9" * 30])
def test_a_seed_that_is_none(submitted, tmp_path, seed, capsys):
    with pytest.raises(SystemExit) as ended:
        autograde("grade", submitted, "--out", tmp_path / "out", f"--seed={seed}")
    assert ended.value.code == 2 and not (tmp_path / "out").exists()


def test_a_gradebook_is_looked_at_before_anybody_is_graded(submitted, tmp_path):
    one_sentence(*grade(submitted, tmp_path / "out", gradebook=tmp_path / "none.db"), "there is no gradebook")
    one_sentence(*grade(submitted, tmp_path / "out", gradebook="nonsense://x"), "is no gradebook")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["run.json", "events.log"])
def test_a_student_called_as_a_file_of_the_run(submitted, tmp_path, name):
    hand_in(submitted, name, notebook(all_right()))
    code, said = grade(submitted, tmp_path / "out")
    assert code == 1 and f"{name}: results have a file of this name" in said
    assert [each.student for each in all_results(tmp_path / "out")] == ["ada"]


def test_a_full_disk_is_said_and_the_next_run_goes_on(submitted, tmp_path, monkeypatch):
    """Of two submissions one is written, then there is no room; nothing is half there."""
    hand_in(submitted, "bob", notebook(all_right()))
    whole, written = os.fsync, []

    def full(handle):
        written.append(handle)
        if len(written) > 3:  # run.json, a result and its attempt
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        whole(handle)

    monkeypatch.setattr(results.os, "fsync", full)
    code, said = grade(submitted, tmp_path / "out")
    assert code == 2 and "cannot be written (No space left on device)" in said and "run the same command again" in said
    assert len(all_results(tmp_path / "out")) == 1
    monkeypatch.setattr(results.os, "fsync", whole)
    assert grade(submitted, tmp_path / "out")[0] == 0 and len(all_results(tmp_path / "out")) == 2
    assert not [path for path in (tmp_path / "out").rglob("*.tmp")]
    monkeypatch.setattr(results.os, "fsync", full)
    one_sentence(*autograde("report", tmp_path / "out"), "cannot be written (No space left on device)")


def test_a_students_folder_that_cannot_be_read_stops_nobody(submitted, tmp_path, monkeypatch):
    hand_in(submitted, "closed", notebook(all_right()))
    whole = Path.iterdir

    def closed(path):
        if path.name == "closed":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return whole(path)

    monkeypatch.setattr(Path, "iterdir", closed)
    code, said = grade(submitted, tmp_path / "out")
    assert code == 1 and f"closed {LESSON}, all answers: the folder cannot be read (Permission denied)" in said
    assert {each.student: str(each.status) for each in all_results(tmp_path / "out")} == {
        "ada": "scored",
        "closed": "not gradable",
    }


def test_a_second_notebook_beside_the_right_one_is_told(submitted, tmp_path):
    hand_in(submitted, "ada", notebook({}), name=f"{LESSON} (1).ipynb")
    grade(submitted, tmp_path / "out")
    assert all_results(tmp_path / "out")[0].notices == (f"only {LESSON}.ipynb was graded; not looked at: {LESSON} (1).ipynb",)


def test_a_module_that_is_missing_costs_only_what_needs_it(submitted, tmp_path):
    """A cell of its own, an answer that needs it, and the cell that would have brought NumPy along as well."""
    needs = "def embed(ids, E):\n    return np.asarray(pandas_of_mine.Series(E))[ids]"
    document = notebook(all_right() | {"embed": needs}).replace(b"import math", b"import pandas_of_mine", 1)
    hand_in(submitted, "ada", document.replace(b"import numpy as np", b"pass", 1))
    hand_in(
        submitted,
        "bob",
        notebook(
            all_right() | {"dot_products": "import pandas_of_mine\ndef dot_products(X, y):\n    return pandas_of_mine.dot(X, y)"}
        ),
    )
    code, said = grade(submitted, tmp_path / "out")
    assert code == 1 and "pandas_of_mine" in said
    bob = next(each for each in all_results(tmp_path / "out") if each.student == "bob")
    assert [answer.name for answer in bob.not_gradable] == ["dot_products"]
    assert all(answer.score == answer.points for answer in bob.answers if answer.name != "dot_products")


def test_names_and_words_reach_a_terminal_that_cannot_show_them(submitted, tmp_path):
    """Windows' code page, as a pipe has it."""
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONPATH": os.pathsep.join(sys.path)}
    path = submitted / "ada" / folder(LESSON) / f"{LESSON}.ipynb"
    command = [sys.executable, "-m", "autograde.cli", "check", path]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 0 and b"Traceback" not in done.stderr and b"\\u2713" in done.stdout


def test_escape_codes_in_names_stay_out_of_the_terminal(submitted, tmp_path):
    hand_in(submitted, "eve\x1b[2J\u202e", notebook({}))
    grade(submitted, tmp_path / "out")
    (tmp_path / "out" / "eve\x1b[2J\u202e" / f"{LESSON}.json").write_text("{}")
    (tmp_path / "roster.csv").write_text("Student,ID,SIS Login ID\nAda,1,ada\n")
    _, said = autograde("report", tmp_path / "out", "--roster", tmp_path / "roster.csv")
    assert "damaged" in said and all(line.isprintable() for line in said.split("\n"))


def test_without_protection_it_is_said(submitted, tmp_path):
    grade(submitted, tmp_path / "out")
    [one] = all_results(tmp_path / "out")
    assert missing_layers(one) == []
    from dataclasses import replace

    assert missing_layers(replace(one, sandbox=("rlimits",))) == ["landlock", "seccomp"]


def test_no_time_is_guessed_from_the_start_of_everything(submitted):
    """Workers start for 30 seconds, then a submission takes one: ten more of twenty are ten seconds, not minutes."""
    now, said = [0.0], []
    progress = Progress(said.append, clock=lambda: now[0])
    progress.begin(20)
    from dataclasses import replace

    from autograde.grading.preparing import without_answers
    from autograde.submissions.folders import Submission

    one = without_answers(Submission("ada", LESSON, None), "why", 1)
    for number in range(10):
        now[0] = 30.0 + number
        progress.tell(replace(one, student=str(number)), fresh=True)
    assert "time left not known yet" in said[0] and "(1.0 a second, 10 s left)" in said[-1]
