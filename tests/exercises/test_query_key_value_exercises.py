"""Lesson 4's checks: what each mistake costs, and answers that no bank holds: wrong ones refused, right ones passed."""

import numpy as np
import pytest

from autograde import judge
from autograde.exercises import in_lesson
from course_utils import query_key_value as ref
from course_utils.embedding_space import softmax

EXERCISES = {record.name: record for record in in_lesson("query_key_value")}
GRADED = [name for name, record in EXERCISES.items() if hasattr(record, "accepted")]  # all but the quizzes
MISTAKES = {name: {m.id: m.function for m in EXERCISES[name].misconceptions} for name in GRADED}

WEIGHTS, SCALE, SUMS, OUTPUT, MASK, BATCH, BATCH_MASK, FULLY_MASKED, HUGE, HUGE_MASK, TYPES, ALONE = range(12)
S_WEIGHTS, S_SCALE, S_SUMS, S_OUTPUT, S_CAUSAL, S_BATCH, S_HUGE, S_HUGE_CAUSAL, S_TYPES, S_ALONE = range(10)


def lost(name, function, seed=5):
    """The numbers of the checks that lose points, and the report."""
    report = judge(name, function, seed)
    return {i for i, check in enumerate(report.checks) if check.score < check.points}, report


# ---- a mistake costs its own points


@pytest.mark.parametrize(
    "mistake, own",
    [
        ("divided-by-root-d-k", {SCALE}),
        ("divided-by-d-k", {SCALE}),
        ("divided-by-root-d-v", {SCALE}),
        ("divided-by-root-n-k", {SCALE}),
        ("divided-by-root-n-q", {SCALE}),
        ("times-root-d-k", {SCALE}),
        ("divided-by-8", {SCALE}),
        ("keys-as-values", {OUTPUT}),
        ("mask-after-softmax", {MASK, HUGE_MASK}),
        ("mask-inverted", {MASK, FULLY_MASKED, HUGE_MASK}),
        ("mask-ignored", {MASK, BATCH_MASK, FULLY_MASKED, HUGE_MASK}),
        ("renormalised-after-softmax", {HUGE_MASK}),
        ("filled-with-20", {HUGE_MASK}),
        ("filled-with-100000", {HUGE_MASK}),
        ("lowered-by-100000", {HUGE_MASK}),
        ("mask-not-broadcast", {BATCH_MASK}),
        ("first-mask-of-the-batch", {BATCH_MASK}),
        ("fully-masked-row-is-nan", {FULLY_MASKED}),
        ("fully-masked-row-is-uniform", {FULLY_MASKED}),
        ("softmax-overflows", {HUGE}),
        ("all-axes-reversed", {BATCH, BATCH_MASK}),
        ("softmax-over-axis-1", {BATCH, BATCH_MASK}),
        ("infinity-into-whole-numbers", {TYPES}),
        ("changes-the-queries", {ALONE}),
        ("changes-the-mask", {ALONE}),
    ],
)
def test_attention(mistake, own):
    found, report = lost("attention", MISTAKES["attention"][mistake])
    assert found == own and report.diagnosis.id == mistake


@pytest.mark.parametrize(
    "mistake, own",
    [
        ("divided-by-root-d-k", {S_SCALE}),
        ("divided-by-root-d", {S_SCALE}),
        ("keys-as-values", {S_OUTPUT}),
        ("raw-values", {S_OUTPUT}),
        ("causal-ignored", {S_CAUSAL, S_HUGE_CAUSAL}),
        ("one-too-far", {S_CAUSAL, S_HUGE_CAUSAL}),
        ("mixed-before-masking", {S_CAUSAL, S_HUGE_CAUSAL}),
        ("filled-with-20", {S_HUGE_CAUSAL}),
        ("mask-of-the-batch", {S_BATCH}),
        ("softmax-overflows", {S_HUGE}),
        ("changes-its-input", {S_ALONE}),
    ],
)
def test_self_attention(mistake, own):
    found, report = lost("self_attention", MISTAKES["self_attention"][mistake])
    assert found == own and report.diagnosis.id == mistake


@pytest.mark.parametrize(
    "name, mistake, own",
    [
        ("project", "queries-as-keys", {1}),
        ("project", "raw-values", {2}),
        ("project", "one-sentence-only", {3}),
        ("project", "values-before-keys", {1, 2}),
        ("attention_scores", "scaled", {1}),
        ("attention_scores", "all-axes-reversed", {2}),
        ("causal_mask", "numbers", {1}),
        ("design_query", "only-square", {1, 2}),
    ],
)
def test_the_smaller_exercises(name, mistake, own):
    found, report = lost(name, MISTAKES[name][mistake])
    assert found == own and report.diagnosis.id == mistake


def test_two_mistakes_cost_both_and_both_are_told():
    def scaled_and_fully_masked_rows_uniform(Q, K, V, mask=None):
        scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
        weights = softmax(scores if mask is None else np.where(mask, scores, -1e9))
        return weights @ V, weights

    found, report = lost("attention", scaled_and_fully_masked_rows_uniform)
    assert {SCALE, FULLY_MASKED} <= found <= {SCALE, FULLY_MASKED, HUGE_MASK}
    assert "the weights are those of scores divided by" in report.checks[SCALE].message
    assert "may look nowhere" in report.checks[FULLY_MASKED].message


