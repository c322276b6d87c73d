"""Lesson 4: design_query(K, wanted), graded by the table that its query yields."""

import numpy as np

from autograde.engine.compare import close, failed, same_outcome
from autograde.engine.exercise import Check, Exercise
from course_utils import query_key_value as ref
from course_utils.embedding_space import softmax

from . import query_key_value_accepted as ok
from . import query_key_value_design_mistakes as wrong
from .attention import properties as has


def keys_and_table(rng, n, d, largest=20.0):
    """n independent keys of width d whose condition number is at most ``largest``, and a table to ask for."""
    U, _, V = np.linalg.svd(rng.normal(size=(n, d)), full_matrices=False)
    K = U * np.geomspace(largest**0.5, largest**-0.5, n) @ V
    wanted = 0.9 * rng.dirichlet(np.ones(n)) + 0.1 / n
    return K, wanted / wanted.sum()


def design_square(rng):
    return [
        (np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([0.75, 0.25])),
        keys_and_table(rng, 4, 4),
        keys_and_table(rng, 5, 5, 45.0),
    ]


def design_wide(rng):
    return [
        (np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0]]), np.array([0.75, 0.25])),
        keys_and_table(rng, 3, 7),
        keys_and_table(rng, 1, 4),
    ]


def design_steep(rng):
    K, _ = keys_and_table(rng, 5, 8)
    return [
        (np.eye(3), np.array([0.98, 0.015, 0.005])),
        (K, np.array([0.04, 0.3, 0.55, 0.1, 0.01])),
        (rng.integers(-2, 3, size=(2, 5)) + 5 * np.eye(2, 5, dtype=int), np.array([0.995, 0.005])),
    ]


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
    lesson="query_key_value",
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
