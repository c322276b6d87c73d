"""Lesson 2's references against loops, hand-worked numbers and finite differences."""

import doctest
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from course_utils import embedding_space as ref


def cosine_by_loop(u, v):
    dot, length = sum(a * b for a, b in zip(u, v)), math.hypot(*u) * math.hypot(*v)
    return dot / length if length else 0.0


def softmax_by_loop(scores):
    exponentials = [math.exp(score - max(scores)) for score in scores]
    return [e / math.fsum(exponentials) for e in exponentials]


def test_examples_in_the_docstrings():
    assert doctest.testmod(ref).failed == 0


# ---- neighbours and directions


def test_neighbours_by_loop():
    rng = np.random.default_rng(0)
    for V, d, k, exclude in ((9, 4, 3, ()), (6, 6, 6, (2,)), (7, 3, 2, [5, 0, 1])):
        query, E = rng.normal(size=d), rng.normal(size=(V, d)) * rng.uniform(0.1, 100, size=(V, 1))
        left = [i for i in range(V) if i not in exclude]
        expected = sorted(left, key=lambda i: -cosine_by_loop(query, E[i]))[:k]
        assert ref.nearest_neighbours(query, E, k, exclude).tolist() == expected


@pytest.mark.parametrize(
    "E, k, exclude, expected",
    [
        ([[0, 1], [1, 0], [1, 0]], 2, (), [1, 2]),  # equal rows: the smaller id first
        ([[0, 1], [0, -1], [2, 0]], 3, (), [2, 0, 1]),  # two right angles are equally far
        ([[-1, 0], [0, 0], [2, 0]], 3, (), [2, 1, 0]),  # a zero row: cosine 0, between the others
        ([[1, 0], [0, 1]], 5, (), [0, 1]),  # fewer than k
        ([[1, 0], [0, 1]], 1, [0, 1], []),  # none left
        ([[1, 0], [2, 1]], 1, (0, 0), [1]),  # an id excluded twice
    ],
)
def test_neighbours_at_the_edges(E, k, exclude, expected):
    found = ref.nearest_neighbours(np.array([1, 0]), np.array(E), k, exclude)
    assert found.tolist() == expected and found.dtype.kind == "i"


def test_a_zero_query_is_equally_near_to_all():
    assert ref.nearest_neighbours(np.zeros(2), np.array([[1, 0], [5, 5], [-1, 2]]), 2).tolist() == [0, 1]


def test_equal_rows_stay_tied_in_a_large_table():
    """A matrix product may round the same row differently at another place: then a later copy could come first."""
    rng = np.random.default_rng(1)
    E = np.repeat(rng.normal(size=(1, 100)), 1003, axis=0)
    assert ref.nearest_neighbours(rng.normal(size=100), E, 1003).tolist() == list(range(1003))


def test_analogy_by_hand():
    """Length 1: b - a + c = (-1, 1, 1). Row 3 scores (2 + 2 + 1) / 3 = 1.67, row 4 only 0.33, and b and c themselves 1."""
    E = np.array([[3, 0, 0], [0, 7, 0], [0, 0, 1], [-2, 2, 1], [-2, 1, -2]])
    assert ref.analogy(0, 1, 2, E) == 3
    assert isinstance(ref.analogy(0, 1, 2, E), int)


def test_the_words_of_the_question_never_answer_it():
    rng = np.random.default_rng(2)
    for _ in range(50):
        a, b, c = map(int, rng.choice(6, 3, replace=False))
        assert ref.analogy(a, b, c, rng.normal(size=(6, 3))) not in (a, b, c)


def test_offset_cosine_by_hand():
    E = np.array([[0, 0], [3, 0], [5, 1], [9, 4], [2, 1]])
    assert ref.offset_cosine(0, 1, 2, 3, E) == pytest.approx(12 / 15)  # (3, 0) and (4, 3)
    assert ref.offset_cosine(0, 1, 2, 4, E) == pytest.approx(-1)  # (3, 0) and (-3, 0)
    assert ref.offset_cosine(1, 1, 2, 3, E) == 0.0  # no step at all


# ---- softmax and its loss


@given(arrays(float, (3, 4), elements=st.floats(-1e6, 1e6)))
def test_softmax_by_loop(scores):
    np.testing.assert_allclose(ref.softmax(scores), [softmax_by_loop(row) for row in scores.tolist()], atol=1e-12)
    np.testing.assert_allclose(ref.softmax(scores, axis=0), ref.softmax(scores.T).T)
    np.testing.assert_allclose(ref.softmax(scores).sum(axis=-1), 1)


