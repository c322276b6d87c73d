"""Stale marks: whatever decides about a lesson's marks renews them, and nothing else does."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from paths import ROOT
from small_submissions import LESSON, all_right, hand_in, notebook

from autograde.exercises import LESSONS
from autograde.grading.versions import deciding, digest, exercises_version

IMPORTED = """
import sys, types
package = sys.modules["autograde"] = types.ModuleType("autograde")
package.__path__ = ["autograde"]  # without its own __init__, which brings along what notebooks show
from autograde.engine.judge import judge
from autograde.exercises import in_lesson
for record in in_lesson(sys.argv[1]):
    judge(record, getattr(record, "reference", "a"))
import autograde.grading.marking
print(*(module.__file__ for name, module in sorted(sys.modules.items())
        if name.startswith(("autograde.", "course_utils.")) and getattr(module, "__file__", None)), sep="\\n")
"""


def said_by(code, *words, root=ROOT):
    environment = {**os.environ, "PYTHONPATH": str(root), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_module_that_judging_really_imports_is_among_them(lesson):
    """Python's own list of imported modules, after every exercise of the lesson was judged."""
    really = {os.path.relpath(path, ROOT) for path in said_by(IMPORTED, lesson).split()}
    known = {path.relative_to(ROOT).as_posix() for path in deciding(ROOT, lesson)}
    assert len(really) > 20 and really <= known
    assert "autograde/sandbox/worker/cells.py" in known  # imported by name, in another process
    assert not any(name.startswith(("autograde/classreport", "autograde/cli", "course_utils/explorers")) for name in known)
    others = set(LESSONS) - {lesson}
    assert not any(name.startswith(f"autograde/exercises/{other}.py") for name in known for other in others)


@pytest.fixture
def copy(tmp_path):
    """The repository's two packages; data are linked."""
    leave_out = shutil.ignore_patterns("__pycache__", "data")
    for package in ("autograde", "course_utils"):
        shutil.copytree(ROOT / package, tmp_path / "copy" / package, ignore=leave_out)
    (tmp_path / "copy" / "course_utils" / "data").symlink_to(ROOT / "course_utils" / "data")
    return tmp_path / "copy"


def test_every_one_of_them_changes_the_version_and_no_other(copy):
    before = digest(copy, "query_key_value")
    files = deciding(copy, "query_key_value")
    for path in sorted(copy.rglob("*.py")):
        original = path.read_bytes()
        path.write_bytes(original + b"\n# edited\n")
        assert (digest(copy, "query_key_value") != before) == (path in files), path
        path.write_bytes(original)
    assert digest(copy, "query_key_value") == before


GRADE = """
import sys
from autograde.cli import main
sys.exit(main(["grade", sys.argv[1], "--out", sys.argv[2], "--jobs", "1", "--seed", "1"]))
"""


def test_a_regrade_renews_the_marks(copy, tmp_path):
    hand_in(tmp_path / "submitted", "ada", notebook(all_right()))

    def renewed(module):
        with open(copy / module, "a") as file:
            file.write("\n# edited\n")
        return "1/1 ada" in said_by(GRADE, tmp_path / "submitted", tmp_path / "out", root=copy)

    assert renewed("autograde/engine/compare.py")  # the first time
    for module in ("engine/diagnosis.py", "grading/marking.py", "submissions/notebook.py", "sandbox/host/link.py"):
        assert renewed(f"autograde/{module}"), module
    lessons_own = next(path for path in deciding(copy, LESSON) if path.parts[-2:] != ("exercises", "__init__.py")
                       and f"/exercises/{LESSON}" in path.as_posix())  # fmt: skip
    for path in (lessons_own, copy / "course_utils" / f"{LESSON}.py"):
        assert renewed(path), path
    assert not renewed("autograde/classreport/page.py") and not renewed("autograde/cli.py")


def test_numpys_version_is_part_of_it():
    assert f"numpy{np.__version__}" in exercises_version(LESSON)
