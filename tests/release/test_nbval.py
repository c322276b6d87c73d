"""Every notebook runs: solved ones to their stored outputs, learners' copies without an error and for no points.

Two kernels at a time at most, one BLAS thread each: a lesson's sums then come out the same on every machine.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib.font_manager  # noqa: F401 - builds its cache here, where it may tell so
import nbformat
import pytest
from paths import ROOT

from autograde.exercises import LESSONS, folder

BUILT = [lesson for lesson in LESSONS if (ROOT / "solutions" / folder(lesson) / f"{lesson}.ipynb").exists()]

STRICT = [pytest.param((lesson, "--nbval", "once"), id=lesson) for lesson in BUILT]
STRICT += [pytest.param((lesson, "--nbval", "again"), id=f"{lesson}-again") for lesson in BUILT[:1]]
LAX = [pytest.param((lesson, "--nbval-lax", "once"), id=lesson) for lesson in BUILT]

NO_POINTS = "score = Out.popitem()[1]\nassert type(score) is float and score == 0, score"


@pytest.fixture(scope="module")
def outcomes(request, tmp_path_factory):
    """run -> (exit code, words) of its pytest, for the runs that this session has selected."""
    selected = [item.callspec.params for item in request.session.items if item.path == request.path]
    runs = {parameters["run"] for parameters in selected if "run" in parameters}
    places = {run: tmp_path_factory.mktemp("run") for run in runs}
    with ThreadPoolExecutor(max_workers=2) as pool:
        return dict(zip(runs, pool.map(lambda run: nbval(*run[:2], places[run]), runs), strict=True))


def nbval(lesson: str, mode: str, place: Path) -> tuple[int, str]:
    if mode == "--nbval":
        path = ROOT / "solutions" / folder(lesson) / f"{lesson}.ipynb"
    else:
        path = and_no_points(ROOT / "notebooks" / folder(lesson) / f"{lesson}.ipynb", place)
    words = [sys.executable, "-m", "pytest", mode, "--nbval-current-env", "--nbval-cell-timeout=300"]
    words += ["-p", "no:cacheprovider", "--color=no", str(path)]
    environment = {key: value for key, value in os.environ.items() if key != "AUTOGRADE_SEED"}
    environment["OPENBLAS_NUM_THREADS"] = "1"
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900)
    return done.returncode, done.stdout + done.stderr


def and_no_points(released: Path, place: Path) -> Path:
    """The released notebook, with a look at the value of each graded cell right below it."""
    notebook, cells = nbformat.read(released, as_version=4), []
    for cell in notebook.cells:
        cells.append(cell)
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cells.append(nbformat.v4.new_code_cell(NO_POINTS))
    assert len(cells) > len(notebook.cells)
    notebook.cells = cells
    nbformat.write(notebook, place / released.name)
    return place / released.name


@pytest.mark.parametrize("run", STRICT)
def test_a_solved_notebook_comes_to_its_stored_outputs(outcomes, run):
    code, words = outcomes[run]
    assert code == 0, words


@pytest.mark.parametrize("run", LAX)
def test_a_learner_copy_runs_as_released_and_scores_nothing(outcomes, run):
    code, words = outcomes[run]
    assert code == 0, words


@pytest.mark.parametrize("lesson", BUILT)
def test_no_cell_turns_the_comparison_off(lesson):
    notebook = nbformat.read(ROOT / "solutions" / folder(lesson) / f"{lesson}.ipynb", as_version=4)
    for cell in notebook.cells:
        assert "NBVAL" not in cell.source
        assert not [tag for tag in cell.metadata.get("tags", ()) if tag.startswith("nbval")]
