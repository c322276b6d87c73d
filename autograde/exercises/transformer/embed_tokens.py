"""embed_tokens: a word's row, its position's row and the type-0 row, added up and normalised."""

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import compare
from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import leaves_arguments_alone
from course_utils import transformer as ref

from .draws import embeddings, in_type, layouts
from .properties import same_in_float64

# ---- what is asked


def without(params, *names):
    """The same params with some tables zero; the norm changes nothing that a second one would not."""
    return params | {name: np.zeros_like(params[name]) for name in names}


def bare(params):
    d = params["word"].shape[1]
    return params | {"gamma": np.ones(d), "beta": np.zeros(d)}


def tiny(*tables):
    params = {
        "word": [[2.0, 0.0, -2.0], [0.0, 4.0, -4.0]],
        "position": [[1.0, 0.0, 0.0], [0.0, 3.0, 0.0]],
        "type": [[0.0, 0.0, 6.0], [5.0, 0.0, 0.0]],
    }
    arrays = {name: np.array(rows) for name, rows in params.items()}
    return bare({name: rows if name in (*tables, "word") else np.zeros_like(rows) for name, rows in arrays.items()})


def ids(rng, n, V):
    return rng.integers(V, size=n)


def words(rng):
    """Only the word's rows count: 0 and the last id among them, and a repeated one."""
    type_1_only = bare(without(embeddings(rng), "position"))
    type_1_only["type"] = type_1_only["type"] * [[0.0], [1.0]]
    return [
        (np.array([1, 0]), tiny()),
        (np.array([0, 8, 3, 8]), bare(without(embeddings(rng), "position", "type"))),
        (ids(rng, 5, 9), type_1_only),
        (np.array([2, 1, 0]), bare(without(embeddings(rng, V=3, N=3, d=3), "position", "type"))),
    ]


def positions(rng):
    """Repeated words, of which only the position differs; as many tokens as positions; fewer."""
    return [
        (np.array([1, 1]), tiny("position")),
        (np.array([4, 4, 4, 4]), bare(without(embeddings(rng), "type"))),
        (ids(rng, 7, 9), bare(without(embeddings(rng), "type"))),
        (np.array([5, 0, 2]), bare(without(embeddings(rng, N=20, d=4), "type"))),
    ]


def kinds(rng):
    return [
        (np.array([0, 1]), tiny("type")),
        (ids(rng, 4, 9), bare(without(embeddings(rng), "position"))),
        (ids(rng, 2, 9), bare(without(embeddings(rng, d=5), "position"))),
    ]


def norms(rng):
    small = without(embeddings(rng, d=8), "position", "type")
    small["word"] = 0.05 * small["word"] / small["word"].std(axis=1, keepdims=True)  # variances of 0.0025: eps counts
    return [
        (np.array([1, 0]), tiny() | {"gamma": np.array([1.0, 2.0, 3.0]), "beta": np.array([0.0, 0.0, 10.0])}),
        (ids(rng, 4, 9), without(embeddings(rng), "position", "type")),
        (np.array([2, 0, 1]), without(embeddings(rng, V=3, N=3, d=3), "position", "type")),
        (ids(rng, 3, 9), small),
    ]


def forms(rng):
    """Everything at once; ids as a list, as an array, of one token, as many as there are positions."""
    return [
        (ids(rng, 4, 9).tolist(), embeddings(rng)),
        (ids(rng, 7, 9).astype(np.int32), embeddings(rng)),
        ([8], embeddings(rng)),
        (np.array([0]), embeddings(rng, N=1)),
        (np.array([3, 3, 0, 3]), embeddings(rng, V=4, N=4, d=4)),
    ]


def types(rng):
    params = embeddings(rng)
    integral = {name: 3 * value for name, value in params.items()}
    integral |= {"word": 3 * params["word"] + 9 * np.arange(6)}  # no sum of equal numbers
    laid = [params | {"word": table} for table in layouts(params["word"])]
    return [(ids(rng, 5, 9).tolist(), each) for each in (in_type(params, np.float32), in_type(integral, int), *laid)]


def adds_up(trial):
    """The right sum, whatever was done to each row's mean and spread."""
    problem = trial.problem()
    if problem is None or problem.stage != "value":
        return problem
    d = trial.expected.shape[-1]
    again = ref.layer_norm(trial.outcome.value.astype(float), np.ones(d), np.zeros(d))
    return None if compare(Outcome(again), trial.expected) is None else "right shape, but not the sum of these rows"


# ---- what learners write instead


def embed_with(rows=lambda ids, p: p["word"][ids] + p["position"][: len(ids)] + p["type"][0], norm=ref.layer_norm):
    """The right formula from its steps: rows(ids, params), then norm(X, gamma, beta)."""

    def answer(ids, params):
        return norm(rows(np.asarray(ids), params), params["gamma"], params["beta"])

    return answer


