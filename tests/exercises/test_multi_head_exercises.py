"""Lesson 6's checks: what each mistake costs, and answers that no bank holds: wrong ones refused, right ones passed."""

import functools

import numpy as np
import pytest

from autograde import judge
from autograde.exercises import in_lesson
from autograde.exercises.attention.properties import leak
from course_utils import multi_head as ref
from course_utils.query_key_value import masked_softmax

EXERCISES = {record.name: record for record in in_lesson("multi_head")}
GRADED = [name for name, record in EXERCISES.items() if hasattr(record, "accepted")]  # all but the quizzes
MISTAKES = {name: {m.id: m.function for m in EXERCISES[name].misconceptions} for name in GRADED}

WEIGHTS, SUMS, MERGE, MASK, HEAD_MASK, SCALE, W_O, ENDS = range(8)
BATCH, BATCH_MASK, FULLY_MASKED, HUGE, HUGE_MASK, TYPES, ALONE = range(8, 15)
ANY_MASK = {MASK, HEAD_MASK}


def lost(name, function, seed=5):
    """The numbers of the checks that were looked at and lose points, and the report."""
    report = judge(name, function, seed)
    return {i for i, check in enumerate(report.checks) if check.score < check.points and check.called}, report


# ---- a mistake costs its own points


@pytest.mark.parametrize(
    "mistake, own",
    [
        ("not-scaled", {SCALE}),
        ("scaled-by-the-whole-width", {SCALE}),
        ("divided-by-d-head", {SCALE}),
        ("divided-by-root-of-heads", {SCALE}),
        ("divided-by-root-of-keys", {SCALE}),
        ("multiplied-by-root", {SCALE}),
        ("merge-reshaped-only", {MERGE}),
        ("merge-interleaved", {MERGE}),
        ("heads-averaged-before-w-o", {MERGE}),
        ("keys-as-values", {MERGE}),
        ("weights-transposed", {MERGE}),
        ("values-not-projected", {MERGE}),
        ("no-w-o", {W_O}),
        ("w-o-transposed", {W_O}),
        ("w-o-before-the-merge", {W_O}),
        ("x-added", {MERGE, W_O}),
        ("first-head-s-mask-for-all", {HEAD_MASK}),
        ("masks-of-the-heads-joined", {HEAD_MASK}),
        ("mask-ignored", ANY_MASK | {BATCH_MASK, FULLY_MASKED, HUGE_MASK}),
        ("mask-on-the-first-head-only", ANY_MASK | {FULLY_MASKED, HUGE_MASK}),
        ("mask-after-softmax", ANY_MASK | {HUGE, HUGE_MASK} - {HUGE}),
        ("mask-inverted", ANY_MASK | {FULLY_MASKED, HUGE_MASK}),
        ("filled-with-20", {HUGE_MASK}),
        ("filled-with-100000", {HUGE_MASK}),
        ("renormalised-after-softmax", {HUGE_MASK}),
        ("fully-masked-row-is-nan", {FULLY_MASKED}),
        ("fully-masked-row-is-uniform", {FULLY_MASKED}),
        ("softmax-overflows", {HUGE}),
        ("changes-the-mask", {ALONE}),
    ],
)
def test_multi_head_attention(mistake, own):
    found, report = lost("multi_head_attention", MISTAKES["multi_head_attention"][mistake])
    assert found == own and report.diagnosis.id == mistake


def test_a_leak_through_the_mask_is_told_with_its_head_and_its_sign():
    allowed = np.tile([[False, True, True], [True, True, False], [True, True, True]], (2, 1, 1))
    weights = np.where(allowed, 0.5, 0.0)
    weights[1, 0, 0] = -0.5
    assert leak(weights, allowed) == "in head 1, query 0 gives weight -0.5 to key 0, where it may not look"
    assert leak(weights[1], allowed[1]) == "query 0 gives weight -0.5 to key 0, where it may not look"


