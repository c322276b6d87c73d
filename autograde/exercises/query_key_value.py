"""Lesson 4: projections, scores, the causal mask, attention and self-attention, and a query made to order."""

import numpy as np

from course_utils import query_key_value as ref
from course_utils.embedding_space import softmax

from ..compare import close, failed, same_outcome
from ..exercise import Check, Exercise, Problem
from . import query_key_value_accepted as ok
from . import query_key_value_mistakes as wrong
from . import query_key_value_properties as has
from .query_key_value_attention import ATTENTION, SELF_ATTENTION
from .query_key_value_quizzes import ANSWER_LOOKS_AT, ANSWER_REST, ANSWER_SYMMETRIC

LESSON = "query_key_value"


def normal(rng, *shapes):
    return tuple(rng.normal(size=shape) for shape in shapes)


def whole(rng, *shapes):
    """Small whole numbers, as floats, for inputs that can be followed by hand."""
    return tuple(rng.integers(-2, 3, size=shape).astype(float) for shape in shapes)


def in_types(cases):
    """The same cases as float32 and as whole numbers; masks stay as they are."""
    def cast(value, dtype):
        return value.astype(dtype) if isinstance(value, np.ndarray) and value.dtype != bool else value

    return [tuple(cast(a, np.float32) for a in args) for args in cases] + [
        tuple(cast(a * 2 if isinstance(a, np.ndarray) and a.dtype != bool else a, int) for a in args) for args in cases]


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
        Check("a batch of sentences is projected sentence by sentence", 1, project_batch,
              has.same_item_by_item(each_sentence), side=True),
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
    return [whole(rng, (1, 2), (2, 2)), normal(rng, (3, 5), (7, 5)), normal(rng, (4, 4), (4, 4)),
            normal(rng, (2, 6), (5, 6))]


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
        Check("row i holds the dot products of query i with every key", 2, scores_plain),
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


# ---- design_query


def keys_and_table(rng, n, d, largest=20.0):
    """n independent keys of width d whose condition number is at most ``largest``, and a table to ask for."""
    U, _, V = np.linalg.svd(rng.normal(size=(n, d)), full_matrices=False)
    K = U * np.geomspace(largest ** 0.5, largest ** -0.5, n) @ V
    wanted = 0.9 * rng.dirichlet(np.ones(n)) + 0.1 / n
    return K, wanted / wanted.sum()


def design_square(rng):
    return [(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([0.75, 0.25])), keys_and_table(rng, 4, 4),
            keys_and_table(rng, 5, 5, 2.0)]


def design_wide(rng):
    return [(np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0]]), np.array([0.75, 0.25])), keys_and_table(rng, 3, 7),
            keys_and_table(rng, 1, 4)]


def design_steep(rng):
    K, _ = keys_and_table(rng, 5, 8)
    return [(np.eye(3), np.array([0.98, 0.015, 0.005])), (K, np.array([0.04, 0.3, 0.55, 0.1, 0.01])),
            (rng.integers(-2, 3, size=(2, 5)) + 5 * np.eye(2, 5, dtype=int), np.array([0.995, 0.005]))]


def gives_table(trial):
    """What counts is the table that the query yields."""
    K, wanted = trial.args
    q, problem = trial.outcome.value, failed(trial.outcome)
    if problem or not isinstance(q, np.ndarray) or q.shape != trial.expected.shape or not np.isfinite(q).all():
        return trial.problem()
    table = softmax(K @ q)
    if np.abs(table - wanted).max() <= 1e-3:
        return None
    return f"softmax(K q) gives {np.round(table, 3).tolist()}, but wanted is {np.round(wanted, 3).tolist()}"


def alike_in_scores(one, other, args):
    """Two queries that give every key the same score ask the same question."""
    K, _ = args
    queries = [outcome.value for outcome in (one, other)]
    if one.changed == other.changed and all(isinstance(q, np.ndarray) and q.shape == K.shape[1:] for q in queries):
        return close(*(K @ q for q in queries))
    return same_outcome(one, other, args)


DESIGN_QUERY = Exercise(
    name="design_query",
    lesson=LESSON,
    reference=ref.design_query,
    alike=alike_in_scores,
    checks=(
        Check("as many keys as numbers in a key: softmax(K q) is the wanted table", 2, design_square, gives_table),
        Check("fewer keys than numbers in a key", 2, design_wide, gives_table),
        Check("tables as uneven as 98 to 0.5", 1, design_steep, gives_table, side=True),
        has.touches_nothing(design_square),
    ),
    misconceptions=wrong.DESIGN_QUERY,
    accepted=ok.DESIGN_QUERY,
    hints=(
        "Go backwards. Which scores would softmax turn into the wanted table?",
        "softmax(ln p) = p. So you need K q = np.log(wanted): linear equations with q unknown.",
        "np.linalg.lstsq(K, np.log(wanted), rcond=None)[0] solves them also when K is wider than it is high.",
    ),
)


EXERCISES = (ATTENTION_SCORES, ATTENTION, ANSWER_REST, DESIGN_QUERY, ANSWER_LOOKS_AT, PROJECT, ANSWER_SYMMETRIC,
             CAUSAL_MASK, SELF_ATTENTION)
