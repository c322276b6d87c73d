"""Lesson 3: averaging a context, telling senses apart. Weights and mixing: polysemy_weights."""

import numpy as np

from autograde.engine.exercise import Check, Exercise
from autograde.engine.properties import leaves_arguments_alone
from course_utils import polysemy as ref

from . import polysemy_accepted as ok
from . import polysemy_mistakes as wrong
from .polysemy_context_mistakes import CONTEXT_AVERAGE as CONTEXT_MISTAKES
from .polysemy_quizzes import ANSWER_AVERAGE, ANSWER_ITSELF, ANSWER_STATIC
from .polysemy_weights import LESSON, MIX, SIMILARITY_WEIGHTS, UNIFORM_WEIGHTS, integers, rows

# ---- context_average


def average_inside(rng):
    n = int(rng.integers(7, 10))
    return [
        (np.array([[1.0], [2.0], [4.0]]), 1, 1),
        (np.array([[1.0, 0.0], [2.0, 0.0], [4.0, 8.0], [8.0, 1.0], [16.0, 5.0]]), 2, 1),
        (rng.normal(size=(n, 3)), 3, 2),
        (rng.normal(size=(9, 4)), 4, 3),
        (rng.normal(size=(8, 8)), 2, 2),
    ]


def average_edges(rng):
    X = rng.normal(size=(6, 4))
    return [
        (np.array([[1.0], [2.0], [4.0], [8.0]]), 0, 1),
        (np.array([[1.0], [2.0], [4.0], [8.0]]), 3, 2),
        (X, 1, 3),
        (X, 4, 2),
        (X, 2, 50),
        (rng.normal(size=(5, 5)), 0, 4),
    ]


def average_repeats(rng):
    X = rng.normal(size=(6, 3))
    return [(np.array([[3.0], [3.0], [9.0]]), 1, 1), (X[[0, 1, 2, 1, 4, 1]], 3, 2), (X[[2, 2, 2, 0, 5, 2]], 0, 9)]


def average_alone(rng):
    return [(np.array([[5.0, 7.0]]), 0, 1), (rng.normal(size=(1, 4)), 0, 3), (integers(rng, 1, 3), 0, 2)]


def average_types(rng):
    X = rng.normal(size=(5, 3))
    return [(np.array([[1], [7], [2]]), 1, 1), (integers(rng, 6, 2), 2, 2), (X.astype(np.float32), 3, 2), (X, 0, 1)]


CONTEXT_AVERAGE = Exercise(
    name="context_average",
    lesson=LESSON,
    reference=ref.context_average,
    checks=(
        Check("the mean of the neighbours on both sides, without the word itself", 2, average_inside),
        Check("near an edge, the neighbours that there are", 1, average_edges),
        Check("a neighbour that is the same word still counts", 1, average_repeats),
        Check("no neighbour at all: zeros", 1, average_alone, side=True),
        leaves_arguments_alone(average_types),
    ),
    misconceptions=CONTEXT_MISTAKES,
    accepted=ok.CONTEXT_AVERAGE,
    hints=(
        "Which positions j count? Those with |j - position| ≤ window, and j is not position.",
        (
            "Start at max(0, position - window): a negative start of a slice counts from the end. The slice's end is "
            "left out, so add 1."
        ),
        "Collect X[j] for those j; return their mean over axis 0, or np.zeros(X.shape[1]) when there is none.",
    ),
)


# ---- nearest_sense


def clear(rng, s, d, lengths=(0.5, 2.0)):
    """A vector and s senses of which one has the highest cosine by a clear margin, by absolute value too."""
    while True:
        vector, senses = rng.normal(size=d), rng.normal(size=(s, d))
        cosines = senses @ vector / np.linalg.norm(senses, axis=1) / np.linalg.norm(vector)
        first, second = np.sort(cosines)[::-1][:2]
        if first - second > 0.1:
            return vector, senses / np.linalg.norm(senses, axis=1, keepdims=True) * rng.uniform(*lengths, size=(s, 1))


