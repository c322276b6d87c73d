"""encoder_layer with one step wrong: the blocks and what joins them, the projections, the scale, the mask, the result."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import transformer as ref
from course_utils.embedding_space import softmax
from course_utils.multi_head import merge_heads, split_heads
from course_utils.query_key_value import masked_softmax
from course_utils.scaling import scaled_dot_product_attention

from ..feed_forward import tanh_gelu


def project(X, p):
    return [X @ p[f"W_{role}"] + p[f"b_{role}"] for role in "qkv"]


def attention_with(project=project, attend=scaled_dot_product_attention, merge=merge_heads, finish=None):
    """A block (X, p, n_heads, mask) -> (what is added to X, weights)."""

    def block(X, p, n_heads, mask):
        Q, K, V = (split_heads(part, n_heads) for part in project(X, p))
        heads, weights = attend(Q, K, V, mask)
        return finish(merge(heads), p) if finish else merge(heads) @ p["W_o"] + p["b_o"], weights

    return block


def feed(X, p):
    return ref.feed_forward(X, p["W_1"], p["b_1"], p["W_2"], p["b_2"])


def norm(number, eps=1e-12):
    """norm(number)(X, p): the layer norm with gamma and beta of this number."""
    return lambda X, p: ref.layer_norm(X, p[f"gamma_{number}"], p[f"beta_{number}"], eps)


def add(X, change):
    return X + change


def layer_with(
    block=attention_with(), join_1=add, norm_1=norm(1), feed=feed, join_2=add, norm_2=norm(2), pack=lambda *pair: pair
):
    """The right layer from its steps; hand over one to get it wrong there."""

    def layer(X, params, n_heads, mask=None):
        X = np.asarray(X)
        attended, weights = block(X, params, n_heads, mask)
        middle = norm_1(join_1(X, attended), params)
        return pack(norm_2(join_2(middle, feed(middle, params)), params), weights)

    return layer


def no_norm(X, p):
    return X


def only_change(X, change):
    return change


# ---- how the two blocks are joined


def _pre_norm(X, params, n_heads, mask=None):
    attended, weights = attention_with()(norm(1)(X, params), params, n_heads, mask)
    X = X + attended
    return X + feed(norm(2)(X, params), params), weights


def _norm_inside(X, params, n_heads, mask=None):
    """The norm on the block's result, before it is added."""
    attended, weights = attention_with()(X, params, n_heads, mask)
    X = X + norm(1)(attended, params)
    return X + norm(2)(feed(X, params), params), weights


def _second_from_the_input(X, params, n_heads, mask=None):
    attended, weights = attention_with()(X, params, n_heads, mask)
    middle = norm(1)(X + attended, params)
    return norm(2)(X + feed(middle, params), params), weights


def _side_by_side(X, params, n_heads, mask=None):
    attended, weights = attention_with()(X, params, n_heads, mask)
    return norm(2)(norm(1)(X + attended + feed(X, params), params), params), weights


def _feed_first(X, params, n_heads, mask=None):
    X = norm(1)(X + feed(X, params), params)
    attended, weights = attention_with()(X, params, n_heads, mask)
    return norm(2)(X + attended, params), weights


