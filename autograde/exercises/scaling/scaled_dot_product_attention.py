"""scaled_dot_product_attention: lesson 4's attention with its scores divided by √d_k, asked on more widths."""

import math

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from course_utils import scaling as ref
from course_utils.query_key_value import attention, attention_scores

from ..attention.accepted import UNSCALED
from ..attention.checks import mask_and_batch, size_and_types, the_values
from ..attention.draws import hard_sizes, qkv, square, tiny
from ..attention.formula import attention_with, one, root_d_k
from ..attention.habits import attention_habits
from ..attention.mistakes import divided, shared_mistakes, single_head_mistakes
from ..attention.properties import mixes_values
from ..attention.scale import Scale, follows_dot_products, has_right_factor, sums_to_1
from ..inputs.attention import all_kinds

# ---- what is asked


def readable(rng):
    """Two queries, three keys of width 4, all small whole numbers."""
    K = rng.permutation([[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 1.0], [1.0, 1.0, -1.0, 0.0]])
    return np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]]), K, np.array([[2.0], [-1.0], [4.0]])


def plain(rng):
    return [readable(rng), qkv(rng), square(rng), (*qkv(rng), None), *hard_sizes(rng)]


def widths(rng):
    """d_k from 1 up, never equal to another size or to what another number of this case could be taken for."""
    return [
        readable(rng),
        qkv(rng, n_q=4, n_k=3, d_k=2, d_v=5),
        qkv(rng, n_q=5, n_k=6, d_k=9, d_v=2),
        qkv(rng, n_q=2, n_k=7, d_k=20, d_v=3),
        qkv(rng, n_q=6, n_k=5, d_k=1, d_v=4),
    ]


def with_rows_of_one(rng):
    """A single query, a single key: axes that a squeeze takes away."""
    return [*plain(rng), qkv(rng, n_q=1), qkv(rng, n_k=1), qkv(rng, d_v=1)]


ROOT = Scale(
    vectors=lambda args: args[:2],
    times=lambda args, c: (c * args[0], *args[1:]),
    right=lambda args: 1 / np.sqrt(args[0].shape[-1]),
)


def every_kind(rng):
    return [tiny(rng), *all_kinds(rng)]


# ---- what learners write instead


def _spread(Q, K, V):
    return attention_scores(Q, K).std()


def _cosines(Q, K):
    lengths = [np.linalg.norm(part, axis=-1, keepdims=True) for part in (Q, K)]
    return attention_scores(Q / lengths[0], K / lengths[1])


def _scales_weights(Q, K, V, mask=None):
    return attention_with(pack=lambda o, w, s: (o / root_d_k(Q, K, V), w / root_d_k(Q, K, V)))(Q, K, V, mask)


def _scales_output(Q, K, V, mask=None):
    output, weights = attention_with()(Q, K, V, mask)
    return output / root_d_k(Q, K, V), weights


MISTAKES = (
    divided(
        "not-scaled",
        one,
        "The scores are not scaled. Divide them by √d_k, the root of a query's width. (Subtracting it changes "
        "nothing: softmax does not see what is taken off every score.)",
    ),
    divided(
        "divided-by-d-k",
        lambda Q, K, V: Q.shape[-1],
        "You divided by d_k, or by √d_k twice. The spread of the scores grows as √d_k: divide by that, once.",
    ),
    divided(
        "divided-by-half-d-k",
        lambda Q, K, V: Q.shape[-1] ** 1 / 2,
        "Python reads d_k ** 1 / 2 as (d_k ** 1) / 2. Write d_k ** 0.5, or np.sqrt(d_k).",
    ),
    divided(
        "divided-by-root-d-v",
        lambda Q, K, V: np.sqrt(V.shape[-1]),
        "You divided by √d_v, the width of the values. Scores come from queries and keys: √d_k.",
    ),
    divided(
        "divided-by-root-n-k",
        lambda Q, K, V: np.sqrt(K.shape[-2]),
        "You divided by the root of the number of keys. A score adds up d_k products, however many keys there are: Q.shape[-1].",
    ),
    divided(
        "divided-by-root-n-q",
        lambda Q, K, V: np.sqrt(Q.shape[-2]),
        "You divided by the root of the number of queries. d_k is a query's width: Q.shape[-1].",
    ),
    divided(
        "divided-by-root-of-length",
        lambda Q, K, V: np.sqrt(len(Q)),
        "len(Q) is the number of queries, or of sentences in a batch. d_k is a query's width: Q.shape[-1].",
    ),
    divided(
        "width-from-axis-1",
        lambda Q, K, V: np.sqrt(Q.shape[1]),
        "Q.shape[1] is the width of one sentence's queries, but the number of queries in a batch. Count from the "
        "end: Q.shape[-1].",
    ),
    divided(
        "divided-by-root-of-size",
        lambda Q, K, V: np.sqrt(Q.size),
        "Q.size counts all the numbers of all queries. One query's width is Q.shape[-1].",
    ),
    divided(
        "times-root-d-k",
        lambda Q, K, V: 1 / root_d_k(Q, K, V),
        "You multiplied by √d_k, which spreads the scores further. Divide.",
    ),
    divided(
        "divided-by-8",
        lambda Q, K, V: 8.0,
        "You divided by 8, which is √64 of the 2017 paper's heads. Take the width of the queries at hand.",
    ),
    divided(
        "divided-by-log-d-k",
        lambda Q, K, V: np.log(Q.shape[-1] + 1),
        "You divided by a logarithm of d_k. The spread of the scores grows as √d_k.",
    ),
    divided(
        "divided-by-fourth-root",
        lambda Q, K, V: Q.shape[-1] ** 0.25,
        "You divided by the fourth root of d_k. That is right for Q and K each; the scores need √d_k.",
    ),
    divided(
        "divided-by-cube-root",
        lambda Q, K, V: np.cbrt(Q.shape[-1]),
        "You divided by the cube root of d_k. The spread of the scores grows as the square root.",
    ),
    divided(
        "divided-by-whole-root",
        lambda Q, K, V: int(np.sqrt(Q.shape[-1])),
        "You rounded √d_k down to a whole number. Leave it as it is.",
    ),
    divided(
        "negative-scores",
        lambda Q, K, V: -root_d_k(Q, K, V),
        "Your scores have the opposite sign: the best key gets the least weight.",
    ),
    divided(
        "divided-by-measured-spread",
        _spread,
        "You divided by the spread of these very scores. Then a query's weights depend on all others, and a "
        "certain query cannot be certain. √d_k is fixed.",
    ),
    Misconception(
        "cosines",
        attention_with(scores=_cosines),
        "You divided by the lengths of queries and keys: cosines. Lengths must count; divide by √d_k only.",
    ),
    Misconception(
        "weights-scaled",
        _scales_weights,
        "You divided the weights by √d_k, after softmax, so they no longer sum to 1. Divide the scores.",
    ),
    Misconception("output-scaled", _scales_output, "You divided the output by √d_k. Divide the scores, before softmax."),
    Misconception(
        "squeezed",
        attention_with(root_d_k, pack=lambda o, w, s: (np.squeeze(o), np.squeeze(w))),
        "np.squeeze takes away every axis of length 1: a single query's, too. Leave the shapes as they are.",
    ),
    *shared_mistakes(root_d_k),
    *single_head_mistakes(root_d_k),
    divided(
        "divided-by-root-2",
        lambda Q, K, V: np.sqrt(2.0),
        "You divided by √2, the root of the small example's width. The divisor follows the width that is "
        "given: np.sqrt(Q.shape[-1]).",
    ),
)


