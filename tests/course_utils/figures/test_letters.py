"""The figure of lettered arrays: every cell where it belongs, each token in its colour, all of it in the alt text."""

import numpy as np

from course_utils.figures.letters import lettered
from course_utils.multi_head import split_heads

X = np.array([["a1", "a2", "a3", "a4"], ["b1", "b2", "b3", "b4"], ["c1", "c2", "c3", "c4"]])
ARRAYS = {"split": split_heads(X, 2), "scrambled": X.reshape(2, 3, 2)}


def drawn():
    figure = lettered(ARRAYS, "Heads")
    (axes,) = figure.axes
    return figure, axes


def test_each_table_stands_in_its_place_with_its_rows_downwards():
    _, axes = drawn()
    cells = [t for t in axes.texts if t.get_text() in X]
    assert sorted(t.get_text() for t in cells) == sorted(2 * X.ravel().tolist())
    lefts = sorted({t.get_position()[0] for t in cells})
    tables = [
        [
            [t.get_text() for x in lefts[2 * i : 2 * i + 2] for t in cells if t.get_position() == (x, y)]
            for y in sorted({t.get_position()[1] for t in cells})
        ]
        for i in range(4)
    ]
    assert tables == [*ARRAYS["split"].tolist(), *ARRAYS["scrambled"].tolist()]
    assert axes.yaxis_inverted()  # a larger y is further down


def test_a_letter_has_one_colour_and_another_letter_another():
    _, axes = drawn()
    cells = [t.get_text() for t in axes.texts if t.get_text() in X]
    colours = [tuple(patch.get_facecolor()[0]) for patch in axes.collections]
    by_letter = {letter: {c for t, c in zip(cells, colours, strict=True) if t[0] == letter} for letter in "abc"}
    assert all(len(found) == 1 for found in by_letter.values()) and len(set.union(*by_letter.values())) == 3


def test_names_and_alt_text():
    figure, axes = drawn()
    said = [t.get_text() for t in axes.texts]
    assert said.count("head 0") == said.count("head 1") == 2 and {"split", "scrambled"} <= set(said)
    assert figure.alt == (
        "Heads. split: head 0 a1 a2 / b1 b2 / c1 c2; head 1 a3 a4 / b3 b4 / c3 c4. "
        "scrambled: head 0 a1 a2 / a3 a4 / b1 b2; head 1 b3 b4 / c1 c2 / c3 c4."
    )
