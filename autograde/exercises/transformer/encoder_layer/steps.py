"""encoder_layer from its steps: hand over one to get it wrong there."""

import numpy as np

from course_utils import transformer as ref
from course_utils.multi_head import merge_heads, split_heads
from course_utils.scaling import scaled_dot_product_attention


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