# ---- right answers written differently


def _queries_first(function):
    """The queries divided before anything else, which is the same: every accepted attention of lesson 4 serves."""

    def scaled(Q, K, V, mask=None):
        return function(Q / np.sqrt(Q.shape[-1]), K, V, mask)

    return scaled


def _both_by_the_fourth_root(Q, K, V, mask=None):
    root = Q.shape[-1] ** 0.25
    return attention(Q / root, K / root, V, mask)


def _keys_times_power(Q, K, V, mask=None):
    return attention(Q, K * K.shape[-1] ** -0.5, V, mask)


def _filled_then_scaled(Q, K, V, mask=None):
    scores = np.einsum("...id,...jd->...ij", Q, K)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    scores = scores / math.sqrt(K.shape[-1])
    e = np.exp(scores - scores.max(-1, keepdims=True))
    weights = e / e.sum(-1, keepdims=True)
    if mask is not None:
        weights = np.where(np.any(mask, axis=-1, keepdims=True), weights, 0)
    return np.einsum("...ij,...jv->...iv", weights, V), weights


def _root_in_the_exponent(Q, K, V, mask=None):
    """exp(s)^(1/√d_k) in logarithms: the temperature √d_k of a softmax."""
    temperature = np.sqrt(np.array(Q).shape[-1])
    scores = (Q @ np.moveaxis(K, -1, -2)).astype(float)
    open_ = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=open_, initial=-1e12)
    weights = np.where(open_, np.exp(np.minimum(scores - top, 0) / temperature), 0)
    weights = weights / np.maximum(weights.sum(axis=-1, keepdims=True), 1e-300)
    return weights @ V, weights


ACCEPTED = (
    *(_queries_first(function) for function in UNSCALED),
    _both_by_the_fourth_root,
    _keys_times_power,
    _filled_then_scaled,
    _root_in_the_exponent,
)


# ---- the exercise

EXERCISE = Exercise(
    name="scaled_dot_product_attention",
    lesson="scaling",
    reference=ref.scaled_dot_product_attention,
    checks=(
        Check("weights: exponentials of the dot products of queries and keys", 1, plain, follows_dot_products(ROOT)),
        Check("each query's weights sum to 1", 1, with_rows_of_one, sums_to_1, side=True),
        Check("output: the values mixed with these weights", 1, with_rows_of_one, mixes_values(the_values)),
        *mask_and_batch(mask_points=1),
        Check("scores are divided by √d_k", 6, widths, has_right_factor(ROOT), core=True),
        *size_and_types(ROOT),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    habits=attention_habits(lambda args: attention_scores(*args[:2]), lambda args: args[3] if len(args) > 3 else None),
    hints=(
        "It is lesson 4's attention with one thing changed: the scores. Mask, softmax and mix stay as they were.",
        ("d_k is the width of a query and of a key: Q.shape[-1]. The number of keys and the width of the values play no part."),
        "scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), and then everything as in attention.",
    ),
)
