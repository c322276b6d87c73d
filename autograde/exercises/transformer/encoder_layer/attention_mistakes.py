"""What learners write instead in an encoder layer's attention: projections and heads, scale, softmax and mask."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils.embedding_space import softmax
from course_utils.query_key_value import masked_softmax

from .steps import attention_with, layer_with, project

# ---- projections, heads and W_o


def _project_without(*missing):
    return lambda X, p: [X @ p[f"W_{role}"] + (0 if role in missing else p[f"b_{role}"]) for role in "qkv"]


def _blocked(id, text, **step):
    return Misconception(id, layer_with(attention_with(**step)), text)


def _as_one_head(X, p, n_heads, mask):
    attended, weights = attention_with()(X, p, 1, None if mask is None else (mask if mask.ndim < 3 else mask[..., :1, :, :]))
    return attended, np.repeat(weights, n_heads, axis=-3)


PROJECTIONS = (
    _blocked("b-q-missing", "b_q is missing: Q = X @ W_q + b_q.", project=_project_without("q")),
    _blocked("b-v-missing", "b_v is missing: V = X @ W_v + b_v.", project=_project_without("v")),
    _blocked("b-o-missing", "b_o is missing: merged @ W_o + b_o.", finish=lambda merged, p: merged @ p["W_o"]),
    _blocked(
        "biases-of-q-k-v-missing",
        "Queries, keys and values have biases: X @ W_q + b_q, and so on.",
        project=_project_without(*"qkv"),
    ),
    Misconception(
        "all-attention-biases-missing",
        layer_with(attention_with(project=_project_without(*"qkv"), finish=lambda merged, p: merged @ p["W_o"])),
        "Attention has four biases here, which lesson 6 had not: b_q, b_k, b_v before the heads, b_o after W_o.",
    ),
    _blocked(
        "w-o-missing", "W_o is missing: the merged heads go through W_o and b_o.", finish=lambda merged, p: merged + p["b_o"]
    ),
    _blocked("w-o-and-b-o-missing", "W_o and b_o are missing: merged @ W_o + b_o.", finish=lambda merged, p: merged),
    _blocked(
        "w-o-transposed",
        "W_o was transposed. Tokens are rows: merged @ W_o.",
        finish=lambda merged, p: merged @ p["W_o"].T + p["b_o"],
    ),
    _blocked(
        "heads-only-reshaped",
        "The heads were merged by a reshape alone, which scrambles tokens. Swap the axes of heads and tokens first: merge_heads.",
        merge=lambda H: H.reshape(*H.shape[:-3], H.shape[-2], -1),
    ),
    _blocked(
        "heads-interleaved",
        "The heads' numbers were laid in turn, one of each. Heads stand side by side: merge_heads.",
        merge=lambda H: np.moveaxis(H, -3, -1).reshape(*H.shape[:-3], H.shape[-2], -1),
    ),
    Misconception(
        "one-head", layer_with(_as_one_head), "All heads have the same weights: the width was never split. Use split_heads."
    ),
    _blocked(
        "keys-as-values",
        "The keys were mixed. What is mixed are the values: X @ W_v + b_v.",
        project=lambda X, p: (lambda q, k, v: [q, k, k])(*project(X, p)),
    ),
    _blocked(
        "queries-and-keys-exchanged",
        "W_q and W_k have changed places. Queries come from W_q and b_q.",
        project=lambda X, p: (lambda q, k, v: [k, q, v])(*project(X, p)),
    ),
    _blocked(
        "matrices-transposed",
        "The matrices were transposed. Tokens are rows, so it is X @ W.",
        project=lambda X, p: [X @ p[f"W_{role}"].T + p[f"b_{role}"] for role in "qkv"],
    ),
)


# ---- scale, softmax and mask


def _attend(divisor=lambda Q, h: np.sqrt(Q.shape[-1]), weigh=masked_softmax):
    def attend(Q, K, V, mask):
        weights = weigh(Q @ np.swapaxes(K, -1, -2) / divisor(Q, Q.shape[-3]), mask)
        return weights @ V, weights

    return attend


def _where_masked(weigh):
    return _attend(weigh=lambda s, mask: softmax(s) if mask is None else weigh(s, mask))


def _causal(s, mask):
    return masked_softmax(s, (np.tri(*s.shape[-2:]) > 0) & (True if mask is None else mask))


WEIGHTS = (
    _blocked("not-scaled", "The scores were not divided. Each head divides by √d_head.", attend=_attend(lambda Q, h: 1.0)),
    _blocked(
        "scaled-by-the-whole-width",
        "The scores were divided by √d_model. A head's queries have d_head numbers: divide by √d_head.",
        attend=_attend(lambda Q, h: np.sqrt(Q.shape[-1] * h)),
    ),
    _blocked(
        "divided-by-d-head",
        "The scores were divided by d_head. Its root is due: √d_head.",
        attend=_attend(lambda Q, h: Q.shape[-1]),
    ),
    _blocked(
        "softmax-over-queries",
        "This is softmax over the queries (axis −2). Each query spreads its attention over the keys: axis −1.",
        attend=_attend(weigh=lambda s, mask: softmax(s if mask is None else np.where(mask, s, -1e9), axis=-2)),
    ),
    _blocked(
        "mask-ignored",
        "The mask changes nothing: hand it to scaled_dot_product_attention.",
        attend=_attend(weigh=lambda s, mask: softmax(s)),
    ),
    _blocked(
        "mask-inverted",
        "The mask works the wrong way round: True means that a query may look.",
        attend=_where_masked(lambda s, mask: masked_softmax(s, ~mask)),
    ),
    _blocked(
        "mask-transposed",
        "The mask was used with queries and keys exchanged. Its rows are queries.",
        attend=_where_masked(lambda s, mask: masked_softmax(s, np.swapaxes(mask, -1, -2))),
    ),
    _blocked(
        "mask-after-softmax",
        "Weights were blanked after softmax, so the rest no longer sums to 1. Mask the scores, before softmax.",
        attend=_where_masked(lambda s, mask: softmax(s) * mask),
    ),
    _blocked(
        "masked-scores-are-zero",
        "Forbidden scores were set to 0, but exp(0) = 1 is a weight like any other. Set them to −∞.",
        attend=_where_masked(lambda s, mask: softmax(s * mask)),
    ),
    _blocked(
        "filled-with-20",
        "Forbidden scores were set to −20, and real scores can be lower. Set them to −∞, or to −1e9.",
        attend=_where_masked(lambda s, mask: softmax(np.where(mask, s, -20))),
    ),
    _blocked(
        "always-causal", "The future is hidden whatever the mask says. An encoder sees both sides.", attend=_attend(weigh=_causal)
    ),
)

MISTAKES = (*PROJECTIONS, *WEIGHTS)