def test_two_mistakes_cost_both_and_both_are_told():
    def unscaled_without_w_o(X, W_q, W_k, W_v, W_o, h, mask=None):
        wider = np.sqrt(X.shape[-1] // h)
        return ref.multi_head_attention(X, wider * W_q, W_k, W_v, np.eye(X.shape[-1]), h, mask)

    found, report = lost("multi_head_attention", unscaled_without_w_o)
    assert found == {SCALE, W_O}
    assert "the weights are those of scores divided by 1" in report.checks[SCALE].message
    assert "times W_o" in report.checks[W_O].message


# ---- wrong answers from no bank


def answer(split=ref.split_heads, weigh=None, merge=ref.merge_heads, finish=np.matmul):
    """Multi-head attention from its steps; weigh(scores, mask) of scaled scores."""

    def attention(X, W_q, W_k, W_v, W_o, h, mask=None):
        Q, K, V = (split(X @ W, h) for W in (W_q, W_k, W_v))
        weights = (weigh or masked_softmax)(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), mask)
        return finish(merge(weights @ V), W_o), weights

    return attention


def changed(**other):
    """The reference called with other arguments: other[name](the arguments by name) -> what takes its place."""
    names = ("X", "W_q", "W_k", "W_v", "W_o", "n_heads", "mask")

    def attention(*args):
        given = dict(zip(names, (*args, None)[:7]))
        return ref.multi_head_attention(**given | {name: make(given) for name, make in other.items()})

    return attention


def without_a_batch_axis(mask, X):
    return (
        mask
        if mask is None or X.ndim == 2
        else np.broadcast_to(mask, np.broadcast_shapes(mask.shape, (*X.shape[:-2], 1, 1, 1)))[(0,) * (X.ndim - 2)]
    )


