"""The sandbox's processes: who ends with whom, what is left, and that root and ordinary users get the same."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import autograde
from autograde.sandbox.host import fork_client
from autograde.sandbox.host import sandbox as sandbox_module
from autograde.sandbox.host.sandbox import Sandbox, SandboxError
from autograde.sandbox.host.spawn_client import SpawnClient

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
ROOT = Path(autograde.__file__).resolve().parent.parent
CELL = "import numpy as np\ndef embed(ids, E): return np.asarray(E)[np.asarray(ids)]"
QUESTION = ([1], np.eye(2))
RUN = """
import json, sys
import numpy as np
from autograde.judge import judge
from autograde.sandbox.host.sandbox import Sandbox
cells, names = json.load(sys.stdin)
with Sandbox() as sandbox, sandbox.open(cells, names) as submission:
    scores = {name: judge(name, submission.answer(name), seed=7).score for name in names}
    print(json.dumps([scores, submission.layers, sorted(submission.failures)]))
"""


def gone(process, seconds=10.0):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def test_everything_ends_with_a_judge_that_is_killed():
    script = (
        "import os, signal\nfrom autograde.sandbox.host.sandbox import Sandbox\nsandbox = Sandbox()\n"
        "submission = sandbox.open(['while_open = 1'], ['embed'])\n"
        "print(sandbox.client.process.pid, submission.workers.link.process, flush=True)\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, timeout=120).stdout
    processes = printed.split()
    assert len(processes) == 2 and all(gone(process) for process in processes)


def test_a_fork_server_that_dies_is_nobodys_fault_and_is_started_again():
    with Sandbox() as sandbox:
        with pytest.raises(SandboxError), sandbox.open([CELL], ["embed"]) as submission:
            os.kill(sandbox.client.process.pid, signal.SIGKILL)
            submission.answer("embed").call(QUESTION)
        with sandbox.open([CELL], ["embed"]) as submission:
            assert submission.answer("embed").call(QUESTION).value.tolist() == [[0, 1]]


def test_nothing_is_left_after_many_submissions():
    with Sandbox() as sandbox:
        used = []
        for _ in range(20):
            with sandbox.open([CELL, "import os\ndef one_hot(): os._exit(1)"], ["embed", "one_hot"]) as submission:
                submission.answer("one_hot").call(())
                used.append(submission.answer("embed").call(QUESTION) and submission.workers.link.process)
            if len(used) == 1:
                before = len(os.listdir("/proc/self/fd"))
        assert len(os.listdir("/proc/self/fd")) == before
        parent = sandbox.client.process.pid
        assert Path(f"/proc/{parent}/task/{parent}/children").read_text() == ""
        assert all(gone(process, 0.1) for process in used)
    assert gone(parent)


def test_a_worker_holds_the_standard_descriptors_and_its_channel():
    source = (
        "import os\nheld = []\nfor descriptor in range(1000):\n    try:\n        os.fstat(descriptor)\n"
        "        held.append(descriptor)\n    except OSError:\n        pass\nanswer_held = str(len(held))"
    )
    with Sandbox() as sandbox, sandbox.open([source], ["answer_held"]) as submission:
        assert submission.value("answer_held") == "4"


def test_started_workers_do_the_same_where_there_is_no_fork(monkeypatch):
    cells = [CELL, "import os\ndef one_hot(): os._exit(4)"]
    monkeypatch.setattr(sandbox_module, "make_client", SpawnClient)
    with Sandbox() as sandbox:
        with sandbox.open(cells, ["embed", "one_hot"]) as submission:
            assert submission.answer("embed").call(QUESTION).value.tolist() == [[0, 1]]
            assert "exit code 4" in submission.answer("one_hot").call(()).failure.message
            assert submission.answer("embed").call(QUESTION).value.tolist() == [[0, 1]]
            assert "rlimits" in submission.layers
        processes = [*sandbox.client.running, sandbox.client.next.process.pid]
    assert all(gone(process) for process in processes)


def test_a_python_that_cannot_start_is_told_in_words(monkeypatch):
    monkeypatch.setattr(fork_client, "BOOT", "raise ImportError('no such library')")
    with pytest.raises(SandboxError, match="no such library"):
        Sandbox()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_an_ordinary_user_gets_the_same_as_root():
    cells = [
        CELL,
        "import os\nos.fork()",
        "import threading\nthread = threading.Thread(target=print)\nthread.start()",
        "open('/etc/passwd').read()",
        "def one_hot(ids, n): return np.eye(n)[np.asarray(ids)]",
        "while True: [0] * 10**10",
    ]
    asked = json.dumps([cells, ["embed", "one_hot", "cosine_matrix"]])
    found = {}
    for user in (0, 65534):
        run = _as_user(user, asked)
        if run is None:
            pytest.skip("no Python with NumPy that an ordinary user may run")
        found[user] = json.loads(run)
    assert found[0] == found[65534]
    scores, layers, failures = found[0]
    assert scores == {"embed": 5.0, "one_hot": scores["one_hot"], "cosine_matrix": 0.0} and failures == [2, 4, 6]
    assert {"rlimits", "seccomp"} <= set(layers)


def _as_user(user, asked):
    """What RUN prints as this user: this Python, or the system's of the same version where this one is private."""
    environment = {
        "PATH": os.defpath,
        "HOME": "/nonexistent",
        "MPLCONFIGDIR": os.environ.get("MPLCONFIGDIR", ""),
        "PYTHONPATH": os.pathsep.join([str(ROOT), *(path for path in sys.path if path.endswith("-packages"))]),
    }
    system = f"/usr/bin/python3.{sys.version_info.minor}"
    for python in dict.fromkeys((system, sys.executable)):
        try:
            done = subprocess.run(
                [python, "-c", RUN],
                input=asked,
                capture_output=True,
                text=True,
                timeout=300,
                user=user,
                group=user,
                extra_groups=[],
                env=environment,
                cwd="/",
            )
        except OSError:
            continue
        if done.returncode == 0:
            return done.stdout
    return None
