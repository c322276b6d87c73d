"""The encoder against loops, hand-worked numbers and what PyTorch computed (stored: minilm_outputs.npz)."""

import math

import numpy as np
import pytest

from course_utils import transformer
from course_utils.datasets import load_minilm, load_minilm_last_layers, load_minilm_outputs


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def random_layer(rng, d=6, m=10):
    shapes = {"q": (d, d), "k": (d, d), "v": (d, d), "o": (d, d), "1": (d, m), "2": (m, d)}
    params = {f"W_{name}": rng.normal(size=shape) for name, shape in shapes.items()}
    params |= {f"b_{name}": rng.normal(size=shape[1]) for name, shape in shapes.items()}
    return params | {f"{part}_{i}": rng.normal(size=d) for part in ("gamma", "beta") for i in (1, 2)}


def test_positions_are_the_papers_formula():
    P = transformer.sinusoidal_positions(5, 6)
    for position in range(5):
        for i in range(3):
            angle = position / 10000 ** (2 * i / 6)
            assert P[position, 2 * i] == pytest.approx(math.sin(angle))
            assert P[position, 2 * i + 1] == pytest.approx(math.cos(angle))


def test_an_odd_width_is_named():
    with pytest.raises(ValueError, match="d is 5"):
        transformer.sinusoidal_positions(3, 5)


def test_erf_agrees_with_the_standard_library():
    x = np.concatenate([np.linspace(-6, 6, 2001), [0.0, 40.0, -1000.0]])
    exact = np.array([math.erf(value) for value in x])
    assert np.abs(transformer.erf(x) - exact).max() < 1.6e-7


def test_gelu_is_the_exact_one():
    # the tanh form is off by 4.7e-4 at its worst; at 2 it gives 1.95460
    assert transformer.gelu(np.array([2.0, 0.0, -1.0])) == pytest.approx([1.9544997, 0.0, -0.1586553], abs=1e-6)


def test_layer_norm_of_a_row_worked_by_hand():
    """(1, 2, 3, 6): mean 3, deviations −2 −1 0 3, variance 14/4."""
    wanted = np.array([-2, -1, 0, 3]) / math.sqrt(3.5)
    assert transformer.layer_norm(np.array([1.0, 2, 3, 6]), np.ones(4), np.zeros(4)) == pytest.approx(wanted)


def test_layer_norm_adds_eps_under_the_root():
    assert transformer.layer_norm(np.array([0.0, 2.0]), np.ones(2), np.zeros(2), eps=3.0) == pytest.approx([-0.5, 0.5])


def test_layer_norm_of_a_constant_row_is_beta():
    assert transformer.layer_norm(np.full((2, 3), 5.0), np.ones(3), np.full(3, 0.25)).tolist() == [[0.25] * 3] * 2


def test_embed_tokens_adds_word_position_and_type(rng):
    params = {
        "word": rng.normal(size=(9, 4)),
        "position": rng.normal(size=(5, 4)),
        "type": rng.normal(size=(2, 4)),
        "gamma": rng.normal(size=4),
        "beta": rng.normal(size=4),
    }
    X = transformer.embed_tokens([7, 0, 7], params)
    for position, token in enumerate((7, 0, 7)):
        row = params["word"][token] + params["position"][position] + params["type"][0]
        wanted = (row - row.mean()) / row.std() * params["gamma"] + params["beta"]
        assert X[position] == pytest.approx(wanted)


def test_a_text_beyond_the_last_position_is_named():
    with pytest.raises(ValueError, match="129 tokens, but only 128 positions"):
        load_minilm().run("a " * 127)


