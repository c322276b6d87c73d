"""Lesson 6: splitting the width into heads, merging it, attention by several heads, its budget, and one head's job."""

import numpy as np

from autograde.engine.exercise import Check, Exercise
from autograde.engine.properties import raises
from course_utils import multi_head as ref

from . import multi_head_accepted as ok
from . import multi_head_mistakes as wrong
from .attention import properties as has
from .multi_head_attention import MULTI_HEAD_ATTENTION
from .multi_head_quizzes import ANSWER_BUDGET, ANSWER_RESHAPE, ANSWER_TWO_PLACES

LESSON = "multi_head"


def lettered(*shape):
    """1, 2, 3, … in reading order: every number says where it came from."""
    return np.arange(1, np.prod(shape) + 1).reshape(shape)


# ---- split_heads


def split_plain(rng):
    """Where h = n = d_head every wrong order of axes has the right shape; elsewhere none has."""
    return [
        (lettered(2, 4), 2),
        (lettered(3, 6), 2),
        (rng.normal(size=(3, 9)), 3),
        (rng.normal(size=(5, 8)), 2),
        (rng.normal(size=(4, 6)), 3),
    ]


def split_ends(rng):
    return [
        (lettered(2, 3), 1),
        (lettered(2, 3), 3),
        (rng.normal(size=(4, 6)), 1),
        (rng.normal(size=(4, 5)), 5),
        (rng.normal(size=(1, 6)), 3),
    ]


def split_batch(rng):
    return [
        (lettered(2, 3, 4), 2),
        (rng.normal(size=(2, 3, 6)), 3),
        (rng.normal(size=(3, 3, 9)), 3),
        (rng.normal(size=(2, 4, 3, 10)), 5),
    ]


def split_unequal(rng):
    return [(lettered(2, 3), 2), (rng.normal(size=(4, 7)), 3), (rng.normal(size=(2, 3, 4)), 8), (rng.normal(size=(5, 6)), 4)]


def split_types(rng):
    return [(rng.normal(size=(3, 8)).astype(np.float32), 4), (rng.integers(-9, 9, (4, 6)), 2)]


SPLIT_HEADS = Exercise(
    name="split_heads",
    lesson=LESSON,
    reference=ref.split_heads,
    checks=(
        Check("head i holds columns i·d/h to (i+1)·d/h − 1 of every token", 3, split_plain),
        Check("one head, and heads of width 1", 1, split_ends, side=True),
        Check("a batch is split sentence by sentence", 1, split_batch, side=True),
        Check("a width that the heads do not divide is a ValueError", 1, split_unequal, raises(ValueError), side=True),
        has.touches_nothing(lambda rng: split_plain(rng) + split_types(rng)),
    ),
    misconceptions=wrong.SPLIT_HEADS,
    accepted=ok.SPLIT_HEADS,
    hints=(
        "Two steps. First cut each token's row into h pieces without moving anything: (..., n, h, d/h).",
        "Then bring the heads before the tokens: swap the axes of n and h. Reshaping straight to (..., h, n, d/h) "
        "would tear tokens apart.",
        "X.reshape(*X.shape[:-1], n_heads, d // n_heads), then np.swapaxes(…, -2, -3); before that: "
        "if d % n_heads: raise ValueError(…).",
    ),
)


# ---- merge_heads


def merge_plain(rng):
    return [
        (lettered(2, 2, 2),),
        (lettered(2, 3, 2),),
        (rng.normal(size=(3, 3, 3)),),
        (rng.normal(size=(2, 5, 4)),),
        (rng.normal(size=(4, 3, 2)),),
    ]


def merge_ends(rng):
    return [
        (lettered(1, 2, 3),),
        (lettered(3, 2, 1),),
        (rng.normal(size=(1, 4, 6)),),
        (rng.normal(size=(5, 4, 1)),),
        (rng.normal(size=(3, 1, 2)),),
    ]


def merge_batch(rng):
    return [
        (lettered(2, 2, 2, 2),),
        (rng.normal(size=(2, 3, 4, 5)),),
        (rng.normal(size=(3, 3, 3, 3)),),
        (rng.normal(size=(2, 3, 2, 4, 3)),),
    ]


def merge_types(rng):
    return [(rng.normal(size=(4, 3, 2)).astype(np.float32),), (rng.integers(-9, 9, (2, 4, 3)),)]


