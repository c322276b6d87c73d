"""Lesson 6's references against loops, separate attentions and hand-worked numbers."""

import numpy as np
import pytest
from attention_oracle import attention_by_loops

from course_utils.multi_head import head_budget, merge_heads, multi_head_attention, previous_token_score, split_heads


def separate_heads(X, W_q, W_k, W_v, W_o, n_heads, masks):
    """Each head as an attention of its own with its own columns of the matrices, on one sentence."""
    d_head = X.shape[1] // n_heads
    columns = [slice(i * d_head, (i + 1) * d_head) for i in range(n_heads)]
    heads = [attention_by_loops(X @ W_q[:, c], X @ W_k[:, c], X @ W_v[:, c], mask) for c, mask in zip(columns, masks)]
    output = sum(head @ W_o[c] for (head, _), c in zip(heads, columns))
    return output, np.stack([weights for _, weights in heads])


def draw(rng, *batch, n=5, d=6):
    return (rng.normal(size=(*batch, n, d)), *rng.normal(size=(4, d, d)))


def test_split_by_hand():
    """Two tokens of width 4, two heads: each head sees both tokens, and half of each."""
    X = np.array([list("abcd"), list("efgh")])
    assert split_heads(X, 2).tolist() == [[["a", "b"], ["e", "f"]], [["c", "d"], ["g", "h"]]]


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
@pytest.mark.parametrize("n_heads", [1, 2, 3, 6])  # 1: one head as wide as the token; 6: heads of width 1
def test_split_against_slices_and_back(batch, n_heads):
    X = np.random.default_rng(0).normal(size=(*batch, 5, 6))
    heads = split_heads(X, n_heads)
    d_head = 6 // n_heads
    assert heads.shape == (*batch, n_heads, 5, d_head)
    for i in range(n_heads):
        assert np.array_equal(heads[..., i, :, :], X[..., i * d_head : (i + 1) * d_head])
    assert np.array_equal(merge_heads(heads), X)


@pytest.mark.parametrize("n_heads", [4, 0, -2, 12])  # no divisor, no heads, a negative number, more heads than width
def test_heads_that_do_not_divide_the_width(n_heads):
    with pytest.raises(ValueError, match="divides 6"):
        split_heads(np.zeros((2, 6)), n_heads)
    with pytest.raises(ValueError, match="divides 6"):
        head_budget(6, n_heads)


@pytest.mark.parametrize("n_heads", [1, 2, 3, 6])
def test_equals_separate_attentions(n_heads):
    X, *matrices = draw(np.random.default_rng(1))
    found = multi_head_attention(X, *matrices, n_heads)
    expected = separate_heads(X, *matrices, n_heads, [None] * n_heads)
    for part, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(part, wanted, strict=True, rtol=1e-12, atol=1e-12)


def test_batches_and_a_mask_for_each_head():
    rng = np.random.default_rng(2)
    X, *matrices = draw(rng, 2)
    masks = rng.random((2, 3, 5, 5)) < 0.6  # one for every sentence and every head
    masks[1, 2, 4] = False  # a token that one head closes altogether
    output, weights = multi_head_attention(X, *matrices, 3, masks)
    for i in range(2):
        expected = separate_heads(X[i], *matrices, 3, masks[i])
        np.testing.assert_allclose(output[i], expected[0], strict=True, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(weights[i], expected[1], strict=True, rtol=1e-12, atol=1e-12)
    assert not weights[1, 2, 4].any()


def test_one_mask_for_all_heads():
    X, *matrices = draw(np.random.default_rng(3))
    mask = np.tri(5, dtype=bool)
    output, weights = multi_head_attention(X, *matrices, 2, mask)
    expected = separate_heads(X, *matrices, 2, [mask, mask])
    np.testing.assert_allclose(output, expected[0], rtol=1e-12, atol=1e-12)
    assert not weights[:, ~mask].any()


@pytest.mark.parametrize(
    "d_model, n_heads, expected",
    [
        (768, 12, (64, 2_359_296)),  # BERT-base
        (12_288, 96, (128, 603_979_776)),  # GPT-3
        (8, 1, (8, 256)),
        (8, 8, (1, 256)),  # the same budget for one head and for eight
    ],
)
def test_head_budget(d_model, n_heads, expected):
    found = head_budget(d_model, n_heads)
    assert found == expected
    assert [type(part) for part in found] == [int, int]


def test_head_budget_of_numpy_integers_does_not_overflow():
    assert head_budget(np.int32(65_536), np.int32(16)) == (4096, 4 * 65_536**2)


def test_previous_token_score_by_loops():
    weights = np.random.default_rng(4).dirichlet(np.ones(5), size=(3, 5))
    expected = [sum(head[i, i - 1] for i in range(1, 5)) / 4 for head in weights]
    np.testing.assert_allclose(previous_token_score(weights), expected)


def test_previous_token_score_of_a_pure_head_and_its_mirror():
    looks_back, looks_ahead = np.eye(4, k=-1), np.eye(4, k=1)
    assert previous_token_score(np.stack([looks_back, looks_ahead])).tolist() == [1.0, 0.0]
