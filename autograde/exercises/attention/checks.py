"""The checks of attention(Q, K, V, mask) that have the same words in lessons 4 and 5."""

import numpy as np

from autograde.engine.exercise import Check

from ..inputs.layouts import and_read_only
from . import draws
from . import properties as has
from .scale import Scale, at_own_scale


def mask_and_batch(mask_points: int) -> tuple[Check, ...]:
    """Masks and batches, each asked of the answer with the weights that it has without them."""
    return (
        Check(
            "mask: where it is False a query does not look, and the rest sums to 1",
            mask_points,
            draws.masks,
            has.cuts_weights(the_values, without_mask),
            side=True,
        ),
        Check("a batch is answered item by item", 1, draws.batches, has.same_item_by_item(each_item), side=True),
        Check(
            "a mask with or without batch axes serves a batch",
            1,
            draws.masked_batches,
            has.same_item_by_item(each_item, without_mask),
            side=True,
        ),
        Check("a query that may look nowhere gets zeros", 1, draws.fully_masked_rows, has.zeros_in_fully_masked_rows, side=True),
    )


def size_and_types(scale: Scale) -> tuple[Check, ...]:
    """Huge scores, other types and layouts, nothing changed; asked of the answer at the scale that it uses."""
    return (
        Check("scores as large as 1,000,000", 1, draws.huge, at_own_scale(has.survives(the_values, modest), scale), side=True),
        Check(
            "closed keys stay closed however large their scores",
            1,
            draws.huge_masked,
            at_own_scale(has.hides_at_any_size(the_values, without_mask), scale),
            side=True,
        ),
        Check("float32, whole numbers and views", 1, draws.types, has.same_in_any_type, side=True),
        has.touches_nothing(and_read_only(lambda rng: draws.masks(rng) + draws.masked_batches(rng))),
    )


def the_values(args):
    return args[2]


def without_mask(args):
    return args[:3]


def modest(args):
    return (args[0] / 1e6, *args[1:])


def each_item(args):
    """A batch's items, each with its own (n_q, n_k) part of the mask."""
    Q, K, V, *mask = args
    lead = Q.shape[:-2]
    mask = [np.broadcast_to(m, (*lead, *m.shape[-2:])) for m in mask]
    return [tuple(a[index].copy() for a in (Q, K, V, *mask)) for index in np.ndindex(lead)]
