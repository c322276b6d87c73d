"""Lesson 5: the factor before the dot products is 1 / √d_k, and every other property is asked at the answer's own."""

import numpy as np

from .attention import scale as attention_scale
from .attention.scale import Scale, inverse_temperature, sums_to_1

__all__ = ["at_own_scale", "divides_by_root_d_k", "follows_dot_products", "inverse_temperature", "sums_to_1"]

ROOT = Scale(
    vectors=lambda args: args[:2],
    times=lambda args, c: (c * args[0], *args[1:]),
    right=lambda args: 1 / np.sqrt(args[0].shape[-1]),
)

follows_dot_products = attention_scale.follows_dot_products(ROOT)
divides_by_root_d_k = attention_scale.has_right_factor(ROOT)


def at_own_scale(test):
    return attention_scale.at_own_scale(test, ROOT)
