"""Lesson 7's checks: what each mistake costs, and answers that no bank holds: wrong ones refused, right ones passed."""

import math
import re

import numpy as np
import pytest
from paths import ROOT

from autograde.engine.exercise import Quiz
from autograde.engine.judge import judge
from autograde.engine.verify import prove
from autograde.exercises.transformer import EXERCISES as RECORDS
from course_utils import transformer as ref
from course_utils.multi_head import multi_head_attention

EXERCISES = {record.name: record for record in RECORDS if not isinstance(record, Quiz)}
SCRIPT = ROOT / "solutions/07_transformer/transformer.py"
MISTAKES = {name: {m.id: m.function for m in record.misconceptions} for name, record in EXERCISES.items()}


def lost(name, function, seed=5):
    """The numbers of the checks that lose points, and the report."""
    report = judge(EXERCISES[name], function, seed)
    return {i for i, check in enumerate(report.checks) if check.score < check.points}, report


@pytest.mark.parametrize("name", EXERCISES)
def test_every_exercise_is_proven(name):
    record = EXERCISES[name]
    assert prove(record, seeds=1).misses == []
    assert len(record.misconceptions) >= 8 and len(record.accepted) >= 5 and len(record.hints) == 3


@pytest.mark.parametrize("quiz", [record for record in RECORDS if isinstance(record, Quiz)], ids=lambda quiz: quiz.name)
def test_every_quiz_is_proven(quiz):
    assert prove(quiz, seeds=1).misses == []


# ---- a mistake costs its own points

CENTRED, VARIANCE, LEARNED, EPS, DEFAULT, AXES, TYPES, ALONE = range(8)
NET, WEIGHTS, ATTENTION, NORMS, MASK, ENDS, BATCH, WIDE, LAYER_TYPES, LAYER_ALONE = range(10)


@pytest.mark.parametrize(
    "name, mistake, own",
    [
        ("sinusoidal_positions", "halves-not-interleaved", {1, 2}),
        ("sinusoidal_positions", "cosine-first", {1, 2}),
        ("layer_norm", "sample-variance", {VARIANCE}),
        ("layer_norm", "eps-outside-the-root", {EPS}),
        ("layer_norm", "eps-ignored", {EPS}),
        ("layer_norm", "eps-1e-5", {DEFAULT}),
        ("layer_norm", "gamma-and-beta-exchanged", {LEARNED}),
        ("layer_norm", "beta-before-gamma", {LEARNED}),
        ("layer_norm", "over-axis-1", {AXES}),
        ("embed_tokens", "type-row-missing", {2, 4}),
        ("embed_tokens", "positions-from-1", {1, 4}),
        ("embed_tokens", "norm-missing", {3, 4}),
        ("embed_tokens", "eps-1e-5", {3}),
        ("feed_forward", "gelu-by-tanh", {2}),
        ("feed_forward", "first-bias-missing", {1, 3}),
        ("feed_forward", "bends-last", {1, 3}),
        ("encoder_layer", "not-scaled", {WEIGHTS, WIDE}),
        ("encoder_layer", "scaled-by-the-whole-width", {WEIGHTS, WIDE}),
        ("encoder_layer", "b-q-missing", {WEIGHTS}),
        ("encoder_layer", "b-v-missing", {ATTENTION, NORMS, ENDS}),
        ("encoder_layer", "b-o-missing", {ATTENTION, NORMS, ENDS}),
        ("encoder_layer", "w-o-missing", {ATTENTION, NORMS, ENDS}),
        ("encoder_layer", "norms-exchanged", {NORMS, ENDS}),
        ("encoder_layer", "second-norm-for-both", {NORMS, ENDS}),
        ("encoder_layer", "eps-1e-5", {NORMS}),
        ("encoder_layer", "mask-ignored", {MASK, WIDE}),
        ("encoder_layer", "mask-inverted", {MASK, WIDE}),
        ("encoder_layer", "filled-with-20", {MASK, WIDE}),
        ("encode", "one-head", {0, 1, 2, 3, 4, 5}),
        ("encode", "each-layer-on-the-embeddings", {1, 2, 3, 4}),
    ],
)
def test_a_mistake_costs_its_own_points(name, mistake, own):
    found, report = lost(name, MISTAKES[name][mistake])
    assert found == own and report.diagnosis.id == mistake


