"""Lesson 2: neighbours, directions, and the gradients that train an embedding."""

import dataclasses

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import compare, same_outcome
from autograde.engine.exercise import Check, Exercise, Option, Quiz
from autograde.engine.properties import leaves_arguments_alone
from course_utils import embedding_space as ref

from . import embedding_space_accepted as ok
from . import embedding_space_cases as cases
from . import embedding_space_mistakes as wrong
from . import embedding_space_training_mistakes as untrained

LESSON = "embedding_space"
TYPES = "whole numbers and float32 as well as float64"


SOFTMAX = Exercise(
    name="softmax",
    lesson=LESSON,
    reference=ref.softmax,
    checks=(
        Check("exponentials divided by their sum, along the last axis", 2, cases.softmax_plain),
        Check("any axis, which then sums to 1", 1, cases.softmax_axes),
        Check("scores as large as a million, either way", 1, cases.softmax_large, side=True),
        Check("rows that differ by as much, each right by itself", 1, cases.softmax_rows_apart, side=True),
        Check(TYPES, 1, cases.softmax_types, side=True),
        leaves_arguments_alone(cases.softmax_plain),
    ),
    misconceptions=untrained.SOFTMAX,
    accepted=ok.SOFTMAX,
    hints=(
        "np.exp makes every score positive; dividing by the sum makes them add up to 1.",
        "With keepdims=True the sum along an axis keeps its place, and the division works for every axis: "
        "e.sum(axis=axis, keepdims=True).",
        "Subtract x.max(axis=axis, keepdims=True) before np.exp: the largest exponent is 0, so nothing overflows, "
        "and the same factor divides out above and below.",
    ),
)

CROSS_ENTROPY = Exercise(
    name="cross_entropy",
    lesson=LESSON,
    reference=ref.cross_entropy,
    checks=(
        Check("the mean of −ln p over the right words", 2, cases.entropy_plain),
        Check("one target per row, where there are as many rows as words", 1, cases.entropy_square),
        Check("zeros elsewhere in a row change nothing", 1, cases.entropy_zeros, side=True),
        Check("an unlikely right word costs its full price", 1, cases.entropy_surprise, side=True),
        Check("targets may be a plain list", 1, cases.entropy_lists, side=True),
        Check(TYPES, 1, cases.entropy_types, side=True),
        leaves_arguments_alone(cases.entropy_plain),
    ),
    misconceptions=untrained.CROSS_ENTROPY,
    accepted=ok.CROSS_ENTROPY,
    hints=(
        "From each row only one number counts: the probability of that row's target.",
        "probs[np.arange(n), targets] picks it from every row at once, n being the number of rows.",
        "Take np.log of the picked ones only, then the mean, then the minus sign.",
    ),
)

PREDICT_MISSING = Exercise(
    name="predict_missing",
    lesson=LESSON,
    reference=ref.predict_missing,
    checks=(
        Check("softmax of the context's mean times U", 2, cases.predict_plain),
        Check("a context of one word", 1, cases.predict_one, side=True),
        Check("a word that stands twice counts twice", 1, cases.predict_repeats, side=True),
        Check("rows of E and columns of U, where d = V", 1, cases.predict_square),
        Check("the context may be a plain list", 1, cases.predict_lists, side=True),
        Check(TYPES, 1, cases.predict_types, side=True),
        leaves_arguments_alone(cases.predict_plain),
    ),
    misconceptions=untrained.PREDICT_MISSING,
    accepted=ok.PREDICT_MISSING,
    hints=(
        "Three steps: look up the rows of the context, average them, score every word.",
        "E[context] has one row per context word; .mean(axis=0) leaves one vector of width d.",
        "That vector times U gives one score per word: softmax(E[context].mean(axis=0) @ U).",
    ),
)


def one_part(number: int):
    """A test of one of the three results, whatever the others are."""

    def test(trial):
        parts = trial.outcome.value
        if trial.outcome.failure or not isinstance(parts, tuple) or len(parts) != 3:
            return trial.problem()
        problem = compare(Outcome(parts[number]), trial.expected[number])
        return problem and dataclasses.replace(problem, message=f"{PARTS[number]}: {problem.message}")

    return test


PARTS = ("the loss", "dE", "dU")