MERGE_HEADS = Exercise(
    name="merge_heads",
    lesson=LESSON,
    reference=ref.merge_heads,
    checks=(
        Check("each token's pieces stand side by side again, in the order of the heads", 3, merge_plain),
        Check("one head, and heads of width 1", 1, merge_ends, side=True),
        Check("a batch is merged sentence by sentence", 1, merge_batch, side=True),
        has.touches_nothing(lambda rng: merge_plain(rng) + merge_types(rng)),
    ),
    misconceptions=wrong.MERGE_HEADS,
    accepted=ok.MERGE_HEADS,
    hints=(
        "It is split_heads run backwards: the last step comes first.",
        "Bring the tokens before the heads again (..., n, h, d_head), and only then join the last two axes.",
        "np.swapaxes(H, -2, -3), then .reshape(*…shape[:-2], h * d_head).",
    ),
)


# ---- head_budget


def budget_plain(rng):
    return [(4, 2), (6, 3), (768, 12), (12_288, 96)]


def budget_ends(rng):
    heads = int(rng.integers(2, 9))
    return [(8, 1), (8, 8), (heads * int(rng.integers(3, 40)), heads)]


HEAD_BUDGET = Exercise(
    name="head_budget",
    lesson=LESSON,
    reference=ref.head_budget,
    checks=(
        Check("the width of a head", 1, lambda rng: budget_plain(rng) + budget_ends(rng), has.right_part(0, "d_head")),
        Check(
            "the entries of the four matrices",
            1,
            lambda rng: budget_plain(rng) + budget_ends(rng),
            has.right_part(1, "parameters"),
        ),
        Check("whole numbers, both", 1, lambda rng: budget_plain(rng) + budget_ends(rng), side=True),
    ),
    misconceptions=wrong.HEAD_BUDGET,
    accepted=ok.HEAD_BUDGET,
    hints=(
        "The h heads share the width: each gets the same part of it.",
        "Four matrices take part, W_q, W_k, W_v and W_o, each d_model by d_model, whatever the number of heads.",
        "return d_model // n_heads, 4 * d_model ** 2",
    ),
    kind="int",
)


# ---- previous_token_score


def head_weights(rng, h, n):
    """Rows that sum to 1, as attention gives them."""
    weights = rng.uniform(0.05, 1, size=(h, n, n))
    return weights / weights.sum(axis=-1, keepdims=True)


def previous_plain(rng):
    by_hand = np.array([[[1.0, 0, 0], [0.75, 0.25, 0], [0.125, 0.625, 0.25]]])
    return [(by_hand,), (head_weights(rng, 2, 4),), (head_weights(rng, 5, 3),), (head_weights(rng, 4, 4),)]


def previous_short(rng):
    return [(np.array([[[1.0, 0], [0.25, 0.75]]]),), (head_weights(rng, 3, 2),), (head_weights(rng, 1, 5),)]


def previous_types(rng):
    before = np.eye(4, k=-1, dtype=int) + np.eye(4, dtype=int) * [[1], [0], [0], [0]]
    return [(head_weights(rng, 3, 5).astype(np.float32),), (np.stack([before, np.eye(4, dtype=int)]),)]


PREVIOUS_TOKEN_SCORE = Exercise(
    name="previous_token_score",
    lesson=LESSON,
    reference=ref.previous_token_score,
    checks=(
        Check("mean weight that each token but the first gives to the one before it", 3, previous_plain),
        Check("two tokens, and a single head", 1, previous_short, side=True),
        Check("float32, and weights that are whole numbers", 1, previous_types, side=True),
        has.touches_nothing(previous_plain),
    ),
    misconceptions=wrong.PREVIOUS_TOKEN_SCORE,
    accepted=ok.PREVIOUS_TOKEN_SCORE,
    hints=(
        "Row i of weights[head] says where token i looks. The token before it is column i − 1.",
        "These entries lie just below the diagonal. There are n − 1 of them in each head.",
        "np.diagonal(weights, offset=-1, axis1=1, axis2=2).mean(axis=-1), or a loop over i from 1 to n − 1.",
    ),
)

EXERCISES = (
    ANSWER_TWO_PLACES,
    SPLIT_HEADS,
    MERGE_HEADS,
    ANSWER_RESHAPE,
    MULTI_HEAD_ATTENTION,
    HEAD_BUDGET,
    ANSWER_BUDGET,
    PREVIOUS_TOKEN_SCORE,
)
