"""A gradebook on a PostgreSQL server, which these tests start (Debian: apt-get install postgresql; pip: psycopg[binary])."""

import csv
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from commands import autograde, grade
from small_gradebook import ASSIGNMENT, LATE, LESSON, ON_TIME, POINTS, RIGHT, hand_in, nbgrader

from autograde.nbgrader_plugin.database import opened

FOUND = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
BIN = FOUND[-1] if FOUND else Path(shutil.which("postgres") or "/nowhere").parent
pytestmark = [
    pytest.mark.skipif(not (BIN / "initdb").exists(), reason="there is no PostgreSQL on this machine"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),  # nbgrader's own
]


@pytest.fixture(scope="module")
def server():
    """The URL of an empty database. PostgreSQL does not run for root."""
    pytest.importorskip("psycopg")
    user = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    home = Path(tempfile.mkdtemp(prefix="pg"))
    home.chmod(0o755)
    if user:
        shutil.chown(home, **user)
    data = str(home / "data")
    quiet = {"cwd": home, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **user}
    subprocess.run([BIN / "initdb", "-D", data, "-A", "trust", "-U", "grader", "-N"], check=True, **quiet)
    process = subprocess.Popen([BIN / "postgres", "-D", data, "-k", home, "-c", "listen_addresses=", "-F"], **quiet)
    deadline = time.monotonic() + 120
    while subprocess.run([BIN / "pg_isready", "-h", home, "-q"], check=False).returncode and time.monotonic() < deadline:
        time.sleep(0.2)
    yield f"postgresql+psycopg://grader@/postgres?host={home}"
    process.terminate()
    process.wait()
    shutil.rmtree(home)


def test_the_whole_way(home, server, tmp_path, monkeypatch):
    """Released, graded, penalised, marked by hand and exported, as with SQLite."""
    monkeypatch.chdir(home)
    (home / "gradebook.db").unlink()
    (home / "nbgrader_config.py").write_text(
        f'c = get_config()\nc.CourseDirectory.db_url = "{server}"\nc.CourseDirectory.course_id = "attention"\n'
        'c.LateSubmissionPlugin.penalty_method = "zero"\n'
        'c.ClearSolutions.code_stub = {"python": "# your code here\\npass"}\n'
    )
    nbgrader(home, "generate_assignment", ASSIGNMENT, "--force")
    with opened(server) as book:
        book.update_or_create_assignment(ASSIGNMENT, duedate="2030-02-02 00:00:00 UTC")
    hand_in(home, "ada", RIGHT, ON_TIME)
    hand_in(home, "kim", RIGHT, LATE)
    for _ in range(2):  # rows that are there already are kept
        code, said = grade(home / "submitted", home / "results", gradebook=server)
        assert code == 0 and "2 submissions in the gradebook" in said, said
    assert autograde("sheets", server, "--lesson", LESSON, "--to", home / "sheets")[0] == 0
    monkeypatch.chdir(tmp_path)
    assert autograde("export", server, "--to", home / "export")[0] == 0  # from elsewhere: the penalties that are there stay
    with open(home / "export" / "grades.csv", newline="", encoding="utf-8-sig") as file:
        scores = {row["student"]: (row["score"], row["late penalty"]) for row in csv.DictReader(file)}
    assert scores == {"ada": (f"{POINTS:g}", "0"), "kim": ("0", f"{POINTS:g}")}


def test_a_server_that_is_not_there_is_one_sentence(server, tmp_path):
    code, said = autograde("export", "postgresql+psycopg://grader:secret@127.0.0.1:9/none", "--to", tmp_path / "export")
    assert code == 2 and said.count("\n") == 1 and "secret" not in said and not (tmp_path / "export").exists()
