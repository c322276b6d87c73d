"""Lesson 6: what learners write instead for splitting, merging, the budget and one head's job."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import multi_head as ref

# ---- split_heads


def _cut(X, h):
    """Each row cut into h pieces where it is: (..., n, h, d/h). A width that h does not divide is refused."""
    if X.shape[-1] % h:
        raise ValueError("the heads do not divide the width")
    return X.reshape(*X.shape[:-1], h, X.shape[-1] // h)


def _reshaped_only(X, h):
    *batch, n, d = X.shape
    _cut(X, h)
    return X.reshape(*batch, h, n, d // h)


def _every_hth_column(X, h):
    *batch, n, d = X.shape
    _cut(X, h)
    return np.moveaxis(X.reshape(*batch, n, d // h, h), -1, -3)


def _rest_dropped(X, h):
    return ref.split_heads(X[..., : X.shape[-1] // h * h], h)


def _asserts(X, h):
    assert X.shape[-1] % h == 0
    return ref.split_heads(X, h)


SPLIT_HEADS = (
    Misconception(
        "reshaped-only",
        _reshaped_only,
        "You reshaped straight to (h, n, d/h). That keeps the reading order, so the first head gets whole "
        "tokens. Reshape to (n, h, d/h) first, then swap the axes of tokens and heads.",
    ),
    Misconception(
        "axes-not-swapped",
        _cut,
        "The pieces are right, but the heads still come after the tokens: (n, h, d/h). Swap these two axes.",
    ),
    Misconception(
        "every-hth-column",
        _every_hth_column,
        "Your heads take every h-th column. Head i holds the columns from i·d/h on, side by side: reshape "
        "to (n, h, d/h), with h before d/h.",
    ),
    Misconception(
        "head-transposed",
        lambda X, h: np.swapaxes(ref.split_heads(X, h), -1, -2),
        "Within each head tokens and numbers are exchanged. A token stays a row: (h, n, d/h).",
    ),
    Misconception(
        "all-axes-reversed",
        lambda X, h: _cut(X, h).T,
        ".T turns round every axis. Swap the axes of tokens and heads only: np.swapaxes(…, -2, -3).",
    ),
    Misconception(
        "heads-before-the-batch",
        lambda X, h: np.moveaxis(_cut(X, h), -2, 0),
        "The heads stand before the batch. They go just before the tokens: (batch, h, n, d/h).",
    ),
    Misconception(
        "first-axes-swapped",
        lambda X, h: _cut(X, h).swapaxes(0, -2),
        "You exchanged the heads with the first axis. In a batch that is the batch: count from the end, −3 and −2.",
    ),
    Misconception(
        "heads-reversed",
        lambda X, h: ref.split_heads(X, h)[..., ::-1, :, :],
        "Your heads come in reverse order. Head 0 holds the first columns.",
    ),
    Misconception(
        "first-head-only",
        lambda X, h: ref.split_heads(X, h)[..., :1, :, :],
        "Only the first head is there. All h of them are wanted: (h, n, d/h).",
    ),
    Misconception(
        "rest-dropped",
        _rest_dropped,
        "Where the heads do not divide the width, you dropped the columns left over. Raise ValueError instead.",
    ),
    Misconception(
        "assert-for-error", _asserts, "A width that the heads do not divide must raise ValueError; assert raises AssertionError."
    ),
)


# ---- merge_heads


def _merged_only(H):
    *batch, h, n, d_head = H.shape
    return H.reshape(*batch, n, h * d_head)


def _interleaved(H):
    *batch, h, n, d_head = H.shape
    return np.moveaxis(H, -3, -1).reshape(*batch, n, d_head * h)


def _below_each_other(H):
    *batch, h, n, d_head = H.shape
    return H.reshape(*batch, h * n, d_head)


MERGE_HEADS = (
    Misconception(
        "reshaped-only",
        _merged_only,
        "You reshaped straight to (n, h·d_head). That keeps the reading order, so tokens of one head land "
        "side by side. Swap the axes of heads and tokens first, then reshape.",
    ),
    Misconception(
        "interleaved",
        _interleaved,
        "The heads' numbers are shuffled like cards. Each head's d_head numbers stay together: "
        "(n, h, d_head) before the reshape.",
    ),
    Misconception(
        "heads-below-each-other",
        _below_each_other,
        "The heads stand below each other. They belong side by side: n rows of h·d_head numbers.",
    ),
    Misconception(
        "heads-summed", lambda H: H.sum(axis=-3), "You added the heads up. They are put side by side, so that W_o can weigh them."
    ),
    Misconception(
        "heads-averaged",
        lambda H: H.mean(axis=-3),
        "You averaged the heads. They are put side by side, so that W_o can weigh them.",
    ),
    Misconception("first-head-only", lambda H: H[..., 0, :, :], "Only the first head is left. Put all of them side by side."),
    Misconception(
        "heads-reversed", lambda H: ref.merge_heads(H[..., ::-1, :, :]), "The heads stand in reverse order. Head 0 comes first."
    ),
    Misconception(
        "result-transposed",
        lambda H: np.swapaxes(ref.merge_heads(H), -1, -2),
        "Rows and columns are exchanged. A token stays a row: (n, h·d_head).",
    ),
    Misconception(
        "first-axis-as-heads",
        lambda H: np.concatenate(list(H), axis=-1),
        "You joined along the first axis. In a batch that is the batch; the heads are the third axis from the end.",
    ),
    Misconception(
        "not-joined",
        lambda H: np.swapaxes(H, -2, -3),
        "Tokens and heads have changed places, but the pieces are not joined: reshape the last two axes into one.",
    ),
)


# ---- head_budget


def _budget(width, parameters):
    return lambda d_model, n_heads: (width(d_model, n_heads), parameters(d_model, n_heads))


def _share(d, h):
    return d // h


def _all_four(d, h):
    return 4 * d * d


HEAD_BUDGET = (
    Misconception(
        "three-matrices", _budget(_share, lambda d, h: 3 * d * d), "You counted three matrices. W_o takes part as well: four."
    ),
    Misconception(
        "one-matrix", _budget(_share, lambda d, h: d * d), "You counted one matrix. There are four: W_q, W_k, W_v and W_o."
    ),
    Misconception(
        "a-set-per-head",
        _budget(_share, lambda d, h: 4 * d * d * h),
        "You gave each head full matrices of its own. The heads share the columns of the same four matrices.",
    ),
    Misconception(
        "one-head-s-share",
        _budget(_share, lambda d, h: 4 * d * (d // h)),
        "You counted one head's part. All heads together have 4 · d² entries.",
    ),
    Misconception(
        "w-o-per-head-width",
        _budget(_share, lambda d, h: 3 * d * d + d * (d // h)),
        "You made W_o as narrow as one head. It takes in all heads merged: d_model by d_model.",
    ),
    Misconception(
        "biases-counted",
        _budget(_share, lambda d, h: 4 * d * d + 4 * d),
        "You counted biases as well. Here only the four matrices count.",
    ),
    Misconception(
        "heads-for-width",
        _budget(lambda d, h: h, _all_four),
        "The first result is the number of heads. The width of one head is wanted: d_model / n_heads.",
    ),
    Misconception(
        "whole-width",
        _budget(lambda d, h: d, _all_four),
        "The first result is the whole width. One head has d_model / n_heads of it.",
    ),
    Misconception(
        "results-swapped",
        lambda d, h: (_all_four(d, h), _share(d, h)),
        "The results are exchanged: first the width of a head, then the parameters.",
    ),
    Misconception(
        "divided-with-fraction",
        lambda d, h: (d / h, _all_four(d, h)),
        "d_model / n_heads is a float in Python, even where it is whole. Divide with //.",
    ),
)


# ---- previous_token_score


def _below(weights, offset=-1):
    return np.diagonal(weights, offset=offset, axis1=1, axis2=2)


def _cyclic(weights):
    n = weights.shape[1]
    return weights[:, np.arange(n), np.arange(n) - 1].mean(axis=1)


PREVIOUS_TOKEN_SCORE = (
    Misconception(
        "next-token",
        lambda w: _below(w, 1).mean(axis=-1),
        "You looked above the diagonal: that is the weight on the next token. The one before is column i − 1.",
    ),
    Misconception(
        "own-token",
        lambda w: _below(w, 0).mean(axis=-1),
        "You looked at the diagonal: that is the weight on the token itself. The one before is column i − 1.",
    ),
    Misconception(
        "divided-by-n",
        lambda w: _below(w).sum(axis=-1) / w.shape[1],
        "You divided by n. The first token has none before it, so there are n − 1 weights to average.",
    ),
    Misconception(
        "sum-for-mean", lambda w: _below(w).sum(axis=-1), "You added the weights up. Their mean is wanted: divide by n − 1."
    ),
    Misconception(
        "first-token-counts-round",
        _cyclic,
        "For the first token, i − 1 is −1, and NumPy takes the last column. Begin with token 1.",
    ),
    Misconception(
        "heads-averaged",
        lambda w: _below(w).mean(),
        "You averaged over the heads as well. Each head gets a score of its own: (h,).",
    ),
    Misconception(
        "tokens-averaged-wrongly",
        lambda w: _below(w).mean(axis=0),
        "You averaged over the heads and kept the tokens. Average over the tokens: one score for each head.",
    ),
    Misconception("largest-for-mean", lambda w: _below(w).max(axis=-1), "You took the largest weight. Their mean is wanted."),
    Misconception(
        "share-of-tokens",
        lambda w: (w[:, 1:].argmax(axis=-1) == np.arange(w.shape[1] - 1)).mean(axis=-1),
        "You counted how often the previous token gets the most weight. The mean of the weights is wanted.",
    ),
    Misconception(
        "all-before",
        lambda w: (np.tril(w, -1).sum(axis=-1)[:, 1:]).mean(axis=-1),
        "You took all earlier tokens together. Only the one just before counts.",
    ),
    Misconception("last-token-only", lambda w: w[:, -1, -2], "This is the last token alone. Average over tokens 1 … n−1."),
)
