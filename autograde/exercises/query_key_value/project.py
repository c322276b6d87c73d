"""project: one vector for each token in three roles, as query, key and value."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from course_utils import query_key_value as ref

from ..attention import properties as has
from ..inputs.attention import sentences
from ..inputs.layouts import and_read_only, every_form, varied
from .draws import each_sentence, normal

# ---- what is asked


def plain(rng):
    return [
        tuple(np.array(a, float) for a in ([[1, 2], [0, 1]], [[1, 1], [0, 1]], [[2, 0], [1, 1]], [[0, 1], [3, 0]])),
        normal(rng, (4, 5), (5, 3), (5, 3), (5, 2)),
        normal(rng, (3, 3), (3, 3), (3, 3), (3, 3)),  # where X @ W.T and W @ X have the right shape
        normal(rng, (1, 5), (5, 2), (5, 2), (5, 7)),
        normal(rng, (3, 1), (1, 2), (1, 2), (1, 1)),
    ]


def batches(rng):
    return [normal(rng, (2, 4, 5), (5, 3), (5, 3), (5, 6)), normal(rng, (3, 2, 4, 4), (4, 4), (4, 4), (4, 7)), *more_batches(rng)]


def more_batches(rng):
    return [normal(rng, (1, 4, 5), (5, 3), (5, 3), (5, 2)), normal(rng, (2, 1, 2, 3, 2), (2, 3), (2, 3), (2, 2))]


def types(rng):
    return every_form(normal(rng, (4, 5), (5, 3), (5, 3), (5, 2)))


def every_kind(rng):
    return [plain(rng)[0], *varied(sentences(rng))]


# ---- what learners write instead


def _with_matrices(*pick):
    """Three products; ``pick`` says which matrix makes Q, K and V."""
    return lambda X, *W: tuple(X @ W[i] for i in pick)


def matrices_transposed(X, *W):
    return tuple(X @ w.T for w in W)


def _matrix_first(X, *W):
    return tuple(w @ X for w in W)


def _chained(X, W_q, W_k, W_v):
    Q = X @ W_q
    K = Q @ W_k
    return Q, K, K @ W_v


def _not_at_all(X, W_q, W_k, W_v):
    return X, X, X


def _only_queries(X, W_q, W_k, W_v):
    return X @ W_q, X, X


def raw_values(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k, X


def _one_sentence(X, *W):
    return tuple(np.einsum("nd,dk->nk", X, w) for w in W)


def _flattened(X, *W):
    return tuple(X.reshape(-1, X.shape[-1]) @ w for w in W)


def _in_place(X, W_q, W_k, W_v):
    result = X @ W_q, X @ W_k, X @ W_v
    X *= 0
    return result


def _stacked(X, W_q, W_k, W_v):
    return np.stack([X @ W for W in (W_q, W_k, W_v)])


def _by_place(X, W_q, W_k, W_v):
    return X * W_q, X * W_k, X * W_v


def _queries_scaled(X, W_q, W_k, W_v):
    return X @ W_q / np.sqrt(W_q.shape[1]), X @ W_k, X @ W_v


MISTAKES = (
    Misconception(
        "weights-transposed",
        matrices_transposed,
        "You wrote X @ W.T. Here a token is a row and a matrix has one row per number of the token: X @ W.",
    ),
    Misconception(
        "matrix-first", _matrix_first, "You wrote W @ X, as for column vectors. In this course tokens are rows: X @ W."
    ),
    Misconception(
        "one-matrix-for-all",
        _with_matrices(0, 0, 0),
        "All three are made with W_q. The point of three matrices is that a word can ask for one thing, be "
        "found by another and hand over a third.",
    ),
    Misconception("queries-as-keys", _with_matrices(0, 0, 2), "Your K is made with W_q. Keys have a matrix of their own: W_k."),
    Misconception("keys-as-values", _with_matrices(0, 1, 1), "Your V is made with W_k. Values have a matrix of their own: W_v."),
    Misconception(
        "queries-as-values", _with_matrices(0, 1, 0), "Your V is made with W_q. Values have a matrix of their own: W_v."
    ),
    Misconception("keys-before-queries", _with_matrices(1, 0, 2), "K and Q have changed places. The order is Q, K, V."),
    Misconception("values-before-keys", _with_matrices(0, 2, 1), "V and K have changed places. The order is Q, K, V."),
    Misconception("values-first", _with_matrices(2, 1, 0), "V comes first in your result. The order is Q, K, V."),
    Misconception(
        "chained",
        _chained,
        "You projected Q to get K, and K to get V. All three start from X: they are three views of the same word.",
    ),
    Misconception(
        "no-projection",
        _not_at_all,
        "You returned X three times. That is the raw dot product of lesson 3; the matrices are what is new.",
    ),
    Misconception("queries-only", _only_queries, "Only Q is projected. Keys and values have matrices too: W_k, W_v."),
    Misconception(
        "raw-values", raw_values, "V is X itself. What a word hands over is X @ W_v, and it may be of another width than X."
    ),
    Misconception(
        "one-sentence-only",
        _one_sentence,
        "This works for one sentence (n, d) only. X @ W takes any batch axes in front: (..., n, d).",
    ),
    Misconception(
        "batch-flattened",
        _flattened,
        "You laid the sentences of a batch end to end. Keep the axes in front: X @ W leaves them alone.",
    ),
    Misconception("changes-its-input", _in_place, "The call writes into X, and whoever called needs it again."),
    Misconception("queries-scaled", _queries_scaled, "You divided the queries by √d_k. A projection is X @ W and nothing else."),
    Misconception(
        "multiplied-by-place", _by_place, "X * W multiplies number by number. A projection is a product of matrices: X @ W."
    ),
    Misconception(
        "stacked",
        _stacked,
        "Return three arrays, Q, K, V, not one pile of them: values may have another width, and then they cannot be stacked.",
    ),
)


# ---- right answers written differently


def _einsum(X, W_q, W_k, W_v):
    return [np.einsum("...nd,dk->...nk", X, W) for W in (W_q, W_k, W_v)]


def _in_one(X, W_q, W_k, W_v):
    """One product for all three, then cut."""
    everything = X @ np.concatenate([W_q, W_k, W_v], axis=1)
    return np.split(everything, [W_q.shape[1], 2 * W_q.shape[1]], axis=-1)


def _turned(X, W_q, W_k, W_v):
    return tuple(np.swapaxes(W.T @ np.swapaxes(X, -1, -2), -1, -2) for W in (W_q, W_k, W_v))


def _loops(X, W_q, W_k, W_v):
    def one(W):
        rows = [[sum(x * column) for column in W.T] for x in X.reshape(-1, X.shape[-1])]
        return np.reshape(rows, (*X.shape[:-1], W.shape[1]))

    return one(W_q), one(W_k), one(W_v)


def _single(X, W_q, W_k, W_v):
    X = X.astype(np.float32)
    return X @ W_q.astype(np.float32), X @ W_k.astype(np.float32), X @ W_v.astype(np.float32)


ACCEPTED = (_einsum, _in_one, _turned, _loops, _single)


# ---- the exercise

EXERCISE = Exercise(
    name="project",
    lesson="query_key_value",
    reference=ref.project,
    checks=(
        Check("Q is X times W_q", 1, plain, has.right_part(0, "Q")),
        Check("K is X times W_k", 1, plain, has.right_part(1, "K")),
        Check("V is X times W_v", 1, plain, has.right_part(2, "V")),
        Check(
            "a batch of sentences is projected sentence by sentence", 1, batches, has.same_item_by_item(each_sentence), side=True
        ),
        Check("float32, whole numbers and views", 1, types, has.same_in_any_type, side=True),
        has.touches_nothing(and_read_only(plain)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "A token is a row of X. A projection turns each row of width d into a row of another width.",
        "Each of the three is one matrix product: X on the left, the matrix on the right. All three start from X.",
        "return X @ W_q, X @ W_k, X @ W_v",
    ),
)
