"""Every exercise of every lesson is proven in both directions, with the public seed; `make verify` takes more seeds."""

import pytest

from autograde.engine.verify import prove
from autograde.exercises import everything


@pytest.mark.parametrize("record", everything(), ids=lambda record: f"{record.lesson}-{record.name}")
def test_right_answers_earn_all_and_each_mistake_keeps_its_name(record):
    assert prove(record, seeds=1).misses == []
