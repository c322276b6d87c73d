"""sense_separation: how far two senses of a word lie apart."""

import itertools

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import polysemy as ref
from course_utils.word_vectors import cosine_matrix

from ..cosine import cosine
from ..inputs import vectors
from ..inputs.layouts import and_read_only, every_form, varied
from .draws import integers, rows

norm = np.linalg.norm


# ---- what is asked


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
        (np.array([[2.0], [-1.0]]), np.array([[3.0], [1.0]])),
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
        (A[[0, 0, 0]], A[[0, 0]]),
    ]


def separation_zero(rng):
    """Zero rows; and rows that look like them and are not, such as [1, -1], [0, 1] and [0, -3]."""
    others = np.array(vectors.like_zero(4))
    A, B = groups(rng, 3, 3, 4)
    return [
        (np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[0.0, 1.0], [0.0, 3.0]])),
        (A * [[1], [0], [1]], B),
        (A, B * [[0], [1], [1]]),
        (A * [[0], [0], [1]], B * [[1], [0], [1]]),
        (others[:3], B),
        (A, others[3:]),
    ]


def separation_types(rng):
    A, B = groups(rng, 4, 4, 3)
    return [
        (np.array([[1, 0], [2, 1]]), np.array([[0, 1], [1, 3]])),
        (integers(rng, 4, 2), B[:, :2]),
        (A, B),
        *every_form((A, B)),
    ]


def every_kind(rng):
    """Groups of two and more, equal and unequal, rows of all families: zero, like zero, equal, short and long."""
    sizes = [(p, q, d) for p, q in ((2, 2), (2, 3), (4, 2), (3, 3), (6, 5)) for d in (2, 1, 3, 8)]
    return [(np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([[0.0, 1.0], [1.0, 1.0]]))] + list(
        varied((vectors.table(rng, p, d), vectors.table(rng, q, d)) for p, q, d in sizes for _ in range(7))
    )


# ---- what learners write instead


def _within(X):
    return cosine_matrix(X, X)[~np.eye(len(X), dtype=bool)]


def _pooled(A, B):
    return np.concatenate([_within(A), _within(B)])


def _self_pairs(A, B):
    within = np.concatenate([cosine_matrix(A, A).ravel(), cosine_matrix(B, B).ravel()])
    return within.mean() - cosine_matrix(A, B).mean()


def _mean_of_means(A, B):
    return (_within(A).mean() + _within(B).mean()) / 2 - cosine_matrix(A, B).mean()


def _dot_products(A, B):
    within = np.concatenate([(X @ X.T)[~np.eye(len(X), dtype=bool)] for X in (A, B)])
    return within.mean() - (A @ B.T).mean()


def _centres(A, B):
    return 1 - cosine_matrix(A.mean(axis=0)[None], B.mean(axis=0)[None])[0, 0]


def _rows_in_pairs(A, B):
    pairs = [cosine_matrix(a[None], b[None])[0, 0] for a, b in zip(A, B)]
    return _pooled(A, B).mean() - np.mean(pairs)


def _neighbours_only(A, B):
    pairs = [cosine_matrix(u[None], v[None])[0, 0] for X in (A, B) for u, v in itertools.pairwise(X)]
    return np.mean(pairs) - cosine_matrix(A, B).mean()


def _sums(A, B):
    return _pooled(A, B).sum() / 2 - cosine_matrix(A, B).sum()


def _against_all(A, B):
    X = np.concatenate([A, B])
    return _pooled(A, B).mean() - _within(X).mean()


def _equal_rows_dropped(A, B):
    within = [
        cosine_matrix(u[None], v[None])[0, 0] for X in (A, B) for u, v in itertools.combinations(X, 2) if not np.array_equal(u, v)
    ]
    return (np.mean(within) if within else 0.0) - cosine_matrix(A, B).mean()


def _diagonal_of_ones(A, B):
    total = sum(cosine_matrix(X, X).sum() - len(X) for X in (A, B))
    return total / sum(len(X) * (len(X) - 1) for X in (A, B)) - cosine_matrix(A, B).mean()


def _zero_diagonal_counted(A, B):
    total = sum(_within(X).sum() for X in (A, B))
    return total / sum(len(X) ** 2 for X in (A, B)) - cosine_matrix(A, B).mean()


def _divided(X):
    return X / norm(X, axis=1, keepdims=True)


def _zero_rows_are_nan(A, B):
    A, B = _divided(A), _divided(B)
    within = np.concatenate([(X @ X.T)[~np.eye(len(X), dtype=bool)] for X in (A, B)])
    return within.mean() - (A @ B.T).mean()


def _zero_rows_dropped(A, B):
    A, B = A[A.any(axis=1)], B[B.any(axis=1)]
    return _pooled(A, B).mean() - (cosine_matrix(A, B).mean() if len(A) and len(B) else 0.0)


def _distances(A, B):
    within = [norm(u - v) for X in (A, B) for u, v in itertools.combinations(X, 2)]
    return np.mean([norm(a - b) for a in A for b in B]) - np.mean(within)


