"""causal_mask: who may look at whom when the future is hidden."""

import numpy as np

from autograde.engine.compare import close, same_outcome
from autograde.engine.exercise import Check, Exercise, Misconception, Problem
from course_utils import query_key_value as ref

# ---- what is asked


def mask_sizes(rng):
    return [(2,), (3,), (5,), (int(rng.integers(6, 12)),), (int(rng.integers(41, 60)),)]


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


def every_kind(rng):
    return [(2,), *((n,) for n in range(1, 70)), (200,)]


# ---- what learners write instead

MISTAKES = (
    Misconception(
        "future-only",
        lambda n: np.triu(np.ones((n, n), bool)),
        "Your mask opens the future and closes the past: it is the upper triangle. Rows ask, columns are looked at: key ≤ query.",
    ),
    Misconception(
        "blocked-is-true",
        lambda n: ~np.tri(n, dtype=bool),
        "Your True means blocked. Here True means: may look. Turn it round with ~.",
    ),
    Misconception(
        "not-itself",
        lambda n: np.tri(n, k=-1, dtype=bool),
        "A word cannot look at itself in your mask, and the first one nowhere. The diagonal is open: key ≤ query.",
    ),
    Misconception(
        "one-too-far",
        lambda n: np.tri(n, k=1, dtype=bool),
        "Each word sees one word of the future in your mask. The diagonal is the last that is open: key ≤ query.",
    ),
    Misconception(
        "only-itself", lambda n: np.eye(n, dtype=bool), "Each word sees itself alone in your mask; the past is open too."
    ),
    Misconception(
        "all-open",
        lambda n: np.ones((n, n), bool),
        "Nothing is hidden in your mask. Close what lies after the query: key > query.",
    ),
    Misconception(
        "numbers",
        lambda n: np.tri(n),
        "Right places, but 1 and 0 where True and False belong. Give np.ones or np.tri dtype=bool, or compare positions.",
    ),
    Misconception(
        "additive",
        lambda n: np.where(np.tri(n, dtype=bool), 0.0, -np.inf),
        "This is an additive mask, 0 and −∞. Here a mask says True where a query may look, and False elsewhere.",
    ),
    Misconception(
        "additive-finite",
        lambda n: np.where(np.tri(n, dtype=bool), 0.0, -1e9),
        "This is an additive mask, 0 and −1e9. Here a mask says True where a query may look, and False elsewhere.",
    ),
    Misconception("one-row", lambda n: np.ones(n, bool), "One row is not enough: each query has a row of its own, (n, n)."),
    Misconception(
        "averaged",
        lambda n: np.tri(n) / np.arange(1, n + 1)[:, None],
        "These are uniform weights. The mask comes before them: it only says where a query may look.",
    ),
    Misconception(
        "two-words-back",
        lambda n: np.tri(n, dtype=bool) & ~np.tri(n, k=-2, dtype=bool),
        "Each word sees itself and the word before it, no further. All of the past is open.",
    ),
    Misconception(
        "last-row-only",
        lambda n: np.arange(n)[:, None] + np.arange(n) >= n - 1,
        "Your triangle leans the other way: row 0 is the first word and may see itself only.",
    ),
)


# ---- right answers written differently


def _lists(n):
    return [[key <= query for key in range(n)] for query in range(n)]


def _compared(n):
    return np.arange(n)[:, None] >= np.arange(n)


def _not_upper(n):
    return ~np.triu(np.ones((n, n), dtype=bool), k=1)


def _cast(n):
    return np.tril(np.ones((n, n))).astype(bool)


def _filled(n):
    mask = np.zeros((n, n), dtype=np.bool_)
    for query in range(n):
        mask[query, : query + 1] = True
    return mask


ACCEPTED = (_lists, _compared, _not_upper, _cast, _filled)


# ---- the exercise

EXERCISE = Exercise(
    name="causal_mask",
    lesson="query_key_value",
    reference=ref.causal_mask,
    kind="bool",
    alike=alike_in_type,
    checks=(
        Check("row i is open up to and including column i", 2, mask_sizes, same_pattern),
        Check("its entries are True and False", 1, mask_sizes, is_bool, side=True),
        Check("a sentence of one word may look at itself", 1, lambda rng: [(1,)], same_pattern, side=True),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Row = the word that asks, column = the word it looks at. Write the 3 × 3 case by hand first.",
        "Compare positions: entry (i, j) is the answer to j <= i.",
        "np.tril(np.ones((n, n), dtype=bool)) keeps the lower triangle and the diagonal.",
    ),
)
