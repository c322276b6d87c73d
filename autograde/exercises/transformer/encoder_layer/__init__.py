"""encoder_layer: attention and a feed-forward net, each added to its input and normalised, as in BERT."""

import numpy as np

from autograde.engine.exercise import Check, Exercise
from course_utils import transformer as ref

from ...attention import properties as has
from ...attention.draws import some_open
from ..draws import in_type, layer, layouts, norm, whole
from ..properties import same_in_float64
from . import attention_mistakes, block_mistakes
from . import properties as keeps
from .accepted import ACCEPTED

N, D, H, M = 5, 6, 3, 10  # d_head = 2; no one the root of another


def sentence(rng, *batch, n=N, d=D, h=H, m=M):
    return rng.normal(size=(*batch, n, d)), layer(rng, d, m), h


def changed(args, *zero, norms=True):
    """The same call with these params zero and, if asked, both norms without gamma and beta."""
    X, params, *rest = args
    params = params | {name: np.zeros_like(params[name]) for name in zero}
    if norms:
        d = X.shape[-1]
        params |= {f"gamma_{i}": np.ones(d) for i in (1, 2)} | {f"beta_{i}": np.zeros(d) for i in (1, 2)}
    return X, params, *rest


def readable(rng):
    """Two tokens of four numbers, two heads, small whole numbers."""
    X = np.array([[1.0, 0, 1, 0], [0, 2, 0, -1]])
    params = {f"W_{name}": rng.permutation(np.eye(4)) + np.eye(4, k=k) for name, k in zip("qkvo12", (1, -1, 2, -2, 3, -3))}
    params |= {f"b_{name}": np.array(b, dtype=float) for name, b in zip("qkvo12", rng.permutation(4 * np.eye(6)[:, :4] - 1))}
    for i in (1, 2):
        params[f"gamma_{i}"], params[f"beta_{i}"] = norm(rng, 4)
    return X, params, 2


def plain(rng):
    return [readable(rng), sentence(rng), sentence(rng, n=4, d=8, h=2, m=8), sentence(rng, n=3, d=9, h=3), (*sentence(rng), None)]


def nets(rng):
    """W_v, b_v, W_o and b_o are zero: attention adds nothing, even where it is put together wrong."""
    return [changed(args, "W_v", "b_v", "W_o", "b_o") for args in plain(rng)]


def attentions(rng):
    """W_2 and b_2 are zero: the feed-forward net adds nothing."""
    return [changed(args, "W_2", "b_2") for args in plain(rng)]


def wholes(rng):
    small = rng.normal(size=(N, D)) * 0.04
    faint = layer(rng, D, M, size=0.01)
    faint |= {name: 0.03 * value for name, value in faint.items() if name.startswith("b_")}  # variances near 0.002: eps counts
    return [*plain(rng), (small, faint, H)]


def masks(rng):
    return [
        (*readable(rng), np.array([[True, False], [True, True]])),
        (*sentence(rng), np.tri(N, dtype=bool)),
        (*sentence(rng), some_open(rng, N, N)),
        (*sentence(rng), some_open(rng, H, N, N)),
        (*sentence(rng, n=3, d=9, h=3), some_open(rng, 3, 3)),
    ]


def ends(rng):
    return [
        sentence(rng, d=4, h=1),
        sentence(rng, n=4, d=5, h=5),
        sentence(rng, n=1),
        sentence(rng, m=1),
        sentence(rng, d=12, h=4),
    ]


def batches(rng):
    return [
        sentence(rng, 2),
        sentence(rng, 3, n=3, d=9, h=3),
        sentence(rng, 1),
        sentence(rng, 2, 3, n=4, d=8, h=2),
        (*sentence(rng, 2), some_open(rng, N, N)),
        (*sentence(rng, 2), some_open(rng, 2, 1, N, N)),
        (*sentence(rng, 3, n=3, d=9, h=3), some_open(rng, 3, 3, 3, 3)),
    ]


def wide_scores(rng):
    """Scores up to 50 in size under a mask: a fill of −20 is not low enough."""
    cases = []
    for mask in (np.tri(N, dtype=bool), some_open(rng, N, N)):
        X, params, h = sentence(rng)
        params |= {"W_q": np.eye(D), "W_k": -np.eye(D), "b_q": np.zeros(D), "b_k": np.zeros(D)}  # low scores first
        scores = ref.split_heads(X, h) @ np.swapaxes(ref.split_heads(X, h), -1, -2) / np.sqrt(D / h)
        cases += [(X * np.sqrt(49 / np.abs(scores).max()), params, h, mask)]
    return cases


def types(rng):
    X, params, h = sentence(rng)
    laid = [(each, params, h) for each in layouts(X)]
    integral = in_type({name: 2 * value for name, value in params.items()}, int)
    return [
        (X.astype(np.float32), in_type(params, np.float32), h),
        (whole(rng, N, D), params, h),
        (whole(rng, N, D), integral, h, some_open(rng, N, N)),
        (X, {name: np.asfortranarray(value) for name, value in params.items()}, h),
        *laid,
    ]


EXERCISE = Exercise(
    name="encoder_layer",
    lesson="transformer",
    reference=ref.encoder_layer,
    checks=(
        Check("the feed-forward net is added to what it was given, then the second norm", 4, nets, keeps.output_follows),
        Check("weights: each head's softmax over its queries and keys, with biases, by √d_head", 3, plain, has.right_weights),
        Check(
            "attention: values with their bias, merged, through W_o and b_o, added to X, then the first norm",
            4,
            attentions,
            keeps.output_follows,
        ),
        Check("both norms with their own gamma and beta, eps 1e-12, all biases", 2, wholes, keeps.output_follows),
        Check("a mask holds in every head, and the rest sums to 1", 2, masks, keeps.obeys_the_mask),
        Check("one head, heads of width 1, a single token", 1, ends, keeps.output_follows, side=True),
        Check(
            "a batch is answered sentence by sentence, with or without a mask", 1, batches, keeps.sentence_by_sentence, side=True
        ),
        Check("closed keys stay closed where scores reach 50", 1, wide_scores, has.right_weights, side=True),
        Check("float32, whole numbers, any layout in memory", 1, types, same_in_float64, side=True),
        has.touches_nothing(lambda rng: plain(rng) + masks(rng)),
    ),
    misconceptions=(*block_mistakes.MISTAKES, *attention_mistakes.MISTAKES),
    accepted=ACCEPTED,
    hints=(
        "Two blocks with one pattern: X = layer_norm(X + block(X), gamma, beta). The first block is attention, the second "
        "feed_forward.",
        "Attention is lesson 6's with biases: Q = X @ W_q + b_q, and so for K and V; split_heads, "
        "scaled_dot_product_attention(Q, K, V, mask), merge_heads, then @ W_o + b_o.",
        "X = layer_norm(X + merged @ params['W_o'] + params['b_o'], params['gamma_1'], params['beta_1']); then the same with "
        "feed_forward(X, W_1, b_1, W_2, b_2), gamma_2 and beta_2. Return X, weights.",
    ),
)
