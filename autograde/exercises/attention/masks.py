"""What can be wrong about a mask: (id, {"weigh": weigh(scores, mask) -> weights}, explanation) for ``attention_with``."""

import numpy as np

from course_utils.embedding_space import softmax
from course_utils.query_key_value import masked_softmax

LOW = (20.0, 1e4, 1e5)  # fills that are meant as −∞, and that real scores can undercut


def mistakes():
    yield from _use()
    yield from _place()
    yield from _which()
    for size in LOW:
        yield from _fill(size)
    yield from _fully_masked_rows()


def masked(weigh):
    """``weigh`` where there is a mask, the plain softmax where there is none."""
    return {"weigh": lambda s, mask: softmax(s) if mask is None else weigh(s, mask)}


def _use():
    yield (
        "mask-ignored",
        masked(lambda s, mask: softmax(s)),
        "The mask changes nothing in your result. Where it is False, a query must not look.",
    )
    yield (
        "mask-inverted",
        masked(lambda s, mask: masked_softmax(s, ~mask)),
        "Your mask works the wrong way round: True means that a query may look.",
    )
    yield (
        "masked-scores-are-zero",
        masked(lambda s, mask: softmax(np.where(mask, s, 0))),
        "You set forbidden scores to 0, but exp(0) = 1 is a weight like any other. Set them to −∞ (or −1e9).",
    )
    yield (
        "mask-added",
        masked(lambda s, mask: softmax(s + mask)),
        "You added the mask's True and False as 1 and 0. A forbidden score must fall to −∞ (or −1e9).",
    )
    yield (
        "always-causal",
        {"weigh": lambda s, mask: masked_softmax(s, (np.tri(*s.shape[-2:]) > 0) & (True if mask is None else mask))},
        "Your attention hides the future whatever the mask says. Use the mask that is handed over, and no other.",
    )


def _place():
    yield (
        "mask-after-softmax",
        masked(lambda s, mask: np.where(mask, softmax(s), 0)),
        "You blanked weights after softmax, so the rest of a row no longer sums to 1. Mask the scores, before softmax.",
    )
    yield (
        "renormalised-after-softmax",
        masked(_renormalised),
        "You masked after softmax and divided again. Where a forbidden key scores far higher, the allowed weights "
        "are 0 by then and cannot come back. Mask the scores, before softmax.",
    )


def _which():
    yield (
        "mask-transposed",
        masked(lambda s, mask: masked_softmax(s, np.swapaxes(mask, -1, -2))),
        "You used the mask with queries and keys exchanged. Its rows are queries, as the rows of the scores are.",
    )
    yield (
        "first-row-of-the-mask",
        masked(lambda s, mask: masked_softmax(s, mask[..., :1, :])),
        "Every query got the first query's row of the mask. Each query has a row of its own.",
    )
    yield (
        "first-mask-of-the-batch",
        masked(lambda s, mask: masked_softmax(s, mask[(0,) * (mask.ndim - 2)])),
        "The whole batch got the first mask. Let NumPy broadcast the mask as it is.",
    )


def _fill(size):
    yield (
        f"filled-with-{size:.0f}",
        masked(lambda s, mask: _open_rows(np.where(mask, s, -size), mask)),
        f"You set forbidden scores to −{size:,.0f}, and real scores can be lower. Use −np.inf, or −1e9.",
    )
    yield (
        f"lowered-by-{size:.0f}",
        masked(lambda s, mask: _open_rows(s - size * ~mask, mask)),
        f"You lowered forbidden scores by {size:,.0f}, and real scores can differ by more. Use −np.inf, or −1e9.",
    )


def _fully_masked_rows():
    yield (
        "fully-masked-row-is-nan",
        masked(lambda s, mask: softmax(np.where(mask, s, -np.inf))),
        "A query that may look nowhere divides 0 by 0 and gets NaN. Its weights and its output are zeros.",
    )
    yield (
        "fully-masked-row-is-uniform",
        masked(lambda s, mask: softmax(np.where(mask, s, -1e9))),
        "A query that may look nowhere looks everywhere evenly in your result. Its weights and its output are zeros.",
    )
    yield (
        "fully-masked-row-is-open",
        masked(lambda s, mask: softmax(s - 1e9 * ~mask)),
        "A query that may look nowhere looks everywhere in your result: lowering a whole row by the same −1e9 "
        "changes nothing. Its weights and its output are zeros.",
    )


def _open_rows(filled, mask):
    """Softmax of filled scores, fully masked rows rightly set to zero: only the fill is wrong."""
    return np.where(mask.any(axis=-1, keepdims=True), softmax(filled), 0)


def _renormalised(s, mask):
    weights = np.where(mask, softmax(s), 0)
    sums = weights.sum(axis=-1, keepdims=True)
    return np.where(mask.any(axis=-1, keepdims=True), weights / sums, 0)
