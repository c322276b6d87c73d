"""What tools can say about the code without running it: ruff's rules and layout, and mypy's types."""

import subprocess
import sys

import pytest
from paths import ROOT


@pytest.mark.parametrize("command", ["ruff check", "ruff format --check", "mypy"])
def test_the_tools_have_nothing_to_say(command):
    done = subprocess.run([sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
