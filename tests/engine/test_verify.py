"""verify finds what is wrong with an exercise: proven on exercises that are wrong on purpose."""

import json
from dataclasses import replace

import pytest
from exercises_for_tests import MEANS, but, plain_cases, row_means, sums

from autograde.cli import main
from autograde.engine.exercise import Check, Misconception
from autograde.engine.verify import confusion_matrix, prove
from autograde.exercises import find, folder, in_lesson
from autograde.release.verify_notebooks import disagreements


def misses(exercise):
    return " | ".join(prove(exercise, seeds=3).misses)


def test_a_sound_exercise_has_no_misses_and_a_diagonal_matrix():
    proof = prove(MEANS, seeds=3)
    assert proof.misses == []
    rows = confusion_matrix(proof).splitlines()[1:]
    assert [row.split()[2:5] for row in rows] == [["3", ".", "."], [".", "3", "."], [".", ".", "3"]]


@pytest.mark.parametrize(
    "exercise, told",
    [
        (but(hints=("  ",)), "hint"),
        (but(accepted=(sums,)), "is right but loses points"),
        (but(misconceptions=(Misconception("none", row_means, "right"),)), "gets every point"),
        (but(misconceptions=(*MEANS.misconceptions, Misconception("twin", sums, "sum"))), "told as undecided"),
        (but(checks=(Check("free", 1, plain_cases, lambda trial: None),)), "did no work"),
    ],
)
def test_what_is_wrong_is_found(exercise, told):
    assert told in misses(exercise)


def test_a_quiz_needs_explanations_and_a_right_option():
    quiz = find("answer_near")
    assert prove(quiz, seeds=1).misses == []
    assert "not among the options" in misses(replace(quiz, right="z"))
    blank = {**quiz.options, "b": replace(quiz.options["b"], explanation=" ")}
    assert "option b is not explained" in misses(replace(quiz, options=blank))


def test_notebooks_must_ask_for_the_exercises_as_they_are(tmp_path):
    records = in_lesson("word_vectors")
    path = tmp_path / "notebooks" / folder("word_vectors") / "word_vectors.ipynb"
    path.parent.mkdir(parents=True)

    def write(cells):
        path.write_text(json.dumps({"cells": [{"metadata": {"nbgrader": cell}} for cell in cells]}), encoding="utf-8")
        return " ".join(disagreements("word_vectors", tmp_path))

    right = [{"grade": True, "solution": False, "grade_id": r.name, "points": r.points} for r in records]
    assert write(right) == ""
    assert "one_hot is graded by 0 cells" in write(right[1:])
    assert "9 points in the notebook" in write([{**right[0], "points": 9}, *right[1:]])
    assert "no exercise" in write([*right, {**right[0], "grade_id": "two_hot"}])
    assert "graded by 2 cells" in write([right[0], *right])


@pytest.mark.parametrize("lesson", ["word_vectors"])
def test_the_command_proves_a_lesson(lesson, capsys):
    assert main(["verify", "--lesson", lesson, "--seeds", "1"]) == 0
    assert "every proof holds" in capsys.readouterr().out


@pytest.mark.parametrize(
    "argv", [["verify", "--lesson", "word_vektors"], ["verify", "--seeds", "0"], ["verify", "--seeds", "x"], [], ["nonsense"]]
)
def test_wrong_usage_exits_with_2(argv, capsys):
    try:
        code = main(argv)
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_failed_proof_exits_with_1(monkeypatch, capsys):
    monkeypatch.setattr("autograde.exercises.in_lesson", lambda lesson: (but(hints=()),))
    assert main(["verify", "--lesson", "word_vectors", "--seeds", "1"]) == 1
    assert "MISS a hint is missing" in capsys.readouterr().out


def test_list_names_every_exercise(capsys):
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert all(record.name in out for record in in_lesson("word_vectors"))