MISTAKES = (
    Misconception(
        "rows-with-themselves",
        _self_pairs,
        "Each row was also compared with itself, which always gives 1. Pairs are of two different rows: leave the diagonal out.",
    ),
    Misconception(
        "zero-diagonal-counted",
        _zero_diagonal_counted,
        "The diagonal was left out of the sum but not out of the count. p rows make p · (p − 1) ordered pairs, not p².",
    ),
    Misconception(
        "across-minus-within",
        lambda A, B: -ref.sense_separation(A, B),
        "The sign is turned round: within minus across, so that senses that lie apart give a positive number.",
    ),
    Misconception(
        "mean-of-two-means",
        _mean_of_means,
        "The mean of A and the mean of B were averaged, so that pairs of the smaller group count more. "
        "Put both groups' pairs on one pile first.",
    ),
    Misconception(
        "first-group-only",
        lambda A, B: _within(A).mean() - cosine_matrix(A, B).mean(),
        "Only pairs within A were used. Pairs within B belong on the same pile.",
    ),
    Misconception(
        "second-group-only",
        lambda A, B: _within(B).mean() - cosine_matrix(A, B).mean(),
        "Only pairs within B were used. Pairs within A belong on the same pile.",
    ),
    Misconception(
        "within-only",
        lambda A, B: _pooled(A, B).mean(),
        "This is the mean within the senses. What counts is how far it lies above the mean across: subtract that.",
    ),
    Misconception(
        "across-only",
        lambda A, B: cosine_matrix(A, B).mean(),
        "This is the mean across the senses. It has to be subtracted from the mean within.",
    ),
    Misconception(
        "ratio-for-difference",
        lambda A, B: _pooled(A, B).mean() / cosine_matrix(A, B).mean(),
        "The means were divided. Take their difference: a mean near 0 would make a ratio meaningless.",
    ),
    Misconception(
        "dot-products-for-cosines", _dot_products, "These are dot products, in which long rows count more. Use cosines."
    ),
    Misconception("distances-for-cosines", _distances, "These are distances. Use cosines, within minus across."),
    Misconception(
        "middles-only",
        _centres,
        "Only the middles of the two groups were compared. Take all pairs of rows: how a sense scatters counts too.",
    ),
    Misconception(
        "rows-in-pairs", _rows_in_pairs, "Across, row i of A met only row i of B. Every row of A meets every row of B."
    ),
    Misconception("neighbours-only", _neighbours_only, "Within a sense, each row met only the next one. Take all pairs."),
    Misconception("sums-for-means", _sums, "The cosines were added up, so that more pairs give more. Take means."),
    Misconception(
        "against-all-pairs",
        _against_all,
        "The second mean holds all pairs, those within a sense too. It is for pairs across alone.",
    ),
    Misconception(
        "sign-lost",
        lambda A, B: np.abs(_pooled(A, B)).mean() - np.abs(cosine_matrix(A, B)).mean(),
        "The signs of the cosines are lost. A cosine of −1 is as far as two uses can be.",
    ),
    Misconception(
        "equal-rows-dropped",
        _equal_rows_dropped,
        "Pairs of equal rows were left out. Two uses with the same vector are still two uses: leave out "
        "the diagonal, not the value 1.",
    ),
    Misconception(
        "diagonal-taken-as-one",
        _diagonal_of_ones,
        "The diagonal was taken off as if it held p ones. The cosine of a zero row with itself is 0: take off the trace.",
    ),
    Misconception(
        "zero-rows-are-nan", _zero_rows_are_nan, "A zero row makes 0 / 0, which is NaN. Its cosine with everything is 0."
    ),
    Misconception(
        "zero-rows-dropped", _zero_rows_dropped, "Zero rows were left out. They count, with a cosine of 0 to everything."
    ),
)


# ---- right answers written differently


def _separation_loops(A, B):
    within = [cosine(u, v) for group in (A, B) for u, v in itertools.combinations(group, 2)]
    across = [cosine(u, v) for u in A for v in B]
    return sum(within) / len(within) - sum(across) / len(across)


def _unit(X):
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    return X / np.where(lengths == 0, 1, lengths)


def _separation_triangles(A, B):
    A, B = _unit(A), _unit(B)
    within = np.concatenate([(X @ X.T)[np.triu_indices(len(X), k=1)] for X in (A, B)])
    return np.mean(within) - np.mean(A @ B.T)


def _separation_trace(A, B):
    A, B = _unit(A), _unit(B)
    total = sum((X @ X.T).sum() - np.trace(X @ X.T) for X in (A, B))
    return float(total / sum(len(X) * (len(X) - 1) for X in (A, B)) - (A @ B.T).mean())


def _separation_eps(A, B):
    A, B = (X / (np.linalg.norm(X, axis=1, keepdims=True) + 1e-8) for X in (A, B))
    pairs = [A[i] @ A[j] for i in range(len(A)) for j in range(len(A)) if i != j]
    pairs += [B[i] @ B[j] for i in range(len(B)) for j in range(len(B)) if i != j]
    return np.average(pairs) - np.average([a @ b for a in A for b in B])


def _separation_sums(A, B):
    """The cosines of all pairs add up to the product of the sums of unit vectors."""
    A, B = _unit(A), _unit(B)
    a, b = A.sum(axis=0), B.sum(axis=0)
    within = (a @ a - (A**2).sum() + b @ b - (B**2).sum()) / (len(A) * (len(A) - 1) + len(B) * (len(B) - 1))
    return within - a @ b / (len(A) * len(B))


def _separation_float32(A, B):
    return np.float32(_separation_triangles(A.astype(np.float32), B.astype(np.float32)))


ACCEPTED = (_separation_loops, _separation_triangles, _separation_trace, _separation_eps, _separation_sums, _separation_float32)


# ---- the exercise

EXERCISE = Exercise(
    name="sense_separation",
    lesson="polysemy",
    reference=ref.sense_separation,
    checks=(
        Check("mean cosine within a sense, minus mean cosine across", 2, separation_plain),
        Check("groups of unequal size: every pair counts once", 1, separation_pooled),
        Check("length plays no part", 1, separation_lengths),
        Check("two uses with equal vectors are still a pair", 1, separation_repeats, side=True),
        Check("a zero row has cosine 0 with everything", 1, separation_zero, side=True),
        serves_any_array(and_read_only(separation_types)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
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