def _summed(word=1.0, position=None, type_=lambda p, n: p["type"][0]):
    where = position or (lambda p, ids: p["position"][: len(ids)])
    return embed_with(lambda ids, p: word * p["word"][ids] + where(p, ids) + type_(p, len(ids)))


def _by_id(p, ids):
    return p["position"][ids % len(p["position"])]


def _from_1(p, ids):
    return p["position"][np.arange(1, len(ids) + 1) % len(p["position"])]


def _sinusoids(p, ids):
    d = p["word"].shape[1]
    return ref.sinusoidal_positions(len(ids), d + d % 2)[:, :d] * np.any(p["position"])


def _norm_first(ids, params):
    X = ref.layer_norm(params["word"][np.asarray(ids)], params["gamma"], params["beta"])
    return X + params["position"][: len(ids)] + params["type"][0]


def _each_normed(ids, params):
    def normed(X):
        return ref.layer_norm(X, params["gamma"], params["beta"])

    return normed(params["word"][np.asarray(ids)]) + normed(params["position"][: len(ids)]) + normed(params["type"][:1])


def _eps(eps):
    return lambda X, gamma, beta: ref.layer_norm(X, gamma, beta, eps)


def _sample(X, gamma, beta):
    return (X - X.mean(-1, keepdims=True)) / np.sqrt(X.var(-1, ddof=1, keepdims=True) + 1e-12) * gamma + beta


def _over_tokens(X, gamma, beta):
    return ref.layer_norm(X.T, 1.0, 0.0).T * gamma + beta


def _as_the_table(ids, params):
    """Position rows are written into the caller's table of words."""
    right = ref.embed_tokens(ids, params)
    params["word"][np.asarray(ids)] += params["position"][: len(ids)].astype(params["word"].dtype)
    return right


MISTAKES = (
    Misconception(
        "type-row-missing",
        _summed(type_=lambda p, n: 0),
        "The type row is missing. Every token of a single text gets params['type'][0] added.",
    ),
    Misconception(
        "type-row-1",
        _summed(type_=lambda p, n: p["type"][1]),
        "Row 1 of the types was added, which marks a second text. A single text is of type 0: params['type'][0].",
    ),
    Misconception(
        "both-type-rows",
        _summed(type_=lambda p, n: p["type"].sum(axis=0)),
        "Both type rows were added. A single text is of type 0: params['type'][0].",
    ),
    Misconception(
        "types-in-turn",
        _summed(type_=lambda p, n: p["type"][np.arange(n) % 2]),
        "Tokens took type rows 0 and 1 in turn. All tokens of a single text are of type 0.",
    ),
    Misconception(
        "type-of-the-first-token",
        _summed(type_=lambda p, n: p["type"][0] * (np.arange(n) == 0)[:, None]),
        "Only the first token got the type row. Every token does.",
    ),
    Misconception(
        "position-missing",
        _summed(position=lambda p, ids: 0),
        "The position rows are missing, so the order of the words is lost. Add params['position'][:n].",
    ),
    Misconception(
        "position-0-everywhere",
        _summed(position=lambda p, ids: p["position"][0]),
        "Every token got the row of position 0. Token t gets row t: params['position'][:n].",
    ),
    Misconception(
        "positions-from-1",
        _summed(position=_from_1),
        "Positions start at row 1 here. The first token stands at position 0: params['position'][:n].",
    ),
    Misconception(
        "position-of-the-id",
        _summed(position=_by_id),
        "The position rows were looked up by the word's id. They are looked up by where the token stands: 0, 1, 2, …",
    ),
    Misconception(
        "positions-from-the-end",
        _summed(position=lambda p, ids: p["position"][: len(ids)][::-1]),
        "Positions run from the last token to the first. The first token stands at position 0.",
    ),
    Misconception(
        "last-positions",
        _summed(position=lambda p, ids: p["position"][-len(ids) :]),
        "The last rows of the positions were taken. A text starts at position 0: params['position'][:n].",
    ),
    Misconception(
        "sinusoids-for-learned-positions",
        _summed(position=_sinusoids),
        "Sinusoids were added. This model learned its positions: they are in params['position'].",
    ),
    Misconception(
        "norm-missing",
        embed_with(norm=lambda X, gamma, beta: X),
        "The sum of the three rows is right, but not normalised. Last step: layer_norm with gamma and beta.",
    ),
    Misconception(
        "norm-before-the-sum",
        _norm_first,
        "The word's row was normalised before the others were added. Add all three, then normalise once.",
    ),
    Misconception(
        "each-table-normalised", _each_normed, "Each row was normalised by itself. Add all three, then normalise once."
    ),
    Misconception(
        "gamma-and-beta-missing",
        embed_with(norm=lambda X, gamma, beta: ref.layer_norm(X, np.ones_like(gamma), np.zeros_like(beta))),
        "The sum is normalised, but gamma and beta are not used. Hand them to layer_norm.",
    ),
    Misconception(
        "gamma-and-beta-exchanged",
        embed_with(norm=lambda X, gamma, beta: ref.layer_norm(X, beta, gamma)),
        "gamma and beta have changed places: layer_norm(X, gamma, beta).",
    ),
    Misconception(
        "beta-missing",
        embed_with(norm=lambda X, gamma, beta: ref.layer_norm(X, gamma, 0.0)),
        "beta is missing: layer_norm(X, gamma, beta).",
    ),
    Misconception(
        "gamma-missing",
        embed_with(norm=lambda X, gamma, beta: ref.layer_norm(X, 1.0, beta)),
        "gamma is missing: layer_norm(X, gamma, beta).",
    ),
    Misconception("eps-1e-5", embed_with(norm=_eps(1e-5)), "eps is 10⁻⁵ here. This model was trained with 10⁻¹²."),
    Misconception(
        "sample-variance",
        embed_with(norm=_sample),
        "The norm divides its squares by d − 1. Layer norm takes the mean of the squares, divided by d.",
    ),
    Misconception(
        "norm-over-the-tokens",
        embed_with(norm=_over_tokens),
        "The norm runs over the tokens. Each token is normalised by itself, over its own d numbers.",
    ),
    Misconception(
        "mean-of-the-three",
        embed_with(
            lambda ids, p: (p["word"][ids] + p["position"][: len(ids)] + p["type"][0]) / 3,
            norm=lambda X, gamma, beta: X * gamma + beta,
        ),
        "This is the mean of the three rows, stretched and shifted. Add them, and let layer_norm do the rest.",
    ),
    Misconception(
        "word-times-root-d",
        embed_with(lambda ids, p: np.sqrt(p["word"].shape[1]) * p["word"][ids] + p["position"][: len(ids)] + p["type"][0]),
        "The word's row was multiplied by √d, as in the 2017 paper. BERT does not: add the three rows as they are.",
    ),
    Misconception(
        "writes-into-the-word-table",
        _as_the_table,
        "The positions were added to the table of words itself, so the next text starts from other words. Make a new array.",
    ),
)