@pytest.mark.parametrize(
    "name, function",
    [
        ("layer_norm", lambda X, gamma, beta, eps=1e-12: X * gamma + beta),
        ("embed_tokens", lambda ids, p: p["word"][np.asarray(ids)]),  # lesson 1's embed
        ("embed_tokens", MISTAKES["embed_tokens"]["norm-missing"]),
        ("feed_forward", MISTAKES["feed_forward"]["no-activation"]),
        ("feed_forward", MISTAKES["feed_forward"]["relu"]),
        ("encoder_layer", lambda X, p, h, mask=None: multi_head_attention(X, *(p[f"W_{r}"] for r in "qkvo"), h, mask)),
        ("encoder_layer", MISTAKES["encoder_layer"]["attention-only"]),
        ("encoder_layer", MISTAKES["encoder_layer"]["feed-forward-missing"]),
        ("encoder_layer", MISTAKES["encoder_layer"]["pre-norm"]),
        ("encode", MISTAKES["encode"]["first-layer-only"]),
        ("encode", MISTAKES["encode"]["embeddings-only"]),
    ],
)
def test_the_central_step_left_out_earns_half_at_most(name, function):
    for seed in range(3):
        report = judge(EXERCISES[name], function, seed)
        assert report.score <= report.points / 2


def test_right_output_with_wrong_weights_keeps_the_output_s_points():
    def reversed_weights(X, params, n_heads, mask=None):
        output, weights = ref.encoder_layer(X, params, n_heads, mask)
        return output, weights[..., ::-1, :, :]

    found, report = lost("encoder_layer", reversed_weights)
    assert WEIGHTS in found and not {NET, ATTENTION, NORMS} & found


# ---- wrong answers from no bank


def but(**steps):
    """layer_norm's formula with what is said replaced."""

    def answer(X, gamma, beta, eps=1e-12):
        X = X.astype(float)
        mean, variance = X.mean(-1, keepdims=True), X.var(-1, keepdims=True)
        below = steps.get("below", lambda v, e: np.sqrt(v + e))(variance, eps)
        return steps.get("after", lambda N: N)((X - mean) / below * gamma + beta)

    return answer


def in_other_types(function, wrong):
    def answer(X, *rest):
        return function(X, *rest) if X.dtype == np.float64 else wrong(X, *rest)

    return answer