CBOW_GRADIENTS = Exercise(
    name="cbow_gradients",
    lesson=LESSON,
    reference=ref.cbow_gradients,
    checks=(
        Check("the loss: −ln p of the target", 1, cases.gradient_plain, one_part(0)),
        Check("dU: the mean of the context meets the error", 2, cases.gradient_plain, one_part(2), side=True),
        Check("dE: each context word gets its share of U times the error", 2, cases.gradient_plain, one_part(1), side=True),
        Check("a word twice in the context gets two shares", 1, cases.gradient_repeats, side=True),
        Check("one word of context; a target inside its own context", 1, cases.gradient_edges, side=True),
        Check("the context may be a plain list", 1, cases.gradient_lists, side=True),
        Check(TYPES, 1, cases.gradient_types, side=True),
        leaves_arguments_alone(cases.gradient_plain),
    ),
    misconceptions=untrained.CBOW_GRADIENTS,
    accepted=ok.CBOW_GRADIENTS,
    hints=(
        "Begin with the prediction p. The gradient of −ln p[target] by the scores is p with 1 taken off at the target: "
        "call it error.",
        "scores = mean @ U, so dU = np.outer(mean, error) and the gradient by the mean is U @ error.",
        "Each of the m context words made up 1/m of the mean: its row of dE gets U @ error / m. "
        "np.add.at(dE, context, …) adds one share per position, repeats too.",
    ),
)

NEAREST_NEIGHBOURS = Exercise(
    name="nearest_neighbours",
    lesson=LESSON,
    reference=ref.nearest_neighbours,
    kind="int",
    checks=(
        Check("the ids of the k highest cosines, the best first", 2, cases.neighbours_plain),
        Check("by direction: length plays no part", 1, cases.neighbours_lengths),
        Check("excluded ids never come back, and k others do", 1, cases.neighbours_excluded),
        Check("fewer than k left: all that are left, down to none", 1, cases.neighbours_few, side=True),
        Check("equal cosines: the smaller id first", 1, cases.neighbours_ties, side=True),
        Check("a zero vector has cosine 0 with everything", 1, cases.neighbours_zero, side=True),
        Check(TYPES, 1, cases.neighbours_types, side=True),
        leaves_arguments_alone(cases.neighbours_plain),
    ),
    misconceptions=wrong.NEAREST_NEIGHBOURS,
    accepted=ok.NEAREST_NEIGHBOURS,
    hints=(
        "Compute all V cosines first: lesson 1's cosine_matrix takes the query as a matrix of one row, query[None].",
        'np.argsort(-cosines, kind="stable") gives all ids, the best first, and equal ones by rising id.',
        "Only then leave out and cut: [i for i in order if i not in exclude][:k].",
    ),
)

ANALOGY = Exercise(
    name="analogy",
    lesson=LESSON,
    reference=ref.analogy,
    kind="int",
    checks=(
        Check("from a to b, and the same step from c", 2, cases.analogy_plain),
        Check("the three given words are left out", 1, cases.analogy_excluded),
        Check("every row is brought to length 1 first", 1, cases.analogy_lengths, side=True),
        Check(TYPES, 1, cases.analogy_types, side=True),
        leaves_arguments_alone(cases.analogy_plain),
    ),
    misconceptions=wrong.ANALOGY,
    accepted=ok.ANALOGY,
    hints=(
        "Bring every row to length 1 first. The step from a to b is then Ê[b] − Ê[a].",
        "Take that step from c: the point you reach is Ê[b] − Ê[a] + Ê[c]. Which row is nearest to it?",
        "nearest_neighbours(point, E, 1, exclude=(a, b, c)) gives one id in an array: return its entry [0].",
    ),
)

OFFSET_COSINE = Exercise(
    name="offset_cosine",
    lesson=LESSON,
    reference=ref.offset_cosine,
    checks=(
        Check("the cosine of b − a and d − c", 2, cases.offset_plain),
        Check("parallel steps give 1, opposite ones −1", 1, cases.offset_signs),
        Check("the rows as they are, whatever their lengths", 1, cases.offset_lengths),
        Check("a step of length zero has cosine 0", 1, cases.offset_zero, side=True),
        Check(TYPES, 1, cases.offset_types, side=True),
        leaves_arguments_alone(cases.offset_plain),
    ),
    misconceptions=wrong.OFFSET_COSINE,
    accepted=ok.OFFSET_COSINE,
    hints=(
        "a, b, c and d are ids. A step is a difference of two rows of E.",
        "Two steps, E[b] − E[a] and E[d] − E[c]; then the cosine of lesson 1.",
        "cosine_similarity(E[b] - E[a], E[d] - E[c]) has the zero case in it already.",
    ),
)


def up_to_signs(trial):
    """The comparison with the reference, after each column has been turned to the reference's side."""
    value = trial.outcome.value
    if trial.outcome.failure or not isinstance(value, np.ndarray) or value.shape != trial.expected.shape:
        return trial.problem()
    return compare(Outcome(turned(value, trial.expected)), trial.expected)


