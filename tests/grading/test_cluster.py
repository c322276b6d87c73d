"""Grading on a Dask cluster: nothing lost, nothing twice, although one of two worker processes is killed."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import make_class
import pytest
from commands import all_results, grade

distributed = pytest.importorskip("distributed")


@pytest.fixture
def cluster():
    """A scheduler and two worker processes, without a nanny that would start them again."""
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    scheduler = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"], stderr=subprocess.PIPE, text=True
    )
    address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at:" in line)
    threading.Thread(target=scheduler.stderr.read, daemon=True).start()
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard"]
    workers = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(2)]
    yield address, workers
    for process in (*workers, scheduler):
        process.kill()
        process.wait()


def test_a_killed_worker_loses_nothing_and_does_nothing_twice(cluster, tmp_path):
    address, workers = cluster
    make_class.make(tmp_path / "submitted", "word_vectors", 24, seed=3)
    with distributed.Client(address) as client:
        client.wait_for_workers(2, timeout=120)

    def kill_one_midway():
        while len(list((tmp_path / "out").glob("*/*.json"))) < 6:
            time.sleep(0.02)
        os.kill(workers[0].pid, signal.SIGKILL)

    killer = threading.Thread(target=kill_one_midway)
    killer.start()
    code, _ = grade(tmp_path / "submitted", tmp_path / "out", seed=11, scheduler=address)
    killer.join()
    assert workers[0].wait() == -signal.SIGKILL and workers[1].poll() is None
    events = [json.loads(line) for line in (tmp_path / "out" / "events.log").read_text().splitlines()]
    assert sorted(event["student"] for event in events) == sorted(path.name for path in (tmp_path / "submitted").iterdir())
    assert code == grade(tmp_path / "submitted", tmp_path / "here", jobs=2, seed=11)[0]
    assert list(all_results(tmp_path / "out")) == list(all_results(tmp_path / "here"))


def test_a_cluster_that_is_not_there_is_told_in_words(tmp_path):
    make_class.make(tmp_path / "submitted", "word_vectors", 1, seed=3)
    code, said = grade(tmp_path / "submitted", tmp_path / "out", scheduler="tcp://127.0.0.1:9")
    assert code == 2 and "no Dask scheduler answers at tcp://127.0.0.1:9" in said
