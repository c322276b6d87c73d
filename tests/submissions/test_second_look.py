"""What a later cell can do to an answer that was right when its own check ran."""

import pytest

from autograde.submissions.second_look import changed_after, checked_in

ANSWER = "def cosine(u, v):\n    return u @ v / (length(u) * np.sqrt(sum(v)))"
BEFORE = ["import numpy as np", "def length(v):\n    return np.sqrt((v * v).sum())", ANSWER, 'check("cosine", cosine)']
LATER = {
    "a helper defined anew": ("def length(M): return M.sum(axis=1)", True),
    "a builtin overwritten": ("sum = 0", True),
    "a module overwritten": ("np = 3", True),
    "a module under its name again": ("import math as np", True),
    "the answer overwritten by its result": ("cosine = cosine(a, b)", True),
    "a loop variable": ("for length in range(3):\n    pass", True),
    "an entry of what the answer reads": ("length.cache[0] = 1", True),
    "a global of another function": ("def dot(u):\n    global length\n    length = 3", True),
    "deleted": ("del length", True),
    "no plain Python": ("%timeit length", True),
    "another function": ("def dot(u, v):\n    length = 3\n    return u @ v", False),
    "names that the answer has for itself": ("u = 3\nv = 4", False),
    "only used": ("print(cosine(a, b), length(a))", False),
}


@pytest.mark.parametrize("kind", LATER)
def test_what_may_change_an_answer(kind):
    cell, changes = LATER[kind]
    assert changed_after([*BEFORE, cell], len(BEFORE), "cosine") is changes


def test_what_stands_before_the_check_does_not_count():
    assert not changed_after(["sum = 0", *BEFORE], 5, "cosine")


def test_the_last_check_of_a_name_counts():
    cells = ['check("a", a)', "x", "check( 'b', b)\ncheck('c', c)", 'check("a", a, hidden=True)', "recheck('b', 1)"]
    assert checked_in(cells, ["a", "b", "d"]) == {"a": 4, "b": 3}
