"""similarity_weights: attention with no trainable part: softmax of X Xᵀ."""

import math

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import polysemy as ref
from course_utils.embedding_space import softmax
from course_utils.word_vectors import unit_rows

from ..inputs import vectors
from ..inputs.attention import LEADS
from ..inputs.layouts import and_read_only, every_form, laid_out, varied
from .draws import integers, rows

# ---- what is asked


def similarity_plain(rng):
    return [
        (np.array([[0.0, 0.0], [0.0, 1.0]]),),
        (np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]),),
        (rows(rng, 4, 3),),
        (rows(rng, 3, 6),),
        (rows(rng, 1, 4),),
        (rows(rng, 5, 1),),
        (rows(rng, 3, 4)[[0, 1, 1, 2]],),
        (np.array([[1.0, -1.0], [0.0, 0.0], [0.0, 2.0]]),),
    ]


def similarity_square(rng):
    return [(np.array([[1.0, 1.0], [0.0, 1.0]]),), (rows(rng, 4, 4),), (rows(rng, 5, 5),)]


def similarity_batch(rng):
    return [
        (rows(rng, 2, 4, 3),),
        (rows(rng, 3, 3, 3),),
        (rows(rng, 2, 3, 4, 5),),
        (rows(rng, 1, 2, 4),),
        (rows(rng, 2, 1, 2, 3, 2),),
    ]


def similarity_large(rng):
    far = np.array([[1000.0, 0.0], [0.0, 1.0]])
    shared = 300 * rng.permutation(np.eye(4)[:, :3] + np.eye(4)[:, 1:])
    behind = np.array([[1.0, 0.5], [900.25, 0.125], [-0.75, 300.5]])
    return [(np.array([[30.0], [20.0]]),), (behind,), (np.array([[1000.0], [990.0]]),), (far,), (-far[::-1],), (shared,)]


def similarity_types(rng):
    X = rows(rng, 3, 4)
    return [(np.array([[1, 0], [1, 1]]),), (integers(rng, 3, 2),), (X,), *every_form((X,))]


def every_kind(rng):
    """Rows of all families, zero rows and equal rows among them; scores as large as a million in double precision."""
    sizes = [(*lead, n, d) for lead in LEADS for n, d in ((2, 2), (1, 1), (1, 3), (3, 1), (4, 4), (3, 5), (9, 6))]
    return [(np.array([[1.0, 0.0], [1.0, 2.0]]),)] + [
        *varied((draw(rng, *size),) for size in sizes for draw in (vectors.modest, rows)),
        *laid_out((_table(rng, *size),) for size in sizes for _ in range(2)),
    ]


def _table(rng, *shape):
    *lead, n, d = shape
    return np.reshape(vectors.table(rng, int(np.prod(lead)) * n, d), shape)


# ---- what learners write instead


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


def _over_the_first_axis(X):
    return softmax(_scores(X), axis=0)


MISTAKES = (
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
    Misconception(
        "softmax-over-first-axis",
        _over_the_first_axis,
        "Axis 0 is the sentences of a batch, and of one sentence the words that ask. Each word shares itself "
        "out over the last axis: axis=-1.",
    ),
)


# ---- right answers written differently


def _similarity_loops(X):
    if X.ndim > 2:
        return [_similarity_loops(sentence) for sentence in X]
    result = []
    for x in X:
        scores = [float(np.dot(x, y)) for y in X]
        exps = [math.exp(score - max(scores)) for score in scores]
        result.append([e / sum(exps) for e in exps])
    return result


def _similarity_einsum(X):
    scores = np.einsum("...id,...jd->...ij", X, X)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _similarity_logs(X):
    scores = X @ np.moveaxis(X, -1, -2)
    return np.exp(scores - np.logaddexp.reduce(scores, axis=-1)[..., None])


def _similarity_float32(X):
    scores = (X @ X.swapaxes(-2, -1)).astype(np.float32)
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return (e / np.sum(e, axis=-1, keepdims=True)).astype(np.float32)


def _similarity_differences(X):
    scores = X @ np.swapaxes(X, -1, -2)
    with np.errstate(over="ignore"):  # 1 / inf is the 0 that is wanted
        return 1 / np.exp(scores[..., None, :] - scores[..., :, None]).sum(axis=-1)


ACCEPTED = (_similarity_loops, _similarity_einsum, _similarity_logs, _similarity_float32, _similarity_differences)


# ---- the exercise

EXERCISE = Exercise(
    name="similarity_weights",
    lesson="polysemy",
    reference=ref.similarity_weights,
    checks=(
        Check("softmax over each row of X Xᵀ, without scaling", 2, similarity_plain),
        Check("rows meet rows, where X is square", 1, similarity_square),
        Check("several sentences at once: leading axes", 1, similarity_batch),
        Check("scores as large as a million", 1, similarity_large, side=True),
        serves_any_array(and_read_only(similarity_types)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Score of word i for word j: their dot product. Row i of the scores, through softmax, is row i of the weights.",
        (
            "All scores at once: X @ X.T for one sentence. With leading axes only the last two may change places: "
            "np.swapaxes(X, -1, -2)."
        ),
        ("softmax(X @ np.swapaxes(X, -1, -2), axis=-1), with the softmax of lesson 2, which takes each row's maximum off first."),
    ),
)
