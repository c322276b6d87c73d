"""What a submission costs the judge before a line of it has run: never more than its size."""

import json

import pytest

from autograde.submissions import names
from autograde.submissions.demo_code import without_demonstrations
from autograde.submissions.notebook import read
from autograde.submissions.second_look import changed_after

FUNCTIONS = "\n".join(f"def f{i}(): return {i}" for i in range(20_000))
NESTED = "def outer():\n" + "\n".join(f"    def f{i}(): return {i}" for i in range(20_000))
METHODS = "class Many:\n" + "\n".join(f"    def f{i}(self): return g{i}" for i in range(20_000))


class Counted:
    """Stands for ``symtable`` and adds up what it is asked to look into, squared: that is its price at worst."""

    def __init__(self, real):
        self.real, self.price = real, 0

    def __getattr__(self, name):
        return getattr(self.real, name)

    def symtable(self, source, *rest):
        self.price += len(source) ** 2
        return self.real.symtable(source, *rest)


@pytest.mark.parametrize(
    "cells",
    [
        (FUNCTIONS,),
        (NESTED,),
        (METHODS,),
        tuple("\n".join(FUNCTIONS.split("\n")[i::5_000]) for i in range(5_000)),
        tuple(FUNCTIONS[at : at + 29_000].rpartition("\n")[0] for at in range(0, 380_000, 29_000)),
    ],
    ids=["functions", "inside a function", "methods", "in 5,000 cells", "in cells of the longest kind"],
)
def test_many_names_are_not_compared_with_each_other(cells, monkeypatch):
    without_demonstrations((), "word_vectors")  # the release is read once and for all
    counted = Counted(names.symtable)
    monkeypatch.setattr(names, "symtable", counted)
    assert len(without_demonstrations(cells, "word_vectors")) == len(cells)
    assert changed_after(cells, 1, "f1") in (True, False)
    assert counted.price <= 4 * names.LONGEST_CELL * names.MOST_TEXT


def test_a_released_cell_in_five_thousand_copies_stays_where_it_is_needed():
    released = "import numpy as np\n\nfrom autograde import check, hint, yours"
    mine = "def embed(ids, E):\n    return np.asarray(E)[ids]"
    found = without_demonstrations((*[released] * 5_000, mine), "word_vectors")
    assert len(found) == 5_001 and found[-1] == mine and "import numpy" in found[0]


def test_five_thousand_raw_cells_are_read_as_code_once_each():
    cells = [{"cell_type": "raw", "source": f"def f{i}(): return 1", "metadata": {}} for i in range(5_000)]
    found = read(json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}).encode())
    assert found.cells == tuple(cell["source"] for cell in cells)
