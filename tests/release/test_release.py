"""The builder of notebooks, on a small lesson: what it makes and what it refuses."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from small_course import LEARNER, LESSON, SCRIPT, SOLVED, TINY, built_course, course, current

from autograde import release
from autograde.exercises import find
from autograde.release import ReleaseError, execution, layout, script


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return built_course(tmp_path_factory.mktemp("course"))


@pytest.fixture
def mine(built, tmp_path):
    """A copy of the built course that a test may spoil."""
    return shutil.copytree(built, tmp_path / "course")


def cells(path: Path) -> dict:
    return {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}


def test_the_solved_notebook_keeps_outputs_and_hides_cases_in_the_graded_cell(built):
    solved = cells(built / SOLVED)
    assert solved["embed"].source.split("\n") == [
        'check("embed", embed)',
        "### BEGIN HIDDEN TESTS",
        'check("embed", embed, hidden=True)',
        "### END HIDDEN TESTS",
    ]
    assert solved["embed"].outputs[0].data["text/plain"] == "2.0"  # the hidden run's score is the cell's value
    assert solved["embed"].metadata.nbgrader.points == find("embed").points
    assert solved["embed-answer"].metadata.nbgrader.solution
    assert solved["why_cosine"].metadata.nbgrader.task
    assert [cell.execution_count for cell in solved.values() if cell.cell_type == "code"] == [1, 2, 3, 4]


def test_the_kernel_sees_no_secret_seed_and_one_thread(built):
    printed = cells(built / SOLVED)["word_vectors-import-os"].outputs[0]
    assert printed.text == "seed None threads 1\n"


def test_the_learner_copy_holds_no_answer_and_no_output(built):
    learner = cells(built / LEARNER)
    text = (built / LEARNER).read_text(encoding="utf-8")
    for secret in ("return E[ids]", "SOLUTION", "hidden=True", "HIDDEN", "Length is not", "MARK SCHEME"):
        assert secret not in text
    assert learner["embed-answer"].source.endswith("    # your code here\n    pass")
    assert learner["embed"].source == 'check("embed", embed)'
    assert learner["embed"].metadata.editable is False
    assert "editable" not in learner["why_cosine-answer"].metadata  # where the learner writes
    assert all(not cell.outputs and cell.execution_count is None for cell in learner.values() if "outputs" in cell)


def test_both_copies_have_the_same_ids(built):
    expected = [
        "word_vectors-why-must-a-word-be-a-vector",
        "word_vectors-import-os",
        "word_vectors-raise-valueerror-shown-on-purpose",
        "embed-answer",
        "embed",
        "why_cosine",
        "why_cosine-answer",
        "word_vectors-why-must-a-word-be-a-vector-2",
    ]
    assert list(cells(built / SOLVED)) == list(cells(built / LEARNER)) == expected


@pytest.mark.parametrize("name", [SOLVED, LEARNER])
def test_files_are_in_their_one_form(built, name):
    data = (built / name).read_bytes()
    parsed = json.loads(data)
    assert data.endswith(b"}\n")
    assert not data.endswith(b"\n\n")
    assert b"\r" not in data
    assert data.decode() == json.dumps(parsed, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    assert set(parsed["metadata"]) == {"kernelspec", "language_info"}
    assert parsed["metadata"]["kernelspec"]["name"] == "python3"
    assert all(set(cell["metadata"]) <= set(layout.KEPT) for cell in parsed["cells"])
    assert b"widget-view" not in data


def test_a_rebuild_without_a_change_writes_nothing(mine):
    before = {name: (mine / name).stat().st_mtime_ns for name in (SOLVED, LEARNER)}
    assert release.build([LESSON], mine) == []
    assert {name: (mine / name).stat().st_mtime_ns for name in before} == before
    assert current(mine) == []


def test_ids_survive_an_edit_elsewhere():
    changed = TINY.replace("# %% tags", "# %%\nnew = 1\n\n# %% tags").replace("not enough", "too little")
    before, after = (script.to_notebook(text, LESSON) for text in (TINY, changed))
    assert {cell.id for cell in after.cells} - {cell.id for cell in before.cells} == {"word_vectors-new-1"}
    assert {cell.id for cell in before.cells} < {cell.id for cell in after.cells}


def test_an_id_is_never_too_long_and_never_empty():
    text = "# %% [markdown]\n# " + "attention " * 30 + "\n\n# %% [markdown]\n# 注意\n"
    ids = [cell.id for cell in script.to_notebook(text, LESSON).cells]
    assert ids == ["word_vectors-attention-attention-attention", "word_vectors"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("answer: embed", "anwser: embed", 'cell "anwser: embed": not a marker'),
        ("check: embed", "check: embde", "did you mean 'embed'"),
        ("embed", "softmax", "softmax is an exercise of the lesson embedding_space"),
        ("    ### END SOLUTION\n", "", 'cell "answer: embed": no ### BEGIN SOLUTION'),
        ('check("embed", embed)\n', 'check("embed", embed);\n', 'must be exactly check("embed", embed)'),
        ("# ### END MARK SCHEME\n", "", 'cell "own words: why_cosine": no ### BEGIN MARK SCHEME'),
        ("why_cosine 2", "why_cosine", "points stand after an own words question"),
        ("check: embed", "check: embed 3", "points stand after an own words question"),  # they come from the exercise
        ("# %% answer: embed", "# %%", 'cell "check: embed": no answer: embed above it'),
        ('# %% check: embed\ncheck("embed", embed)\n', "", 'cell "answer: embed": no check below it'),
        ("own words: why_cosine 2", "own words: embed 2", 'cell "embed" occurs twice'),
        ("# %% tags", "# %%\n\n# %% tags", "an empty cell after 'import os'"),
        ("# %% [markdown] own words", "# %% own words", "own words is a [markdown] cell"),
    ],
)
def test_a_slip_in_the_script_is_named(old, new, sentence):
    assert old in TINY
    with pytest.raises(ReleaseError) as caught:
        script.to_notebook(TINY.replace(old, new), LESSON)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("1 / 0", 'cell "word_vectors-1-0" (1 / 0) raised ZeroDivisionError: division by zero'),
        ("import sys; print('careful', file=sys.stderr)", "wrote to stderr: careful"),
        ("import numpy as np; np.log(0.0)", "wrote to stderr"),  # a warning
        ("raise KeyError", "(raise KeyError) raised KeyError"),
        ("object()", "an object's address"),
        ("import os; os._exit(3)", "ended its Python process"),
        ("while True: pass", "was stopped after 1 seconds"),
        ("import time; time.sleep(600)", "was running when the lesson had used its 10 seconds"),
    ],
)
def test_a_cell_that_cannot_be_kept_is_named_and_old_files_stay(mine, monkeypatch, line, sentence):
    monkeypatch.setattr(execution, "CELL_SECONDS", 1 if "while" in line else 60)
    monkeypatch.setattr(execution, "LESSON_SECONDS", 10 if "sleep" in line else 60)
    before = [(mine / name).read_bytes() for name in (SOLVED, LEARNER)]
    (mine / SCRIPT).write_text(f"# %%\n{line}\n", encoding="utf-8")
    with pytest.raises(ReleaseError) as caught:
        release.build([LESSON], mine)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(str(mine / SCRIPT))
    assert [(mine / name).read_bytes() for name in (SOLVED, LEARNER)] == before
    assert sorted(path.name for path in (mine / SCRIPT).parent.iterdir()) == [f"{LESSON}.ipynb", f"{LESSON}.py"]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send to another process")
def test_ctrl_c_ends_the_build_and_its_kernel(mine):
    text = '# %%\nimport os, pathlib, time\npathlib.Path("kernel").write_text(str(os.getpid()))\ntime.sleep(600)\n'
    (mine / SCRIPT).write_text(text, encoding="utf-8")
    program = f"from autograde import release; release.build(['{LESSON}'])"
    build = subprocess.Popen([sys.executable, "-c", program], cwd=mine, stderr=subprocess.PIPE, text=True)
    kernel = (mine / SCRIPT).with_name("kernel")
    deadline = time.monotonic() + 120
    while not (kernel.exists() and kernel.read_text()) and time.monotonic() < deadline:
        time.sleep(0.1)
    build.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in build.communicate(timeout=120)[1]
    with pytest.raises(ProcessLookupError):
        os.kill(int(kernel.read_text()), 0)


def test_line_ends_of_the_script_do_not_matter(mine):
    (mine / SCRIPT).write_bytes(TINY.replace("\n", "\r\n").encode())
    assert current(mine) == []


def test_an_unknown_lesson_is_answered_with_the_known_ones(built):
    for command in (release.build, release.stale):
        with pytest.raises(ReleaseError, match="there is no lesson 'vectors'; the lessons are: word_vectors, "):
            command(["vectors"], built)


def test_a_course_without_configuration_is_refused(tmp_path):
    root = course(tmp_path / "new")
    (root / "nbgrader_config.py").unlink()
    assert "nbgrader_config.py is missing" in release.stale([LESSON], root)[0]


def test_a_repeated_id_never_reaches_a_file(built):
    notebook = nbformat.read(built / SOLVED, as_version=4)
    notebook.cells[1].id = notebook.cells[0].id
    with pytest.raises(ReleaseError, match="not valid"):
        layout.as_text(notebook)