WRONG = [
    ("sinusoidal_positions", lambda n, d: np.round(ref.sinusoidal_positions(n, d), 2)),
    ("sinusoidal_positions", lambda n, d: ref.sinusoidal_positions(min(n, 50), d)),
    ("sinusoidal_positions", lambda n, d: ref.sinusoidal_positions(n, d) * (np.arange(d) < 20)),
    ("sinusoidal_positions", lambda n, d: ref.sinusoidal_positions(n, d)[None]),
    ("sinusoidal_positions", lambda n, d: ref.sinusoidal_positions(n, d) if d < 64 else np.zeros((n, d))),
    ("layer_norm", but(below=lambda v, e: np.sqrt(v) + np.sqrt(e))),
    ("layer_norm", but(below=lambda v, e: np.maximum(np.sqrt(v), e))),
    ("layer_norm", but(below=lambda v, e: np.sqrt(np.maximum(v, 0.01) + e))),
    ("layer_norm", but(after=lambda Y: np.clip(Y, -2, 2))),
    ("layer_norm", in_other_types(ref.layer_norm, lambda X, *rest: np.zeros(X.shape))),
    ("layer_norm", lambda X, gamma, beta, eps=1e-12: np.squeeze(ref.layer_norm(X, gamma, beta, eps))),
    ("layer_norm", lambda X, gamma, beta: ref.layer_norm(X, gamma, beta)),  # eps cannot be handed over
    ("embed_tokens", lambda ids, p: ref.embed_tokens(np.sort(ids), p)),
    ("embed_tokens", lambda ids, p: ref.embed_tokens(ids[:3], p)),
    ("embed_tokens", lambda ids, p: ref.embed_tokens(ids, p | {"type": p["type"] * (len(ids) > 1)})),
    ("embed_tokens", lambda ids, p: np.round(ref.embed_tokens(ids, p), 3)),
    ("feed_forward", lambda X, a, b, c, d: np.maximum(X @ a + b, 0.01 * (X @ a + b)) @ c + d),
    ("feed_forward", in_other_types(ref.feed_forward, lambda X, a, b, c, d: X)),
    ("feed_forward", lambda X, a, b, c, d: ref.feed_forward(X, a, b, c, d) if X.shape[-2] > 1 else X @ a @ c),
    (
        "feed_forward",
        lambda X, a, b, c, d: ref.feed_forward(X, a, b, c, d)[:1] if X.ndim == 3 else ref.feed_forward(X, a, b, c, d),
    ),
    ("encoder_layer", lambda X, p, h, mask=None: ref.encoder_layer(X, p, 2 if X.shape[-1] % 2 == 0 else h, mask)),
    (
        "encoder_layer",
        lambda X, p, h, mask=None: ref.encoder_layer(X, p, h, mask if mask is None or mask.ndim < 3 else mask[..., :1, :, :]),
    ),
    (
        "encoder_layer",
        lambda X, p, h, mask=None: ref.encoder_layer(X, p, h, mask if mask is None else mask | np.eye(len(mask.T), dtype=bool)),
    ),
    ("encoder_layer", lambda X, p, h, mask=None: tuple(np.round(part, 3) for part in ref.encoder_layer(X, p, h, mask))),
    ("encoder_layer", lambda X, p, h, mask=None: ref.encoder_layer(X.clip(-2, 2), p, h, mask)),
    ("encode", lambda ids, m: ref.encode(ids, m | {"layers": m["layers"][:3]})),
    ("encode", lambda ids, m: ref.encode(ids, m | {"n_heads": 2 if m["n_heads"] == 4 else m["n_heads"]})),
    ("encode", lambda ids, m: ref.encode(ids, m)[::-1]),
    ("encode", lambda ids, m: ref.encode(ids, m) if m["embeddings"]["word"].shape[1] < 100 else np.zeros((len(ids), 384))),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_other_wrong_answers_lose_points(number):
    name, function = WRONG[number]
    for seed in range(3):
        assert not judge(EXERCISES[name], function, seed).passed


def constant(value):
    return {
        "sinusoidal_positions": lambda n, d: np.full((n, d), value),
        "layer_norm": lambda X, *rest: np.full(X.shape, value),
        "embed_tokens": lambda ids, p: np.full((len(ids), p["word"].shape[1]), value),
        "feed_forward": lambda X, *rest: np.full(X.shape, value),
        "encoder_layer": lambda X, p, h, mask=None: (
            np.full(X.shape, value),
            np.full((*X.shape[:-2], h, *2 * X.shape[-2:-1]), value),
        ),
        "encode": lambda ids, m: np.full((len(ids), m["embeddings"]["word"].shape[1]), value),
    }


@pytest.mark.parametrize("name", EXERCISES)
@pytest.mark.parametrize("value", [0.0, 1.0, np.nan])
def test_no_work_earns_nothing(name, value):
    assert judge(EXERCISES[name], constant(value)[name]).score == 0


@pytest.mark.parametrize(
    "name, function",
    [
        ("layer_norm", lambda X, gamma, beta, eps=1e-12: beta + 0 * X),
        ("layer_norm", lambda X, *rest: X),
        ("feed_forward", lambda X, *rest: X),
        ("encoder_layer", lambda X, p, h, mask=None: (X, np.full((*X.shape[:-2], h, *2 * X.shape[-2:-1]), 1 / X.shape[-2]))),
        ("encode", lambda ids, m: m["embeddings"]["word"][np.asarray(ids)]),
    ],
)
def test_arguments_handed_back_earn_nothing(name, function):
    assert judge(EXERCISES[name], function).score == 0


# ---- right answers from no bank


def _number_by_number(X, params, n_heads, mask=None):
    """Every head, every query, every key, every number by itself."""
    *lead, n, d = X.shape
    width = d // n_heads
    allowed = np.broadcast_to(True if mask is None else mask, (*lead, n_heads, n, n))
    output, weights = np.zeros(X.shape), np.zeros((*lead, n_heads, n, n))

    def norm(row, i):
        mean = sum(row) / d
        spread = math.sqrt(sum((x - mean) ** 2 for x in row) / d + 1e-12)
        return [(x - mean) / spread * g + b for x, g, b in zip(row, params[f"gamma_{i}"], params[f"beta_{i}"])]

    for b in np.ndindex(*lead):
        q, k, v = (X[b].astype(float) @ params[f"W_{r}"] + params[f"b_{r}"] for r in "qkv")
        for i in range(n):
            found = np.zeros(d)
            for head in range(n_heads):
                part = slice(head * width, (head + 1) * width)
                scores = {j: q[i, part] @ k[j, part] / math.sqrt(width) for j in range(n) if allowed[b][head, i, j]}
                exps = {j: math.exp(s - max(scores.values())) for j, s in scores.items()}
                for j, e in exps.items():
                    weights[b][head, i, j] = e / sum(exps.values())
                    found[part] += weights[b][head, i, j] * v[j, part]
            row = norm(X[b][i] + found @ params["W_o"] + params["b_o"], 1)
            inner = [h / 2 * (1 + math.erf(h / math.sqrt(2))) for h in row @ params["W_1"] + params["b_1"]]
            output[b][i] = norm(row + inner @ params["W_2"] + params["b_2"], 2)
    return output, weights


def _chained_angles(n, d):
    """Each wavelength longer than the one before by the same factor."""
    P, angle = np.empty((n, d)), np.arange(n, dtype=float)
    for column in range(0, d, 2):
        P[:, column], P[:, column + 1] = np.sin(angle), np.cos(angle)
        angle = angle / 10000 ** (2 / d)
    return P


def _norm_as_a_projection(X, gamma, beta, eps=1e-12):
    """Taking the mean off is a projection onto what is at right angles to a row of ones."""
    d = X.shape[-1]
    centred = X @ (np.eye(d) - np.ones((d, d)) / d)
    return centred / np.sqrt(np.linalg.norm(centred, axis=-1, keepdims=True) ** 2 / d + eps) * gamma + beta


@pytest.mark.parametrize(
    "name, function",
    [
        ("sinusoidal_positions", _chained_angles),
        ("layer_norm", _norm_as_a_projection),
        ("layer_norm", lambda X, gamma, beta, eps=0.0: ref.layer_norm(X, gamma, beta, eps)),  # 1e-12 is as good as 0
        ("embed_tokens", lambda ids, p: tuple(ref.embed_tokens([i] * (t + 1), p)[t] for t, i in enumerate(ids))),
        ("feed_forward", lambda X, a, b, c, d: np.apply_along_axis(lambda x: ref.feed_forward(x, a, b, c, d), -1, X)),
        ("encoder_layer", _number_by_number),
        ("encode", lambda ids, m: ref.encode_layers(ids, m)[0][-1]),
    ],
)
def test_other_right_answers_get_everything(name, function):
    for seed in (1706, 9):
        report = judge(EXERCISES[name], function, seed)
        assert report.passed, [(check.name, check.message) for check in report.checks if check.score < check.points]


def test_the_notebook_asks_what_is_graded():
    """Questions and options stand in the script as in the records, line breaks aside."""
    script = re.sub(r"\n# ?", " ", SCRIPT.read_text(encoding="utf-8"))
    script = re.sub(r"\s+", " ", script)
    for quiz in (record for record in RECORDS if isinstance(record, Quiz)):
        assert quiz.question in script
        for letter, option in quiz.options.items():
            assert f"* {letter}: {option.text}" in script