# ---- wrong answers from no bank


def scores_of(Q, K):
    return np.asarray(Q) @ np.swapaxes(K, -1, -2)


def masked(scores, mask):
    return ref.masked_softmax(scores, mask)


def _answer(weigh):
    def attention(Q, K, V, mask=None):
        weights = weigh(Q, K, V, mask)
        return weights @ V, weights

    return attention


WRONG_ATTENTIONS = {
    "cosines": _answer(
        lambda Q, K, V, m: masked(
            scores_of(Q / np.linalg.norm(Q, axis=-1, keepdims=True), K / np.linalg.norm(K, axis=-1, keepdims=True)), m
        )
    ),
    "slightly warm": _answer(lambda Q, K, V, m: masked(0.999 * scores_of(Q, K), m)),
    "base 2": _answer(lambda Q, K, V, m: masked(np.log(2) * scores_of(Q, K), m)),
    "plus identity": _answer(lambda Q, K, V, m: masked(scores_of(Q, K) + np.eye(Q.shape[-2], K.shape[-2]), m)),
    "distances": _answer(lambda Q, K, V, m: masked(-((Q[..., :, None, :] - K[..., None, :, :]) ** 2).sum(-1).astype(float), m)),
    "rounded weights": _answer(lambda Q, K, V, m: np.round(masked(scores_of(Q, K), m), 3)),
    "clipped scores": _answer(lambda Q, K, V, m: masked(np.clip(scores_of(Q, K), -50, 50), m)),
    "smoothed": _answer(lambda Q, K, V, m: 0.99 * masked(scores_of(Q, K), m) + 0.01 / K.shape[-2]),
    "epsilon in the sum": _answer(lambda Q, K, V, m: masked(scores_of(Q, K), m) * (1 - 1e-3)),
    "first key left out": _answer(lambda Q, K, V, m: masked(np.where(np.arange(K.shape[-2]) > 0, scores_of(Q, K), -1e30), m)),
    "fill 1e6": _answer(
        lambda Q, K, V, m: (
            masked(scores_of(Q, K), None) if m is None else softmax(scores_of(Q, K) - 1e6 * ~m) * m.any(-1, keepdims=True)
        )
    ),
    "mask by multiplication": _answer(lambda Q, K, V, m: softmax(scores_of(Q, K) * (1 if m is None else m))),
    "only an all-open mask works": _answer(lambda Q, K, V, m: masked(scores_of(Q, K), None if m is None or not m.all() else m)),
    "output of other weights": lambda Q, K, V, mask=None: (
        masked(scores_of(Q, K) / np.sqrt(Q.shape[-1]), mask) @ V,
        masked(scores_of(Q, K), mask),
    ),
    "squeezed": lambda Q, K, V, mask=None: tuple(part.squeeze() for part in ref.attention(Q, K, V, mask)),
    "weights of one query": lambda Q, K, V, mask=None: (
        ref.attention(Q, K, V, mask)[0],
        ref.attention(Q, K, V, mask)[1][..., :1, :],
    ),
    "no mask in a batch": lambda Q, K, V, mask=None: ref.attention(Q, K, V, mask if Q.ndim == 2 else None),
    "one mask for every item": lambda Q, K, V, mask=None: ref.attention(
        Q, K, V, None if mask is None else mask.reshape(-1, *mask.shape[-2:]).any(axis=0)
    ),
    "list of parts": lambda Q, K, V, mask=None: [*ref.attention(Q, K, V, mask), scores_of(Q, K)],
}


@pytest.mark.parametrize("name", WRONG_ATTENTIONS)
def test_wrong_attentions_lose_points(name):
    assert not judge("attention", WRONG_ATTENTIONS[name]).passed


def no_work(Q, K, V, mask=None):
    return np.zeros((*Q.shape[:-1], V.shape[-1])), np.zeros((*Q.shape[:-1], K.shape[-2]))


@pytest.mark.parametrize(
    "function",
    [
        no_work,
        lambda Q, K, V, mask=None: (V, Q),
        lambda Q, K, V, mask=None: (Q, K),
        lambda *args: None,
        lambda Q, K, V, mask=None: tuple(part + 1 for part in no_work(Q, K, V, mask)),
    ],
)
def test_no_work_earns_nothing(function):
    assert judge("attention", function).score == 0