def sense_plain(rng):
    return [
        (np.array([1, 2]), np.array([[3, 0], [0, 3]])),
        (np.array([3, 1]), np.array([[2, 0], [0, 2]])),
        *(clear(rng, s, d) for s, d in ((3, 4), (2, 5), (4, 4), (5, 3), (3, 8))),
    ]


def sense_lengths(rng):
    cases = [
        (np.array([1, 2]), np.array([[9, 0], [0, 1]])),
        (np.array([1, 2]), np.array([[1, 0], [0, 9]])),
        (np.array([2, 1]), np.array([[30, 5], [1, 9], [2, 1]])),
    ]
    for s, d, best, others in ((3, 4, 0.3, 900), (4, 6, 500, 0.2), (2, 3, 0.2, 60)):
        vector, senses = clear(rng, s, d, (1, 1))
        lengths = np.where(np.arange(s) == ref.nearest_sense(vector, senses), best, others)
        cases.append((vector * rng.uniform(0.5, 9), senses * lengths[:, None]))
    return cases


def sense_signs(rng):
    vector, senses = clear(rng, 4, 5)
    nearest = np.argsort(-(senses @ vector) / np.linalg.norm(senses, axis=1))
    return [
        (np.array([1, 0]), np.array([[-5, 0], [1, 1]])),
        (np.array([-1, 2]), np.array([[2, 1], [3, -6], [-3, 1]])),
        (np.array([1, 1]), np.array([[-1, -1], [-3, -1], [-4, 3]])),
        (vector, senses[nearest[[3, 2, 0]]]),
        (vector, -senses),
    ]


def sense_ties(rng):
    """Equal rows whose unit vectors are exact in binary, so that no order of adding breaks the tie."""
    a, b, c = np.array([2, 0, 0, 0]), np.array([1, 1, 1, 1]), np.array([0, 4, 0, 0])
    return [
        (np.array([4, 0]), np.array([[0, 2], [2, 0], [2, 0]])),
        (a, np.array([c, b, b, -a])),
        (b.astype(float), np.array([c, -b, b, a, b, b], dtype=float)),
        (c, np.array([a, -c, a, -b])),
    ]


def sense_zero(rng):
    vector = rng.normal(size=3)
    return [
        (np.array([1, 0]), np.array([[-2, 0], [0, 0]])),
        (np.array([1, 0]), np.array([[0, 0], [3, 1]])),
        (np.array([0, 0]), np.array([[3, 0], [0, 0]])),
        (vector, np.array([-vector, np.zeros(3), -vector * 2])),
        (np.array([0, 1]), np.array([[0, -1], [1, 0], [0, 0]])),
    ]


def sense_types(rng):
    vector, senses = clear(rng, 3, 4)
    return [
        (np.array([-1, 3]), np.array([[4, 1], [1, 9]])),
        (vector.astype(np.float32), senses.astype(np.float32)),
        (vector, senses),
        (np.array([2, 7]), np.array([[5.0, 0.5], [-1.0, 0.5], [0.5, 2.5]])),
    ]


NEAREST_SENSE = Exercise(
    name="nearest_sense",
    lesson=LESSON,
    reference=ref.nearest_sense,
    kind="int",
    checks=(
        Check("the index of the sense with the highest cosine", 2, sense_plain),
        Check("length plays no part", 1, sense_lengths),
        Check("a sense that points the other way is far", 1, sense_signs),
        Check("a tie goes to the smaller index", 1, sense_ties, side=True),
        Check("a zero vector has cosine 0 with everything", 1, sense_zero, side=True),
        leaves_arguments_alone(sense_types),
    ),
    misconceptions=wrong.NEAREST_SENSE,
    accepted=ok.NEAREST_SENSE,
    hints=(
        "One cosine for each sense, then the place of the largest.",
        (
            "cosine_similarity(vector, sense) does one sense and knows what to do with zeros. np.argmax gives the first "
            "place of the largest."
        ),
        "int(np.argmax([cosine_similarity(vector, sense) for sense in senses]))",
    ),
)