JOINS = (
    Misconception(
        "pre-norm",
        _pre_norm,
        "The norms stand before the blocks, as in GPT-2. BERT's layer is post-norm: layer_norm(X + block(X)), twice.",
    ),
    Misconception(
        "norm-before-the-sum",
        _norm_inside,
        "Each block's result was normalised and then added. Add first, then normalise: layer_norm(X + block(X)).",
    ),
    Misconception(
        "first-residual-missing",
        layer_with(join_1=only_change),
        "X is not added to what attention found, so each token forgets itself: layer_norm(X + attended).",
    ),
    Misconception(
        "second-residual-missing",
        layer_with(join_2=only_change),
        "The feed-forward net's result replaces its input. Add the input to it: layer_norm(X + feed_forward(X)).",
    ),
    Misconception(
        "both-residuals-missing",
        layer_with(join_1=only_change, join_2=only_change),
        "Neither block's input is added to its result: layer_norm(X + block(X)), twice.",
    ),
    Misconception(
        "first-residual-twice", layer_with(join_1=lambda X, c: 2 * X + c), "X was added twice in the first block. Once is right."
    ),
    Misconception(
        "second-residual-twice",
        layer_with(join_2=lambda X, c: 2 * X + c),
        "The feed-forward net's input was added twice. Once is right: feed_forward itself adds nothing.",
    ),
    Misconception(
        "second-residual-from-the-input",
        _second_from_the_input,
        "The layer's input was added in the second block. What is added there is the second block's own input, "
        "which the first norm made.",
    ),
    Misconception(
        "blocks-side-by-side",
        _side_by_side,
        "The feed-forward net was given the layer's input. It works on what the first norm made.",
    ),
    Misconception("feed-forward-first", _feed_first, "The feed-forward net comes first here. Attention is the first block."),
    Misconception(
        "first-norm-missing", layer_with(norm_1=no_norm), "The first norm is missing: it comes after attention was added to X."
    ),
    Misconception("second-norm-missing", layer_with(norm_2=no_norm), "The second norm is missing: it is the layer's last step."),
    Misconception(
        "both-norms-missing",
        layer_with(norm_1=no_norm, norm_2=no_norm),
        "Both norms are missing: layer_norm(X + block(X)), twice.",
    ),
    Misconception(
        "first-norm-for-both",
        layer_with(norm_2=norm(1)),
        "gamma_1 and beta_1 serve both norms. The second has its own: gamma_2, beta_2.",
    ),
    Misconception(
        "second-norm-for-both",
        layer_with(norm_1=norm(2)),
        "gamma_2 and beta_2 serve both norms. The first has its own: gamma_1, beta_1.",
    ),
    Misconception(
        "norms-exchanged",
        layer_with(norm_1=norm(2), norm_2=norm(1)),
        "The two norms have changed places: gamma_1 and beta_1 belong after attention.",
    ),
    Misconception(
        "eps-1e-5",
        layer_with(norm_1=norm(1, 1e-5), norm_2=norm(2, 1e-5)),
        "The norms have an eps of 10⁻⁵. This model was trained with 10⁻¹².",
    ),
    Misconception(
        "feed-forward-missing",
        layer_with(feed=lambda X, p: 0 * X),
        "The feed-forward net is missing: after attention and the first norm comes layer_norm(X + feed_forward(X, …)).",
    ),
    Misconception(
        "attention-only",
        lambda X, params, n_heads, mask=None: attention_with()(X, params, n_heads, mask),
        "This is attention alone, as in lesson 6. The layer adds it to X, normalises, and then does the same with feed_forward.",
    ),
    Misconception(
        "attention-adds-nothing",
        layer_with(join_1=lambda X, c: X),
        "What attention found is not added to X: layer_norm(X + attended).",
    ),
)


# ---- the feed-forward net


def _feed_with(bend, b_1=1, b_2=1):
    return layer_with(feed=lambda X, p: bend(X @ p["W_1"] + b_1 * p["b_1"]) @ p["W_2"] + b_2 * p["b_2"])


FEED = (
    Misconception(
        "relu",
        _feed_with(lambda x: np.maximum(x, 0)),
        "ReLU bends the feed-forward net here. BERT has GELU: use your feed_forward.",
    ),
    Misconception(
        "gelu-by-tanh",
        _feed_with(tanh_gelu),
        "The feed-forward net has GELU's approximation by tanh. The exact one, with erf, is due: use your feed_forward.",
    ),
    Misconception(
        "no-activation", _feed_with(lambda x: x), "Nothing bends in the feed-forward net: GELU belongs between its two maps."
    ),
    Misconception("b-1-missing", _feed_with(ref.gelu, b_1=0), "b_1 is missing: hand it to feed_forward."),
    Misconception("b-2-missing", _feed_with(ref.gelu, b_2=0), "b_2 is missing: hand it to feed_forward."),
)


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
    return masked_softmax(s, np.tri(*s.shape[-2:], dtype=bool) & (True if mask is None else mask))


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


# ---- what is returned


def _in_place(X, params, n_heads, mask=None):
    result = ref.encoder_layer(X, params, n_heads, mask)
    X += 1
    return result


RESULTS = (
    Misconception("output-only", layer_with(pack=lambda output, weights: output), "The weights are missing: return X, weights."),
    Misconception(
        "output-and-weights-swapped",
        layer_with(pack=lambda output, weights: (weights, output)),
        "The weights were returned first. The order is: output, then weights.",
    ),
    Misconception(
        "weights-averaged-over-heads",
        layer_with(pack=lambda output, weights: (output, weights.mean(axis=-3))),
        "The weights were averaged over the heads. Return all of them: (h, n, n).",
    ),
    Misconception(
        "first-head-s-weights",
        layer_with(pack=lambda output, weights: (output, weights[..., 0, :, :])),
        "Only the first head's weights were returned. Return all of them: (h, n, n).",
    ),
    Misconception("changes-its-argument", _in_place, "X += … writes into the caller's array. Make a new one: X = X + …"),
)

MISTAKES = (*JOINS, *FEED, *PROJECTIONS, *WEIGHTS, *RESULTS)
