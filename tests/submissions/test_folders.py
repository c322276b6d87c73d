"""Files and folders of every kind that students hand in."""

import hashlib
import json
import os

import pytest
from commands import all_results, grade
from paths import MANGLED
from small_submissions import LESSON, all_right, hand_in, notebook

from autograde.exercises import folder, in_lesson
from autograde.grading import results

MANGLED_SCORES = {
    "00_clean_control": (2, 0),
    "01_colab_metadata_gone": (2, 2),
    "03_vscode_copied_cell_duplicate_ids": (2, 1),
    "04_kernelspec_conda_env": (2, 0),
    "05_no_kernelspec_no_language_info": (2, 0),
    "06_bom_and_crlf": (2, 2),
    "07_split_and_merged_cells": (2, 0),
    "08_cell_types_changed": (2, 1),
    "09_magics_and_deleted_test": (2, None),
    "10_widget_state_key_missing": (2, 0),
    "14_nbformat3_worksheets": (2, 1),
    "15_schema_invalid_but_readable": (2, 0),
    "Copy of attention (1)": (2, 1),
}


needs_lesson_2 = pytest.mark.skipif(not in_lesson("embedding_space"), reason="the mangled files are of lesson 2")


@needs_lesson_2
def test_the_mangled_class(tmp_path):
    """Every file of the set under its own student: both answers right wherever the file can be read."""
    for path in MANGLED.glob("*.ipynb"):
        name = path.name if path.name.startswith("Copy") else None
        hand_in(tmp_path / "submitted", path.stem, path.read_bytes(), "embedding_space", name)
    code, said = grade(tmp_path / "submitted", tmp_path / "out", jobs=2)
    assert code == 1
    for name, (right, notices) in MANGLED_SCORES.items():
        result = results.read(tmp_path / "out" / name / "embedding_space.json")
        full = [answer.name for answer in result.answers if answer.score == answer.points]
        assert full == ["softmax", "cross_entropy"], (name, result)
        assert len(full) == right and (notices is None or len(result.notices) == notices), (name, result.notices)
    for name in ("11_zero_bytes", "12_truncated", "13_git_conflict_markers", "16_html_page_saved_as_ipynb"):
        result = results.read(tmp_path / "out" / name / "embedding_space.json")
        assert result.status == "not gradable" and result.score is None
        assert f"  {name} embedding_space, all answers: {result.answers[0].reason}" in said


def test_names_cannot_write_on_the_terminal(tmp_path):
    """A line that looks like somebody's result, and a code that clears the screen."""
    forged = "a\x1b[2J\nother word_vectors: 24 of 24\u202e.ipynb"
    for name in (forged, f"b{forged}"):
        hand_in(tmp_path / "submitted", "two\x1b[2J", notebook({}), name=name)
    hand_in(
        tmp_path / "submitted",
        "one",
        json.dumps({"cells": [{"cell_type": "\x1b[2J", "source": "def embed(ids, E): pass"}]}).encode(),
        name=forged,
    )
    _, said = grade(tmp_path / "submitted", tmp_path / "out")
    notices = results.read(tmp_path / "out" / "one" / f"{LESSON}.json").notices
    assert len(notices) == 3 and all(text.isprintable() for text in (*notices, *said.split("\n")))
    assert "a\\x1b[2J\\nother" in said and "two\\x1b[2J word_vectors" in said


def test_folders_of_every_kind(tmp_path):
    submitted = tmp_path / "submitted"
    right = notebook(all_right())
    hand_in(submitted, "a-control", right)
    hand_in(submitted, "b-empty-folder", None)
    (submitted / "c-nothing").mkdir()
    hand_in(submitted, "d-renamed", right, name="Copy of lesson (1).ipynb")
    hand_in(submitted, "e-two", right, name="one.ipynb")
    hand_in(submitted, "e-two", right, name="two.ipynb")
    hand_in(submitted, "f-link", None)
    (submitted / "f-link" / folder(LESSON) / f"{LESSON}.ipynb").symlink_to("/etc/passwd")
    hand_in(submitted, "g-other-lesson", json.dumps({"cells": [{"cell_type": "code", "source": "x = 1"}]}).encode())
    hand_in(submitted, "Zoë Ångström 007", right)
    (submitted / "h-no-number" / LESSON).mkdir(parents=True)
    (submitted / "h-no-number" / LESSON / f"{LESSON}.ipynb").write_bytes(right)
    hand_in(submitted, os.fsdecode(b"no-text-\xff"), right)
    (submitted / "notes.txt").write_text("not a student")
    before = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in submitted.rglob("*.ipynb") if path.is_file()}
    code, said = grade(submitted, tmp_path / "out")
    assert code == 1
    found = {result.student: result for result in all_results(tmp_path / "out")}
    assert {student: result.status for student, result in found.items()} == {
        "a-control": "scored",
        "b-empty-folder": "not submitted",
        "c-nothing": "not submitted",
        "d-renamed": "scored",
        "e-two": "not gradable",
        "f-link": "not gradable",
        "g-other-lesson": "not gradable",
        "Zoë Ångström 007": "scored",
        "h-no-number": "scored",
        os.fsdecode(b"no-text-\xff"): "scored",
    }
    assert "one.ipynb, two.ipynb" in found["e-two"].answers[0].reason
    assert "symbolic link" in found["f-link"].answers[0].reason
    assert "right file" in found["g-other-lesson"].answers[0].reason
    assert "expected was word_vectors.ipynb" in found["d-renamed"].notices[0]
    assert "b-empty-folder word_vectors: not submitted" in said
    assert {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in before} == before
