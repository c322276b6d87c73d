"""design_query: the query that yields a wanted table of weights. What counts is the table, not the query."""

import numpy as np

from autograde.engine.compare import failed, same_outcome
from autograde.engine.exercise import Check, Exercise, Misconception
from course_utils import query_key_value as ref
from course_utils.embedding_space import softmax

from ..attention import properties as has
from ..inputs.layouts import and_read_only, each_array, in_layouts, laid_out, single
from ..inputs.probabilities import positive

# ---- what is asked

TOLERANCE = 1e-3  # of each weight in the table


def keys_and_table(rng, n, d, largest=20.0):
    """n independent keys of width d whose condition number is at most ``largest``, and a table to ask for."""
    U, _, V = np.linalg.svd(rng.normal(size=(n, d)), full_matrices=False)
    K = U * np.geomspace(largest**0.5, largest**-0.5, n) @ V
    wanted = 0.9 * rng.dirichlet(np.ones(n)) + 0.1 / n
    return K, wanted / wanted.sum()


def square(rng):
    return [
        (np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([0.75, 0.25])),
        keys_and_table(rng, 4, 4),
        keys_and_table(rng, 5, 5, 45.0),
    ]


def wide(rng):
    return [
        (np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0]]), np.array([0.75, 0.25])),
        keys_and_table(rng, 3, 7),
        keys_and_table(rng, 1, 4),
        keys_and_table(rng, 7, 9),
    ]


def uneven(rng):
    K, _ = keys_and_table(rng, 5, 8)
    return [
        (np.eye(3), np.array([0.98, 0.015, 0.005])),
        (np.eye(2, 3), np.array([0.5, 0.5])),
        (K, np.array([0.04, 0.3, 0.55, 0.1, 0.01])),
        (rng.integers(-2, 3, size=(2, 5)) + 5 * np.eye(2, 5, dtype=int), np.array([0.995, 0.005])),
        *in_layouts(keys_and_table(rng, 3, 4)),
        each_array(keys_and_table(rng, 3, 4), single),
    ]


def gives_table(trial):
    """What counts is the table that the query yields."""
    K, wanted = trial.args
    q, problem = trial.outcome.value, failed(trial.outcome)
    if problem or not isinstance(q, np.ndarray) or q.shape != trial.expected.shape or not np.isfinite(q).all():
        return trial.problem()
    table = softmax(K @ q)
    if np.abs(table - wanted).max() <= TOLERANCE:
        return None
    return f"softmax(K q) gives {np.round(table, 3).tolist()}, but wanted is {np.round(wanted, 3).tolist()}"


def alike_in_table(one, other, args):
    """Two queries that yield the same table ask the same question: a number added to every score changes nothing."""
    K, _ = args
    queries = [outcome.value for outcome in (one, other)]
    if one.changed == other.changed and all(isinstance(q, np.ndarray) and q.shape == K.shape[1:] for q in queries):
        return bool(np.abs(softmax(K @ queries[0]) - softmax(K @ queries[1])).max() <= TOLERANCE)
    return same_outcome(one, other, args)


def every_kind(rng):
    """As many keys as numbers and fewer, one key, even and uneven tables; the condition number is at most 50."""
    sizes = [(n, d) for d in (2, 1, 3, 5, 9) for n in range(1, d + 1)]
    cases = [keys_and_table(rng, n, d, largest) for n, d in sizes for largest in (1.0, 20.0, 45.0)]
    sure = [(K, positive(rng, 1, len(K))[0]) for K, _ in cases]
    return [square(rng)[0], *square(rng), *wide(rng), *uneven(rng), *laid_out(cases + sure)]


# ---- what learners write instead


def _solves(right_side, keys=lambda K: K):
    return lambda K, wanted: np.linalg.lstsq(keys(np.asarray(K, float)), right_side(np.asarray(wanted)), rcond=None)[0]


def _square_only(K, wanted):
    return np.linalg.solve(np.asarray(K, float), np.log(wanted))


def _in_place(K, wanted):
    q = ref.design_query(K, wanted)
    np.log(wanted, out=wanted)
    return q


def _by_columns(K, wanted):
    if K.shape[0] != K.shape[1]:
        raise np.linalg.LinAlgError("Incompatible dimensions")
    return np.linalg.solve(np.asarray(K, float).T, np.log(wanted))


