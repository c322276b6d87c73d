"""feed_forward: each token by itself through a wider inner layer, with GELU between two affine maps."""

import math

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import compare, failed
from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import leaves_arguments_alone
from course_utils import transformer as ref

from .draws import layouts, whole
from .properties import same_in_float64

NEAR = 2e-3  # between the exact GELU and its form with tanh lie 0.0005, its form with a sigmoid is 0.02 away

# ---- what is asked


def net(rng, *batch, n=4, d=3, m=5):
    """X and the four parameters; no size equal to another."""
    return (
        rng.normal(size=(*batch, n, d)),
        rng.normal(size=(d, m)),
        rng.normal(size=m),
        rng.normal(size=(m, d)),
        rng.normal(size=d),
    )


def bare(X):
    """Maps that change nothing, so that the result is GELU of every number."""
    width = X.shape[-1]
    return X, np.eye(width), np.zeros(width), np.eye(width), np.zeros(width)


def bends(rng):
    """Numbers on both sides of 0, near it, and far out, where GELU is x or 0."""
    return [
        bare(np.array([[0.0, 2.0], [-1.0, 1.0]])),
        bare(np.linspace(-4, 4, 15).reshape(5, 3)),
        bare(np.array([[-40.0, 40.0], [-6.0, 6.0], [0.0, -0.01]])),
        bare(rng.normal(size=(3, 4))),
    ]


def maps(rng):
    tiny = (np.array([[2.0, 0.0]]), np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([0.0, 1.0]))
    return [
        (*tiny, np.array([[1.0, 0.0], [1.0, 2.0]]), np.array([0.0, 5.0])),
        net(rng),
        net(rng, n=4, d=4, m=4),
        net(rng, n=2, d=5, m=20),
        net(rng, n=6, d=4, m=2),
    ]


def sizes(rng):
    return [
        net(rng, n=1),
        net(rng, d=1),
        net(rng, m=1),
        net(rng, n=1, d=1, m=1),
        net(rng, 2),
        net(rng, 3, 2, n=3, d=3, m=3),
        net(rng, 1),
    ]


def types(rng):
    X, *params = net(rng)
    single = [part.astype(np.float32) for part in (X, *params)]
    ints = [whole(rng, *part.shape) for part in (X, *params)]
    return [tuple(single), tuple(ints), (ints[0], *params), *((laid, *params) for laid in layouts(X))]


def is_near_gelu(trial):
    """GELU in some form, exact or not, at every number."""
    problem = trial.problem()
    if problem is None or problem.stage != "value":
        return problem
    off = np.abs(trial.outcome.value - trial.expected).max()
    if off < NEAR:
        return None
    return f"with maps that change nothing the result should be x · Φ(x) of every number x, and is {off:.2g} away"


def maps_before_and_after(trial):
    """The answer's own bend, measured with maps that change nothing, between the two affine maps."""
    X, W_1, b_1, W_2, b_2 = trial.args
    if problem := failed(trial.outcome):
        return problem
    inner = X @ W_1 + b_1
    bent = trial.ask(*bare(inner)).value
    problem = compare(Outcome(bent), inner)
    if problem and problem.stage != "value":
        return problem
    problem = compare(trial.outcome, bent @ W_2 + b_2)
    if problem and problem.stage == "value":
        return "right shape, but not (what bends X @ W_1 + b_1) @ W_2 + b_2"
    return problem


# ---- what learners write instead


def net_with(bend=ref.gelu, first=lambda X, W, b: X @ W + b, second=lambda H, W, b: H @ W + b):
    def answer(X, W_1, b_1, W_2, b_2):
        return second(bend(first(X, W_1, b_1)), W_2, b_2)

    return answer


def erf(x):
    return np.vectorize(math.erf, otypes=[float])(x)


