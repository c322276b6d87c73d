"""Who may import whom: the contracts of pyproject.toml hold, and each of them fails at a wrong arrow, with its sentence."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from paths import ROOT

from autograde.exercises import LESSONS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = {contract["id"]: contract for contract in PROJECT["tool"]["importlinter"]["contracts"]}
WRONG = {  # a file, and an import that does not belong in it
    "layers": ("autograde/engine/judge.py", "from autograde.exercises import find"),
    "course-utils": ("course_utils/scaling.py", "import autograde.engine.judge"),
    "notebooks": ("course_utils/figures/pictures.py", "import nbformat"),
    "worker": ("autograde/sandbox/worker/cells.py", "import autograde.engine.compare"),
    "host": ("autograde/sandbox/host/link.py", "import autograde.sandbox.worker.worker"),
    "references": ("course_utils/scaling.py", "import course_utils.datasets"),
    "kit": ("course_utils/explorers/kit/svg.py", "import course_utils.explorers.scaling"),
    "circles": ("course_utils/minilm/tokenizer.py", "import course_utils.minilm.model"),
}


def lint(contract: str, folder: Path) -> tuple[int, str]:
    """Exit code and words of one contract's check of the packages in ``folder``."""
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--contract", contract]
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "500"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """The project's modules, so that a wrong import can be written into one."""
    folder = tmp_path_factory.mktemp("copy")
    for package in ("autograde", "course_utils"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "data"))
    (folder / "tests" / "support").mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "support" / "only_imports.py", folder / "tests" / "support")
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_arrow_points_down(contract):
    code, words = lint(contract, ROOT)
    assert code == 0, words


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_wrong_arrow_fails_with_its_sentence(contract, copy):
    name, line = WRONG[contract]
    right = (copy / name).read_text(encoding="utf-8")
    (copy / name).write_text(f"{right}\n{line}\n", encoding="utf-8")
    try:
        code, words = lint(contract, copy)
    finally:
        (copy / name).write_text(right, encoding="utf-8")
    assert code == 1, words
    assert f"{CONTRACTS[contract]['name']} BROKEN" in words
    assert name.removesuffix(".py").replace("/", ".").removeprefix("course_utils.minilm") in words


def test_every_lesson_s_reference_is_bound_by_its_contract():
    bound = {name.removeprefix("course_utils.") for name in CONTRACTS["references"]["importers"]}
    assert bound >= set(LESSONS)
