"""Lesson 5: scaled_dot_product_attention(Q, K, V, mask), property by property, on lesson 4's cases and more widths."""

import numpy as np

from autograde.engine.exercise import Check, Exercise
from course_utils import scaling as ref

from . import scaling_accepted as ok
from . import scaling_mistakes as wrong
from .attention import checks, draws
from .attention import properties as has
from .scaling_properties import at_own_scale, divides_by_root_d_k, follows_dot_products, sums_to_1


def readable(rng):
    """Two queries, three keys of width 4, all small whole numbers."""
    K = rng.permutation([[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 1.0], [1.0, 1.0, -1.0, 0.0]])
    return np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]]), K, np.array([[2.0], [-1.0], [4.0]])


def plain(rng):
    return [readable(rng), draws.qkv(rng), draws.square(rng), (*draws.qkv(rng), None)]


def widths(rng):
    """d_k from 1 up, never equal to another size or to what another number of this case could be taken for."""
    return [
        readable(rng),
        draws.qkv(rng, n_q=4, n_k=3, d_k=2, d_v=5),
        draws.qkv(rng, n_q=5, n_k=6, d_k=9, d_v=2),
        draws.qkv(rng, n_q=2, n_k=7, d_k=20, d_v=3),
        draws.qkv(rng, n_q=6, n_k=5, d_k=1, d_v=4),
    ]


def with_rows_of_one(rng):
    """A single query, a single key: axes that a squeeze takes away."""
    return [*plain(rng), draws.qkv(rng, n_q=1), draws.qkv(rng, n_k=1)]


def with_values_of_one(rng):
    return [*plain(rng), draws.qkv(rng, d_v=1)]


def modest(args):
    return (args[0] / 1e6, *args[1:])


SCALED_ATTENTION = Exercise(
    name="scaled_dot_product_attention",
    lesson="scaling",
    reference=ref.scaled_dot_product_attention,
    checks=(
        Check("weights: exponentials of the dot products of queries and keys", 2, plain, follows_dot_products),
        Check("scores are divided by √d_k", 3, widths, divides_by_root_d_k),
        Check("each query's weights sum to 1", 1, with_rows_of_one, sums_to_1, side=True),
        Check(
            "output: the values mixed with these weights", 2, with_values_of_one, has.mixes_values(checks.the_values), side=True
        ),
        Check(
            "mask: where it is False a query does not look, and the rest sums to 1",
            2,
            draws.masks,
            has.cuts_weights(checks.the_values, checks.without_mask),
            side=True,
        ),
        Check("a batch is answered item by item", 1, draws.batches, has.same_item_by_item(checks.each_item), side=True),
        Check(
            "a mask with or without batch axes serves a batch",
            1,
            draws.masked_batches,
            has.same_item_by_item(checks.each_item, checks.without_mask),
            side=True,
        ),
        Check("a query that may look nowhere gets zeros", 1, draws.fully_masked_rows, has.zeros_in_fully_masked_rows, side=True),
        Check("scores as large as 1,000,000", 1, draws.huge, at_own_scale(has.survives(checks.the_values, modest)), side=True),
        Check(
            "closed keys stay closed however large their scores",
            1,
            draws.huge_masked,
            at_own_scale(has.hides_at_any_size(checks.without_mask)),
            side=True,
        ),
        Check("float32 and whole numbers", 1, draws.types, has.same_in_any_type, side=True),
        has.touches_nothing(lambda rng: draws.masks(rng) + draws.masked_batches(rng)),
    ),
    misconceptions=wrong.SCALED_ATTENTION,
    accepted=ok.SCALED_ATTENTION,
    hints=(
        "It is lesson 4's attention with one thing changed: the scores. Mask, softmax and mix stay as they were.",
        ("d_k is the width of a query and of a key: Q.shape[-1]. The number of keys and the width of the values play no part."),
        "scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), and then everything as in attention.",
    ),
)