WRONG_SELVES = {
    "causal only alone": lambda X, q, k, v, causal=False: ref.self_attention(X, q, k, v, causal and X.ndim == 2),
    "causal when the width equals the length": lambda X, q, k, v, causal=False: ref.self_attention(
        X, q, k, v, causal and X.shape[-1] != X.shape[-2]
    ),
    "the last word sees itself only": lambda X, q, k, v, causal=False: ref.attention(
        *ref.project(X, q, k, v), np.arange(X.shape[-2]) > np.arange(X.shape[-2])[:, None] - 2 if causal else None
    ),
    "no value projection where shapes allow": lambda X, q, k, v, causal=False: ref.attention(
        X @ q, X @ k, X if v.shape[0] == v.shape[1] else X @ v, ref.causal_mask(X.shape[-2]) if causal else None
    ),
    "output projected twice": lambda X, q, k, v, causal=False: (
        ref.self_attention(X, q, k, v, causal)[0] + 1e-3,
        ref.self_attention(X, q, k, v, causal)[1],
    ),
    "adds the word itself": lambda X, q, k, v, causal=False: (
        ref.self_attention(X, q, k, v, causal)[0] + X @ v,
        ref.self_attention(X, q, k, v, causal)[1],
    ),
}


@pytest.mark.parametrize("name", WRONG_SELVES)
def test_wrong_self_attentions_lose_points(name):
    assert not judge("self_attention", WRONG_SELVES[name]).passed


@pytest.mark.parametrize(
    "function",
    [
        lambda K, wanted: np.linalg.lstsq(K, np.log(wanted + 0.005), rcond=None)[0],
        lambda K, wanted: np.linalg.lstsq(K, np.log(wanted), rcond=None)[0][:, None],
        lambda K, wanted: np.linalg.lstsq(K, np.log(wanted), rcond=0.3)[0],
        lambda K, wanted: np.round(np.linalg.lstsq(K, np.log(wanted), rcond=None)[0], 1),
    ],
)
def test_wrong_queries_lose_points(function):
    assert not judge("design_query", function).passed


# ---- right answers from no bank


def _by_keys(Q, K, V, mask=None):
    """A running sum over the keys, as memory-saving kernels do it."""
    lead, n_k = Q.shape[:-1], K.shape[-2]
    allowed = np.broadcast_to(True if mask is None else mask, (*lead, n_k))
    scores = np.where(allowed, np.matmul(Q, np.swapaxes(K, -1, -2)), -np.inf)
    top, total, out = np.full(lead, -np.inf), np.zeros(lead), np.zeros((*lead, V.shape[-1]))
    with np.errstate(invalid="ignore"):
        for j in range(n_k):
            new = np.maximum(top, scores[..., j])
            keep, add = np.nan_to_num(np.exp(top - new)), np.nan_to_num(np.exp(scores[..., j] - new))
            total = total * keep + add
            out = out * keep[..., None] + add[..., None] * V[..., None, j, :]
            top = new
        weights = np.nan_to_num(np.exp(scores - top[..., None])) / np.where(total, total, 1)[..., None]
    return out / np.where(total, total, 1)[..., None], weights


def _as_lists(Q, K, V, mask=None):
    output, weights = ref.attention(Q, K, V, mask)
    return output.tolist(), weights.tolist()


class _Callable:
    def __call__(self, Q, K, V, allowed=None):
        return ref.attention(Q, K, V, allowed)


def _tiny_epsilon(Q, K, V, mask=None):
    s = np.where(True if mask is None else mask, scores_of(Q, K), -1e9)
    e = np.exp(s - s.max(-1, keepdims=True)) * (True if mask is None else mask)
    w = e / (e.sum(-1, keepdims=True) + 1e-12)
    return w @ V, w


def _epsilon_above(Q, K, V, mask=None):
    """The logarithm of a tiny weight is far off; the weight itself is not."""
    s = np.where(True if mask is None else mask, scores_of(Q, K), -1e9)
    e = np.exp(s - s.max(-1, keepdims=True)) + 1e-9
    w = e / e.sum(-1, keepdims=True) * (True if mask is None else mask)
    return w @ V, w


@pytest.mark.parametrize("function", [_by_keys, _as_lists, _Callable(), _tiny_epsilon, _epsilon_above])
def test_right_attentions_from_no_bank_pass(function):
    for seed in range(3):
        report = judge("attention", function, seed)
        assert report.passed, [(check.name, check.message) for check in report.checks if check.message]


@pytest.mark.parametrize("name", GRADED)
def test_every_accepted_answer_passes(name):
    exercise = EXERCISES[name]
    for function in (exercise.reference, *exercise.accepted):
        report = judge(name, function, 11)
        assert report.passed, (function, [(check.name, check.message) for check in report.checks if check.message])


ODD = (
    None,
    3.5,
    "text",
    [],
    np.zeros((0, 3)),
    np.full((2, 2), np.nan),
    (None, None),
    ([], []),
    np.zeros((2, 2)),
    (np.zeros(3), np.zeros(3)),
    (np.zeros((2, 3, 4, 5)), np.zeros((2, 3, 4, 5))),
    (np.zeros((2, 2)), "x"),
)


@pytest.mark.parametrize("name", GRADED)
def test_odd_results_are_judged_and_never_break_the_judge(name):
    """Right up to the k-th call, odd from then on: every check meets every kind of result sooner or later."""
    right = EXERCISES[name].reference
    for k, odd in enumerate(ODD):
        calls = iter(range(1000))
        report = judge(name, lambda *args, k=k, odd=odd, calls=calls: right(*args) if next(calls) < 7 * k else odd)
        assert report.status == "scored"
