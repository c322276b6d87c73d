"""Nothing is ever lost: killed runs, dead workers, limits hit under load, results below an earlier one."""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from commands import all_results, grade
from dying_sandbox import Dies, NeverStarts
from small_submissions import LESSON, POINTS, RUN, all_right, hand_in, notebook, tree

from autograde.engine.exercise import Status
from autograde.exercises import in_lesson
from autograde.grading import marking
from autograde.grading import run as grading
from autograde.grading.pool import Pool
from autograde.grading.records import result, unknown
from autograde.submissions.folders import Job, Submission


def test_a_lower_result_waits_for_confirmation(tmp_path):
    submitted, out = tmp_path / "submitted", tmp_path / "out"

    def score():
        return json.loads((out / "ada" / f"{LESSON}.json").read_text())["score"]

    hand_in(submitted, "ada", notebook(all_right()))
    assert grade(submitted, out)[0] == 0 and score() == POINTS
    hand_in(submitted, "ada", notebook({}))  # overwritten by an empty copy
    for _ in range(2):  # the second run marks nothing and says it again
        code, said = grade(submitted, out)
        assert code == 1 and score() == POINTS and f"was {POINTS} of {POINTS}, would now be 0" in said
    assert grade(submitted, out, "--accept-lower")[0] == 0 and score() == 0
    assert not (out / "ada" / f"{LESSON}.lower.json").exists()
    hand_in(submitted, "ada", notebook(all_right()))  # better than before is simply taken
    assert grade(submitted, out)[0] == 0 and score() == POINTS


def test_unreadable_never_replaces_a_score(tmp_path):
    submitted, out = tmp_path / "submitted", tmp_path / "out"
    hand_in(submitted, "ada", notebook(all_right()))
    grade(submitted, out, jobs=1)
    hand_in(submitted, "ada", b"")
    assert grade(submitted, out)[0] == 1
    assert json.loads((out / "ada" / f"{LESSON}.json").read_text())["score"] == POINTS


def test_what_hit_a_limit_is_tried_once_more_alone(tmp_path, monkeypatch):
    """The first verdict came from a busy machine; the second, with nothing beside it, is the one that counts."""
    calls = []

    class Busy:
        def __enter__(self):
            return self

        def __exit__(self, *exception):
            pass

        def results(self, jobs):
            batch = list(jobs)
            calls.append([job.submission.student for job in batch])
            for job in batch:
                late = len(calls) == 1 and job.submission.student != "bob"
                yield job, marking.Marked(judged(job, 0.0 if late else 5.0), limited=late or job.submission.student == "eve")

    def judged(job, score):
        answers = [replace(each, score=score, status=Status.SCORED) for each in unknown(in_lesson(LESSON)[:1], "")]
        return result(job.submission.student, LESSON, answers, seed=job.seed, sha256=job.sha256)

    monkeypatch.setattr(grading, "_backend", lambda *_: Busy())
    for student in ("ada", "bob", "eve"):
        hand_in(tmp_path / "submitted", student, notebook({}))
    grade(tmp_path / "submitted", tmp_path / "out")
    assert calls == [["ada", "bob", "eve"], ["ada"], ["eve"]]
    assert {each.student: each.score for each in all_results(tmp_path / "out")} == dict.fromkeys(("ada", "bob", "eve"), 5.0)


def test_a_dead_worker_loses_nothing(tmp_path):
    cells = ["die" if number in (3, 4, 11) else f"x = {number}" for number in range(20)]
    jobs = [Job(Submission(str(number), LESSON, None), (cell,), (), "0", 1) for number, cell in enumerate(cells)]
    with Pool(2, Dies) as pool:
        done = {job.submission.student: marked for job, marked in pool.results(jobs)}
    assert sorted(done, key=int) == [str(number) for number in range(20)]
    failed = {student for student, marked in done.items() if marked.result is None}
    assert failed == {"3", "4", "11"}
    assert "ended by SIGKILL" in done["3"].failure and "not the learner's fault" in done["3"].failure


