"""Lesson 1: one-hot rows, lookup, dot products and cosines."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Option, Quiz
from autograde.engine.properties import leaves_arguments_alone, raises
from course_utils import word_vectors as ref

from . import word_vectors_accepted as ok
from . import word_vectors_cosine_mistakes as wrong_cosine
from . import word_vectors_mistakes as wrong

LESSON = "word_vectors"


def integers(rng, *shape):
    """Modest whole numbers as int64, none of them zero, so that no vector has length 0."""
    return rng.choice([-4, -3, -2, -1, 1, 2, 3, 4], size=shape)


def vectors(rng, *shape):
    """Rows between 0.5 and 4 long, as the contract promises: no length near 0."""
    X = rng.normal(size=shape)
    return X / np.linalg.norm(X, axis=-1, keepdims=True) * rng.uniform(0.5, 4.0, size=(*shape[:-1], 1))


# ---- one_hot


def one_hot_small(rng):
    return [(np.array([1]), 3), (np.array([2, 0]), 3), (rng.permutation(7)[:5], 7), ([3, 1, 0, 4], 6)]


def one_hot_repeats(rng):
    return [(np.array([1, 1]), 2), (np.array([0, 2, 0, 2, 2, 1]), 4), (rng.integers(0, 5, 9), 5)]


def one_hot_edges(rng):
    return [(np.array([0]), 1), (np.array([0, 3]), 4), (rng.integers(0, 3, 4).astype(np.int32), 11), ([10], 11)]


def one_hot_outside(rng):
    return [(np.array([2]), 2), (np.array([0, 5]), 4), ([1, 3, 0], 3), (np.array([0, 900, 1]), 30)]


ONE_HOT = Exercise(
    name="one_hot",
    lesson=LESSON,
    reference=ref.one_hot,
    checks=(
        Check("one row per id, with its single 1 in the id's column", 2, one_hot_small),
        Check("the same word twice gives the same row twice", 1, one_hot_repeats, side=True),
        Check("the first and the last word of the vocabulary", 1, one_hot_edges, side=True),
        Check("an id outside the vocabulary is an error", 1, one_hot_outside, raises(IndexError, ValueError), side=True),
    ),
    misconceptions=wrong.ONE_HOT,
    accepted=ok.ONE_HOT,
    hints=(
        "Begin with rows of zeros: one row per id, one column per word of the vocabulary.",
        "Row i gets its 1 in column ids[i]. A loop over the ids does it; np.eye(vocab_size) already holds every row you need.",
        "np.eye(vocab_size)[ids] looks up row ids[i] for each i, and NumPy raises IndexError for an id that is too large.",
    ),
)


# ---- embed


def embed_small(rng):
    return [
        (np.array([1]), np.array([[1, 2], [3, 4]])),
        (np.array([2, 0]), np.array([[1, 2], [3, 4], [5, 6]])),
        (rng.permutation(7)[:4], rng.normal(size=(7, 5))),
        (rng.permutation(5), rng.normal(size=(5, 5))),
    ]


def embed_repeats(rng):
    return [
        (np.array([1, 1, 0]), np.array([[1, 2], [3, 4]])),
        (rng.integers(0, 4, 9), rng.normal(size=(4, 6))),
        (np.array([0, 3, 3, 0]), rng.normal(size=(4, 3)).astype(np.float32)),
    ]


def embed_lists(rng):
    return [([1, 0], np.array([[1, 2], [3, 4]])), ([4, 4, 2], rng.normal(size=(6, 3))), ([0], integers(rng, 3, 2))]


EMBED = Exercise(
    name="embed",
    lesson=LESSON,
    reference=ref.embed,
    checks=(
        Check("each id gets its own row of E", 2, embed_small),
        Check("a repeated id repeats its row, in the order of the ids", 1, embed_repeats, side=True),
        Check("ids may be a plain list", 1, embed_lists, side=True),
        leaves_arguments_alone(embed_small),
    ),
    misconceptions=wrong.EMBED,
    accepted=ok.EMBED,
    hints=(
        "An embedding is a lookup: word number 5 is row number 5 of E.",
        "NumPy takes a whole array of row numbers between the brackets.",
        "E[ids] gives one row per id, in order. one_hot(ids, len(E)) @ E gives the same, with far more work.",
    ),
)


# ---- dot_products


def dots_small(rng):
    return [
        (np.array([[4, 6]]), np.array([2, 3])),
        (np.array([[4, 6], [3, -2]]), np.array([2, 3])),
        (rng.uniform(0.5, 3, size=(5, 3)), rng.uniform(0.5, 3, size=3)),
        (rng.uniform(0.5, 3, size=(2, 7)).astype(np.float32), rng.uniform(0.5, 3, size=7).astype(np.float32)),
    ]


def dots_square(rng):
    return [(np.array([[1, 2], [3, 4]]), np.array([1, 2])), (rng.uniform(0.5, 3, size=(4, 4)), rng.uniform(0.5, 3, size=4))]


def dots_lengths(rng):
    X, y = rng.uniform(0.5, 3, size=(4, 3)), rng.uniform(0.5, 3, size=3)
    return [(np.array([[2, 3], [20, 30]]), np.array([2, 3])), (50 * X, y), (X, 0.02 * y), (X, np.zeros(3))]


def dots_signs(rng):
    X = rng.normal(size=(4, 5))
    return [(np.array([[3, -2], [-4, -6]]), np.array([2, 3])), (X, rng.normal(size=5)), (X, -X[0])]


def dots_types(rng):
    X, y = rng.normal(size=(3, 5)), rng.normal(size=5)
    return [(integers(rng, 3, 2), integers(rng, 2)), (X.astype(np.float32), y.astype(np.float32)), (X, integers(rng, 5))]


DOT_PRODUCTS = Exercise(
    name="dot_products",
    lesson=LESSON,
    reference=ref.dot_products,
    checks=(
        Check("multiply number by number, then add: one result per row", 2, dots_small),
        Check("rows, not columns, where X is square", 1, dots_square),
        Check("length counts: a row ten times as long scores ten times as much", 1, dots_lengths),
        Check("unlike signs count as negative", 1, dots_signs),
        leaves_arguments_alone(dots_types),
    ),
    misconceptions=wrong.DOT_PRODUCTS,
    accepted=ok.DOT_PRODUCTS,
    hints=(
        "For one row x: multiply x[0]·y[0], x[1]·y[1], … and add the products.",
        "X * y multiplies every row with y at once; what is left is to add along the row.",
        "(X * y).sum(axis=1) and X @ y are the same thing. The result has one number per row of X.",
    ),
)


# ---- cosine_similarity


def cosine_plain(rng):
    pairs = [(np.array([2, 3]), np.array([4, 6])), (np.array([3, 0]), np.array([4, 3])), (np.array([0, 2]), np.array([5, 0]))]
    single = (abs(vectors(rng, 7)).astype(np.float32), abs(vectors(rng, 7)).astype(np.float32))
    return pairs + [(abs(vectors(rng, d)), abs(vectors(rng, d))) for d in (3, 5, 8)] + [single]


def cosine_lengths(rng):
    u, v = abs(vectors(rng, 2, 6))
    longer = [(a * u / np.linalg.norm(u), b * v / np.linalg.norm(v)) for a, b in ((0.1, 0.1), (1000, 0.5), (1000, 1000))]
    return [(np.array([30, 0]), np.array([4, 3])), (np.array([1, 1]), np.array([50, 0])), *longer]


def cosine_signs(rng):
    u = vectors(rng, 4)
    return [(np.array([1, 2]), np.array([-1, -2])), (np.array([3, 0]), np.array([-4, 3])), (u, -3 * u), (u, u)]


def cosine_zero(rng):
    return [
        (np.zeros(2), np.array([3.0, 4.0])),
        (np.array([1, 2, 2]), np.zeros(3, dtype=int)),
        (np.zeros(4), np.zeros(4)),
        (vectors(rng, 5).astype(np.float32), np.zeros(5, np.float32)),
    ]


def cosine_types(rng):
    u, v = vectors(rng, 2, 7)
    return [(integers(rng, 3), integers(rng, 3)), (u.astype(np.float32), v.astype(np.float32)), (u, integers(rng, 7))]


COSINE_SIMILARITY = Exercise(
    name="cosine_similarity",
    lesson=LESSON,
    reference=ref.cosine_similarity,
    checks=(
        Check("the dot product divided by both lengths", 2, cosine_plain),
        Check("length plays no part", 1, cosine_lengths),
        Check("opposite directions give a negative cosine", 1, cosine_signs),
        Check("a zero vector has cosine 0 with everything", 1, cosine_zero, side=True),
        leaves_arguments_alone(cosine_types),
    ),
    misconceptions=wrong_cosine.COSINE_SIMILARITY,
    accepted=ok.COSINE_SIMILARITY,
    hints=(
        "The dot product mixes two things: the angle and both lengths. Divide the lengths out.",
        "The length of u is np.linalg.norm(u), the root of the sum of its squares. Divide by both lengths.",
        "u @ v / (np.linalg.norm(u) * np.linalg.norm(v)), and 0.0 before dividing when a length is 0.",
    ),
)


# ---- cosine_matrix


def matrix_plain(rng):
    return [
        (np.array([[3, 0], [0, 2]]), np.array([[4, 3]])),
        (np.array([[3, 0], [4, 3]]), np.array([[3, 4], [0, 1], [5, 0]])),
        (abs(vectors(rng, 4, 3)), abs(vectors(rng, 5, 3))),
        (abs(vectors(rng, 2, 6)).astype(np.float32), abs(vectors(rng, 3, 6)).astype(np.float32)),
    ]


def matrix_square(rng):
    X = abs(vectors(rng, 4, 4))
    return [(np.array([[3, 0], [4, 3]]), np.array([[0, 1], [3, 4]])), (X, abs(vectors(rng, 4, 4))), (X, X)]


def matrix_lengths(rng):
    X, Y = abs(vectors(rng, 3, 5)), abs(vectors(rng, 2, 5))
    return [(np.array([[30, 0], [1, 1]]), np.array([[4, 3]])), (X * [[100], [1], [0.2]], Y), (X, Y * [[0.2], [200]])]


def matrix_signs(rng):
    X = vectors(rng, 3, 4)
    return [(np.array([[1, 2], [3, 0]]), np.array([[-1, -2], [-4, 3]])), (X, -2 * X[:2]), (X, vectors(rng, 5, 4))]


def matrix_zero(rng):
    X, Y = abs(vectors(rng, 3, 4)), abs(vectors(rng, 2, 4))
    return [
        (np.array([[0, 0], [3, 4]]), np.array([[1, 0]])),
        (X * [[1], [0], [1]], Y * [[0], [1]]),
        (np.zeros((2, 3)), abs(vectors(rng, 4, 3))),
        (X, np.zeros((5, 4))),
    ]


def matrix_types(rng):
    X, Y = vectors(rng, 3, 4), vectors(rng, 2, 4)
    return [(integers(rng, 3, 2), integers(rng, 4, 2)), (X.astype(np.float32), Y.astype(np.float32)), (X, integers(rng, 5, 4))]


COSINE_MATRIX = Exercise(
    name="cosine_matrix",
    lesson=LESSON,
    reference=ref.cosine_matrix,
    checks=(
        Check("every row of X against every row of Y", 2, matrix_plain),
        Check("rows of X go down, rows of Y go across, where both are square", 1, matrix_square),
        Check("length plays no part", 1, matrix_lengths),
        Check("opposite directions give negative cosines", 1, matrix_signs),
        Check("a zero row gives zeros, and the other rows stay right", 1, matrix_zero, side=True),
        leaves_arguments_alone(matrix_types),
    ),
    misconceptions=wrong_cosine.COSINE_MATRIX,
    accepted=ok.COSINE_MATRIX,
    hints=(
        "First give every row length 1: divide it by its length. Then take all dot products.",
        "The length of each row: np.linalg.norm(X, axis=1, keepdims=True), of shape (n, 1), divides the rows of X. "
        "All dot products at once: X @ Y.T.",
        "Zero rows: set their length to 1 before dividing, so that 0 / 1 gives 0. Then (X / length_x) @ (Y / length_y).T.",
    ),
)


# ---- quizzes

ANSWER_LONGER = Quiz(
    name="answer_longer",
    lesson=LESSON,
    question="Every number in the row of one word is doubled. What changes in its similarities with the other words?",
    options={
        "a": Option(
            "Both the dot products and the cosines double.",
            "The cosine divides by the length, which has doubled as well: it stays as it was.",
        ),
        "b": Option(
            "The dot products double, the cosines stay.",
            "Doubling the length doubles each product, and the cosine divides that length out again.",
        ),
        "c": Option(
            "Nothing: the direction is the same.",
            "The direction is the same and so is the cosine, but the dot product mixes direction with length, "
            "and the length has doubled.",
        ),
    },
    right="b",
    hints=("Try it: [2, 3] against [4, 6], with [3, 1] as the other word.",),
)

ANSWER_ONE_HOT = Quiz(
    name="answer_one_hot",
    lesson=LESSON,
    question="Why can one-hot rows not say that a dog is nearer to a cat than to a car?",
    options={
        "a": Option(
            "They are too long: 20,000 numbers for one word.",
            "Their length costs memory, but it is not the reason: with three words and rows of three numbers "
            "the trouble is the same.",
        ),
        "b": Option(
            "Their numbers are whole, and similarity needs fractions.",
            "Whole numbers can be similar in degrees: [2, 3] is nearer to [3, 3] than to [9, 0]. What one-hot "
            "rows lack is a common 1.",
        ),
        "c": Option(
            "Any two different rows have dot product 0 and the same distance.",
            "No two words share a 1, so each is as far from every other as any.",
        ),
    },
    right="c",
    hints=("Take two different rows, multiply number by number, and add. Then do the same with another pair.",),
)

ANSWER_NEAR = Quiz(
    name="answer_near",
    lesson=LESSON,
    question="In the GloVe vectors, good and bad have a cosine near 0.8. What does that tell?",
    options={
        "a": Option(
            "The two words are used in similar sentences.",
            "These rows were learned from which words stand near each other, and the same sentence takes good or bad.",
        ),
        "b": Option(
            "The two words mean nearly the same.",
            "They are opposites. The rows record how a word is used, and opposites are used alike.",
        ),
        "c": Option(
            "The vectors are wrong and need more training.",
            "More text does not separate them: opposites keep turning up in the same places of a sentence.",
        ),
    },
    right="a",
    hints=("Fill in: the food was ___. Which words fit?",),
)

EXERCISES = (ONE_HOT, EMBED, ANSWER_ONE_HOT, DOT_PRODUCTS, COSINE_SIMILARITY, ANSWER_LONGER, COSINE_MATRIX, ANSWER_NEAR)
