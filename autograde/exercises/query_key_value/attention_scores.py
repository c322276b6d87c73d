"""attention_scores: the dot product of every query with every key."""

import numpy as np

from autograde.engine.compare import close
from autograde.engine.exercise import Check, Exercise, Misconception
from course_utils import query_key_value as ref
from course_utils.embedding_space import softmax

from ..attention import properties as has
from ..inputs.attention import unmasked_kinds
from ..inputs.layouts import and_read_only, every_form
from .draws import normal

# ---- what is asked


def plain(rng):
    tiny = np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [0.0, 1.0]])
    return [tiny, normal(rng, (3, 5), (7, 5)), normal(rng, (4, 4), (4, 4)), normal(rng, (2, 6), (5, 6)), *singles(rng)]


def singles(rng):
    """One query, one key, one number; keys at right angles to the queries; equal keys."""
    Q, K = normal(rng, (3, 4), (3, 4))
    return [
        normal(rng, (1, 4), (3, 4)),
        normal(rng, (3, 4), (1, 4)),
        normal(rng, (3, 1), (2, 1)),
        (np.array([[2.0, 0.0], [0.0, -1.0]]), np.array([[0.0, 3.0], [1.0, 0.0], [1.0, 0.0]])),
        (Q, K[[0, 1, 1]]),
    ]


def batches(rng):
    return [normal(rng, (2, 3, 5), (2, 7, 5)), normal(rng, (4, 2, 3, 3), (4, 2, 3, 3)), *more_batches(rng)]


def more_batches(rng):
    return [normal(rng, (1, 3, 5), (1, 4, 5)), normal(rng, (2, 1, 2, 3, 4), (2, 1, 2, 2, 4))]


def types(rng):
    return every_form(normal(rng, (3, 5), (7, 5)))


def in_proportion(trial):
    """Every score is the dot product times one and the same positive number."""
    value, expected = trial.outcome.value, trial.expected
    problem = trial.problem()
    if problem is None or problem.stage != "value":
        return problem
    factor = float((value * expected).sum() / (expected * expected).sum())
    return None if factor > 0 and close(value, factor * expected) else problem


def each_pair(args):
    return list(zip(*(a.reshape(-1, *a.shape[-2:]) for a in args)))


def every_kind(rng):
    return [case[:2] for case in unmasked_kinds(rng)]


# ---- what learners write instead


def _scores(formula):
    return lambda Q, K: formula(np.asarray(Q), np.asarray(K))


def _transposed(A):
    return np.swapaxes(A, -1, -2)


def _cosines(Q, K):
    lengths = [np.linalg.norm(A, axis=-1, keepdims=True) for A in (Q, K)]
    return Q @ _transposed(K) / np.maximum(lengths[0] * _transposed(lengths[1]), 1e-12)


def _distances(Q, K):
    return np.linalg.norm(Q[..., :, None, :] - K[..., None, :, :], axis=-1)


def _queries_in_place(Q, K):
    Q -= Q.mean()
    return Q @ _transposed(K)


def _keys_in_place(Q, K):
    scores = Q @ _transposed(K)
    K *= 0
    return scores


def _keys_reshaped(Q, K):
    return Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])


MISTAKES = (
    Misconception(
        "keys-not-transposed",
        _scores(lambda Q, K: Q @ K),
        "You multiplied Q by K as it is. Each query meets each key's row, so swap the last two axes of K "
        "first. With as many keys as numbers in a key nothing complains.",
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
        "changes-the-queries", _queries_in_place, "You shifted the queries in place before multiplying. Q stays as it is."
    ),
    Misconception("changes-the-keys", _keys_in_place, "The call writes into K, and whoever called needs it again."),
    Misconception(
        "multiplied-by-place",
        lambda Q, K: Q * K,
        "Q * K multiplies number by number, a query with the key in the same row. Each query meets every "
        "key: a product of matrices, @.",
    ),
    Misconception(
        "keys-reshaped",
        _keys_reshaped,
        "reshape keeps the reading order, so keys are cut to pieces. Turning a table is np.swapaxes(K, -1, -2).",
    ),
)


# ---- right answers written differently


def _einsum(Q, K):
    return np.einsum("...qd,...kd->...qk", Q, K)


def _broadcast(Q, K):
    return (Q[..., :, None, :] * K[..., None, :, :]).sum(axis=-1)


def _turned(Q, K):
    return np.swapaxes(K @ np.swapaxes(Q, -1, -2), -1, -2)


def _loops(Q, K):
    scores = np.zeros((*Q.shape[:-1], K.shape[-2]))
    for index in np.ndindex(scores.shape):
        scores[index] = sum(a * b for a, b in zip(Q[index[:-1]], K[(*index[:-2], index[-1])]))
    return scores


def _moveaxis(Q, K):
    return np.matmul(Q, np.moveaxis(np.asarray(K), -1, -2)).tolist()


ACCEPTED = (_einsum, _broadcast, _turned, _loops, _moveaxis)


# ---- the exercise

EXERCISE = Exercise(
    name="attention_scores",
    lesson="query_key_value",
    reference=ref.attention_scores,
    checks=(
        Check("row i: the dot products of query i with every key, at one scale", 2, plain, in_proportion),
        Check("the scale is 1: nothing is divided out", 1, plain, side=True),
        Check("a batch is scored item by item", 1, batches, has.same_item_by_item(each_pair), side=True),
        Check("float32, whole numbers and views", 1, types, has.same_in_any_type, side=True),
        has.touches_nothing(and_read_only(plain)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "One number for each pair of a query and a key: n_q rows, n_k columns.",
        "A matrix product takes rows of the left against columns of the right. Your keys are rows: turn them.",
        "In a batch only the last two axes of K change places: np.swapaxes(K, -1, -2). Then Q @ that.",
    ),
)
