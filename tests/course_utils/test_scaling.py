"""Lesson 5's references against loops, hand-worked numbers and finite differences."""

import math

import numpy as np
import pytest
from attention_oracle import attention_by_loops

from course_utils.embedding_space import softmax
from course_utils.scaling import dot_product_samples, entropy, scaled_dot_product_attention, softmax_jacobian


def draw(rng, *batch, n_q=3, n_k=5, d_k=4, d_v=2):
    return (rng.normal(size=(*batch, n_q, d_k)), rng.normal(size=(*batch, n_k, d_k)), rng.normal(size=(*batch, n_k, d_v)))


def assert_pair(found, expected, **tolerance):
    for part, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(part, wanted, strict=True, **{"rtol": 1e-12, "atol": 1e-14, **tolerance})


def test_attention_worked_by_hand():
    """d_k = 4: q·k is 2 ln 3 and 0, halved to ln 3 and 0, so the weights are 3/4 and 1/4, the mean of 4 and 8 is 5."""
    Q = np.array([[1.0, 1.0, 0.0, 0.0]])
    K = np.array([[math.log(3), math.log(3), 5.0, 0.0], [0.0, 0.0, 0.0, 7.0]])
    V = np.array([[4.0], [8.0]])
    expected = np.array([[5.0]]), np.array([[0.75, 0.25]])
    assert_pair(scaled_dot_product_attention(Q, K, V), expected)


@pytest.mark.parametrize(
    "sizes",
    [
        {},  # all four sizes different
        {"n_k": 3, "d_k": 3, "d_v": 3},  # everything square
        {"n_k": 1},  # one key gets all the weight
        {"d_k": 1},  # √1: scaling changes nothing
        {"n_q": 1, "d_v": 1},
    ],
)
def test_attention_against_loops(sizes):
    Q, K, V = draw(np.random.default_rng(1), **sizes)
    assert_pair(scaled_dot_product_attention(Q, K, V), attention_by_loops(Q, K, V))


def test_attention_with_a_mask_and_a_fully_masked_row():
    Q, K, V = draw(np.random.default_rng(2))
    mask = np.random.default_rng(3).random((3, 5)) < 0.5
    mask[1] = False
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
    assert_pair((output, weights), attention_by_loops(Q, K, V, mask))
    assert not output[1].any() and not weights[1].any()


def test_batch_axes_and_masks_that_broadcast():
    Q, K, V = draw(np.random.default_rng(4), 2, 3)
    mask = np.random.default_rng(5).random((2, 1, 3, 5)) < 0.7  # one mask for each of the two, shared by three
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
    for i in range(2):
        for j in range(3):
            assert_pair((output[i, j], weights[i, j]), attention_by_loops(Q[i, j], K[i, j], V[i, j], mask[i, 0]))


def test_float32():
    arrays = [part.astype(np.float32) for part in draw(np.random.default_rng(6))]
    found = scaled_dot_product_attention(*arrays)
    assert_pair([part.astype(float) for part in found], attention_by_loops(*arrays), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("size", [-1e6, 1e6])
def test_scores_of_a_million(size):
    K = size * np.array([[1.0], [1.0 - 1e-6]])  # scores one apart, a million from zero
    _, weights = scaled_dot_product_attention(np.ones((1, 1)), K, np.ones((2, 1)))
    larger = 1 / (1 + math.exp(-1))
    np.testing.assert_allclose(np.sort(weights[0]), [1 - larger, larger], rtol=1e-6)


def test_integers_and_unchanged_arguments():
    arrays = [np.random.default_rng(7).integers(-2, 3, size=shape) for shape in [(3, 4), (5, 4), (5, 2)]]
    before = [part.copy() for part in arrays]
    assert_pair(scaled_dot_product_attention(*arrays), attention_by_loops(*arrays))
    assert all(map(np.array_equal, arrays, before))


@pytest.mark.parametrize("d", [1, 2, 64])
def test_dot_products_have_mean_0_and_variance_d(d):
    samples = dot_product_samples(200_000, d, np.random.default_rng(8))
    assert samples.shape == (200_000,)
    assert abs(samples.mean()) < 5 * math.sqrt(d / 200_000)  # five standard errors
    fourth = 3 + 6 / d  # kurtosis of a sum of d products of two normals
    assert abs(samples.var() / d - 1) < 5 * math.sqrt((fourth - 1) / 200_000)


def test_dot_products_follow_the_generator():
    first, again, other = (dot_product_samples(5, 3, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.isclose(first, other).any()


@pytest.mark.parametrize(
    "p, expected",
    [
        ([0.0, 1.0, 0.0], 0.0),  # one-hot: nothing undecided, and 0 ln 0 counts as 0
        ([0.25] * 4, math.log(4)),  # even: as undecided as can be
        ([0.5, 0.25, 0.25], 1.5 * math.log(2)),
        ([1.0 - 5e-324, 5e-324], 0.0),  # the smallest float above 0: no infinity from its reciprocal
    ],
)
def test_entropy_by_hand(p, expected):
    assert entropy(np.array(p)) == pytest.approx(expected, abs=1e-15)


def test_entropy_of_a_one_hot_row_is_not_minus_zero():
    assert not np.signbit(entropy(np.array([0, 1])))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_entropy_along_any_axis(axis):
    p = softmax(np.random.default_rng(9).normal(size=(3, 4, 5)), axis=axis)
    expected = -np.vectorize(lambda x: x * math.log(x))(p).sum(axis=axis)
    np.testing.assert_allclose(entropy(p, axis), expected, strict=True)


def test_jacobian_against_finite_differences():
    scores, step = np.random.default_rng(10).normal(size=6), 1e-6
    differences = np.stack([(softmax(scores + step * e) - softmax(scores - step * e)) / (2 * step) for e in np.eye(6)], axis=-1)
    np.testing.assert_allclose(softmax_jacobian(softmax(scores)), differences, atol=1e-9)


def test_jacobian_by_hand():
    """p = (½, ¼, ¼): p_i(1 − p_i) on the diagonal, −p_i p_j beside it."""
    expected = np.array([[4, -2, -2], [-2, 3, -1], [-2, -1, 3]]) / 16
    np.testing.assert_allclose(softmax_jacobian(np.array([0.5, 0.25, 0.25])), expected)


def test_jacobian_of_a_one_hot_row_is_zero():
    assert not softmax_jacobian(np.array([0, 1, 0])).any()


def test_jacobian_refuses_a_table():
    with pytest.raises(ValueError, match="one row of probabilities"):
        softmax_jacobian(np.full((2, 2), 0.5))