def test_workers_that_do_not_start_end_the_run_in_words(tmp_path, monkeypatch):
    """Not one failed worker after another, and every submission charged with it."""
    monkeypatch.setattr(grading, "_backend", lambda *_: Pool(2, NeverStarts))
    hand_in(tmp_path / "submitted", "ada", notebook({}))
    code, said = grade(tmp_path / "submitted", tmp_path / "out")
    assert code == 2 and "a worker did not start" in said and not list((tmp_path / "out").glob("*/*.json"))


def test_a_script_without_a_guard_is_not_run_again_by_its_workers(graded, tmp_path):
    """multiprocessing would run the main module once more in every worker, and that would grade again."""
    submitted, out, code, _ = graded
    (tmp_path / "script.py").write_text(f"print('begin')\n{RUN}\n")
    done = subprocess.run(
        [sys.executable, "script.py", submitted, "out"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == code and done.stdout.count("begin") == 1 and done.stderr == ""
    assert tree(tmp_path / "out") == tree(out)


def test_our_own_crash_is_tried_again_and_then_not_gradable(tmp_path, monkeypatch):
    monkeypatch.setattr(grading, "_backend", lambda *_: Pool(1, Dies))
    for student, cell in (("always", "die"), ("once", f"once {tmp_path / 'seen'}"), ("well", "one_hot = 1")):
        document = {"cells": [{"cell_type": "code", "source": f"{cell}"}, {"cell_type": "code", "source": "one_hot"}]}
        hand_in(tmp_path / "submitted", student, json.dumps(document).encode())
    assert grade(tmp_path / "submitted", tmp_path / "out")[0] == 1
    found = {each.student: each.status for each in all_results(tmp_path / "out")}
    assert found == {"always": "not gradable", "once": "not attempted", "well": "not attempted"}


def killed_and_resumed(submitted, out, undisturbed, kills, rng):
    """Kills a run ``kills`` times at random moments; every time it goes on to the same bytes or begins anew."""
    hit, mark_of_ours = 0, f"killed-{os.getpid()}-{kills}"
    while hit < kills:
        run = subprocess.Popen(
            [sys.executable, "-c", RUN, submitted, out],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "MARK_OF_OURS": mark_of_ours},
        )
        for _ in range(rng.randrange(0, 6)):  # a run is killed after a few submissions, or before the first
            run.stdout.readline()
        time.sleep(rng.random() * 0.05)
        if run.poll() is None:
            hit += 1
            os.kill(run.pid, signal.SIGKILL) if rng.random() < 0.5 else os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        for path in out.glob("*/*.json"):
            assert path.read_bytes() == undisturbed[path.relative_to(out).as_posix()]  # whole, or not there
        if len(list(out.glob("*/*.json"))) == sum(name.endswith(".json") for name in undisturbed) - 1:  # without run.json
            shutil.rmtree(out)
    subprocess.run([sys.executable, "-c", RUN, submitted, out], stdout=subprocess.DEVNULL, check=False)
    assert tree(out) == undisturbed
    deadline = time.monotonic() + 60
    while left := processes_with(f"MARK_OF_OURS={mark_of_ours}"):
        assert time.monotonic() < deadline, f"processes that outlive their run: {left}"
        time.sleep(0.2)


def processes_with(setting):
    """Processes that inherited the environment of a killed run (Linux; elsewhere none is found)."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if setting.encode() in path.read_bytes():
                found.append(path.parent.name)
    return found


def test_killed_at_a_random_moment_a_dozen_times(graded, tmp_path):
    submitted, out, _, _ = graded
    killed_and_resumed(submitted, tmp_path / "out", tree(out), 12, random.Random(1))


@pytest.mark.soak
def test_killed_at_a_random_moment_a_hundred_times(graded, tmp_path):
    submitted, out, _, _ = graded
    killed_and_resumed(submitted, tmp_path / "out", tree(out), 100, random.Random(2))
