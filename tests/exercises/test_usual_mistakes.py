"""Mistakes in the form in which learners write them, not as the exercises' own lists have them: each gets its name."""

import numpy as np
import pytest

from autograde import judge
from course_utils.embedding_space import softmax


def exponential_of_the_share(x, axis=-1):
    return np.exp(x / np.exp(x).sum(axis=axis, keepdims=True))


def slice_with_the_word(X, position, window):
    neighbours = X[position - window : position + window + 1]
    return neighbours.sum(axis=0) / len(neighbours)


def softmax_down_the_columns(X):
    scores = X @ np.swapaxes(X, -1, -2)
    e = np.exp(scores - scores.max(axis=0))
    return e / e.sum(axis=0)


def keys_reshaped(Q, K):
    shape = list(K.shape)
    shape[-1], shape[-2] = shape[-2], shape[-1]
    return np.matmul(Q, np.reshape(K, shape))


def weights_of_minus_infinity(scores, mask=None):
    weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    if mask is not None:
        weights = np.where(mask, weights, float("-inf"))
    return weights


def queries_scaled(X, W_q, W_k, W_v):
    d_k = W_q.shape[-1]
    return (X @ W_q) * d_k**-0.5, X @ W_k, X @ W_v


def query_and_weights(K, wanted):
    q = np.linalg.lstsq(K, np.log(wanted), rcond=None)[0]
    scores = np.exp(K @ q)
    return q, scores / scores.sum()


def minus_outer(p):
    J = np.zeros((len(p), len(p)))
    for i in range(len(p)):
        for j in range(len(p)):
            J[i, j] = p[j] - p[i] * p[j]
    return J


def diagonal_by_hand(p):
    J = -np.outer(p, p)
    for i in range(len(p)):
        J[i, i] += p[i] * (1 - p[i])
    return J


def split_and_turned(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError("n_heads must divide d")
    pieces = X.reshape(X.shape[:-1] + (n_heads, X.shape[-1] // n_heads))
    return np.moveaxis(pieces, -1, -2)


def joined_in_the_old_shape(H):
    h, n, d = H.shape[-3:]
    return np.swapaxes(H, -2, -3).reshape(H.shape[:-3] + (h, n * d))


def four_small_squares(d_model, n_heads):
    d_head = d_model // n_heads
    return d_head, 4 * d_head**2


def first_column(weights):
    return np.array([head[1:, 0].mean() for head in weights])


USUAL = {
    "softmax": (exponential_of_the_share, "exponential-of-the-share"),
    "context_average": (slice_with_the_word, "slice-with-the-word"),
    "similarity_weights": (softmax_down_the_columns, "softmax-over-first-axis"),
    "attention_scores": (keys_reshaped, "keys-reshaped"),
    "masked_softmax": (weights_of_minus_infinity, "infinity-as-weight"),
    "project": (queries_scaled, "queries-scaled"),
    "design_query": (query_and_weights, "weights-returned-too"),
    "split_heads": (split_and_turned, "last-axes-swapped"),
    "merge_heads": (joined_in_the_old_shape, "heads-as-tokens"),
    "head_budget": (four_small_squares, "width-of-a-head-squared"),
    "previous_token_score": (first_column, "first-column"),
}


@pytest.mark.parametrize("exercise", USUAL)
def test_a_usual_mistake_is_named(exercise):
    answer, name = USUAL[exercise]
    report = judge(exercise, answer)
    assert report.score < report.points
    assert report.diagnosis is not None and report.diagnosis.id == name


@pytest.mark.parametrize(("answer", "name"), [(minus_outer, "p-in-every-row"), (diagonal_by_hand, "diagonal-subtracted-twice")])
def test_of_the_jacobian_it_is_said_what_the_diagonal_is(answer, name):
    assert judge("softmax_jacobian", answer).diagnosis.id == name


def product_of_mask_and_infinity(scores, mask=None):
    closed = 0 if mask is None else (1 - mask) * -np.inf
    e = np.exp(scores + closed - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def test_of_a_mask_times_infinity_it_is_said_what_zero_times_infinity_is():
    assert judge("masked_softmax", product_of_mask_and_infinity).diagnosis.id == "zero-times-infinity"


def test_softmax_alone_earns_less_than_half_of_what_a_mask_is_about():
    """Lesson 2's answer, with the mask left unread."""
    report = judge("masked_softmax", lambda scores, mask=None: softmax(scores))
    assert report.score <= report.points / 2 and report.diagnosis.id == "mask-ignored"
