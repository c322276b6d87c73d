"""A course that nbgrader has released, made once."""

import shutil

import pytest
from small_gradebook import CONFIG, LESSON, released


@pytest.fixture(scope="session")
def released_course(tmp_path_factory):
    home = tmp_path_factory.mktemp("released")
    released(home, LESSON)
    return home


@pytest.fixture
def home(released_course, tmp_path):
    """A copy of one's own."""
    shutil.copytree(released_course, tmp_path / "course")
    (tmp_path / "course" / "nbgrader_config.py").write_text(CONFIG.format(home=tmp_path / "course"))
    return tmp_path / "course"
