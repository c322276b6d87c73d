"""CONTRIBUTING's recipe for a new exercise, followed to the letter in a copy of the project.

Every code block goes where the text before it says: to the end of a file, into a new one, into a lesson's list, or into
its script. Then the recipe's commands are run, and submissions with the recipe's own answers are graded.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT
from small_submissions import hand_in

from autograde.exercises import folder, in_lesson

LESSON = "word_vectors"
NAME = "euclidean_distance"
COPIED = ("autograde", "course_utils", "tests/support", f"solutions/{folder(LESSON)}")
COPIED_FILES = (
    "README.md",
    "CONTRIBUTING.md",
    "pyproject.toml",
    "nbgrader_config.py",
    "docs/architecture.md",
    "tests/course_utils/test_word_vectors.py",
    "tests/cli/test_documents.py",
)
LIST, SCRIPT = f"autograde/exercises/{LESSON}/__init__.py", f"solutions/{folder(LESSON)}/{LESSON}.py"
EXERCISE = f"autograde/exercises/{LESSON}/{NAME}.py"


def recipe() -> dict[str, str]:
    """The recipe's code blocks without their indentation, each under the file that the text before it names last."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Add an exercise")[1].split("\n## ")[0]
    blocks, path = {}, None
    for named, block in re.findall(r"`([\w/]+\.py)`|^   ```python\n(.*?)^   ```$", text, re.M | re.S):
        if block:
            assert path not in blocks, f"two blocks for {path}"
            blocks[path] = re.sub(r"^   ", "", block, flags=re.M)
        path = named or path
    return blocks


def follow(copy: Path, path: str, block: str) -> None:
    file = copy / path
    if not file.exists():
        file.write_text(block, encoding="utf-8")
        return
    before = file.read_text(encoding="utf-8")
    if path == LIST:
        imported, entry = re.fullmatch(r"(from .*\n)\nEXERCISES = \(\n    # …\n( +.*\n)\)\n", block).groups()
        after = before.replace("\nfrom ", f"\n{imported}from ", 1)
        after = re.sub(r"\)\n\Z", f"{entry})\n", after)
    elif path == SCRIPT:
        last = "# %% [markdown]\n# ## What you can do now"
        after = before.replace(last, f"{block}\n{last}")
    else:
        after = f"{before}\n\n{block}"
    file.write_text(after, encoding="utf-8")


def run(copy: Path, *command: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTHONPATH": str(copy), "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=copy, env=environment, capture_output=True, text=True, timeout=300
    )


def misses(done: subprocess.CompletedProcess) -> list[str]:
    return [line.strip() for line in done.stdout.splitlines() if line.startswith("  MISS")]


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """A copy of the project in which every block of the recipe was put in its place."""
    copy = tmp_path_factory.mktemp("copy")
    for name in COPIED:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in COPIED_FILES:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    for path, block in recipe().items():
        follow(copy, path, block)
    return copy


@pytest.fixture(scope="module")
def proven(followed):
    """What was said of the exercise before its notebook was built, as the recipe has it."""
    return run(followed, "autograde.cli", "verify", "--lesson", LESSON)


@pytest.fixture(scope="module")
def released(followed, proven):
    done = run(followed, "autograde.cli", "release", "--lesson", LESSON)
    assert done.returncode == 0, done.stdout + done.stderr
    return followed


def test_the_recipe_names_a_file_for_each_block():
    assert list(recipe()) == ["course_utils/word_vectors.py", "tests/course_utils/test_word_vectors.py", EXERCISE, LIST, SCRIPT]


def test_the_reference_s_own_test_passes(followed):
    done = run(followed, "pytest", "-p", "no:cacheprovider", "tests/course_utils/test_word_vectors.py", "-k", NAME)
    assert done.returncode == 0, done.stdout + done.stderr  # and 5 where no test has this name
    doctest = run(followed, "doctest", "-v", "course_utils/word_vectors.py")
    assert doctest.returncode == 0 and "euclidean_distance" in doctest.stdout