def test_softmax_by_hand():
    # e^ln 1 : e^ln 2 : e^ln 5 = 1 : 2 : 5, together 8
    np.testing.assert_allclose(ref.softmax(np.log([1.0, 2.0, 5.0])), [1 / 8, 2 / 8, 5 / 8])
    np.testing.assert_allclose(ref.softmax([[1e6, 0.0], [-1e6, -1e6]]), [[1, 0], [0.5, 0.5]])  # each row by itself
    assert ref.softmax(np.array([3], dtype=np.int8)).tolist() == [1.0]


def test_cross_entropy_by_hand():
    # (ln 4 + ln 2) / 2 = 1.5 ln 2
    assert ref.cross_entropy([[0.25, 0.75], [0.5, 0.5]], [0, 1]) == pytest.approx(1.5 * math.log(2))
    assert math.copysign(1, ref.cross_entropy(np.eye(3), [0, 1, 2])) == 1  # certainty costs 0.0, not -0.0
    assert ref.cross_entropy([[1e-6, 0.0, 1 - 1e-6]], [0]) == pytest.approx(6 * math.log(10))


# ---- the model and its gradients


def test_prediction_by_loop():
    rng = np.random.default_rng(3)
    E, U, context = rng.normal(size=(6, 4)), rng.normal(size=(4, 6)), [2, 5, 2]
    mean = [sum(E[word][j] for word in context) / 3 for j in range(4)]
    scores = [sum(mean[j] * U[j][v] for j in range(4)) for v in range(6)]
    np.testing.assert_allclose(ref.predict_missing(context, E, U), softmax_by_loop(scores))


@pytest.mark.parametrize(
    "context, target",
    [
        ([0, 1, 3], 2),
        ([4], 0),  # one word of context
        ([1, 1, 3, 1], 5),  # a word three times
        ([2, 5, 0], 5),  # the target in its own context
    ],
)
def test_gradients_by_finite_differences(context, target):
    rng = np.random.default_rng(4)
    tables, h = [rng.normal(size=(6, 3)), rng.normal(size=(3, 6))], 1e-6
    loss, *gradients = ref.cbow_gradients(np.array(context), target, *tables)
    assert loss == pytest.approx(-math.log(ref.predict_missing(context, *tables)[target]))
    for table, gradient in zip(tables, gradients):
        for at in np.ndindex(table.shape):
            sides = []
            for step in (h, -h):
                table[at] += step
                sides.append(ref.cbow_gradients(context, target, *tables)[0])
                table[at] -= step
            assert gradient[at] == pytest.approx((sides[0] - sides[1]) / (2 * h), abs=1e-8)


def test_gradients_by_hand():
    """E = [[2], [0]], U = [[0, 0]]: the mean is 2, p = (1/2, 1/2), error = (1/2, -1/2); dU = 2 · error, dE = U · error = 0."""
    loss, dE, dU = ref.cbow_gradients([0], 1, np.array([[2.0], [0.0]]), np.array([[0.0, 0.0]]))
    assert loss == pytest.approx(math.log(2))
    assert dE.tolist() == [[0.0], [0.0]] and dU.tolist() == [[1.0, -1.0]]


# ---- the plane


def test_projection_by_eigenvectors():
    """The same plane from the covariance matrix; variances are those of its two largest eigenvalues."""
    X = np.random.default_rng(5).normal(size=(12, 5)) * [5, 3, 1, 1, 0.5] + [9, 0, -3, 2, 1]
    values, vectors = np.linalg.eigh(np.cov(X, rowvar=False))
    plane = ref.project_to_2d(X)
    expected = (X - X.mean(axis=0)) @ vectors[:, [-1, -2]]
    np.testing.assert_allclose(np.abs(plane), np.abs(expected))
    np.testing.assert_allclose(plane.var(axis=0, ddof=1), values[[-1, -2]])
    np.testing.assert_allclose(plane.mean(axis=0), 0, atol=1e-12)


@pytest.mark.parametrize("n, d", [(3, 2), (3, 7), (8, 2), (4, 20)])  # the smallest sizes, and more columns than rows
def test_projection_of_every_shape(n, d):
    X = np.random.default_rng(6).normal(size=(n, d))
    plane = ref.project_to_2d(X)
    assert plane.shape == (n, 2)
    assert plane[:, 0].var() > plane[:, 1].var()
    assert (plane[np.abs(plane).argmax(axis=0), [0, 1]] > 0).all()


def test_a_plane_stays_as_it_is():
    X = np.array([[4.0, 0], [-4, 0], [0, 1], [0, -1]])
    np.testing.assert_allclose(ref.project_to_2d(X), X)
