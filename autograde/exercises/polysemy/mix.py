"""mix: weighted sums of rows, the one line that every stage of attention shares."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import polysemy as ref
from course_utils.embedding_space import softmax

from ..inputs import probabilities, vectors
from ..inputs.attention import LEADS, SIZES
from ..inputs.layouts import and_read_only, each_array, in_layouts, single, varied
from .draws import integers

# ---- what is asked


def mix_plain(rng):
    return [
        (np.array([[0.5, 0.5]]), np.array([[2.0, 0.0], [0.0, 4.0]])),
        (np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5]]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 8.0]])),
        (rng.dirichlet(np.ones(4), size=3), rng.normal(size=(4, 5))),
    ]


def mix_square(rng):
    return [
        (np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[2.0, 0.0], [0.0, 4.0]])),
        (rng.dirichlet(np.ones(4), size=4), rng.normal(size=(4, 4))),
        (rng.dirichlet(np.ones(5), size=5), rng.normal(size=(5, 3))),
    ]


def mix_any(rng):
    return [
        (np.array([[1.0, 1.0], [0.0, 0.0]]), np.array([[2.0, 0.0], [0.0, 4.0]])),
        (np.array([[1.0, -1.0, 0.0]]), np.array([[1.0, 2.0], [3.0, 5.0], [7.0, 7.0]])),
        (rng.normal(size=(2, 4)), rng.normal(size=(4, 3))),
        (rng.normal(size=(3, 1)), rng.normal(size=(1, 4))),
        (rng.normal(size=(3, 2)), rng.normal(size=(2, 9))),
        (rng.normal(size=(2, 4)), rng.normal(size=(4, 1))),
        (rng.normal(size=(2, 4)), rng.normal(size=(4, 3))[[0, 1, 1, 2]] * [[1], [1], [1], [0]]),
        (40 * rng.normal(size=(4, 4)), rng.normal(size=(4, 4))),
    ]


def mix_batch(rng):
    return [
        (rng.dirichlet(np.ones(3), size=(2, 4)), rng.normal(size=(2, 3, 5))),
        (rng.dirichlet(np.ones(3), size=(3, 3)), rng.normal(size=(3, 3, 3))),
        (rng.dirichlet(np.ones(4), size=(3, 2, 1)), rng.normal(size=(3, 2, 4, 5))),
        (rng.dirichlet(np.ones(2), size=(1, 4)), rng.normal(size=(1, 2, 3))),
        (rng.dirichlet(np.ones(2), size=(2, 1, 2, 3)), rng.normal(size=(2, 1, 2, 2, 4))),
    ]


def mix_types(rng):
    weights, X = rng.dirichlet(np.ones(3), size=2), rng.normal(size=(3, 4))
    return [
        (rng.permutation(np.eye(3, dtype=int))[:2], integers(rng, 3, 4)),
        (weights, integers(rng, 3, 5)),
        (np.eye(3, dtype=int)[[2, 0]], X),
        each_array((weights, X), single),
        *in_layouts((weights, X)),
    ]


def every_kind(rng):
    """Weights of probability, of any sign and size, whole and zero, for values of all families, with 0 to 3 batch axes."""
    cases = [(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([[2.0, 0.0], [0.0, 4.0]]))]
    for lead in LEADS:
        for n_q, n_k, _, d in SIZES:
            X = vectors.modest(rng, *lead, n_k, d)
            cases += [
                (weights, X)
                for weights in (
                    probabilities.table(rng, *lead, n_q, n_k),
                    rng.normal(size=(*lead, n_q, n_k)),
                    rng.integers(-2, 3, (*lead, n_q, n_k)).astype(float),
                    np.zeros((*lead, n_q, n_k)),
                )
            ]
    return list(varied(cases))


# ---- what learners write instead


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


MISTAKES = (
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


# ---- right answers written differently


def _mix_einsum(weights, X):
    return np.einsum("...qk,...kd->...qd", weights, X)


def _mix_broadcast(weights, X):
    return (weights[..., :, :, None] * X[..., None, :, :]).sum(axis=-2)


def _mix_transposed(weights, X):
    return np.swapaxes(np.swapaxes(X, -1, -2) @ np.swapaxes(weights, -1, -2), -1, -2)


def _mix_recursive_lists(weights, X):
    if weights.ndim > 2:
        return [_mix_recursive_lists(w, x) for w, x in zip(weights, X)]
    return [sum(w * row for w, row in zip(query, X)) for query in weights]


def _mix_float32(weights, X):
    return np.matmul(weights, X).astype(np.float32)


def _mix_by_keys(weights, X):
    total = np.zeros((*weights.shape[:-1], X.shape[-1]))
    for k in range(X.shape[-2]):
        total += weights[..., k, None] * X[..., None, k, :]
    return total


ACCEPTED = (_mix_einsum, _mix_broadcast, _mix_transposed, _mix_recursive_lists, _mix_float32, _mix_by_keys)


# ---- the exercise

EXERCISE = Exercise(
    name="mix",
    lesson="polysemy",
    reference=ref.mix,
    checks=(
        Check("row i of the result: all rows of X, weighted by row i of weights", 2, mix_plain),
        Check("queries go down and keys go across, where weights are square", 1, mix_square),
        Check("any weights: negative ones, and rows that do not sum to 1", 1, mix_any),
        Check("several sentences at once: leading axes", 1, mix_batch),
        serves_any_array(and_read_only(mix_types)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "For one query: weights[0] · X[0] + weights[1] · X[1] + …, a sum of whole rows.",
        "The sum runs over the keys: the last axis of weights meets the rows of X. That is what @ does.",
        "weights @ X. With leading axes @ mixes each sentence by itself; np.dot does not.",
    ),
)