@pytest.mark.parametrize("masked", [False, True])
def test_encoder_layer_against_loops(rng, masked):
    n, d, h = 4, 6, 3
    X, p = rng.normal(size=(n, d)), random_layer(rng)
    mask = np.tri(n, dtype=bool) if masked else None
    output, weights = transformer.encoder_layer(X, p, h, mask)
    d_head, attended = d // h, np.zeros((n, d))
    for head in range(h):
        part = slice(head * d_head, (head + 1) * d_head)
        q, k, v = (X @ p[f"W_{role}"][:, part] + p[f"b_{role}"][part] for role in "qkv")
        for i in range(n):
            keys = range(i + 1) if masked else range(n)
            exps = {j: math.exp(q[i] @ k[j] / math.sqrt(d_head)) for j in keys}
            for j in keys:
                weight = exps[j] / sum(exps.values())
                assert weights[head, i, j] == pytest.approx(weight)
                attended[i, part] += weight * v[j]
    for i in range(n):
        row = X[i] + attended[i] @ p["W_o"] + p["b_o"]
        row = (row - row.mean()) / row.std() * p["gamma_1"] + p["beta_1"]
        inner = row @ p["W_1"] + p["b_1"]
        inner = np.array([x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in inner])
        row = row + inner @ p["W_2"] + p["b_2"]
        row = (row - row.mean()) / row.std() * p["gamma_2"] + p["beta_2"]
        assert output[i] == pytest.approx(row, abs=1e-5)


def test_encoder_layer_keeps_batches_apart(rng):
    X, p = rng.normal(size=(2, 3, 4, 6)), random_layer(rng)
    output, weights = transformer.encoder_layer(X, p, 2)
    assert output.shape == X.shape and weights.shape == (2, 3, 2, 4, 4)
    alone, _ = transformer.encoder_layer(X[1, 2], p, 2)
    assert output[1, 2] == pytest.approx(alone)


@pytest.mark.parametrize("stored", load_minilm_outputs(), ids=lambda stored: stored.tokens[1])
def test_the_shipped_model_agrees_with_pytorch(stored):
    run = load_minilm().run(stored.sentence)
    assert run.tokens == stored.tokens
    assert np.abs(run.hidden - stored.hidden).max() < 5e-6
    assert np.abs(run.weights - stored.weights).max() < 5e-6


def test_encode_agrees_with_pytorch_on_twenty_sentences():
    minilm, stored = load_minilm(), load_minilm_last_layers()
    assert len({each.sentence for each in stored}) == 20
    for each in stored:
        assert minilm.tokenizer(each.sentence) == list(each.tokens)
        assert np.abs(transformer.encode(minilm.tokenizer.ids(each.tokens), minilm.model) - each.hidden).max() < 1e-5


@pytest.mark.parametrize("stored", load_minilm_outputs(), ids=lambda stored: stored.tokens[1])
def test_the_int8_cut_is_close_to_the_published_weights(stored):
    run = load_minilm().run(stored.sentence)
    assert np.abs(run.weights - stored.published_weights).mean() < 0.002
    a, b = run.hidden[-1], stored.published_hidden
    cosines = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    assert cosines.min() > 0.999


def test_numbers_of_single_precision_stay_single():
    """Mixed types would have NumPy convert every matrix at every product: three times as slow."""
    minilm = load_minilm()

    def single(params):
        return {name: value.astype(np.float32) for name, value in params.items()}

    model = minilm.model
    halved = {"embeddings": single(model["embeddings"]), "layers": [single(p) for p in model["layers"]], "n_heads": 12}
    ids = minilm.tokenizer.ids(minilm.tokenizer("The bat flew over the river."))
    hidden, weights = transformer.encode_layers(ids, halved)
    assert hidden.dtype == weights.dtype == np.float32
    assert hidden[-1] == pytest.approx(transformer.encode(ids, model), abs=1e-4)


def test_encode_is_the_last_layer():
    minilm = load_minilm()
    tokens = minilm.tokenizer("The bat flew.")
    assert np.array_equal(transformer.encode(minilm.tokenizer.ids(tokens), minilm.model), minilm.run("The bat flew.").hidden[-1])


def test_a_run_is_kept_and_cannot_be_changed():
    minilm = load_minilm()
    run = minilm.run("The bat flew.")
    assert minilm.run("The bat flew.") is run and load_minilm() is minilm
    with pytest.raises(ValueError, match="read-only"):
        run.hidden[0] = 0