MISTAKES = (
    Misconception(
        "no-logarithm",
        _solves(lambda p: p),
        "You made the scores equal to the wanted weights. Softmax takes exponentials first: the scores are their logarithms.",
    ),
    Misconception(
        "exponential",
        _solves(np.exp),
        "You took exponentials of the table. Softmax does that already; to undo it take logarithms.",
    ),
    Misconception("logarithm-base-2", _solves(np.log2), "Softmax undoes the natural logarithm: np.log, not np.log2."),
    Misconception("logarithm-base-10", _solves(np.log10), "Softmax undoes the natural logarithm: np.log, not np.log10."),
    Misconception(
        "softmax-of-the-table",
        _solves(softmax),
        "You took softmax of the table. Go the other way: which scores does softmax turn into it? Their logarithms.",
    ),
    Misconception(
        "log-odds",
        _solves(lambda p: np.log(p / np.maximum(1 - p, 1e-12))),
        "ln(p / (1 − p)) undoes a sigmoid. Softmax is undone by ln p.",
    ),
    Misconception(
        "negated", _solves(lambda p: -np.log(p)), "Your scores have the opposite sign: the key that should get most gets least."
    ),
    Misconception(
        "weighted-keys",
        lambda K, wanted: wanted @ K,
        "You mixed the keys by the wanted weights. That points somewhere between them; solve K q = ln(wanted) instead.",
    ),
    Misconception(
        "log-weighted-keys",
        lambda K, wanted: np.log(wanted) @ K,
        "Kᵀ ln(wanted) solves the equations only for keys at right angles and of length 1. Use np.linalg.lstsq.",
    ),
    Misconception(
        "nearest-key",
        lambda K, wanted: K[np.argmax(wanted)] * 1.0,
        "You asked with the key that should get most. That says nothing about how much the others get.",
    ),
    Misconception(
        "scaled",
        lambda K, wanted: ref.design_query(K, wanted) * np.sqrt(K.shape[-1]),
        "You reckoned with a division by √d_k. In this lesson scores are not scaled.",
    ),
    Misconception(
        "only-square",
        _square_only,
        "np.linalg.solve and inv want as many keys as numbers in a key. np.linalg.lstsq and pinv take fewer keys too.",
    ),
    Misconception("transposed", _by_columns, "You solved Kᵀ q = ln(wanted). The keys are the rows: K q."),
    Misconception("changes-the-table", _in_place, "The call writes into wanted, and whoever called needs it again."),
    Misconception(
        "weights-returned-too",
        lambda K, wanted: (ref.design_query(K, wanted), np.asarray(wanted)),
        "Return the query alone: one array of d_k numbers. The weights are what others make of it.",
    ),
    Misconception(
        "scores-returned",
        lambda K, wanted: np.log(wanted),
        "These are the scores that the query is to have. The query itself solves K q = scores: "
        "np.linalg.lstsq(K, scores, rcond=None)[0].",
    ),
)


# ---- right answers written differently


def _pinv(K, wanted):
    return np.linalg.pinv(K) @ np.log(wanted)


def _normal_equations(K, wanted):
    """q = Kᵀ a, so that K Kᵀ a = ln(wanted): square, whatever the shape of K."""
    return K.T @ np.linalg.solve(K @ K.T, np.log(wanted))


def _shifted(K, wanted):
    """Softmax does not see a number that is added to all scores."""
    return np.linalg.lstsq(K, np.log(wanted) - np.log(wanted).max(), rcond=None)[0].tolist()


def _longer(K, wanted):
    """Where K is wide, many queries ask the same: any vector at right angles to the keys may be added."""
    q = np.linalg.lstsq(K, np.log(wanted), rcond=None)[0]
    aside = np.linalg.svd(K)[2][len(K) :]
    return q + 3 * aside.sum(axis=0)


def _qr(K, wanted):
    Q, R = np.linalg.qr(np.asarray(K, float).T)
    return Q @ np.linalg.solve(R.T, np.log(wanted))


def _newton(K, wanted):
    """Downhill on the cross-entropy, in the span of the keys: no logarithm anywhere."""
    K = np.asarray(K, float)
    a = np.zeros(len(K))
    back = np.linalg.inv(K @ K.T)
    for _ in range(300):
        scores = K @ K.T @ a
        e = np.exp(scores - scores.max())
        p = e / e.sum()
        a -= back @ np.clip((p - wanted) / p, -1, 1)
    return K.T @ a


ACCEPTED = (_pinv, _normal_equations, _shifted, _longer, _qr, _newton)


# ---- the exercise

EXERCISE = Exercise(
    name="design_query",
    lesson="query_key_value",
    reference=ref.design_query,
    alike=alike_in_table,
    checks=(
        Check("as many keys as numbers in a key: softmax(K q) is the wanted table", 2, square, gives_table),
        Check("fewer keys than numbers in a key", 2, wide, gives_table),
        Check("tables as uneven as 98 to 0.5, and arrays of any kind", 1, uneven, gives_table, side=True),
        has.touches_nothing(and_read_only(square)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Go backwards. Which scores would softmax turn into the wanted table?",
        "softmax(ln p) = p. So you need K q = np.log(wanted): linear equations with q unknown.",
        "np.linalg.lstsq(K, np.log(wanted), rcond=None)[0] solves them also when K is wider than it is high.",
    ),
)
