"""Lesson 1's references against loops and hand-worked numbers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from course_utils import word_vectors as ref

numbers = st.floats(-1000, 1000).map(lambda x: 0.0 if abs(x) < 1e-3 else x)


def cosine_by_loop(u, v):
    dot = length_u = length_v = 0.0
    for a, b in zip(u, v):
        dot, length_u, length_v = dot + a * b, length_u + a * a, length_v + b * b
    return dot / math.sqrt(length_u) / math.sqrt(length_v) if length_u and length_v else 0.0


def test_the_popular_example_by_hand():
    # Dog·Cat = 2·4 + 3·6 = 26, Dog·Car = 2·3 + 3·(−2) = 0, Dog·Dog = 4 + 9 = 13
    assert ref.dot_products([[4, 6], [3, -2], [2, 3]], [2, 3]).tolist() == [26, 0, 13]
    # (3, 0) and (4, 3): 12 / (3 · 5)
    assert ref.cosine_similarity([3, 0], [4, 3]) == pytest.approx(0.8)
    assert ref.cosine_similarity([1, 2], [-1, -2]) == pytest.approx(-1)


def test_one_hot_by_hand():
    assert ref.one_hot([2, 0, 2], 3).tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize("ids", [[3], [0, 7], [-1]])  # one too far, far too far, NumPy would count from the end
def test_one_hot_refuses_an_id_outside_the_vocabulary(ids):
    with pytest.raises(IndexError, match="0 ... 2"):
        ref.one_hot(ids, 3)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_a_lookup_is_a_product_with_one_hot_rows(ids):
    E = np.random.default_rng(0).normal(size=(6, 4))
    assert np.array_equal(ref.embed(ids, E), ref.one_hot(ids, 6) @ E)
    assert [list(row) for row in ref.embed(ids, E)] == [list(E[i]) for i in ids]


@given(arrays(float, (2, 5), elements=numbers))
def test_cosine_agrees_with_the_loop(pair):
    assert ref.cosine_similarity(*pair) == pytest.approx(cosine_by_loop(*pair), abs=1e-9)


@given(arrays(float, array_shapes(min_dims=2, max_dims=2, max_side=5), elements=numbers))
def test_cosine_matrix_is_the_cosine_of_every_pair(X):
    Y = np.vstack([X[::-1] * 2, np.zeros(X.shape[1])])  # a zero row among them
    expected = [[cosine_by_loop(x, y) for y in Y] for x in X]
    assert np.allclose(ref.cosine_matrix(X, Y), expected, atol=1e-9)


@pytest.mark.parametrize("u, v", [([0, 0], [1, 2]), ([1, 2], [0, 0]), ([0, 0], [0, 0])])
def test_a_zero_vector_has_cosine_0(u, v):
    assert ref.cosine_similarity(u, v) == 0.0
    assert ref.cosine_matrix([u], [v]).tolist() == [[0.0]]


def test_a_cosine_never_leaves_its_range_by_rounding():
    u = np.full(3, 0.1)
    assert -1 <= ref.cosine_similarity(u, -u) and ref.cosine_similarity(u, u) <= 1


def test_unit_rows_over_leading_axes():
    X = np.array([[[3.0, 4.0], [0.0, 0.0]], [[0.0, -2.0], [1.0, 0.0]]])  # (2, 2, 2)
    assert ref.unit_rows(X).tolist() == [[[0.6, 0.8], [0, 0]], [[0, -1], [1, 0]]]
