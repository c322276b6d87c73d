"""Lesson 4: what learners write instead, and the sentence that helps. Attention has a module of its own."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils.embedding_space import softmax

# ---- project


def _project(*pick):
    """Three products; ``pick`` says which matrix makes Q, K and V."""
    return lambda X, *W: tuple(X @ W[i] for i in pick)


def _project_transposed(X, *W):
    return tuple(X @ w.T for w in W)


def _project_matrix_first(X, *W):
    return tuple(w @ X for w in W)


def _project_chained(X, W_q, W_k, W_v):
    Q = X @ W_q
    K = Q @ W_k
    return Q, K, K @ W_v


def _project_not_at_all(X, W_q, W_k, W_v):
    return X, X, X


def _project_only_queries(X, W_q, W_k, W_v):
    return X @ W_q, X, X


def _project_raw_values(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k, X


def _project_one_sentence(X, *W):
    return tuple(np.einsum("nd,dk->nk", X, w) for w in W)


def _project_flattened(X, *W):
    return tuple(X.reshape(-1, X.shape[-1]) @ w for w in W)


def _project_in_place(X, W_q, W_k, W_v):
    result = X @ W_q, X @ W_k, X @ W_v
    X *= 0
    return result


PROJECT = (
    Misconception(
        "weights-transposed",
        _project_transposed,
        "You wrote X @ W.T. Here a token is a row and a matrix has one row per number of the token: X @ W.",
    ),
    Misconception(
        "matrix-first", _project_matrix_first, "You wrote W @ X, as for column vectors. In this course tokens are rows: X @ W."
    ),
    Misconception(
        "one-matrix-for-all",
        _project(0, 0, 0),
        "All three are made with W_q. The point of three matrices is that a word can ask for one thing, be "
        "found "
        "by another and hand over a third.",
    ),
    Misconception("queries-as-keys", _project(0, 0, 2), "Your K is made with W_q. Keys have a matrix of their own: W_k."),
    Misconception("keys-as-values", _project(0, 1, 1), "Your V is made with W_k. Values have a matrix of their own: W_v."),
    Misconception("queries-as-values", _project(0, 1, 0), "Your V is made with W_q. Values have a matrix of their own: W_v."),
    Misconception("keys-before-queries", _project(1, 0, 2), "K and Q have changed places. The order is Q, K, V."),
    Misconception("values-before-keys", _project(0, 2, 1), "V and K have changed places. The order is Q, K, V."),
    Misconception("values-first", _project(2, 1, 0), "V comes first in your result. The order is Q, K, V."),
    Misconception(
        "chained",
        _project_chained,
        "You projected Q to get K, and K to get V. All three start from X: they are three views of the same word.",
    ),
    Misconception(
        "no-projection",
        _project_not_at_all,
        "You returned X three times. That is the raw dot product of lesson 3; the matrices are what is new.",
    ),
    Misconception("queries-only", _project_only_queries, "Only Q is projected. Keys and values have matrices too: W_k, W_v."),
    Misconception(
        "raw-values",
        _project_raw_values,
        "V is X itself. What a word hands over is X @ W_v, and it may be of another width than X.",
    ),
    Misconception(
        "one-sentence-only",
        _project_one_sentence,
        "This works for one sentence (n, d) only. X @ W takes any batch axes in front: (..., n, d).",
    ),
    Misconception(
        "batch-flattened",
        _project_flattened,
        "You laid the sentences of a batch end to end. Keep the axes in front: X @ W leaves them alone.",
    ),
    Misconception("changes-its-input", _project_in_place, "The call writes into X, and whoever called needs it again."),
)


# ---- attention_scores


def _scores(formula):
    return lambda Q, K: formula(np.asarray(Q), np.asarray(K))


def _transposed(A):
    return np.swapaxes(A, -1, -2)


def _cosines(Q, K):
    lengths = [np.linalg.norm(A, axis=-1, keepdims=True) for A in (Q, K)]
    return Q @ _transposed(K) / np.maximum(lengths[0] * _transposed(lengths[1]), 1e-12)


def _distances(Q, K):
    return np.linalg.norm(Q[..., :, None, :] - K[..., None, :, :], axis=-1)


def _scales_in_place(Q, K):
    Q -= Q.mean()
    return Q @ _transposed(K)


def _keys_in_place(Q, K):
    scores = Q @ _transposed(K)
    K *= 0
    return scores


ATTENTION_SCORES = (
    Misconception(
        "keys-not-transposed",
        _scores(lambda Q, K: Q @ K),
        "You multiplied Q by K as it is. Each query meets each key's row, so swap the last two axes of K "
        "first. "
        "With as many keys as numbers in a key nothing complains.",
    ),
    Misconception(
        "keys-ask",
        _scores(lambda Q, K: K @ _transposed(Q)),
        "You multiplied K Qᵀ: there the keys ask. Row i belongs to query i: Q Kᵀ.",
    ),
    Misconception(
        "scaled",
        _scores(lambda Q, K: Q @ _transposed(K) / np.sqrt(Q.shape[-1])),
        "You divided by √d_k. That is right from lesson 5 on, where you will see why; here the plain dot product is asked for.",
    ),
    Misconception(
        "scaled-by-d",
        _scores(lambda Q, K: Q @ _transposed(K) / Q.shape[-1]),
        "You divided by d_k: that is the mean of the products, and their sum is asked for.",
    ),
    Misconception(
        "softmaxed",
        _scores(lambda Q, K: softmax(Q @ _transposed(K))),
        "These are weights already. Scores come before softmax, and may have any sign and size.",
    ),
    Misconception(
        "cosines",
        _scores(_cosines),
        "You divided the lengths out. A score is the plain dot product: a long key is heard from further away.",
    ),
    Misconception(
        "distances", _scores(_distances), "These are distances. A score is a dot product, large where two vectors agree."
    ),
    Misconception(
        "absolute",
        _scores(lambda Q, K: np.abs(Q @ _transposed(K))),
        "Your scores lost their signs. A key that points the other way must score below zero.",
    ),
    Misconception("negated", _scores(lambda Q, K: -(Q @ _transposed(K))), "Your scores have the opposite sign."),
    Misconception(
        "all-axes-reversed",
        _scores(lambda Q, K: Q @ K.T),
        ".T turns round every axis, the batch's too. Swap the last two only: np.swapaxes(K, -1, -2).",
    ),
    Misconception(
        "batch-crossed",
        _scores(lambda Q, K: np.dot(Q, _transposed(K))),
        "np.dot of two batches crosses every item with every other. @ pairs each item with its own.",
    ),
    Misconception(
        "queries-with-queries",
        _scores(lambda Q, K: Q @ _transposed(Q)),
        "You compared the queries with each other; K is not used.",
    ),
    Misconception(
        "keys-with-keys", _scores(lambda Q, K: K @ _transposed(K)), "You compared the keys with each other; Q is not used."
    ),
    Misconception(
        "whole-numbers-only",
        _scores(lambda Q, K: (Q @ _transposed(K)).astype(int)),
        "Your scores are cut to whole numbers. Make room for fractions: np.zeros((n_q, n_k)) holds floats.",
    ),
    Misconception(
        "changes-the-queries", _scales_in_place, "You shifted the queries in place before multiplying. Q stays as it is."
    ),
    Misconception("changes-the-keys", _keys_in_place, "The call writes into K, and whoever called needs it again."),
)


# ---- causal_mask

CAUSAL_MASK = (
    Misconception(
        "future-only",
        lambda n: np.triu(np.ones((n, n), bool)),
        "Your mask opens the future and closes the past: it is the upper triangle. Rows ask, columns are looked at: key ≤ query.",
    ),
    Misconception(
        "blocked-is-true",
        lambda n: ~np.tri(n, dtype=bool),
        "Your True means blocked. Here True means: may look. Turn it round with ~.",
    ),
    Misconception(
        "not-itself",
        lambda n: np.tri(n, k=-1, dtype=bool),
        "A word cannot look at itself in your mask, and the first one nowhere. The diagonal is open: key ≤ query.",
    ),
    Misconception(
        "one-too-far",
        lambda n: np.tri(n, k=1, dtype=bool),
        "Each word sees one word of the future in your mask. The diagonal is the last that is open: key ≤ query.",
    ),
    Misconception(
        "only-itself", lambda n: np.eye(n, dtype=bool), "Each word sees itself alone in your mask; the past is open too."
    ),
    Misconception(
        "all-open",
        lambda n: np.ones((n, n), bool),
        "Nothing is hidden in your mask. Close what lies after the query: key > query.",
    ),
    Misconception(
        "numbers",
        lambda n: np.tri(n),
        "Right places, but 1 and 0 where True and False belong. Give np.ones or np.tri dtype=bool, or compare positions.",
    ),
    Misconception(
        "additive",
        lambda n: np.where(np.tri(n, dtype=bool), 0.0, -np.inf),
        "This is an additive mask, 0 and −∞. Here a mask says True where a query may look, and False elsewhere.",
    ),
    Misconception(
        "additive-finite",
        lambda n: np.where(np.tri(n, dtype=bool), 0.0, -1e9),
        "This is an additive mask, 0 and −1e9. Here a mask says True where a query may look, and False elsewhere.",
    ),
    Misconception("one-row", lambda n: np.ones(n, bool), "One row is not enough: each query has a row of its own, (n, n)."),
    Misconception(
        "averaged",
        lambda n: np.tri(n) / np.arange(1, n + 1)[:, None],
        "These are uniform weights. The mask comes before them: it only says where a query may look.",
    ),
    Misconception(
        "two-words-back",
        lambda n: np.tri(n, dtype=bool) & ~np.tri(n, k=-2, dtype=bool),
        "Each word sees itself and the word before it, no further. All of the past is open.",
    ),
    Misconception(
        "last-row-only",
        lambda n: np.arange(n)[:, None] + np.arange(n) >= n - 1,
        "Your triangle leans the other way: row 0 is the first word and may see itself only.",
    ),
)
