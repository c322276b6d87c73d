"""What learners write instead of an encoder layer: how the blocks are joined, the feed-forward net, what is returned."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import transformer as ref

from ..feed_forward import tanh_gelu
from .steps import attention_with, feed, layer_with, no_norm, norm, only_change

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

MISTAKES = (*JOINS, *FEED, *RESULTS)
