"""previous_token_score: how much a head looks at the token before."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from course_utils import multi_head as ref
from course_utils.polysemy import uniform_weights

from ..attention import properties as has
from ..attention.draws import probabilities
from ..inputs.layouts import and_read_only, each_array, in_layouts, laid_out, single
from ..inputs.probabilities import table

# ---- what is asked


def plain(rng):
    by_hand = np.array([[[1.0, 0, 0], [0.75, 0.25, 0], [0.125, 0.625, 0.25]]])
    return [(by_hand,), (probabilities(rng, 2, 4, 4),), (probabilities(rng, 5, 3, 3),), (probabilities(rng, 4, 4, 4),)] + [
        (table(rng, 12, 9, 9),),
        (table(rng, 2, 17, 17),),
    ]


def short(rng):
    return [(np.array([[[1.0, 0], [0.25, 0.75]]]),), (probabilities(rng, 3, 2, 2),), (probabilities(rng, 1, 5, 5),)]


def types(rng):
    before = np.eye(4, k=-1, dtype=int) + np.eye(4, dtype=int) * [[1], [0], [0], [0]]
    return [(probabilities(rng, 3, 5, 5).astype(np.float32),), (np.stack([before, np.eye(4, dtype=int)]),)] + in_layouts(
        (probabilities(rng, 3, 4, 4),)
    )


def every_kind(rng):
    """Sure and even weights, exact zeros, two tokens and many, one head and many; causal ones too."""
    cases = [(table(rng, h, n, n),) for h in (2, 1, 3, 12) for n in (2, 3, 4, 7, 11, 30) for _ in range(4)]
    causal = [(uniform_weights(n, True)[None],) for n in (2, 3, 9)]
    sure = [(np.eye(n)[rng.integers(n, size=(2, n))].astype(int),) for n in (2, 3, 8)]
    return [*short(rng), *causal, *sure, *laid_out(cases), *(each_array(case, single) for case in cases)]


# ---- what learners write instead


def _below(weights, offset=-1):
    return np.diagonal(weights, offset=offset, axis1=1, axis2=2)


def _cyclic(weights):
    n = weights.shape[1]
    return weights[:, np.arange(n), np.arange(n) - 1].mean(axis=1)


MISTAKES = (
    Misconception(
        "next-token",
        lambda w: _below(w, 1).mean(axis=-1),
        "You looked above the diagonal: that is the weight on the next token. The one before is column i − 1.",
    ),
    Misconception(
        "own-token",
        lambda w: _below(w, 0).mean(axis=-1),
        "You looked at the diagonal: that is the weight on the token itself. The one before is column i − 1.",
    ),
    Misconception(
        "divided-by-n",
        lambda w: _below(w).sum(axis=-1) / w.shape[1],
        "You divided by n. The first token has none before it, so there are n − 1 weights to average.",
    ),
    Misconception(
        "sum-for-mean", lambda w: _below(w).sum(axis=-1), "You added the weights up. Their mean is wanted: divide by n − 1."
    ),
    Misconception(
        "first-token-counts-round",
        _cyclic,
        "For the first token, i − 1 is −1, and NumPy takes the last column. Begin with token 1.",
    ),
    Misconception(
        "heads-averaged",
        lambda w: _below(w).mean(),
        "You averaged over the heads as well. Each head gets a score of its own: (h,).",
    ),
    Misconception(
        "tokens-averaged-wrongly",
        lambda w: _below(w).mean(axis=0),
        "You averaged over the heads and kept the tokens. Average over the tokens: one score for each head.",
    ),
    Misconception("largest-for-mean", lambda w: _below(w).max(axis=-1), "You took the largest weight. Their mean is wanted."),
    Misconception(
        "share-of-tokens",
        lambda w: (w[:, 1:].argmax(axis=-1) == np.arange(w.shape[1] - 1)).mean(axis=-1),
        "You counted how often the previous token gets the most weight. The mean of the weights is wanted.",
    ),
    Misconception(
        "all-before",
        lambda w: (np.tril(w, -1).sum(axis=-1)[:, 1:]).mean(axis=-1),
        "You took all earlier tokens together. Only the one just before counts.",
    ),
    Misconception("last-token-only", lambda w: w[:, -1, -2], "This is the last token alone. Average over tokens 1 … n−1."),
    Misconception(
        "from-token-2",
        lambda w: _below(w)[:, 1:].mean(axis=1) if w.shape[1] > 2 else _below(w).mean(axis=1),
        "Token 1 was left out: it has a token before it too, token 0.",
    ),
    Misconception(
        "first-column",
        lambda w: w[:, 1:, 0].mean(axis=1),
        "This is the weight on token 0. The token before token i stands in column i − 1: np.diagonal with offset −1.",
    ),
    Misconception(
        "two-before",
        lambda w: _below(w, -2).mean(axis=1) if w.shape[1] > 2 else np.zeros(len(w)),
        "This is the weight on the token two places back. The one before stands one below the diagonal: offset −1.",
    ),
)


# ---- right answers written differently


def _loops(weights):
    h, n, _ = weights.shape
    return [sum(weights[head, i, i - 1] for i in range(1, n)) / (n - 1) for head in range(h)]


def _trace(weights):
    return np.trace(weights[:, 1:, :-1], axis1=1, axis2=2) / (weights.shape[1] - 1)


def _fancy(weights):
    i = np.arange(1, weights.shape[-1])
    return weights[:, i, i - 1].mean(axis=1)


def _einsum_below(weights):
    return np.einsum("hii->h", weights[:, 1:, :-1]).astype(np.float32) / (weights.shape[1] - 1)


ACCEPTED = (_loops, _trace, _fancy, _einsum_below, lambda w: (w * np.eye(w.shape[1], k=-1)).sum(axis=(1, 2)) / (w.shape[1] - 1))


# ---- the exercise

EXERCISE = Exercise(
    name="previous_token_score",
    lesson="multi_head",
    reference=ref.previous_token_score,
    checks=(
        Check("mean weight that each token but the first gives to the one before it", 3, plain),
        Check("two tokens, and a single head", 1, short, side=True),
        Check("float32, views, and weights that are whole numbers", 1, types, side=True),
        has.touches_nothing(and_read_only(plain)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Row i of weights[head] says where token i looks. The token before it is column i − 1.",
        "These entries lie just below the diagonal. There are n − 1 of them in each head.",
        "np.diagonal(weights, offset=-1, axis1=1, axis2=2).mean(axis=-1), or a loop over i from 1 to n − 1.",
    ),
)
