"""Lesson 4: projections, scores and the causal mask. Attention and design_query have modules of their own."""

import numpy as np

from autograde.engine.compare import close, same_outcome
from autograde.engine.exercise import Check, Exercise, Problem
from course_utils import query_key_value as ref

from . import query_key_value_accepted as ok
from . import query_key_value_mistakes as wrong
from .attention import properties as has
from .query_key_value_attention import ATTENTION
from .query_key_value_design import DESIGN_QUERY
from .query_key_value_quizzes import ANSWER_LOOKS_AT, ANSWER_REST, ANSWER_SYMMETRIC
from .query_key_value_self_attention import SELF_ATTENTION

LESSON = "query_key_value"


def normal(rng, *shapes):
    return tuple(rng.normal(size=shape) for shape in shapes)


def in_types(cases):
    """The same cases as float32 and as whole numbers; masks stay as they are."""

    def cast(value, dtype):
        return value.astype(dtype) if isinstance(value, np.ndarray) and value.dtype != bool else value

    return [tuple(cast(a, np.float32) for a in args) for args in cases] + [
        tuple(cast(a * 2 if isinstance(a, np.ndarray) and a.dtype != bool else a, int) for a in args) for args in cases
    ]


# ---- project


def project_plain(rng):
    return [
        tuple(np.array(a, float) for a in ([[1, 2], [0, 1]], [[1, 1], [0, 1]], [[2, 0], [1, 1]], [[0, 1], [3, 0]])),
        normal(rng, (4, 5), (5, 3), (5, 3), (5, 2)),
        normal(rng, (3, 3), (3, 3), (3, 3), (3, 3)),  # where X @ W.T and W @ X have the right shape
    ]


def project_batch(rng):
    return [normal(rng, (2, 4, 5), (5, 3), (5, 3), (5, 6)), normal(rng, (3, 2, 4, 4), (4, 4), (4, 4), (4, 7))]


def project_types(rng):
    return in_types([normal(rng, (4, 5), (5, 3), (5, 3), (5, 2))])


def each_sentence(args):
    X, *rest = args
    return [(x, *rest) for x in X.reshape(-1, *X.shape[-2:])]


PROJECT = Exercise(
    name="project",
    lesson=LESSON,
    reference=ref.project,
    checks=(
        Check("Q is X times W_q", 1, project_plain, has.right_part(0, "Q")),
        Check("K is X times W_k", 1, project_plain, has.right_part(1, "K")),
        Check("V is X times W_v", 1, project_plain, has.right_part(2, "V")),
        Check(
            "a batch of sentences is projected sentence by sentence",
            1,
            project_batch,
            has.same_item_by_item(each_sentence),
            side=True,
        ),
        Check("float32 and whole numbers", 1, project_types, has.same_in_any_type, side=True),
        has.touches_nothing(project_plain),
    ),
    misconceptions=wrong.PROJECT,
    accepted=ok.PROJECT,
    hints=(
        "A token is a row of X. A projection turns each row of width d into a row of another width.",
        "Each of the three is one matrix product: X on the left, the matrix on the right. All three start from X.",
        "return X @ W_q, X @ W_k, X @ W_v",
    ),
)


# ---- attention_scores


def scores_plain(rng):
    tiny = np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [0.0, 1.0]])
    return [tiny, normal(rng, (3, 5), (7, 5)), normal(rng, (4, 4), (4, 4)), normal(rng, (2, 6), (5, 6))]


def in_proportion(trial):
    """Every score is the dot product times one and the same positive number."""
    value, expected = trial.outcome.value, trial.expected
    problem = trial.problem()
    if problem is None or problem.stage != "value":
        return problem
    factor = float((value * expected).sum() / (expected * expected).sum())
    return None if factor > 0 and close(value, factor * expected) else problem


def scores_batch(rng):
    return [normal(rng, (2, 3, 5), (2, 7, 5)), normal(rng, (4, 2, 3, 3), (4, 2, 3, 3))]


def scores_types(rng):
    return in_types([normal(rng, (3, 5), (7, 5))])


def each_pair(args):
    return list(zip(*(a.reshape(-1, *a.shape[-2:]) for a in args)))


ATTENTION_SCORES = Exercise(
    name="attention_scores",
    lesson=LESSON,
    reference=ref.attention_scores,
    checks=(
        Check("row i: the dot products of query i with every key, at one scale", 2, scores_plain, in_proportion),
        Check("the scale is 1: nothing is divided out", 1, scores_plain, side=True),
        Check("a batch is scored item by item", 1, scores_batch, has.same_item_by_item(each_pair), side=True),
        Check("float32 and whole numbers", 1, scores_types, has.same_in_any_type, side=True),
        has.touches_nothing(scores_plain),
    ),
    misconceptions=wrong.ATTENTION_SCORES,
    accepted=ok.ATTENTION_SCORES,
    hints=(
        "One number for each pair of a query and a key: n_q rows, n_k columns.",
        "A matrix product takes rows of the left against columns of the right. Your keys are rows: turn them.",
        "In a batch only the last two axes of K change places: np.swapaxes(K, -1, -2). Then Q @ that.",
    ),
)


# ---- causal_mask


def mask_sizes(rng):
    return [(2,), (3,), (5,), (int(rng.integers(6, 12)),)]


def same_pattern(trial):
    """The right entries, whatever their type: the type is a property of its own."""
    value, expected = trial.outcome.value, trial.expected
    problem = trial.problem()
    if problem is None or not isinstance(value, np.ndarray) or value.shape != expected.shape:
        return problem
    if close(value, expected):
        return None
    query, key = np.argwhere(value.astype(float) != expected)[0]
    return Problem("value", f"may query {query} look at key {key}? Your mask says {value[query, key].item()}")


def is_bool(trial):
    value = trial.outcome.value
    if isinstance(value, np.ndarray) and value.dtype == bool:
        return None
    return trial.problem() or "it is not an array of bool"


def alike_in_type(one, other, args):
    """Numbers 1 and 0 equal True and False in value, and are another mistake."""
    kinds = [getattr(getattr(outcome.value, "dtype", None), "kind", None) == "b" for outcome in (one, other)]
    return kinds[0] == kinds[1] and same_outcome(one, other, args)


CAUSAL_MASK = Exercise(
    name="causal_mask",
    lesson=LESSON,
    reference=ref.causal_mask,
    kind="bool",
    alike=alike_in_type,
    checks=(
        Check("row i is open up to and including column i", 2, mask_sizes, same_pattern),
        Check("its entries are True and False", 1, mask_sizes, is_bool, side=True),
        Check("a sentence of one word may look at itself", 1, lambda rng: [(1,)], same_pattern, side=True),
    ),
    misconceptions=wrong.CAUSAL_MASK,
    accepted=ok.CAUSAL_MASK,
    hints=(
        "Row = the word that asks, column = the word it looks at. Write the 3 × 3 case by hand first.",
        "Compare positions: entry (i, j) is the answer to j <= i.",
        "np.tril(np.ones((n, n), dtype=bool)) keeps the lower triangle and the diagonal.",
    ),
)


EXERCISES = (
    ATTENTION_SCORES,
    ATTENTION,
    ANSWER_REST,
    DESIGN_QUERY,
    ANSWER_LOOKS_AT,
    PROJECT,
    ANSWER_SYMMETRIC,
    CAUSAL_MASK,
    SELF_ATTENTION,
)
