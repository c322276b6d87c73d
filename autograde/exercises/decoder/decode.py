"""decode: the layers of lesson 7 under a causal mask, and scores of every piece as the next one."""

import functools

import numpy as np

from autograde.engine.compare import failed
from autograde.engine.exercise import Check, Exercise, Misconception, Problem
from autograde.engine.properties import leaves_arguments_alone
from course_utils import decoder as ref
from course_utils.datasets import data_file, load_decoder
from course_utils.transformer import encoder_layer, layer_norm

from .draws import ids, model

NEAR = 1e-3  # relative and absolute, to what PyTorch computed in float32
STORED = 4  # the number of a stored beginning: eight pieces

# ---- what is asked


def no_layers(rng):
    return [(ids(rng, n), model(rng, 0)) for n in (2, 5, 8)]


def plain(rng):
    return [(np.array([1, 0]), model(rng, 1, 2, 4, 4, 3, 4)), (ids(rng, 5), model(rng)), (ids(rng, 4), model(rng, 3, 2, 8))]


def one_token(rng):
    return [(ids(rng, 1), model(rng)), ([8], model(rng, 1)), (ids(rng, 8), model(rng)), (ids(rng, 4).tolist(), model(rng))]


@functools.cache
def stored_case():
    with data_file("decoder_outputs.npz").open("rb") as f, np.load(f) as stored:
        return stored[f"ids_{STORED}"].astype(int), stored[f"last_{STORED}"].astype(float)


def shipped(rng):
    return [(stored_case()[0], load_decoder().model)]


def agrees_with_pytorch(trial):
    if problem := failed(trial.outcome):
        return problem
    problem = trial.problem()
    if problem and problem.stage != "value":
        return problem
    off = np.abs(trial.outcome.value[-1] - stored_case()[1])
    if (off <= NEAR + NEAR * np.abs(stored_case()[1])).all():
        return None
    return Problem("value", f"the shipped model's scores are up to {off.max():.2g} away from what PyTorch computed")


# ---- what learners write instead


def decode_with(embed=None, look=lambda n: np.tri(n, dtype=bool), out=None, layers=lambda model: model["layers"]):
    """The right steps; hand over one to get it wrong there."""

    def answer(ids, model):
        X = (embed or _embed)(ids, model["embeddings"])
        for params in layers(model):
            X, _ = encoder_layer(X, params, model["n_heads"], look(len(ids)))
        return (out or _out)(X, model)

    return answer


def _embed(ids, p):
    return layer_norm(p["word"][np.asarray(ids)] + p["position"][: len(ids)], p["gamma"], p["beta"])


def _out(X, model):
    return X @ model["embeddings"]["word"].T + model["bias"]


def _softmax(z):
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


MISTAKES = (
    Misconception(
        "no-mask",
        decode_with(look=lambda n: None),
        "The future is not hidden: each row reads the piece that it should predict. Give encoder_layer causal_mask(n).",
    ),
    Misconception(
        "mask-upside-down",
        decode_with(look=lambda n: np.tri(n, dtype=bool).T),
        "The mask hides the past, and shows the future. A query may look at keys that are not after it: causal_mask(n).",
    ),
    Misconception(
        "positions-missing",
        decode_with(lambda ids, p: layer_norm(p["word"][np.asarray(ids)], p["gamma"], p["beta"])),
        "Rows of words alone: add the row of each position.",
    ),
    Misconception(
        "positions-from-1",
        decode_with(
            lambda ids, p: layer_norm(
                p["word"][np.asarray(ids)] + np.roll(p["position"], -1, axis=0)[: len(ids)], p["gamma"], p["beta"]
            )
        ),
        "The first token stands at position 0: position[:n].",
    ),
    Misconception(
        "embeddings-not-normalised",
        decode_with(lambda ids, p: p["word"][np.asarray(ids)] + p["position"][: len(ids)]),
        "The norm of the embeddings is missing: layer_norm with the embeddings' gamma and beta.",
    ),
    Misconception(
        "bias-missing",
        decode_with(out=lambda X, model: X @ model["embeddings"]["word"].T),
        "model['bias'] is added to the scores.",
    ),
    Misconception(
        "probabilities-returned",
        decode_with(out=lambda X, model: _softmax(_out(X, model))),
        "These are probabilities. Scores are asked for, before softmax: logits.",
    ),
    Misconception(
        "hidden-returned",
        decode_with(out=lambda X, model: X),
        "These are the last layer's rows. Hold them against the word table: @ word.T + bias.",
    ),
    Misconception(
        "last-row-only",
        decode_with(out=lambda X, model: _out(X, model)[-1]),
        "Only the last row was returned. Each token predicts the next: (n, V).",
    ),
    Misconception(
        "layers-in-reverse", decode_with(layers=lambda model: model["layers"][::-1]), "The layers run from the last to the first."
    ),
    Misconception("last-layer-left-out", decode_with(layers=lambda model: model["layers"][:-1]), "The last layer was left out."),
    Misconception(
        "first-layer-for-all",
        decode_with(layers=lambda model: model["layers"][:1] * len(model["layers"])),
        "The first layer's params serve every layer. Each has its own.",
    ),
)


# ---- right answers written differently


def _row_by_row(ids, model):
    """Each row from the text up to it, which needs no mask at all."""
    answer = decode_with(look=lambda n: np.ones((n, n), dtype=bool) & np.tri(n, dtype=bool))
    return [answer(ids[: t + 1], model)[-1] for t in range(len(ids))]


def _with_einsum(ids, model):
    return decode_with(out=lambda X, m: np.einsum("nd,vd->nv", X, m["embeddings"]["word"]) + m["bias"])(ids, model)


def _mask_by_comparison(ids, model):
    return decode_with(look=lambda n: np.arange(n) <= np.arange(n)[:, None])(ids, model)


def _by_layers(ids, model):
    return _out(ref.decode_layers(np.array(ids), model)[0][-1], model).tolist()


EXERCISE = Exercise(
    name="decode",
    lesson="decoder",
    reference=ref.decode,
    checks=(
        Check("words and positions, normed, then scores of every piece", 2, no_layers),
        Check("layer after layer, the future hidden", 4, plain),
        Check("one token, as many as there are positions, ids as a list", 1, one_token, side=True),
        Check("the shipped model's scores agree with what PyTorch computed", 2, shipped, agrees_with_pytorch, side=True),
        leaves_arguments_alone(plain),
    ),
    misconceptions=MISTAKES,
    accepted=(_row_by_row, _with_einsum, _mask_by_comparison, _by_layers),
    hints=(
        "Three steps: rows of words and positions, normed; the layers one after another; scores by the word table.",
        "encoder_layer(X, params, model['n_heads'], causal_mask(n)) returns two things; the first goes into the next layer.",
        "X = layer_norm(word[ids] + position[:n], gamma, beta); for params in model['layers']: X, _ = encoder_layer(…); "
        "return X @ word.T + model['bias'].",
    ),
)
