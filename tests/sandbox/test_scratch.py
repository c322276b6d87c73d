"""The folder in which a worker may write: honest cells find it, and nothing that is written outlives the worker."""

import os
import sys
from pathlib import Path

import pytest

from autograde.sandbox.host import fork_client
from autograde.sandbox.host.sandbox import Limits, Sandbox
from autograde.sandbox.worker import scratch

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Landlock and namespaces are Linux's")
QUICK = Limits(cell=5, call=2)
NAMES = ("embed", "got")
ANSWER = "\ndef embed(): return 7"


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(QUICK) as sandbox:
        yield sandbox


HONEST = {
    "a figure in a folder": "import os, matplotlib.pyplot as plt\nos.makedirs('figures')\nplt.plot([1, 2])\n"
    "plt.savefig('figures/line.png')\nassert os.path.getsize('figures/line.png') > 1000",
    "arrays": "import numpy as np\nnp.save('a.npy', np.ones(3))\nnp.savez('b.npz', a=np.ones(2))\n"
    "np.savetxt('c.txt', np.ones(4))\n"
    "assert np.load('a.npy').sum() == 3 and np.load('b.npz')['a'].sum() == 2 and np.loadtxt('c.txt').sum() == 4",
    "an array by its bytes": "import numpy as np\nnp.ones(3).tofile('d')\nassert np.fromfile('d').sum() == 3\n"
    "m = np.memmap('e', dtype='f8', mode='w+', shape=3)\nm[:] = 1\nm.flush()\nassert np.fromfile('e').sum() == 3",
    "text": "with open('notes.txt', 'w') as file: file.write('a')\nwith open('notes.txt', 'a') as file: file.write('b')\n"
    "assert open('notes.txt').read() == 'ab'",
    "temporary files": "import tempfile\nwith tempfile.TemporaryFile() as f, tempfile.NamedTemporaryFile() as g:\n"
    "    f.write(b'a'), g.write(b'b')\nwith tempfile.TemporaryDirectory() as d: open(d + '/x', 'w').close()",
    "another folder": "import os\nos.mkdir('work')\nos.chdir('work')\nopen('here', 'w').close()\nassert os.listdir() == ['here']",
    "a log": "import logging\nlogging.basicConfig(filename='run.log')\nlogging.warning('careful')\n"
    "assert 'careful' in open('run.log').read()",
    "paths": "from pathlib import Path\nhere = Path('a/b')\nhere.mkdir(parents=True)\n(here / 'c').write_text('x')\n"
    "(here / 'c').rename('d')\nassert [p.name for p in Path('.').iterdir()] in (['a', 'd'], ['d', 'a'])",
    "copies": "import shutil, pathlib\npathlib.Path('a').write_text('x')\nshutil.copy('a', 'b')\nshutil.copy2('a', 'c')\n"
    "pathlib.Path('d').mkdir()\nshutil.copytree('d', 'e')\nshutil.rmtree('d')\nassert open('c').read() == 'x'",
    "a database": "import sqlite3\nwith sqlite3.connect('x.db') as book:\n    book.execute('create table t (n int)')\n"
    "    book.execute('insert into t values (3)')\nassert sqlite3.connect('x.db').execute('select n from t').fetchone() == (3,)",
    "nowhere": "import os\nprint('x', file=open(os.devnull, 'w'))",
}


@pytest.mark.parametrize("what", HONEST)
def test_cells_that_touch_files_run_to_their_end(sandbox, what):
    with sandbox.open([HONEST[what] + ANSWER], NAMES) as submission:
        assert submission.failures == {} and submission.notices == ()
        assert submission.answer("embed").call(()).value == 7


