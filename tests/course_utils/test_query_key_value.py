"""The references of lesson 4 against loops, hand-worked numbers and limits."""

import doctest
import math

import numpy as np
import pytest

from course_utils import query_key_value as qkv


def attention_by_loops(Q, K, V, allowed):
    """The definition, one number at a time, with math.exp and no array trick. Scores must stay small."""
    output, weights = [], []
    for i, q in enumerate(Q):
        exps = [math.exp(sum(a * b for a, b in zip(q, k))) if allowed[i][j] else 0.0 for j, k in enumerate(K)]
        total = sum(exps)
        row = [e / total if total else 0.0 for e in exps]
        weights.append(row)
        output.append([sum(w * v[c] for w, v in zip(row, V)) for c in range(len(V[0]))])
    return np.array(output), np.array(weights)


def draw(rng, *shape):
    return rng.normal(size=shape)


def test_docstring_examples_hold():
    result = doctest.testmod(qkv)
    assert result.attempted >= 10 and result.failed == 0


def test_attention_on_a_hand_worked_two_by_two():
    """Scores of query (1, 0) are ln 3 and 0, so its weights are 3/4 and 1/4; query (0, 1) sees 0 and ln 4: 1/5, 4/5."""
    Q, K = np.eye(2), np.array([[math.log(3), 0], [0, math.log(4)]])
    V = np.array([[4.0, 0.0], [0.0, 20.0]])
    output, weights = qkv.attention(Q, K, V)
    assert np.allclose(weights, [[0.75, 0.25], [0.2, 0.8]])
    assert np.allclose(output, [[3.0, 5.0], [0.8, 16.0]])


