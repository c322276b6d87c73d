"""softmax_jacobian: how much each weight moves with each score."""

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import compare
from autograde.engine.exercise import Check, Exercise, Misconception, Problem
from course_utils import scaling as ref
from course_utils.embedding_space import softmax

from ..attention import properties as has
from ..attention.draws import probabilities
from ..inputs.layouts import and_read_only, each_array, in_layouts, laid_out, single
from ..inputs.probabilities import families

# ---- what is asked


def weights(rng):
    return [
        (np.array([0.5, 0.25, 0.25]),),
        (np.array([0.75, 0.25]),),
        (probabilities(rng, 5),),
        (probabilities(rng, 7),),
        (np.array([0.0, 0.9, 0.1]),),
        (np.array([1.0]),),
        (np.full(4, 0.25),),
        (families(rng, 12)[4],),
        (probabilities(rng, 17),),
    ]


def sure_weights(rng):
    return [(np.array([0, 1, 0]),), (np.array([1, 0, 0, 0]),), (probabilities(rng, 6).astype(np.float32),)] + in_layouts(
        (probabilities(rng, 5),)
    )


def beside_the_diagonal(trial):
    return _part(trial, ~np.eye(len(trial.expected), dtype=bool), "beside the diagonal")


def on_the_diagonal(trial):
    return _part(trial, np.eye(len(trial.expected), dtype=bool), "on the diagonal")


def _part(trial, place, where):
    """Compares the entries of one place, the others taken from the reference."""
    problem = trial.problem()
    if problem is None or problem.stage not in ("value", "finite"):
        return problem
    found = np.where(place, trial.outcome.value, trial.expected)
    problem = compare(Outcome(found), trial.expected)
    return problem and Problem(problem.stage, f"{where}: {problem.message.replace('right shape, ', '')}")


def every_kind(rng):
    cases = [(p,) for n in (2, 1, 3, 4, 5, 8, 12, 40) for _ in range(4) for p in families(rng, n)]
    return [(np.array([0.5, 0.5]),), (np.array([0, 1]),), *laid_out(cases), *(each_array(case, single) for case in cases)]


# ---- what learners write instead


def _in_place(p):
    result = np.diag(p) - np.outer(p, p)
    p -= p
    return result


def _diagonal_twice(p):
    return np.diag(p) - np.outer(p, p) - np.diag(p * p)


MISTAKES = (
    Misconception(
        "diagonal-only",
        lambda p: np.diag(p * (1 - p)),
        "The entries beside the diagonal are missing: when one weight rises the others fall, by p_i p_j.",
    ),
    Misconception(
        "sigmoid-slopes",
        lambda p: p * (1 - p),
        "These are n slopes, each weight by its own score. Every weight depends on every score: (n, n).",
    ),
    Misconception(
        "outer-only", lambda p: -np.outer(p, p), "diag(p) is missing: a weight rises with its own score, by p_i (1 − p_i)."
    ),
    Misconception(
        "probabilities-only", lambda p: np.diag(p), "− p pᵀ is missing: softmax divides by a sum in which every score has a part."
    ),
    Misconception(
        "sign-turned",
        lambda p: np.outer(p, p) - np.diag(p),
        "The sign is turned: a weight rises with its own score. diag(p) − p pᵀ.",
    ),
    Misconception(
        "outer-added",
        lambda p: np.diag(p) + np.outer(p, p),
        "p pᵀ was added. It is taken off, and every row sums to 0: nothing is gained by raising all scores.",
    ),
    Misconception(
        "identity-for-diagonal",
        lambda p: np.eye(len(p)) - np.outer(p, p),
        "You took the identity for diag(p). On the diagonal stand p_i − p_i².",
    ),
    Misconception(
        "slope-of-log-softmax",
        lambda p: np.eye(len(p)) - p,
        "This is the Jacobian of ln p. That of p itself has each row multiplied by p_i: diag(p) − p pᵀ.",
    ),
    Misconception(
        "slope-of-log-softmax-turned",
        lambda p: (np.eye(len(p)) - p).T,
        "This is the Jacobian of ln p, transposed. That of p itself is diag(p) − p pᵀ.",
    ),
    Misconception(
        "inner-for-outer",
        lambda p: np.diag(p) - p @ p,
        "p @ p is one number, and .T changes nothing in a vector. p pᵀ is a table: np.outer(p, p).",
    ),
    Misconception(
        "squares-in-rows",
        lambda p: np.diag(p) - p * p,
        "p * p is a row of squares, the same for each row of the table. p pᵀ is np.outer(p, p).",
    ),
    Misconception("rows-of-p", lambda p: np.diag(p) - p, "You took p off every row. Row i loses p_i times p: np.outer(p, p)."),
    Misconception(
        "softmax-first", lambda p: ref.softmax_jacobian(softmax(p)), "You took softmax of p. It holds the weights already."
    ),
    Misconception(
        "sizes-only",
        lambda p: np.abs(ref.softmax_jacobian(p)),
        "The signs are lost. Beside the diagonal the entries are negative.",
    ),
    Misconception("changes-its-argument", _in_place, "The call writes into p, and whoever called needs it again."),
    Misconception(
        "p-in-every-row",
        lambda p: p - np.outer(p, p),
        "p − np.outer(p, p) puts p into every row. p belongs on the diagonal alone: np.diag(p) − np.outer(p, p).",
    ),
    Misconception(
        "diagonal-subtracted-twice",
        _diagonal_twice,
        "On the diagonal p² was taken off twice: once in the outer product, once by hand. It is p − p².",
    ),
)


# ---- right answers written differently


def _loops(p):
    n = len(p)
    return [[p[i] * ((i == j) - p[j]) for j in range(n)] for i in range(n)]


def _factored(p):
    return p[:, None] * (np.eye(len(p)) - p[None, :])


def _filled(p):
    J = -np.outer(p, p).astype(float)
    np.fill_diagonal(J, p * (1 - p))
    return J


def _product(p):
    column = p.reshape(-1, 1)
    return np.diagflat(p) - column @ column.T


def _einsum(p):
    return np.eye(p.size) * p - np.einsum("i,j->ij", p, p)


def _single(p):
    p = p.astype(np.float32)
    return np.diag(p) - np.multiply.outer(p, p)


def _by_columns(p):
    """Column j: the derivative of the weights when score j rises."""
    unit = np.eye(len(p))
    return np.stack([p * (unit[j] - p[j]) for j in range(len(p))], axis=1)


ACCEPTED = (_loops, _factored, _filled, _product, _einsum, _single, _by_columns)


# ---- the exercise

EXERCISE = Exercise(
    name="softmax_jacobian",
    lesson="scaling",
    reference=ref.softmax_jacobian,
    checks=(
        Check("beside the diagonal: what a weight loses when another's score rises", 2, weights, beside_the_diagonal),
        Check("on the diagonal: what a weight gains when its own score rises", 2, weights, on_the_diagonal, side=True),
        Check(
            "float32, views, and weights that are sure: whole numbers 0 and 1", 1, sure_weights, has.same_in_any_type, side=True
        ),
        has.touches_nothing(and_read_only(weights)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Two tables: one that holds p on its diagonal and zeros elsewhere, and one that holds p_i · p_j everywhere.",
        "np.diag(p) makes the first. For the second, p.T is no help: it has the shape of p, (n,). np.outer(p, p).",
        "return np.diag(p) - np.outer(p, p)",
    ),
)
