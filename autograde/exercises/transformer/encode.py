"""encode: embeddings, then layer after layer, each working on what the one before it made."""

import functools

import numpy as np

from autograde.engine.compare import failed
from autograde.engine.exercise import Check, Exercise, Misconception, Problem
from autograde.engine.properties import leaves_arguments_alone
from course_utils import transformer as ref
from course_utils.datasets import load_minilm, load_minilm_outputs

from .draws import embeddings, in_type, layer

LAYERS = 2  # of the shipped model: all four take 28 MB to each worker, and show no more
NEAR = 1e-3  # relative and absolute, to what PyTorch computed in float32

# ---- what is asked


def model(rng, n_layers, n_heads=3, d=6, m=8, V=9, N=7):
    return {"embeddings": embeddings(rng, V, N, d), "layers": [layer(rng, d, m) for _ in range(n_layers)], "n_heads": n_heads}


def ids(rng, n, V=9):
    return rng.integers(V, size=n)


def one_layer(rng):
    return [
        (np.array([1, 0]), model(rng, 1, n_heads=2, d=4, m=4, V=2, N=2)),
        (ids(rng, 5), model(rng, 1)),
        (ids(rng, 4), model(rng, 1, d=8, n_heads=2)),
    ]


def several_layers(rng):
    return [
        (np.array([1, 0]), model(rng, 2, n_heads=2, d=4, m=4, V=2, N=2)),
        (ids(rng, 5), model(rng, 2)),
        (ids(rng, 4), model(rng, 3)),
        (ids(rng, 6), model(rng, 5, d=8, n_heads=2)),
    ]


def head_numbers(rng):
    return [(ids(rng, 5), model(rng, 2, n_heads=h, d=12)) for h in (1, 2, 4, 12)]


def forms(rng):
    """Ids as a list, as an array, of one token, as many as there are positions; repeated words."""
    return [
        (ids(rng, 4).tolist(), model(rng, 2)),
        (ids(rng, 7).astype(np.int32), model(rng, 2)),
        ([8], model(rng, 2)),
        (np.array([3, 3, 3]), model(rng, 2)),
    ]


@functools.cache
def shipped_case():
    """The shipped model's first layers, its tables cut to one sentence, in single precision: 14 MB. And what is due."""
    minilm, stored = load_minilm(), load_minilm_outputs()[1]
    rows, positions = np.unique(minilm.tokenizer.ids(list(stored.tokens)), return_inverse=True)
    tables: dict = minilm.model["embeddings"]
    cut = tables | {"word": tables["word"][rows], "position": tables["position"][: len(positions)]}
    layers = [in_type(params, np.float32) for params in minilm.model["layers"][:LAYERS]]
    model = {"embeddings": in_type(cut, np.float32), "layers": layers, "n_heads": minilm.model["n_heads"]}
    return (positions, model), stored.hidden[LAYERS]


def shipped(rng):
    args, _ = shipped_case()
    return [args]


def agrees_with_pytorch(trial):
    if problem := failed(trial.outcome):
        return problem
    problem = trial.problem()
    if problem and problem.stage != "value":
        return problem
    _, due = shipped_case()
    off = np.abs(trial.outcome.value - due)
    if np.isfinite(off).all() and (off <= NEAR + NEAR * np.abs(due)).all():
        return None
    return Problem("value", f"the shipped model's layer {LAYERS} is up to {off.max():.2g} away from what PyTorch computed")


# ---- what learners write instead


def encode_with(layers=lambda model: model["layers"], start=None, step=None, finish=lambda X, model: X):
    """The right loop from its steps; hand over one to get it wrong there."""

    def answer(ids, model):
        X = (start or ref.embed_tokens)(ids, model["embeddings"])
        for params in layers(model):
            X = (step or one_step)(X, params, model["n_heads"])
        return finish(X, model)

    return answer


def one_step(X, params, n_heads):
    return ref.encoder_layer(X, params, n_heads)[0]


def _no_norm(ids, p):
    return p["word"][np.asarray(ids)] + p["position"][: len(ids)] + p["type"][0]


def _words_only(ids, p):
    return ref.layer_norm(p["word"][np.asarray(ids)], p["gamma"], p["beta"])


