"""A learner's functions of earlier lessons are taken where they were saved and pass; else the reference, with the reason."""

import nbformat
import numpy as np
import pytest

from autograde import earlier
from autograde.exercises import folder
from course_utils.embedding_space import softmax
from course_utils.multi_head import merge_heads, split_heads
from course_utils.scaling import scaled_dot_product_attention

MARK = "was here"
SOFTMAX = f"""
def helper(x):
    return x - x.max()

def softmax(x, axis=-1):
    "{MARK}"
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
WRONG_SPLIT = "def split_heads(X, h):\n    return X\n"
MERGE = "def merge_heads(H):\n    H = np.swapaxes(H, -2, -3)\n    return H.reshape(*H.shape[:-2], -1)\n"
ATTENTION = """
from course_utils.embedding_space import softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is None:
        weights = softmax(scores)
    else:
        nowhere = ~mask.any(axis=-1, keepdims=True)
        weights = np.where(nowhere, 0, softmax(np.where(mask | nowhere, scores, -np.inf)))
    return weights @ V, weights
"""


@pytest.fixture
def saved(tmp_path):
    """save(lesson, cells): a notebook where a learner's would lie."""

    def save(lesson, *cells):
        home = tmp_path / folder(lesson)
        home.mkdir()
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        nbformat.write(notebook, home / f"{lesson}.ipynb")
        return tmp_path

    return save


def test_what_passes_is_taken_and_what_does_not_is_told(saved, capsys):
    saved("embedding_space", "import numpy as np", SOFTMAX)
    place = saved("multi_head", "import numpy as np", WRONG_SPLIT, MERGE)
    mine, split, merge, attend = earlier(softmax, split_heads, merge_heads, scaled_dot_product_attention, notebooks=place)
    assert mine.__doc__ == MARK and merge is not merge_heads
    assert split is split_heads and attend is scaled_dot_product_attention
    assert capsys.readouterr().out.strip() == (
        "Your own run here: softmax, merge_heads. The reference stands in for scaled_dot_product_attention (lesson 5): "
        "no notebook of that lesson beside this one. The reference stands in for split_heads (lesson 6): "
        "yours does not pass its check yet."
    )


def test_a_later_function_uses_the_learners_earlier_one(saved):
    saved("embedding_space", SOFTMAX)
    place = saved("scaling", ATTENTION)
    mine, attend = earlier(softmax, scaled_dot_product_attention, notebooks=place)
    assert attend.__globals__["softmax"] is mine
    assert attend(np.ones((1, 4)), np.zeros((2, 4)), np.array([[2.0], [4.0]]))[0].tolist() == [[3.0]]


def test_demonstrations_do_not_run_and_cells_that_fail_cost_themselves_alone(saved):
    place = saved("embedding_space", "raise SystemExit", "x = 1 / 0", "def broken(:", "import no_such_module", SOFTMAX)
    (mine,) = earlier(softmax, notebooks=place)
    assert mine.__doc__ == MARK


def test_a_file_that_is_no_notebook_leaves_the_reference(saved, tmp_path, capsys):
    home = tmp_path / folder("embedding_space")
    home.mkdir()
    (home / "embedding_space.ipynb").write_text("<html>", encoding="utf-8")
    assert earlier(softmax, notebooks=tmp_path) == (softmax,)
    assert "stands in for softmax (lesson 2)" in capsys.readouterr().out
