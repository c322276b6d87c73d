"""Drawings that explain: what they say is what NumPy has, and no word covers another."""

import numpy as np
import pytest
from drawn_words import check_words

from course_utils.figures import drawings, plots

O, E = np.array([[0, 0, 1], [1, 0, 0]]), np.array([[1, 2], [3, 4], [5, 6]])
MADE = {
    "product": lambda: drawings.product(O, E, ("O (n, V)", "E (V, d)", "rows (n, d)"), "A lookup"),
    "signed product": lambda: drawings.product(-O, E, ("a", "b", "c"), "Signed"),
    "window": lambda: drawings.window("the cat purred and drank the milk".split(), 3, 2, "One position of the window"),
    "boxes": lambda: drawings.boxes([("context", "(m,) ids"), ("mean", "(d,)"), ("p", "")], "Filling in"),
    "recurrence": lambda: drawings.recurrence("apple released a phone".split(), "One loop"),
    "pieces": lambda: drawings.pieces({"cats": ["<ca", "cat", "ats", "ts>"], "a": ["<a>"]}, "Words in pieces"),
    "timeline": lambda: drawings.timeline({2013: "Word2Vec", 2014: "GloVe:\ncounts", 2017: "attention"}, "Years"),
    "cloud": lambda: plots.cloud(np.array([[3.0, 0], [-3, 0], [0, 1], [0, -1]]), np.eye(2), "A cloud"),
}


@pytest.mark.parametrize("name", MADE)
def test_words_keep_apart_and_inside(name, monkeypatch):
    assert check_words(MADE[name](), monkeypatch) >= 3


def test_a_product_says_the_numbers_of_all_three():
    assert MADE["product"]().alt == "A lookup. O (n, V): 0 0 1 / 1 0 0; E (V, d): 1 2 / 3 4 / 5 6; rows (n, d): 5 6 / 1 2."
    assert "c: −5 −6 / −1 −2" in MADE["signed product"]().alt


def test_a_window_says_what_is_context_and_what_is_target():
    assert MADE["window"]().alt == "One position of the window. Context: cat, purred, drank, the. Target: and."


def test_a_cloud_says_its_spreads():
    """Four points: variance 9 · 2 / 4 along x and 1 · 2 / 4 along y."""
    assert MADE["cloud"]().alt == f"A cloud: spread along direction 1 {4.5**0.5:.2f}; spread along direction 2 {0.5**0.5:.2f}."


def test_the_others_say_their_order():
    assert MADE["boxes"]().alt == "Filling in: context ((m,) ids), then mean ((d,)), then p."
    assert MADE["timeline"]().alt == "Years: 2013 Word2Vec; 2014 GloVe: counts; 2017 attention."
    assert MADE["pieces"]().alt == "Words in pieces. cats: <ca cat ats ts>; a: <a>."
    assert MADE["recurrence"]().alt.endswith("the state before it and one word: apple, released, a, phone.")