def _all_from_the_embeddings(ids, model):
    X = ref.embed_tokens(ids, model["embeddings"])
    return [one_step(X, params, model["n_heads"]) for params in model["layers"]][-1]


def _hidden(ids, model):
    return ref.encode_layers(ids, model)[0]


def _with_residual(X, params, n_heads):
    return X + one_step(X, params, n_heads)


def _final_norm(X, model):
    last = model["layers"][-1]
    return ref.layer_norm(X, last["gamma_2"], last["beta_2"])


def _bare_norm(X, model):
    return ref.layer_norm(X, 1.0, 0.0)


def _embeddings_added_again(ids, model):
    E = ref.embed_tokens(ids, model["embeddings"])
    X = E
    for params in model["layers"]:
        X = one_step(X, params, model["n_heads"])
    return X + E


def _embedded_each_time(ids, model):
    X = ref.embed_tokens(ids, model["embeddings"])
    for params in model["layers"]:
        X = one_step(X + model["embeddings"]["position"][: len(ids)], params, model["n_heads"])
    return X


def _causal(X, params, n_heads):
    return ref.encoder_layer(X, params, n_heads, np.tri(len(X), dtype=bool))[0]


def _weights_returned(ids, model):
    return ref.encode_layers(ids, model)[1][-1]


def _returns_in_the_loop(ids, model):
    X = ref.embed_tokens(ids, model["embeddings"])
    for params in model["layers"]:
        X = one_step(X, params, model["n_heads"])
        return X


def _layers_taken_out(ids, model):
    X = ref.embed_tokens(ids, model["embeddings"])
    while model["layers"]:
        X = one_step(X, model["layers"].pop(0), model["n_heads"])
    return X


MISTAKES = (
    Misconception(
        "layers-in-reverse",
        encode_with(lambda model: model["layers"][::-1]),
        "The layers run from the last to the first. The embeddings go into layers[0].",
    ),
    Misconception(
        "first-layer-for-all",
        encode_with(lambda model: model["layers"][:1] * len(model["layers"])),
        "The first layer's params serve every layer. Each has its own: for params in model['layers'].",
    ),
    Misconception(
        "last-layer-for-all",
        encode_with(lambda model: model["layers"][-1:] * len(model["layers"])),
        "The last layer's params serve every layer. Each has its own: for params in model['layers'].",
    ),
    Misconception(
        "last-layer-left-out",
        encode_with(lambda model: model["layers"][:-1]),
        "The last layer was left out: range(len(layers) - 1) is one too short.",
    ),
    Misconception(
        "first-layer-left-out",
        encode_with(lambda model: model["layers"][1:]),
        "The first layer was left out. The embeddings go into layers[0].",
    ),
    Misconception("first-layer-only", _returns_in_the_loop, "Only the first layer ran: does return stand inside the loop?"),
    Misconception(
        "each-layer-on-the-embeddings",
        _all_from_the_embeddings,
        "The last layer works on the embeddings themselves. Each works on what the one before it made: "
        "X, weights = encoder_layer(X, …).",
    ),
    Misconception(
        "layers-twice",
        encode_with(lambda model: [p for p in model["layers"] for _ in range(2)]),
        "Every layer ran twice. Once is right.",
    ),
    Misconception(
        "embeddings-not-normalised",
        encode_with(start=_no_norm),
        "The embeddings were not normalised before the first layer: embed_tokens ends with layer_norm.",
    ),
    Misconception(
        "positions-missing",
        encode_with(start=_words_only),
        "The embeddings hold the words alone. embed_tokens adds positions and type.",
    ),
    Misconception(
        "embeddings-only",
        lambda ids, model: ref.embed_tokens(ids, model["embeddings"]),
        "These are the embeddings, before any layer. Send them through model['layers'], one after another.",
    ),
    Misconception(
        "norm-at-the-end",
        encode_with(finish=_final_norm),
        "A norm was added at the end. A post-norm layer ends with one already; GPT-2, which is pre-norm, needs another.",
    ),
    Misconception(
        "bare-norm-at-the-end",
        encode_with(finish=_bare_norm),
        "A norm was added at the end. A post-norm layer ends with one already.",
    ),
    Misconception(
        "residual-around-the-layers",
        encode_with(step=_with_residual),
        "The layer's input was added to its output. Both residuals are inside encoder_layer already.",
    ),
    Misconception(
        "embeddings-added-again",
        _embeddings_added_again,
        "The embeddings were added at the end. The last layer's output is the result.",
    ),
    Misconception(
        "positions-in-every-layer",
        _embedded_each_time,
        "Positions were added before every layer. They are added once, in embed_tokens.",
    ),
    Misconception("causal", encode_with(step=_causal), "The future is hidden here. An encoder sees both sides: no mask."),
    Misconception(
        "first-token-only",
        encode_with(finish=lambda X, model: X[0]),
        "This is the first token's row. Return a row for each token: (n, d).",
    ),
    Misconception(
        "mean-of-the-tokens",
        encode_with(finish=lambda X, model: X.mean(axis=0)),
        "This is the mean of all tokens. Return a row for each: (n, d).",
    ),
    Misconception("all-layers-returned", _hidden, "Every layer's output was returned. Only the last one's is asked for: (n, d)."),
    Misconception(
        "mean-of-the-layers",
        lambda ids, model: _hidden(ids, model)[1:].mean(axis=0),
        "This is the mean over the layers. The last one's output is asked for.",
    ),
    Misconception("weights-returned", _weights_returned, "These are the last layer's weights. Its output is asked for: (n, d)."),
    Misconception(
        "one-head",
        lambda ids, model: ref.encode(ids, model | {"n_heads": 1}),
        "All layers ran with one head. The number is model['n_heads'].",
    ),
    Misconception(
        "layers-taken-out",
        _layers_taken_out,
        "pop takes the layers out of the caller's model. Go over them: for params in model['layers'].",
    ),
)


