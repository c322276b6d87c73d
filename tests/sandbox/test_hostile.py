"""The bank of hostile submissions (see hostile/README.md): none earns, loses or touches what it should not."""

import os
import socket
import sqlite3
import string
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import course_utils
from autograde import judge
from autograde.engine.exercise import Quiz
from autograde.exercises import find, in_lesson
from autograde.exercises.withheld import course_modules
from autograde.sandbox.host.sandbox import Limits, Sandbox

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Landlock and seccomp are Linux's")

SEED = 90125
LIMITS = Limits(cell=0.4, call=0.4, submission=30.0, idle=1.0, memory=256 << 20)


def functions(lesson):
    return tuple(record.name for record in in_lesson(lesson) if not isinstance(record, Quiz))


NAMES = functions("word_vectors")
RIGHT = """
import numpy as np

def embed(ids, E):
    return np.asarray(E)[np.asarray(ids)]

def cosine_similarity(u, v):
    lengths = np.sqrt(float(np.dot(u, u))) * np.sqrt(float(np.dot(v, v)))
    return float(np.dot(u, v)) / lengths if lengths else 0.0
"""
BANK = [
    record
    for path in sorted(Path(__file__).parent.joinpath("hostile").glob("*.toml"))
    for record in tomllib.loads(path.read_text(encoding="utf-8"))["submission"]
]


def title(record):
    return f"{record['kind']}: {record['name']}"


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    """The judge's folder holds a numpy.py, and its environment a secret: neither may reach a worker."""
    before, folder = Path.cwd(), tmp_path_factory.mktemp("judge")
    folder.joinpath("numpy.py").write_text("raise SystemExit('shadowed')")
    os.environ["ATTENTION_COURSE_SECRET"] = "1234"
    os.chdir(folder)
    try:
        with Sandbox(LIMITS) as sandbox:
            yield sandbox
    finally:
        os.chdir(before)
        del os.environ["ATTENTION_COURSE_SECRET"]


@pytest.fixture(scope="module")
def bystander(sandbox):
    """An honest submission that stays open beside all the hostile ones."""
    with sandbox.open([f"BYSTANDER = 1\n{RIGHT}"], NAMES) as submission:
        yield submission


@pytest.fixture
def world(tmp_path):
    """What the attacks aim at, as the values of the words that begin with $."""
    folder = tmp_path / "class"
    folder.mkdir()
    canary = folder / "canary.txt"
    canary.write_text("untouched")
    with sqlite3.connect(folder / "gradebook.db") as book:
        book.execute("create table grade (score integer)")
        book.execute("insert into grade values (7)")
    victim = subprocess.Popen(["sleep", "600"])
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield {
            "canary": canary,
            "folder": folder,
            "victim": victim.pid,
            "judge": os.getpid(),
            "port": server.getsockname()[1],
            "course": Path(course_utils.__file__).parent,
        }
    victim.kill()
    victim.wait()


def cells_of(record, world):
    return [RIGHT if cell == "RIGHT" else attack(string.Template(cell).safe_substitute(world)) for cell in record["cells"]]


def attack(cell):
    """As one statement: a refusal loses no other, and would leave the sign that the attack worked."""
    return f"exec({cell!r}, globals())" if "got" in cell and not cell.startswith(("%", "!")) else cell


def snapshot(folder):
    """Everything that an attack could have changed about the files."""
    return [
        (path, path.lstat().st_mode, path.lstat().st_mtime_ns, path.lstat().st_nlink, path.read_bytes())
        for path in sorted(folder.rglob("*"))
    ]


def alive(session):
    """Processes that belong to a worker's session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(stat.parent.name)
    return found


@pytest.mark.parametrize("record", BANK, ids=title)
def test_hostile(record, sandbox, bystander, world, monkeypatch):
    before, sessions, links = snapshot(world["folder"]), [], sandbox.link

    def link(*args):
        made = links(*args)
        sessions.append(made.process)
        return made

    monkeypatch.setattr(sandbox, "link", link)
    parent = sandbox.client.process.pid
    lesson = record.get("lesson", "word_vectors")
    names = functions(lesson)
    with sandbox.open(cells_of(record, world), (*names, "got"), course_modules(lesson)) as submission:
        reports = {name: judge(name, submission.answer(name), seed=SEED) for name in names}
        assert submission.value("got") is None
        assert {"landlock", "seccomp"} <= {layer.split()[0] for layer in submission.layers}
        assert all(letter.isprintable() for notice in submission.notices for letter in notice)
    assert {name for name, report in reports.items() if report.passed} == set(record["passes"])
    assert {
        name: report.score
        for name, report in reports.items()
        if not report.passed and report.score and name not in record.get("partly", ())
    } == {}
    assert snapshot(world["folder"]) == before
    assert [process for session in sessions for process in alive(session)] == []
    assert sandbox.client.process.pid == parent and sandbox.client.process.poll() is None
    assert bystander.workers.restarts == 1
    assert bystander.answer("embed").call(([1], np.eye(2))).value.tolist() == [[0, 1]]


@pytest.mark.parametrize("record", [record for record in BANK if record.get("control")], ids=title)
def test_without_the_sandbox_the_attack_works(record, world):
    script = "\n".join(cells_of(record, world)) + "\nprint('got:', got)"
    result = subprocess.run(
        [sys.executable, "-P", "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "ATTENTION_COURSE_SECRET": "1234"},
    )
    assert "got:" in result.stdout, result.stderr


def test_without_the_sandbox_a_file_beside_the_submission_shadows_numpy(tmp_path):
    """The sandbox of these tests is started in such a folder."""
    tmp_path.joinpath("numpy.py").write_text("raise SystemExit('shadowed')")
    result = subprocess.run([sys.executable, "-c", "import numpy"], capture_output=True, text=True, cwd=tmp_path)
    assert "shadowed" in result.stderr


def test_the_bank_is_large_and_its_titles_differ():
    assert len(BANK) >= 40 and len({title(record) for record in BANK}) == len(BANK)


def test_answers_learnt_by_heart_from_the_visible_inputs_earn_nothing(sandbox):
    """Every call that the public seed makes is recorded with the right result, and replayed by its bytes."""
    for exercise in map(find, NAMES):
        known = []

        def recording(*args, exercise=exercise, known=known):
            value = exercise.reference(*args)
            known.append((repr(args), np.asarray(value).tolist()))
            return value

        assert judge(exercise, recording).passed
        source = f"known = dict({known!r})\ndef {exercise.name}(*args):\n    return known.get(repr(args))"
        with sandbox.open([f"from numpy import *\nfrom numpy import array\n{source}"], NAMES) as submission:
            answer = submission.answer(exercise.name)
            assert judge(exercise, answer).score > 0  # the trick works on the public seed ...
            assert judge(exercise, answer, seed=SEED).score == 0, exercise.name  # ... and on no other