WRONG = {
    "slightly warm": changed(W_q=lambda a: 0.999 * a["W_q"]),
    "always two heads": lambda X, q, k, v, o, h, mask=None: ref.multi_head_attention(
        X, q, k, v, o, 2 if X.shape[-1] % 2 == 0 else h, None
    ),
    "heads of two": changed(n_heads=lambda a: a["X"].shape[-1] // 2 if a["X"].shape[-1] % 2 == 0 else a["n_heads"]),
    "n_heads for d_head": changed(n_heads=lambda a: a["X"].shape[-1] // a["n_heads"]),
    "W_o of the first head only": answer(finish=lambda merged, W_o: merged @ np.triu(W_o)),
    "W_o twice": answer(finish=lambda merged, W_o: merged @ W_o @ W_o),
    "a residual after W_o": lambda X, *rest: (lambda o, w: (o + 1e-3 * X, w))(*ref.multi_head_attention(X, *rest)),
    "no mask in a batch": changed(mask=lambda a: a["mask"] if a["X"].ndim == 2 else None),
    "the first sentence's mask": changed(mask=lambda a: without_a_batch_axis(a["mask"], a["X"])),
    "heads' masks in reverse": changed(
        mask=lambda a: a["mask"] if a["mask"] is None or a["mask"].ndim < 3 else a["mask"][..., ::-1, :, :]
    ),
    "a mask counts twice where both tokens may": changed(
        mask=lambda a: a["mask"] if a["mask"] is None else a["mask"] & np.swapaxes(a["mask"], -1, -2)
    ),
    "the word itself is always open": changed(
        mask=lambda a: a["mask"] if a["mask"] is None else a["mask"] | np.eye(a["mask"].shape[-1], dtype=bool)
    ),
    "smoothed": answer(weigh=lambda s, m: 0.99 * masked_softmax(s, m) + 0.01 / s.shape[-1]),
    "rounded weights": answer(weigh=lambda s, m: np.round(masked_softmax(s, m), 3)),
    "clipped scores": answer(weigh=lambda s, m: masked_softmax(np.clip(s, -50, 50), m)),
    "softmax over heads": answer(weigh=lambda s, m: (lambda e: e / e.sum(-3, keepdims=True))(np.exp(s - s.max()))),
    "one fill too high": answer(
        weigh=lambda s, m: (
            masked_softmax(s, None) if m is None else masked_softmax(np.where(m, s, -1e5), None) * m.any(-1, keepdims=True)
        )
    ),
    "heads roll round": answer(split=lambda X, h: np.roll(ref.split_heads(X, h), 1, axis=-3)),
    "squeezed": lambda *args: tuple(np.squeeze(part) for part in ref.multi_head_attention(*args)),
    "weights of one head": lambda *args: (lambda o, w: (o, w[..., :1, :, :]))(*ref.multi_head_attention(*args)),
    "weights in another order": lambda *args: (lambda o, w: (o, w[..., ::-1, :, :]))(*ref.multi_head_attention(*args)),
    "refuses a single head": lambda X, q, k, v, o, h, mask=None: (
        ref.multi_head_attention(X, q, k, v, o, h, mask) if h > 1 else (X, np.ones((1, len(X), len(X))))
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_attentions_lose_points(name):
    assert not judge("multi_head_attention", WRONG[name], 5).passed


def filled(value):
    return lambda X, q, k, v, o, h, mask=None: (
        np.full(X.shape, value),
        np.full((*X.shape[:-2], h, X.shape[-2], X.shape[-2]), value),
    )


@pytest.mark.parametrize(
    "function",
    [
        filled(0.0),
        filled(1.0),
        filled(np.nan),
        lambda X, *rest: (X, X),
        lambda X, *rest: X,
        lambda *args: None,
        lambda X, q, k, v, o, h, mask=None: (X, np.full((*X.shape[:-2], h, X.shape[-2], X.shape[-2]), 1 / X.shape[-2])),
        lambda X, q, k, v, o, h, mask=None: (o, q),
    ],
)
def test_no_work_earns_nothing(function):
    assert judge("multi_head_attention", function).score == 0


@pytest.mark.parametrize(
    "name, mistake, own",
    [
        ("split_heads", "rest-dropped", {3}),
        ("split_heads", "assert-for-error", {3}),
        ("split_heads", "heads-before-the-batch", {2}),
        ("merge_heads", "first-axis-as-heads", {2}),
        ("head_budget", "divided-with-fraction", {2}),
        ("head_budget", "whole-width", {0}),
    ],
)
def test_the_smaller_exercises(name, mistake, own):
    found, report = lost(name, MISTAKES[name][mistake])
    assert found == own and report.diagnosis.id == mistake


@pytest.mark.parametrize(
    "name, function",
    [
        ("split_heads", lambda X, h: ref.split_heads(X, h).astype(int)),
        (
            "split_heads",
            lambda X, h: X.reshape(*X.shape[:-1], h, -1).swapaxes(1, 2) if X.ndim == 3 else ref.split_heads(X, h)[..., ::-1],
        ),
        ("split_heads", lambda X, h: list(ref.split_heads(X, h)) if X.ndim == 2 else [ref.split_heads(x, h) for x in X][0]),
        ("merge_heads", lambda H: H.swapaxes(-2, -3).reshape(H.shape[-2], -1)),
        ("merge_heads", lambda H: np.moveaxis(H, -3, -1).reshape(*H.shape[:-3], H.shape[-2], -1)),
        ("head_budget", lambda d, h: (d // h, 4 * d * (d // h))),
        ("head_budget", lambda d, h: (d // h, 4 * d * 768)),
        ("previous_token_score", lambda w: w[:, 1:, 0].mean(axis=-1)),
        ("previous_token_score", lambda w: np.median(np.diagonal(w, -1, 1, 2), axis=-1)),
        ("previous_token_score", lambda w: np.diagonal(w, -1, 1, 2).mean(axis=-1)[:, None]),
    ],
)
def test_other_wrong_answers_lose_points(name, function):
    assert not judge(name, function).passed


@pytest.mark.parametrize("name", ["split_heads", "merge_heads", "previous_token_score"])
@pytest.mark.parametrize("function", [lambda a, *rest: np.zeros_like(a), lambda a, *rest: np.ones_like(a), lambda a, *rest: a])
def test_no_work_earns_nothing_elsewhere(name, function):
    assert judge(name, function).score == 0


# ---- right answers from no bank


def _by_loops(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Number by number: every head, every query, every key."""
    *lead, n, d = X.shape
    width, mask = d // n_heads, np.broadcast_to(True if mask is None else mask, (*lead, n_heads, n, n))
    output, weights = np.zeros((*lead, n, d)), np.zeros((*lead, n_heads, n, n))
    for b in np.ndindex(*lead):
        merged = np.zeros((n, d))
        for i in range(n_heads):
            part = range(i * width, (i + 1) * width)
            q, k, v = ([[float(x @ W[:, c]) for c in part] for x in X[b]] for W in (W_q, W_k, W_v))
            for a in range(n):
                scores = {j: sum(x * y for x, y in zip(q[a], k[j])) / width**0.5 for j in range(n) if mask[b][i, a, j]}
                e = {j: float(np.exp(s - max(scores.values()))) for j, s in scores.items()}
                for j in e:
                    weights[b][i, a, j] = e[j] / sum(e.values())
                    merged[a, list(part)] += weights[b][i, a, j] * np.array(v[j])
        output[b] = merged @ W_o
    return output, weights


def _stacked_matrices(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """All three projections in one product, as large models store them; the scale goes into the queries."""
    d = X.shape[-1]
    Q, K, V = np.split(X @ np.concatenate([W_q * (n_heads / d) ** 0.5, W_k, W_v], axis=1), 3, axis=-1)
    scores = np.einsum("...qhc,...khc->...hqk", *(part.reshape(*X.shape[:-1], n_heads, -1) for part in (Q, K)))
    weights = masked_softmax(scores, mask)
    mixed = np.einsum("...hqk,...khc->...qhc", weights, V.reshape(*X.shape[:-1], n_heads, -1))
    return np.einsum("...qhc,hcd->...qd", mixed, W_o.reshape(n_heads, -1, d)), weights


def _scores_from_one_matrix(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Q Kᵀ = X (W_q W_kᵀ) Xᵀ, and values through W_v W_o: a matrix of each head's own on either side."""
    width, X_T = X.shape[-1] // n_heads, np.swapaxes(X, -1, -2)
    blocks = [slice(i * width, (i + 1) * width) for i in range(n_heads)]
    scores = np.stack([X @ (W_q[:, b] @ W_k[:, b].T) @ X_T for b in blocks], axis=-3) / np.sqrt(width)
    weights = masked_softmax(scores, mask)
    return sum(weights[..., i, :, :] @ X @ (W_v[:, b] @ W_o[b]) for i, b in enumerate(blocks)), weights


def _additive(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """A mask added as 0 or −1e9 before softmax, and rows with nowhere to look wiped after it."""
    Q, K, V = (ref.split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is None:
        return ref.merge_heads(masked_softmax(scores, None) @ V) @ W_o, masked_softmax(scores, None)
    scores = scores + np.where(mask, 0.0, -1e9)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True) * mask.any(axis=-1, keepdims=True)
    return ref.merge_heads(weights @ V) @ W_o, weights


def _single(*args):
    return tuple(np.asarray(part, np.float32) for part in ref.multi_head_attention(*args))


@pytest.mark.parametrize("function", [_by_loops, _stacked_matrices, _scores_from_one_matrix, _additive, _single])
@pytest.mark.parametrize("seed", [1706, 9])
def test_right_answers_written_differently_get_full_marks(function, seed):
    report = judge("multi_head_attention", function, seed)
    assert report.passed, [(check.name, check.message) for check in report.checks if check.score < check.points]


@pytest.mark.parametrize(
    "name, function",
    [
        (
            "split_heads",
            lambda X, h: (
                np.array(np.hsplit(X, h))
                if X.ndim == 2
                else np.array([np.hsplit(x, h) for x in X.reshape(-1, *X.shape[-2:])]).reshape(*X.shape[:-2], h, X.shape[-2], -1)
            ),
        ),
        ("merge_heads", lambda H: np.apply_along_axis(np.ravel, -1, np.concatenate(np.moveaxis(H, -3, 0), axis=-1))),
        ("head_budget", lambda d, h: (len(range(0, d, h)), sum(d * d for _ in "qkvo"))),
        (
            "previous_token_score",
            lambda w: functools.reduce(np.add, (w[:, i + 1, i] for i in range(w.shape[1] - 1))) / (w.shape[1] - 1),
        ),
    ],
)
def test_other_right_answers_get_full_marks(name, function):
    report = judge(name, function)
    assert report.passed, [(check.name, check.message) for check in report.checks if check.score < check.points]