def test_it_is_proven_and_the_notebooks_alone_lack_it(proven):
    assert f"{NAME}: holds" in proven.stdout, proven.stdout + proven.stderr
    assert misses(proven) and all(f"{NAME} is graded by 0 cells" in line for line in misses(proven))


def test_the_built_notebook_has_it_and_not_its_answer(released):
    learner = (released / "notebooks" / folder(LESSON) / f"{LESSON}.ipynb").read_text(encoding="utf-8")
    assert f'"grade_id": "{NAME}"' in learner and "np.linalg.norm(u - v)" not in learner
    done = run(released, "autograde.cli", "release", "--check", "--lesson", LESSON)
    assert done.returncode == 0, done.stdout + done.stderr
    done = run(released, "autograde.cli", "verify", "--lesson", LESSON, "--seeds", "1")
    assert done.returncode == 0, done.stdout + done.stderr


def answer(function: str) -> str:
    """A function of the recipe's exercise, as a learner writes it."""
    tree = ast.parse(recipe()[EXERCISE])
    [found] = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == function]
    found.name = NAME
    return ast.unparse(found)


def handed_in(copy: Path, function: str | None) -> bytes:
    """The copy's learner's notebook, with this function of the recipe in its answer cell."""
    document = json.loads((copy / "notebooks" / folder(LESSON) / f"{LESSON}.ipynb").read_text(encoding="utf-8"))
    [cell] = [each for each in document["cells"] if each["metadata"].get("nbgrader", {}).get("grade_id") == f"{NAME}-answer"]
    if function:
        cell["source"] = answer(function)
    return json.dumps(document).encode()


@pytest.fixture(scope="module")
def graded(released):
    """The result of the new exercise for each student."""
    for student, function in (("ada", "_root"), ("bob", "_squared"), ("eve", "_without_squares"), ("kim", None)):
        hand_in(released / "submitted", student, handed_in(released, function))
    done = run(released, "autograde.cli", "grade", "submitted", "--lesson", LESSON, "--jobs", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    found = {}
    for path in (released / "results").glob(f"*/{LESSON}.json"):
        [found[path.parent.name]] = [
            each for each in json.loads(path.read_text(encoding="utf-8"))["answers"] if each["name"] == NAME
        ]
    return found


def test_right_answers_get_its_points(graded):
    assert (graded["ada"]["score"], graded["ada"]["points"]) == (3, 3)
    assert graded["kim"]["status"] == "not attempted" and graded["kim"]["points"] == 3


@pytest.mark.parametrize("student, id", [("bob", "squared-distance"), ("eve", "sum-of-differences")])
def test_the_recipe_s_mistakes_are_named_in_its_words(graded, student, id):
    assert graded[student]["score"] < 3 and graded[student]["diagnosis"]["id"] == id
    assert graded[student]["diagnosis"]["explanation"] in recipe()[EXERCISE]


def test_the_learner_s_check_in_a_terminal_tells_the_mistake(released):
    notebook = released / "bob.ipynb"
    notebook.write_bytes(handed_in(released, "_squared"))
    done = run(released, "autograde.cli", "check", str(notebook))
    assert "The root is missing" in done.stdout, done.stdout + done.stderr


def test_the_lesson_table_is_told_to_be_wrong_until_it_counts_the_new_exercise(released):
    points, readme = sum(record.points for record in in_lesson(LESSON)), released / "README.md"
    counted = ("pytest", "-p", "no:cacheprovider", "tests/cli/test_documents.py", "-k", f"lesson_table and {LESSON}")
    assert run(released, *counted).returncode == 1
    text = readme.read_text(encoding="utf-8")
    old, new = (f"| {len(in_lesson(LESSON)) + more} | {points + 3 * more} |" for more in (0, 1))
    assert old in text
    readme.write_text(text.replace(old, new), encoding="utf-8")
    done = run(released, *counted)
    assert done.returncode == 0, done.stdout + done.stderr
