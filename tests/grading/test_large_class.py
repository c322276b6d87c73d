"""A class of ten thousand: every submission has its result, in proportion to a hundred, and in flat memory."""

import os
import sys

import pytest
from class_run import MB, graded

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measured by Linux's /proc")

JOBS = 2  # of small_submissions.RUN
HUNDREDS = 3  # classes of a hundred before, and as many after: one alone may by chance have many of the quick and blank


def test_a_class_of_forty_is_measured(tmp_path):
    """The measurements themselves, on few."""
    found = graded(tmp_path, 40)
    assert len(list((tmp_path / "out").glob("*/*.json"))) == 40
    assert found.cpu > 1 and 20 * MB < found.halfway <= found.main < 400 * MB
    if os.geteuid() == 0:  # nobody else may look into a worker
        assert 0 < found.worker < 64 * MB and found.looks


@pytest.mark.soak
def test_ten_thousand(tmp_path, capsys):
    def measured(name, students, seed):
        found = graded(tmp_path / name, students, seed)
        assert len(list((tmp_path / name / "out").glob("*/*.json"))) == students
        with capsys.disabled():
            print(f"\n{found}", end="")
        return found

    start = measured("start", JOBS, 5).cpu  # each worker has one: what a run costs before, nearly
    hundreds = [measured(f"hundred-{seed}", 100, seed) for seed in range(HUNDREDS)]
    many = measured("many", 10_000, 5)
    hundreds += [measured(f"hundred-{seed}", 100, seed) for seed in range(HUNDREDS, 2 * HUNDREDS)]
    few = sum(each.cpu - start for each in hundreds) / len(hundreds) / (100 - JOBS)
    proportion = (many.cpu - start) / (10_000 - JOBS) / few
    with capsys.disabled():
        print(f"\n10,000 in proportion to 100: {proportion:.3f}; main process {many.main / hundreds[0].main:.2f} times as large")
    assert proportion < 1.1  # it may well be below 0.9: what is loaded at its first use is paid for once
    assert many.main < 1.25 * hundreds[0].main and many.main < 1.1 * many.halfway
    assert max(each.worker for each in (*hundreds, many)) < 64 * MB
    if os.geteuid() == 0:
        assert many.looks > 100