# ---- sense_separation


def groups(rng, p, q, d):
    """Uses of two senses that scatter around two directions."""
    middle = rows(rng, 2, d)
    return tuple(centre + 0.6 * rows(rng, count, d) for centre, count in zip(middle, (p, q)))


def separation_plain(rng):
    return [
        (np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([[0.0, 1.0], [0.0, 3.0]])),
        (np.array([[3.0, 0.0], [3.0, 4.0]]), np.array([[0.0, 2.0], [4.0, 3.0]])),
        groups(rng, 3, 3, 5),
        groups(rng, 4, 4, 4),
    ]


def separation_pooled(rng):
    return [
        (np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0, -1.0], [0.0, -3.0], [0.0, -1.0]])),
        groups(rng, 5, 2, 4),
        groups(rng, 2, 6, 3),
    ]


def separation_lengths(rng):
    A, B = groups(rng, 3, 3, 5)
    return [
        (np.array([[9.0, 0.0], [3.0, 4.0]]), np.array([[0.0, 20.0], [4.0, 3.0]])),
        (A * [[0.5], [100], [7]], B),
        (A, B * rng.uniform(1, 200, size=(3, 1))),
    ]


def separation_repeats(rng):
    A, B = groups(rng, 3, 3, 4)
    return [
        (np.array([[1.0, 0.0], [2.0, 0.0], [1.0, 0.0]]), np.array([[0.0, 1.0], [0.6, 0.8], [0.8, 0.6]])),
        (A[[0, 0, 1]], B),
        (A, B[[2, 1, 2]]),
        (A[:2], B[[0, 0]]),
        (A, A[::-1]),
    ]


def separation_zero(rng):
    A, B = groups(rng, 3, 3, 4)
    return [
        (np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[0.0, 1.0], [0.0, 3.0]])),
        (A * [[1], [0], [1]], B),
        (A, B * [[0], [1], [1]]),
        (A * [[0], [0], [1]], B * [[1], [0], [1]]),
    ]


def separation_types(rng):
    A, B = groups(rng, 4, 4, 3)
    return [
        (np.array([[1, 0], [2, 1]]), np.array([[0, 1], [1, 3]])),
        (A.astype(np.float32), B.astype(np.float32)),
        (integers(rng, 4, 2), B[:, :2]),
        (A, B),
    ]


SENSE_SEPARATION = Exercise(
    name="sense_separation",
    lesson=LESSON,
    reference=ref.sense_separation,
    checks=(
        Check("mean cosine within a sense, minus mean cosine across", 2, separation_plain),
        Check("groups of unequal size: every pair counts once", 1, separation_pooled),
        Check("length plays no part", 1, separation_lengths),
        Check("two uses with equal vectors are still a pair", 1, separation_repeats, side=True),
        Check("a zero row has cosine 0 with everything", 1, separation_zero, side=True),
        leaves_arguments_alone(separation_types),
    ),
    misconceptions=wrong.SENSE_SEPARATION,
    accepted=ok.SENSE_SEPARATION,
    hints=(
        ("Two piles of cosines: pairs within A and within B go on one pile, pairs of one row of A and one of B on the other."),
        (
            "cosine_matrix(A, A) also holds each row with itself. Leave the diagonal out: ~np.eye(len(A), dtype=bool) "
            "picks the rest."
        ),
        (
            "within = np.concatenate([cosine_matrix(A, A)[rest_of_A], cosine_matrix(B, B)[rest_of_B]]); return "
            "within.mean() - cosine_matrix(A, B).mean()."
        ),
    ),
)


EXERCISES = (
    ANSWER_STATIC,
    CONTEXT_AVERAGE,
    NEAREST_SENSE,
    UNIFORM_WEIGHTS,
    MIX,
    ANSWER_AVERAGE,
    SIMILARITY_WEIGHTS,
    ANSWER_ITSELF,
    SENSE_SEPARATION,
)