REFUSED = {
    "a file of the learner's": "table = open('my_table.csv').read()",
    "a folder of the system": "open('/usr/lib/mine', 'w')",
    "a folder that a skipped shell line would have made": "!mkdir plots\nopen('plots/a', 'w')",
    "another program": "import subprocess\nsubprocess.run(['ls'])",
    "the network": "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9')",
    "a file too large": "open('large', 'wb').write(bytes(40 << 20))",
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_refusal_loses_its_own_statement_only(sandbox, what):
    with sandbox.open([REFUSED[what] + ANSWER], NAMES) as submission:
        assert submission.answer("embed").call(()).value == 7
        assert list(submission.failures) == [1] and "code cell 1: not possible in grading" in submission.notices[-1]
        assert "scratch-" not in submission.notices[-1]  # the folder's name is another one in each run


def test_what_needs_the_refused_and_what_is_raised_by_hand_end_the_cell(sandbox):
    cells = ["table = open('my_table.csv').read()\nrows = table.split()" + ANSWER, "raise OSError('no')\ndef got(): return 1"]
    with sandbox.open(cells, NAMES) as submission:
        assert submission.answer("embed") is None and submission.answer("got") is None
        assert [why.type for why in submission.failures.values()] == ["NameError", "OSError"]


@pytest.mark.parametrize("system_keeps_bounds", [True, False])
@pytest.mark.parametrize(
    "cell",
    [
        "for i in range(10**6):\n    open(f'f{i}', 'w').close()",
        "for i in range(10**3):\n    open(f'f{i}', 'wb').write(bytes(16 << 20))",
        "while True:\n    os.mkdir('d')\n    os.chdir('d')",
    ],
)
def test_a_worker_writes_no_more_than_it_may(cell, system_keeps_bounds, monkeypatch):
    if not system_keeps_bounds:
        never_mounted(monkeypatch)
    with Sandbox(QUICK) as sandbox, sandbox.open([f"import os\n{cell}", ANSWER], NAMES) as submission:
        if system_keeps_bounds and not mounted(sandbox):
            pytest.skip("this system lets nobody mount")
        assert (submission.failures[1].type == "OSError") == system_keeps_bounds, submission.failures
        assert submission.answer("embed").call(()).value == 7
        home = Path(sandbox.client.scratch.name)
    assert not home.exists()


def never_mounted(monkeypatch):
    """As in a container that has no namespaces to give."""
    last = "from autograde.sandbox.worker.fork_server import serve"
    off = "import autograde.sandbox.worker.scratch\nautograde.sandbox.worker.scratch.mount_privately = lambda home: False"
    assert last in fork_client.BOOT
    monkeypatch.setattr(fork_client, "BOOT", fork_client.BOOT.replace(last, f"{off}\n{last}"))


def mounted(sandbox):
    return sandbox.client.scratch.name in Path(f"/proc/{sandbox.client.process.pid}/mounts").read_text()


@pytest.mark.parametrize("system_keeps_bounds", [True, False])
def test_what_one_worker_wrote_no_other_finds(system_keeps_bounds, monkeypatch):
    if not system_keeps_bounds:
        never_mounted(monkeypatch)
    writes = "import os\nopen('secret', 'w').write('mine')\nopen('../other', 'w')\nhere = os.getcwd()"
    looks = "import os, glob\nfound = glob.glob('/dev/shm/**', recursive=True) + glob.glob('../*/*') + os.listdir()\n"
    looks += "got = str([path for path in found if 'secret' in path])"
    with Sandbox(QUICK) as sandbox:
        with sandbox.open([writes], NAMES) as first:
            assert first.failures[1].type == "PermissionError"  # beside its folder it may write nothing
            with sandbox.open([looks], NAMES) as second:  # while the first is open ...
                assert second.value("got") == "[]"
        with sandbox.open([looks], NAMES) as third:  # ... and after it, in the same folder
            assert third.value("got") == "[]"


def test_any_tree_can_be_removed(tmp_path):
    """Deeper than a path may be long or Python may recurse; names that collide; folders that cannot be read."""
    before, folder = os.getcwd(), tmp_path / "scratch"
    folder.mkdir()
    try:
        os.chdir(folder)
        for depth in range(1500):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
            if depth % 100 == 0:
                Path("file").touch()
    finally:
        os.chdir(before)
    (folder / "closed").mkdir()
    (folder / "closed" / "inside").touch()
    (folder / "closed").chmod(0)
    (folder / "link").symlink_to(tmp_path)
    scratch.empty(folder)
    assert os.listdir(folder) == [] and tmp_path.exists()


def test_the_look_at_a_folder_counts_entries_and_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch, "FILES", 5)
    monkeypatch.setattr(scratch, "BYTES", 100_000)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_bytes(bytes(50_000))
    assert not scratch.over(tmp_path)
    (tmp_path / "c").write_bytes(bytes(80_000))
    assert scratch.over(tmp_path)
    (tmp_path / "c").unlink()
    for name in "efghi":
        (tmp_path / name).touch()
    assert scratch.over(tmp_path)