def test_attention_equals_loops_with_all_sizes_different():
    rng = np.random.default_rng(1)
    Q, K, V = draw(rng, 3, 4), draw(rng, 5, 4), draw(rng, 5, 2)
    mask = rng.random((3, 5)) < 0.6
    mask[1] = False  # one query may look nowhere
    for m, allowed in [(None, np.ones((3, 5), bool)), (mask, mask)]:
        for got, expected in zip(qkv.attention(Q, K, V, m), attention_by_loops(Q, K, V, allowed)):
            assert np.allclose(got, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("mask_shape", [(3, 5), (1, 3, 5), (2, 3, 5), (6, 1, 3, 5), (1, 2, 3, 5), (6, 2, 3, 5)])
def test_mask_broadcasts_over_batch_axes(mask_shape):
    rng = np.random.default_rng(2)
    Q, K, V = draw(rng, 6, 2, 3, 4), draw(rng, 6, 2, 5, 4), draw(rng, 6, 2, 5, 7)
    mask = rng.random(mask_shape) < 0.5
    output, weights = qkv.attention(Q, K, V, mask)
    allowed = np.broadcast_to(mask, (6, 2, 3, 5))
    for b in np.ndindex(6, 2):
        expected = attention_by_loops(Q[b], K[b], V[b], allowed[b])
        assert np.allclose(output[b], expected[0]) and np.allclose(weights[b], expected[1])


def test_fully_masked_rows_give_zero_weights_and_zero_output():
    rng = np.random.default_rng(3)
    Q, K, V = draw(rng, 2, 3), draw(rng, 4, 3), draw(rng, 4, 2)
    with np.errstate(all="raise"):
        output, weights = qkv.attention(Q, K, V, np.array([[False] * 4, [True] * 4]))
    assert (weights[0] == 0).all() and (output[0] == 0).all()
    assert np.isclose(weights[1].sum(), 1)


def test_scores_of_a_million_stay_exact():
    K = np.array([[1e3, 0.0], [0.0, 1e3], [1e3, 0.0]])
    Q = np.array([[1e3, 0.0], [-1e3, 0.0]])  # scores 10⁶, 0, 10⁶ and −10⁶, 0, −10⁶
    weights = qkv.attention(Q, K, np.eye(3))[1]
    assert np.allclose(weights, [[0.5, 0, 0.5], [0, 1, 0]])
    closed = np.array([[True, True, False], [True, False, True]])  # the largest score closed; only −10⁶ open
    assert np.allclose(qkv.attention(Q, K, np.eye(3), closed)[1], [[1, 0, 0], [0.5, 0, 0.5]])


def test_float32_and_integers():
    rng = np.random.default_rng(4)
    Q, K, V = draw(rng, 3, 4), draw(rng, 5, 4), draw(rng, 5, 2)
    mask = np.array([[True, False, True, True, False]] * 3)
    single = qkv.attention(*(a.astype(np.float32) for a in (Q, K, V)), mask)
    assert np.allclose(single[0], qkv.attention(Q, K, V, mask)[0], atol=1e-5)
    whole = [rng.integers(-2, 3, s) for s in ((3, 4), (5, 4), (5, 2))]
    assert np.allclose(qkv.attention(*whole, mask)[0], attention_by_loops(*whole, mask)[0])


def test_a_mask_of_numbers_is_refused_in_words():
    with pytest.raises(TypeError, match="True where a query may look"):
        qkv.masked_softmax(np.zeros((2, 2)), np.array([[0, -1e9], [0, 0]]))


def test_masked_softmax_without_a_mask_is_softmax():
    assert np.allclose(qkv.masked_softmax(np.log([[1.0, 2.0, 5.0]])), [[0.125, 0.25, 0.625]])


def test_project_by_loops():
    rng = np.random.default_rng(5)
    X, W = draw(rng, 2, 3, 4), [draw(rng, 4, 5), draw(rng, 4, 5), draw(rng, 4, 6)]
    for got, w in zip(qkv.project(X, *W), W):
        expected = [
            [[sum(X[b, i, c] * w[c, j] for c in range(4)) for j in range(w.shape[1])] for i in range(3)] for b in range(2)
        ]
        assert got.shape == (2, 3, w.shape[1]) and np.allclose(got, expected)


def test_scores_by_loops():
    rng = np.random.default_rng(6)
    Q, K = draw(rng, 2, 3, 4), draw(rng, 2, 5, 4)
    expected = [[[sum(Q[b, i] * K[b, j]) for j in range(5)] for i in range(3)] for b in range(2)]
    assert np.allclose(qkv.attention_scores(Q, K), expected)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_causal_mask_by_its_definition(n):
    mask = qkv.causal_mask(n)
    assert mask.dtype == bool and mask.shape == (n, n)
    assert all(mask[query, key] == (key <= query) for query in range(n) for key in range(n))


def test_causal_self_attention_cannot_see_the_future():
    rng = np.random.default_rng(7)
    X, W = draw(rng, 2, 6, 4), [draw(rng, 4, 3), draw(rng, 4, 3), draw(rng, 4, 5)]
    before = qkv.self_attention(X, *W, causal=True)[0]
    later = X.copy()
    later[:, 4:] += 1
    after = qkv.self_attention(later, *W, causal=True)[0]
    assert np.allclose(before[:, :4], after[:, :4]) and not np.allclose(before[:, 4:], after[:, 4:])
    assert not np.allclose(qkv.self_attention(X, *W)[0][:, :4], qkv.self_attention(later, *W)[0][:, :4])


def test_self_attention_is_attention_of_its_own_projections():
    rng = np.random.default_rng(8)
    X, W = draw(rng, 4, 3), [draw(rng, 3, 2), draw(rng, 3, 2), draw(rng, 3, 5)]
    allowed = np.tril(np.ones((4, 4), bool))
    for causal, mask in [(False, np.ones((4, 4), bool)), (True, allowed)]:
        expected = attention_by_loops(X @ W[0], X @ W[1], X @ W[2], mask)
        for got, part in zip(qkv.self_attention(X, *W, causal), expected):
            assert np.allclose(got, part)


@pytest.mark.parametrize("shape", [(1, 3), (4, 4), (3, 8)])
def test_design_query_gives_the_wanted_table(shape):
    rng = np.random.default_rng(9)
    K = draw(rng, *shape)
    wanted = rng.dirichlet(np.ones(shape[0])) * 0.99 + 0.01 / shape[0]
    exps = [math.exp(sum(k * q)) for k in K for q in [qkv.design_query(K, wanted)]]
    assert np.allclose(np.array(exps) / sum(exps), wanted, atol=1e-9)


def test_arguments_stay_as_they_are():
    rng = np.random.default_rng(10)
    args = [draw(rng, 3, 4), draw(rng, 5, 4), draw(rng, 5, 2), rng.random((3, 5)) < 0.5]
    copies = [a.copy() for a in args]
    qkv.attention(*args)
    assert all(np.array_equal(a, b) for a, b in zip(args, copies))