def turned(columns, towards):
    """Each column with the sign that brings it nearer to the other array's column."""
    columns = columns.astype(float)
    with np.errstate(all="ignore"):
        return np.where((columns * towards).sum(axis=0) < 0, -columns, columns)


def alike_up_to_signs(one, other, args):
    """Whether two outcomes show the same behaviour, the signs of columns left aside."""
    values = one.value, other.value
    if all(isinstance(value, np.ndarray) for value in values) and values[0].shape == values[1].shape:
        one = dataclasses.replace(one, value=turned(*values))
    return same_outcome(one, other)


PROJECT_TO_2D = Exercise(
    name="project_to_2d",
    lesson=LESSON,
    reference=ref.project_to_2d,
    checks=(
        Check("where each row lies along the two directions of largest spread", 2, cases.project_plain, up_to_signs),
        Check("the rows are centred first", 1, cases.project_off_centre, up_to_signs),
        Check("three rows, two columns, more columns than rows", 1, cases.project_shapes, up_to_signs, side=True),
        Check(TYPES, 1, cases.project_types, up_to_signs, side=True),
        leaves_arguments_alone(cases.project_plain),
    ),
    misconceptions=wrong.PROJECT_TO_2D,
    accepted=ok.PROJECT_TO_2D,
    hints=(
        "Centre first: subtract from every column its mean, X.mean(axis=0).",
        "np.linalg.svd(centred, full_matrices=False) gives three arrays. The rows of the third, often called Vt, are "
        "directions, the one of largest spread first.",
        "centred @ Vt[:2].T says where each row lies along the first two.",
    ),
    alike=alike_up_to_signs,
)


# ---- quizzes

ANSWER_HALVED = Quiz(
    name="answer_halved",
    lesson=LESSON,
    question="A model gives the right word half the probability it gave before. What happens to the cross-entropy of that word?",
    options={
        "a": Option(
            "It doubles.",
            "Doubling would need the logarithm to double. −ln(p/2) is −ln p plus ln 2: an amount is added, whatever p was.",
        ),
        "b": Option("It rises by ln 2, about 0.69, whatever p was.", "−ln(p/2) = −ln p + ln 2. Each halving costs the same."),
        "c": Option(
            "It depends on the probabilities of the other words.",
            "Only the right word's probability enters. How the rest is shared out changes nothing.",
        ),
    },
    right="b",
    hints=("Compute −ln 0.5, −ln 0.25 and −ln 0.125, and look at the steps between them.",),
)

ANSWER_TOGETHER = Quiz(
    name="answer_together",
    lesson=LESSON,
    question="Nobody told the training what an animal is. Why do the rows of dog and wolf end up close together?",
    options={
        "a": Option(
            "They stand next to each other in many sentences.",
            "They hardly ever share a sentence. What they share is the company they keep: the same words around them.",
        ),
        "b": Option(
            "Their random rows happened to begin close together.",
            "The rows begin at random, and at step 0 no group is to be seen. Another seed gives the same groups.",
        ),
        "c": Option(
            "They stand in the same contexts, so their rows are pulled in the same directions.",
            "Words with the same neighbours help to predict the same words, and receive much the same gradients.",
        ),
    },
    right="c",
    hints=("Which words of the sentence get a gradient, and what does it depend on?",),
)

ANSWER_QUEEN = Quiz(
    name="answer_queen",
    lesson=LESSON,
    question="Of all 20,010 rows, which one is nearest to king − man + woman when nothing is excluded?",
    options={
        "a": Option("king", "Woman and man are so alike that the step between them is short, and the sum stays beside king."),
        "b": Option(
            "queen", "queen is the nearest row only once the three words of the question are left out, as the convention is."
        ),
        "c": Option("woman", "woman is one part of the sum, but king is longer in it: man and woman nearly cancel."),
        "d": Option(
            "None: the sum is no word's row, so nothing is near it.",
            "No row equals the sum, but every row has a cosine with it, and the highest is above 0.8.",
        ),
    },
    right="a",
    hints=("How long is the step from man to woman, beside the row of king?",),
)

EXERCISES = (
    SOFTMAX,
    CROSS_ENTROPY,
    ANSWER_HALVED,
    PREDICT_MISSING,
    CBOW_GRADIENTS,
    ANSWER_TOGETHER,
    PROJECT_TO_2D,
    NEAREST_NEIGHBOURS,
    ANALOGY,
    ANSWER_QUEEN,
    OFFSET_COSINE,
)
