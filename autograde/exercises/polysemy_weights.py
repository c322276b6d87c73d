"""Lesson 3, where weights come from: uniform_weights, mix, similarity_weights."""

import numpy as np

from autograde.engine.exercise import Check, Exercise
from autograde.engine.properties import leaves_arguments_alone
from course_utils import polysemy as ref

from . import polysemy_accepted as ok
from . import polysemy_weights_mistakes as wrong

LESSON = "polysemy"


def rows(rng, *shape):
    """Rows between 0.5 and 2 long: no length near 0, and no softmax of their products that is all but one-hot."""
    X = rng.normal(size=shape)
    return X / np.linalg.norm(X, axis=-1, keepdims=True) * rng.uniform(0.5, 2.0, size=(*shape[:-1], 1))


def integers(rng, *shape):
    return rng.choice([-2, -1, 1, 2], size=shape)


# ---- uniform_weights


def uniform_plain(rng):
    return [(2, False), (3,), (int(rng.integers(4, 9)), False)]


def uniform_causal(rng):
    return [(2, True), (3, True), (int(rng.integers(4, 9)), True), (33, True)]


def uniform_sizes(rng):
    return [(1,), (1, True), (40,)]


UNIFORM_WEIGHTS = Exercise(
    name="uniform_weights",
    lesson=LESSON,
    reference=ref.uniform_weights,
    checks=(
        Check("every row spreads its weight evenly over all n", 2, uniform_plain),
        Check("causal: row i spreads over 0 … i", 2, uniform_causal),
        Check("one word alone, and many", 1, uniform_sizes, side=True),
    ),
    misconceptions=wrong.UNIFORM_WEIGHTS,
    accepted=ok.UNIFORM_WEIGHTS,
    hints=(
        "A row says how one word spreads its weight, 1 in all. Over n words, each gets 1/n.",
        "For causal, np.tril keeps the lower triangle: row i may look at 0 … i, which are i + 1 words.",
        "Start from ones, or from np.tril of ones; then divide each row by its own sum: axis=1, keepdims=True.",
    ),
)


# ---- mix


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
        (40 * rng.normal(size=(4, 4)), rng.normal(size=(4, 4))),
    ]


def mix_batch(rng):
    return [
        (rng.dirichlet(np.ones(3), size=(2, 4)), rng.normal(size=(2, 3, 5))),
        (rng.dirichlet(np.ones(3), size=(3, 3)), rng.normal(size=(3, 3, 3))),
        (rng.dirichlet(np.ones(4), size=(3, 2, 1)), rng.normal(size=(3, 2, 4, 5))),
        (rng.dirichlet(np.ones(2), size=(1, 4)), rng.normal(size=(1, 2, 3))),
    ]


def mix_types(rng):
    weights, X = rng.dirichlet(np.ones(3), size=2), rng.normal(size=(3, 4))
    return [
        (rng.permutation(np.eye(3, dtype=int))[:2], integers(rng, 3, 4)),
        (weights.astype(np.float32), X.astype(np.float32)),
        (weights, integers(rng, 3, 5)),
    ]


MIX = Exercise(
    name="mix",
    lesson=LESSON,
    reference=ref.mix,
    checks=(
        Check("row i of the result: all rows of X, weighted by row i of weights", 2, mix_plain),
        Check("queries go down and keys go across, where weights are square", 1, mix_square),
        Check("any weights: negative ones, and rows that do not sum to 1", 1, mix_any),
        Check("several sentences at once: leading axes", 1, mix_batch),
        leaves_arguments_alone(mix_types),
    ),
    misconceptions=wrong.MIX,
    accepted=ok.MIX,
    hints=(
        "For one query: weights[0] · X[0] + weights[1] · X[1] + …, a sum of whole rows.",
        "The sum runs over the keys: the last axis of weights meets the rows of X. That is what @ does.",
        "weights @ X. With leading axes @ mixes each sentence by itself; np.dot does not.",
    ),
)


# ---- similarity_weights


def similarity_plain(rng):
    return [
        (np.array([[0.0, 0.0], [0.0, 1.0]]),),
        (np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]),),
        (rows(rng, 4, 3),),
        (rows(rng, 3, 6),),
    ]


def similarity_square(rng):
    return [(np.array([[1.0, 1.0], [0.0, 1.0]]),), (rows(rng, 4, 4),), (rows(rng, 5, 5),)]


def similarity_batch(rng):
    return [(rows(rng, 2, 4, 3),), (rows(rng, 3, 3, 3),), (rows(rng, 2, 3, 4, 5),), (rows(rng, 1, 2, 4),)]


def similarity_large(rng):
    far = np.array([[1000.0, 0.0], [0.0, 1.0]])
    shared = 300 * rng.permutation(np.eye(4)[:, :3] + np.eye(4)[:, 1:])
    return [(np.array([[30.0], [20.0]]),), (np.array([[1000.0], [990.0]]),), (far,), (-far[::-1],), (shared,)]


def similarity_types(rng):
    X = rows(rng, 3, 4)
    return [(np.array([[1, 0], [1, 1]]),), (integers(rng, 3, 2),), (X.astype(np.float32),), (X,)]


SIMILARITY_WEIGHTS = Exercise(
    name="similarity_weights",
    lesson=LESSON,
    reference=ref.similarity_weights,
    checks=(
        Check("softmax over each row of X Xᵀ, without scaling", 2, similarity_plain),
        Check("rows meet rows, where X is square", 1, similarity_square),
        Check("several sentences at once: leading axes", 1, similarity_batch),
        Check("scores as large as a million", 1, similarity_large, side=True),
        leaves_arguments_alone(similarity_types),
    ),
    misconceptions=wrong.SIMILARITY_WEIGHTS,
    accepted=ok.SIMILARITY_WEIGHTS,
    hints=(
        "Score of word i for word j: their dot product. Row i of the scores, through softmax, is row i of the weights.",
        (
            "All scores at once: X @ X.T for one sentence. With leading axes only the last two may change places: "
            "np.swapaxes(X, -1, -2)."
        ),
        ("softmax(X @ np.swapaxes(X, -1, -2), axis=-1), with the softmax of lesson 2, which takes each row's maximum off first."),
    ),
)