# ---- right answers written differently


def _with_loops(ids, params):
    rows = []
    for t, i in enumerate(ids):
        row = [float(w) + float(p) + float(s) for w, p, s in zip(params["word"][i], params["position"][t], params["type"][0])]
        mean = sum(row) / len(row)
        spread = (sum((x - mean) ** 2 for x in row) / len(row) + 1e-12) ** 0.5
        rows.append([(x - mean) / spread * float(g) + float(b) for x, g, b in zip(row, params["gamma"], params["beta"])])
    return rows


def _with_take(ids, params):
    n = len(ids)
    rows = [
        np.take(params["word"], ids, axis=0),
        np.take(params["position"], range(n), axis=0),
        np.take(params["type"], [0] * n, axis=0),
    ]
    X = np.sum(rows, axis=0, dtype=float)
    X = X - X.mean(axis=1, keepdims=True)
    return params["gamma"] * X / np.sqrt(np.mean(X**2, axis=1, keepdims=True) + 1e-12) + params["beta"]


def _one_hot(ids, params):
    V, N = len(params["word"]), len(params["position"])
    X = np.eye(V)[np.array(ids)] @ params["word"] + np.eye(N)[: len(ids)] @ params["position"] + [1, 0] @ params["type"]
    return ((X.T - X.mean(1)) / X.std(1)).T * params["gamma"] + params["beta"]


def _float32(ids, params):
    p = {name: np.asarray(value, dtype=np.float32) for name, value in params.items()}
    return ref.layer_norm(p["word"][list(ids)] + p["position"][np.arange(len(ids))] + p["type"][0], p["gamma"], p["beta"]).astype(
        np.float32
    )


def _shifted_tables(ids, params):
    """The type row added to the positions first."""
    base = params["position"] + params["type"][:1]
    return ref.layer_norm(
        np.stack([params["word"][i] + base[t] for t, i in enumerate(ids)]), params["gamma"], params["beta"], 1e-12
    )


ACCEPTED = (_with_loops, _with_take, _one_hot, _float32, _shifted_tables)


# ---- the exercise

EXERCISE = Exercise(
    name="embed_tokens",
    lesson="transformer",
    reference=ref.embed_tokens,
    checks=(
        Check("each token has its word's row in the sum", 1, words, adds_up),
        Check("and the row of its position, counted from 0", 2, positions, adds_up),
        Check("and the row of type 0", 1, kinds, adds_up),
        Check("layer norm with gamma, beta and eps 1e-12", 5, norms),
        Check("ids as a list or an array, one token, as many as there are positions", 1, forms, side=True),
        Check("float32, whole numbers, any layout in memory", 1, types, same_in_float64, side=True),
        leaves_arguments_alone(forms),
    ),
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Three tables, three looks: by the word's id, by where the token stands, and row 0 of the types for everybody.",
        "params['word'][ids] is (n, d); params['position'][:n] too; params['type'][0] is (d,) and serves every token.",
        "layer_norm(params['word'][ids] + params['position'][:len(ids)] + params['type'][0], params['gamma'], params['beta'])",
    ),
)
