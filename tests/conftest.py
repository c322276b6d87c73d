"""What takes long to make and is the same for every test of grading: made once."""

import make_class
import pytest
from commands import grade
from small_submissions import LESSON

from autograde.sandbox.host.sandbox import Sandbox


@pytest.fixture(scope="session")
def sandbox():
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def graded(tmp_path_factory):
    """A class of thirty, graded once by two workers: (submitted, out, exit code, what was said)."""
    home = tmp_path_factory.mktemp("class")
    make_class.make(home / "submitted", LESSON, 30, seed=4)
    code, said = grade(home / "submitted", home / "out", jobs=2, seed=11)
    return home / "submitted", home / "out", code, said
