"""What hostile work costs the judge's own memory: measured in a process of its own, at its highest."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
ROOT = Path(__file__).resolve().parents[2]
MOST = 300 << 20  # bytes
PEAK = """
from pathlib import Path
def peak():
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) << 10
"""
JUDGED = """
import sys
from autograde import judge
from autograde.exercises import everything
from autograde.sandbox.host.sandbox import Sandbox
name, source = sys.argv[1:]
everything()
with Sandbox() as sandbox, sandbox.open([source], [name]) as submission:
    print(judge(name, submission.answer(name), seed=1).status, peak())
"""
READ = """
import sys
from autograde.exercises import everything
from autograde.submissions.notebook import Unreadable, read
everything()
try:
    read(sys.argv[1])
except Unreadable:
    pass
print("read", peak())
"""
NUMPY = "import numpy as np\n"
RESULTS = {
    "four million empty rows": ("multi_head_attention", "def multi_head_attention(*_): return np.zeros((4_000_000, 0))"),
    "a million rows where two results are due": (
        "multi_head_attention",
        "def multi_head_attention(*_): return np.zeros((10**6, 1))",
    ),
    "results as large as they may be": ("embed", "def embed(*_): return np.zeros(1 << 20, bool)"),
    "many large results": ("multi_head_attention", "def multi_head_attention(*_): return np.zeros(900_000), np.zeros(100_000)"),
    "sixty parts": ("embed", "def embed(*_): return [np.zeros(i) for i in range(1000, 1060)]"),
    "billions of numbers": ("embed", "def embed(*_): return np.broadcast_to(0.0, (10**5, 10**5))"),
}


@pytest.mark.parametrize("what", RESULTS)
def test_results_cost_the_judge_little(what):
    name, source = RESULTS[what]
    status, peak = run(PEAK + JUDGED, name, NUMPY + source)
    assert status == "scored" and peak < MOST


@pytest.mark.parametrize(
    "filling", [b'"' + b"a" * (90 << 20) + b'"', b"1," * (20 << 20) + b"1", b"[" * (3 << 20)], ids=["text", "list", "depth"]
)
def test_a_large_file_costs_the_judge_little(filling, tmp_path):
    path = tmp_path / "large.ipynb"
    path.write_bytes(b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x = 1", "outputs": [' + filling + b"]}]}")
    word, peak = run(PEAK + READ, str(path))
    assert word == "read" and peak < MOST


def run(script, *arguments):
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, cwd=ROOT, timeout=500)
    assert done.returncode == 0, done.stderr
    word, peak = done.stdout.rsplit(maxsplit=1)
    return word, int(peak)