def tanh_gelu(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def no_bias(X, W, b):
    return X @ W


def _bends_last(X, W_1, b_1, W_2, b_2):
    return ref.gelu((X @ W_1 + b_1) @ W_2 + b_2)


def _bends_both(X, W_1, b_1, W_2, b_2):
    return ref.gelu(ref.gelu(X @ W_1 + b_1) @ W_2 + b_2)


def _bends_first(X, W_1, b_1, W_2, b_2):
    return (ref.gelu(X) @ W_1 + b_1) @ W_2 + b_2


def _added(X, *params):
    return X + ref.feed_forward(X, *params)


def _bias_after_the_bend(X, W_1, b_1, W_2, b_2):
    return (ref.gelu(X @ W_1) + b_1) @ W_2 + b_2


def _first_map_only(X, W_1, b_1, W_2, b_2):
    return ref.gelu(X @ W_1 + b_1)


def _entry_by_entry(X, W_1, b_1, W_2, b_2):
    return ref.gelu(X * W_1 + b_1) * W_2 + b_2


def _bends_in_place(X, W_1, b_1, W_2, b_2):
    result = ref.feed_forward(X, W_1, b_1, W_2, b_2)
    X[...] = result
    return result


BENDS = (
    Misconception(
        "gelu-by-tanh",
        net_with(tanh_gelu),
        "This is GELU's approximation by tanh, off by up to 0.0005. The model was trained with the exact one: "
        "x/2 · (1 + erf(x/√2)).",
    ),
    Misconception(
        "gelu-by-sigmoid",
        net_with(lambda x: x * sigmoid(1.702 * x)),
        "This is GELU's approximation by a sigmoid, off by up to 0.02. The exact one is x/2 · (1 + erf(x/√2)).",
    ),
    Misconception(
        "relu",
        net_with(lambda x: np.maximum(x, 0)),
        "This is ReLU, as in the 2017 paper. BERT has GELU, which lets a little of the negative numbers through.",
    ),
    Misconception(
        "swish",
        net_with(lambda x: x * sigmoid(x)),
        "This is x times a sigmoid (swish). GELU is x times the normal distribution's share below x: (1 + erf(x/√2)) / 2.",
    ),
    Misconception("tanh", net_with(np.tanh), "tanh bends the inner layer here. BERT has GELU: x/2 · (1 + erf(x/√2))."),
    Misconception("sigmoid", net_with(sigmoid), "A sigmoid bends the inner layer here. GELU is x/2 · (1 + erf(x/√2))."),
    Misconception(
        "no-activation",
        net_with(lambda x: x),
        "Nothing bends between the two maps, so both together are one map. Put GELU between them.",
    ),
    Misconception(
        "erf-without-root-2",
        net_with(lambda x: 0.5 * x * (1 + erf(x))),
        "erf was taken of x itself. The normal distribution needs erf(x/√2).",
    ),
    Misconception(
        "erf-times-root-2",
        net_with(lambda x: 0.5 * x * (1 + erf(x * math.sqrt(2)))),
        "erf was taken of x · √2. It is x divided by √2.",
    ),
    Misconception(
        "half-missing", net_with(lambda x: x * (1 + erf(x / math.sqrt(2)))), "The factor ½ is missing: x/2 · (1 + erf(x/√2))."
    ),
    Misconception(
        "one-missing", net_with(lambda x: 0.5 * x * erf(x / math.sqrt(2))), "The 1 beside erf is missing: x/2 · (1 + erf(x/√2))."
    ),
    Misconception(
        "phi-without-x",
        net_with(lambda x: 0.5 * (1 + erf(x / math.sqrt(2)))),
        "This is Φ(x), the normal distribution's share below x. GELU is x times it.",
    ),
)


MAPS = (
    Misconception("first-bias-missing", net_with(first=no_bias), "b_1 is missing: X @ W_1 + b_1 goes into GELU."),
    Misconception("second-bias-missing", net_with(second=no_bias), "b_2 is missing: it is added last."),
    Misconception(
        "both-biases-missing",
        net_with(first=no_bias, second=no_bias),
        "Both biases are missing: b_1 before GELU, b_2 at the end.",
    ),
    Misconception(
        "bends-last", _bends_last, "GELU comes after the second map here. It belongs between the two: after W_1, before W_2."
    ),
    Misconception("bends-twice", _bends_both, "GELU comes after the second map too. It belongs between the two alone."),
    Misconception("bends-first", _bends_first, "GELU was applied to X. It belongs between the two maps: after W_1."),
    Misconception(
        "bias-after-the-bend", _bias_after_the_bend, "b_1 was added after GELU. It moves the numbers before they are bent."
    ),
    Misconception(
        "x-added",
        _added,
        "X was added to the result. That is the layer's work, in encoder_layer; here the result is the net's alone.",
    ),
    Misconception(
        "one-map-only",
        _first_map_only,
        "Only the first map was taken. The second brings the inner width m back to d: @ W_2 + b_2.",
    ),
    Misconception(
        "matrices-transposed",
        net_with(first=lambda X, W, b: X @ W.T + b, second=lambda H, W, b: H @ W.T + b),
        "The matrices were transposed. Tokens are rows: X @ W_1, then @ W_2.",
    ),
    Misconception("entry-by-entry", _entry_by_entry, "* multiplies entry by entry. A map is a matrix product: @."),
    Misconception(
        "changes-its-argument", _bends_in_place, "The result was written into X. The caller still needs it: make a new array."
    ),
)

MISTAKES = (*BENDS, *MAPS)


# ---- right answers written differently


def _vectorised(X, W_1, b_1, W_2, b_2):
    H = X @ W_1 + b_1
    return (H * 0.5 * (1 + np.vectorize(math.erf)(H / np.sqrt(2)))) @ W_2 + b_2


def _with_loops(X, W_1, b_1, W_2, b_2):
    if X.ndim > 2:
        return [_with_loops(x, W_1, b_1, W_2, b_2) for x in X]
    result = []
    for x in X:
        inner = [sum(float(a) * float(w) for a, w in zip(x, column)) + float(b) for column, b in zip(W_1.T, b_1)]
        bent = [h * math.erfc(-h / math.sqrt(2)) / 2 for h in inner]
        result.append([sum(h * float(w) for h, w in zip(bent, column)) + float(b) for column, b in zip(W_2.T, b_2)])
    return result


def _with_einsum(X, W_1, b_1, W_2, b_2):
    H = np.einsum("...d,dm->...m", X, W_1) + b_1
    phi = np.array([0.5 + 0.5 * math.erf(h / 2**0.5) for h in H.flat]).reshape(H.shape)
    return np.einsum("...m,...m,md->...d", H, phi, W_2) + b_2


def _by_a_series(X, W_1, b_1, W_2, b_2):
    """erf by formula 7.1.26 of Abramowitz and Stegun, in single precision."""
    H = (X @ W_1 + b_1).astype(np.float32)
    z = np.abs(H) / np.float32(math.sqrt(2))
    t = 1 / (1 + np.float32(0.3275911) * z)
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    share = tail * np.exp(-(z**2)) / 2
    return ((H * np.where(H < 0, share, 1 - share)) @ W_2 + b_2).astype(np.float32)


def _bias_as_a_column(X, W_1, b_1, W_2, b_2):
    """Each bias as one more row of its matrix, met by a column of ones."""

    def affine(A, W, b):
        return np.concatenate([A, np.ones((*A.shape[:-1], 1))], axis=-1) @ np.vstack([W, b])

    return affine(ref.gelu(affine(X, W_1, b_1)), W_2, b_2)


ACCEPTED = (_vectorised, _with_loops, _with_einsum, _by_a_series, _bias_as_a_column)


# ---- the exercise

EXERCISE = Exercise(
    name="feed_forward",
    lesson="transformer",
    reference=ref.feed_forward,
    checks=(
        Check("between the maps: GELU, x · Φ(x) of every number", 4, bends, is_near_gelu),
        Check("X @ W_1 + b_1 before it, @ W_2 + b_2 after it", 3, maps, maps_before_and_after),
        Check("the exact GELU, with erf", 1, bends, side=True),
        Check("one token, one inner number, a batch", 1, sizes, maps_before_and_after, side=True),
        Check("float32, whole numbers, any layout in memory", 1, types, same_in_float64, side=True),
        leaves_arguments_alone(maps),
    ),
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Three steps: an affine map to the inner width m, GELU of every number, an affine map back to d.",
        "GELU is x/2 · (1 + erf(x/√2)). NumPy has no erf, the standard library has one for single numbers: "
        "np.vectorize(math.erf) makes it serve arrays.",
        "H = X @ W_1 + b_1; H = H / 2 * (1 + np.vectorize(math.erf)(H / math.sqrt(2))); return H @ W_2 + b_2.",
    ),
)
