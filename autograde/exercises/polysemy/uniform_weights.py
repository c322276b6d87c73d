"""uniform_weights: how each word spreads its weight when nobody is preferred."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from course_utils import polysemy as ref
from course_utils.embedding_space import softmax

# ---- what is asked


def uniform_plain(rng):
    return [(2, False), (3,), (int(rng.integers(4, 9)), False)]


def uniform_causal(rng):
    return [(2, True), (3, True), (int(rng.integers(4, 9)), True), (57, True)]


def uniform_sizes(rng):
    return [(1,), (1, True), (40,), (67,)]


def every_kind(rng):
    return [case for n in (2, *range(1, 41), 97) for case in ((n,), (n, False), (n, True))]


# ---- what learners write instead


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


MISTAKES = (
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


# ---- right answers written differently


def _uniform_loops(n, causal=False):
    result = []
    for i in range(n):
        seen = i + 1 if causal else n
        result.append([1 / seen if j < seen else 0 for j in range(n)])
    return result


def _uniform_counts(n, causal=False):
    if not causal:
        return np.full((n, n), 1 / n)
    return np.tri(n) / np.arange(1, n + 1)[:, None]


def _uniform_softmax(n, causal=False):
    scores = np.zeros((n, n))
    if causal:
        scores[np.triu_indices(n, k=1)] = -1e9
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def _uniform_float32(n, causal=False):
    i, j = np.indices((n, n))
    may = (j <= i) | (not causal)
    return (may / may.sum(axis=-1, keepdims=True)).astype(np.float32)


def _uniform_in_place(n, causal=False):
    weights = np.zeros((n, n))
    for i in range(n):
        weights[i, : i + 1 if causal else n] = 1
        weights[i] /= weights[i].sum()
    return weights


ACCEPTED = (_uniform_loops, _uniform_counts, _uniform_softmax, _uniform_float32, _uniform_in_place)


# ---- the exercise

EXERCISE = Exercise(
    name="uniform_weights",
    lesson="polysemy",
    reference=ref.uniform_weights,
    checks=(
        Check("every row spreads its weight evenly over all n", 2, uniform_plain),
        Check("causal: row i spreads over 0 … i", 2, uniform_causal),
        Check("one word alone, and many", 1, uniform_sizes, side=True),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "A row says how one word spreads its weight, 1 in all. Over n words, each gets 1/n.",
        "For causal, np.tril keeps the lower triangle: row i may look at 0 … i, which are i + 1 words.",
        "Start from ones, or from np.tril of ones; then divide each row by its own sum: axis=1, keepdims=True.",
    ),
)
