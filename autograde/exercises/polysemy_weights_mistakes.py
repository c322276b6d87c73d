"""Lesson 3, weights and mixing: what learners write instead, and the sentence that helps."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import polysemy as ref
from course_utils.embedding_space import softmax
from course_utils.word_vectors import unit_rows

# ---- uniform_weights


def _seen(n, causal):
    return np.tril(np.ones((n, n))) if causal else np.ones((n, n))


def _one_row(n, causal=False):
    return np.full(n, 1 / n)


def _future(n, causal=False):
    seen = np.triu(np.ones((n, n))) if causal else np.ones((n, n))
    return seen / seen.sum(axis=1, keepdims=True)


def _columns(n, causal=False):
    seen = _seen(n, causal)
    return seen / seen.sum(axis=0, keepdims=True)


def _strictly_before(n, causal=False):
    seen = np.tril(np.ones((n, n)), k=-1) if causal else np.ones((n, n))
    return seen / np.maximum(seen.sum(axis=1, keepdims=True), 1)


def _strictly_before_divides(n, causal=False):
    seen = np.tril(np.ones((n, n)), k=-1) if causal else np.ones((n, n))
    return seen / seen.sum(axis=1, keepdims=True)


def _one_too_far(n, causal=False):
    seen = np.tril(np.ones((n, n)), k=1) if causal else np.ones((n, n))
    return seen / seen.sum(axis=1, keepdims=True)


def _without_itself(n, causal=False):
    seen = _seen(n, causal) - np.eye(n)
    return seen / np.maximum(seen.sum(axis=1, keepdims=True), 1)


UNIFORM_WEIGHTS = (
    Misconception("not-divided", _seen, "These are ones, not weights. A row's weights sum to 1: divide each row by its sum."),
    Misconception(
        "one-row-only", _one_row, "This is one row of weights. Each of the n words has a row of its own: the shape is (n, n)."
    ),
    Misconception(
        "whole-table-sums-to-one",
        lambda n, causal=False: _seen(n, causal) / _seen(n, causal).sum(),
        "The whole table sums to 1. Each row must: every word has a weight of 1 to spread.",
    ),
    Misconception(
        "causal-ignored",
        lambda n, causal=False: ref.uniform_weights(n),
        "causal changes nothing here. With causal=True row i spreads over 0 … i only.",
    ),
    Misconception(
        "always-causal",
        lambda n, causal=False: ref.uniform_weights(n, True),
        "The rows are causal even when causal is False. Without it every word looks at all n.",
    ),
    Misconception(
        "causal-turned-round",
        lambda n, causal=False: ref.uniform_weights(n, not causal),
        "causal works the wrong way round: True restricts each row to 0 … i, False does not.",
    ),
    Misconception(
        "causal-still-divided-by-n",
        lambda n, causal=False: _seen(n, causal) / n,
        "The later words were removed, but the rest is still 1/n each, so early rows do not sum to 1. Row "
        "i holds i + 1 words: divide by that.",
    ),
    Misconception(
        "future-for-past",
        _future,
        "Each row looks at itself and what comes after it (np.triu). Causal means what came before: np.tril.",
    ),
    Misconception(
        "columns-sum-to-one",
        _columns,
        "The columns sum to 1. A row belongs to the word that looks, and its weights sum to 1: axis=1, keepdims=True.",
    ),
    Misconception(
        "itself-left-out-when-causal",
        _strictly_before,
        "A causal row may look at the word itself too: row i spreads over 0 … i, not 0 … i − 1.",
    ),
    Misconception(
        "itself-left-out-divides-by-zero",
        _strictly_before_divides,
        "Row 0 has nobody before it, which makes 0 / 0. Row i may look at the word itself too: it spreads over 0 … i.",
    ),
    Misconception(
        "one-word-ahead", _one_too_far, "A causal row reaches one word too far: row i ends at the word itself, column i."
    ),
    Misconception(
        "itself-left-out", _without_itself, "The word itself was left out. Here a word may look at itself as at any other."
    ),
    Misconception(
        "identity",
        lambda n, causal=False: np.eye(n),
        "With these weights every word looks at itself alone. Uniform means: evenly over all n words.",
    ),
    Misconception(
        "softmax-of-the-triangle",
        lambda n, causal=False: softmax(_seen(n, causal)),
        "softmax turns the zeros of the triangle into e⁰ = 1, so words after row i still get weight. "
        "Divide by the row sum, or put −inf where a row may not look.",
    ),
    Misconception(
        "whole-division",
        lambda n, causal=False: _seen(n, causal) // _seen(n, causal).sum(axis=1, keepdims=True),
        "// rounds down, and 1 // n is 0. Divide with /.",
    ),
)


# ---- mix


def _wrong_key_axis(weights, X):
    return np.swapaxes(weights, -1, -2) @ X


def _not_summed(weights, X):
    return weights[..., :, :, None] * X[..., None, :, :]


def _normalised(weights, X):
    return weights / weights.sum(axis=-1, keepdims=True) @ X


def _hard_pick(weights, X):
    return np.take_along_axis(X, weights.argmax(axis=-1)[..., None], axis=-2)


def _batches_added(weights, X):
    if X.ndim == 2:
        return weights @ X
    return np.einsum("...qk,...kd->qd", weights, X)


def _first_sentence(weights, X):
    while X.ndim > 2:
        weights, X = weights[0], X[0]
    return weights @ X


def _plus_itself(weights, X):
    mixed = weights @ X
    return mixed + X if mixed.shape == X.shape else mixed


MIX = (
    Misconception(
        "weights-transposed",
        _wrong_key_axis,
        "The weights were transposed, so queries and keys changed places. Row i of weights makes row i of "
        "the result: weights @ X.",
    ),
    Misconception(
        "X-first",
        lambda weights, X: X @ weights,
        "X stands on the left. The sum runs over the rows of X, so X comes second: weights @ X.",
    ),
    Misconception(
        "entry-by-entry",
        lambda weights, X: weights * X,
        "* multiplies entry by entry. A weighted sum of rows is a matrix product: @.",
    ),
    Misconception(
        "not-summed",
        _not_summed,
        "The rows are weighted but not added up. Sum over the keys, which are the last axis of weights.",
    ),
    Misconception(
        "mean-for-sum",
        lambda weights, X: weights @ X / X.shape[-2],
        "The sum was divided by the number of keys. The weights already say how much of each row to take.",
    ),
    Misconception(
        "weights-normalised",
        _normalised,
        "The weights were made to sum to 1 first. mix takes them as they are: making weights is another function's work.",
    ),
    Misconception(
        "softmax-on-top",
        lambda weights, X: softmax(weights) @ X,
        "softmax was applied to the weights. They are weights already: use them as they are.",
    ),
    Misconception(
        "largest-weight-only",
        _hard_pick,
        "Each query takes the one row with the largest weight. Take something of every row: a weighted sum.",
    ),
    Misconception(
        "negative-weights-lost",
        lambda weights, X: np.maximum(weights, 0) @ X,
        "Negative weights were set to 0. mix takes any weights: a row may be subtracted.",
    ),
    Misconception(
        "sign-lost",
        lambda weights, X: np.abs(weights) @ X,
        "The signs of the weights are lost. mix takes any weights: a row may be subtracted.",
    ),
    Misconception(
        "dot-for-batches",
        np.dot,
        "np.dot meets every sentence with every other when there are leading axes. @ keeps each sentence to itself.",
    ),
    Misconception(
        "sentences-added", _batches_added, 'The sentences were added together. Leading axes stay apart: "...qk,...kd->...qd".'
    ),
    Misconception(
        "first-sentence-only",
        _first_sentence,
        "Only the first sentence was mixed. Leading axes stay in the result: @ takes care of them.",
    ),
    Misconception(
        "first-query-only",
        lambda weights, X: weights[..., 0, :] @ X,
        "Only the first query was answered. Each row of weights makes a row of the result.",
    ),
    Misconception(
        "X-added", _plus_itself, "X was added to the mix. That step comes in lesson 7; here the result is the weighted sum alone."
    ),
)


# ---- similarity_weights


def _scores(X):
    return X @ np.swapaxes(X, -1, -2)


def _no_maximum(X):
    e = np.exp(_scores(X).astype(float))
    return e / e.sum(axis=-1, keepdims=True)


def _one_maximum_for_all(X):
    scores = _scores(X).astype(float)
    e = np.exp(scores - scores.max())
    return e / e.sum(axis=-1, keepdims=True)


def _over_the_whole_table(X):
    e = np.exp(_scores(X) - _scores(X).max(axis=(-1, -2), keepdims=True))
    return e / e.sum(axis=(-1, -2), keepdims=True)


def _without_itself(X):
    return softmax(np.where(np.eye(X.shape[-2], dtype=bool), -np.inf, _scores(X)))


def _causal(X):
    return softmax(np.where(np.tri(X.shape[-2], dtype=bool), _scores(X), -np.inf))


def _all_axes_reversed(X):
    return softmax(X @ X.T)


def _plain_shares(X):
    scores = _scores(X)
    return scores / scores.sum(axis=-1, keepdims=True)


def _distances(X):
    return softmax(-np.linalg.norm(X[..., :, None, :] - X[..., None, :, :], axis=-1))


SIMILARITY_WEIGHTS = (
    Misconception("scores-only", _scores, "These are the scores. softmax along each row turns them into weights that sum to 1."),
    Misconception(
        "scaled-by-root-d",
        lambda X: softmax(_scores(X) / np.sqrt(X.shape[-1])),
        "The scores were divided by √d. That comes in lesson 5, with its reason; here they are used as they are.",
    ),
    Misconception(
        "scaled-by-d",
        lambda X: softmax(_scores(X) / X.shape[-1]),
        "The scores were divided by d. Here they are used as they are.",
    ),
    Misconception(
        "cosines-for-scores",
        lambda X: softmax(_scores(unit_rows(X))),
        "The rows were brought to length 1 first. The scores here are plain dot products, X Xᵀ.",
    ),
    Misconception(
        "softmax-over-queries",
        lambda X: softmax(_scores(X), axis=-2),
        "The columns sum to 1 (softmax over axis −2). Each word spreads its weight over the keys: axis −1.",
    ),
    Misconception(
        "softmax-over-everything",
        _over_the_whole_table,
        "The whole table sums to 1. Each row must, because each word has a weight of 1 to spread.",
    ),
    Misconception(
        "columns-met-columns",
        lambda X: softmax(np.swapaxes(X, -1, -2) @ X),
        "XᵀX compares the columns, the d features. Words are rows: X Xᵀ, of shape (n, n).",
    ),
    Misconception(
        "shares-without-softmax",
        _plain_shares,
        "Each score was divided by the row's sum. Scores may be negative: softmax takes exp of them first.",
    ),
    Misconception(
        "no-maximum-taken-off",
        _no_maximum,
        "exp of a large score overflows to infinity. Take each row's maximum off first: the weights stay the same.",
    ),
    Misconception(
        "one-maximum-for-all",
        _one_maximum_for_all,
        "The largest score of the whole table was taken off, so rows with small scores become 0 / 0. Take "
        "off each row's own maximum: axis=-1, keepdims=True.",
    ),
    Misconception(
        "scores-cut-off",
        lambda X: softmax(np.clip(_scores(X), -500, 500)),
        "Large scores were cut off, so that different ones became equal. Take each row's maximum off "
        "instead: the weights stay the same.",
    ),
    Misconception(
        "itself-left-out", _without_itself, "A word may not look at itself here. It may: its own score is one of its row."
    ),
    Misconception("future-hidden", _causal, "Words to the right are hidden. Nothing is hidden here: every word looks at all."),
    Misconception(
        "all-axes-reversed",
        _all_axes_reversed,
        "X.T reverses all axes, and with leading axes that mixes up the sentences. Exchange the last two: "
        "np.swapaxes(X, -1, -2).",
    ),
    Misconception("distance-for-score", _distances, "The scores are negative distances. Here a score is a dot product, X Xᵀ."),
    Misconception(
        "squared-scores",
        lambda X: softmax(_scores(X) ** 2),
        "The scores were squared, which makes opposite words look alike. Use them as they are.",
    ),
    Misconception(
        "sign-lost",
        lambda X: softmax(np.abs(_scores(X))),
        "The sign of the scores is lost, which makes opposite words look alike. Use them as they are.",
    ),
    Misconception(
        "powers-of-two",
        lambda X: softmax(_scores(X) * np.log(2)),
        "The weights are shares of 2 to the power of the scores. softmax uses e: np.exp.",
    ),
)