# ---- right answers written differently


def _with_index(ids, model):
    hidden = ref.embed_tokens(ids, model["embeddings"])
    for i in range(len(model["layers"])):
        hidden, weights = ref.encoder_layer(hidden, model["layers"][i], model["n_heads"])
    return hidden


def _with_reduce(ids, model):
    start = ref.embed_tokens(np.array(ids), model["embeddings"])
    return functools.reduce(lambda X, params: ref.encoder_layer(X, params, model["n_heads"], None)[0], model["layers"], start)


def _recursive(ids, model):
    def up_to(number):
        if number == 0:
            return ref.embed_tokens(ids, model["embeddings"])
        return ref.encoder_layer(up_to(number - 1), model["layers"][number - 1], model["n_heads"])[0]

    return up_to(len(model["layers"]))


def _open_mask(ids, model):
    X = ref.embed_tokens(ids, model["embeddings"])
    for params in model["layers"]:
        X, _ = ref.encoder_layer(X, params, model["n_heads"], np.ones((len(ids), len(ids)), dtype=bool))
    return X.tolist()


def _as_a_batch_of_one(ids, model):
    X = ref.embed_tokens(ids, model["embeddings"])[None]
    for params in model["layers"]:
        X, _ = ref.encoder_layer(X, params, model["n_heads"])
    return X[0].astype(np.float32)


ACCEPTED = (_with_index, _with_reduce, _recursive, _open_mask, _as_a_batch_of_one)


# ---- the exercise

EXERCISE = Exercise(
    name="encode",
    lesson="transformer",
    reference=ref.encode,
    checks=(
        Check("one layer, on top of the embeddings", 2, one_layer),
        Check("several layers, each on what the one before it made, with params of its own", 4, several_layers),
        Check("the number of heads is the model's", 1, head_numbers, side=True),
        Check("ids as a list or an array, one token, as many as there are positions", 1, forms, side=True),
        Check("the shipped model's first layers agree with what PyTorch computed", 2, shipped, agrees_with_pytorch, side=True),
        leaves_arguments_alone(several_layers),
    ),
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "embed_tokens makes the first X; each layer makes the next one from it.",
        "for params in model['layers']: encoder_layer returns two things, and the first is the next layer's input.",
        "X = embed_tokens(ids, model['embeddings']); for params in model['layers']: X, weights = encoder_layer(X, params, "
        "model['n_heads']); return X.",
    ),
)
