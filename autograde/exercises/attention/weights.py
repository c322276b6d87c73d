"""What can be wrong about softmax: (id, {"weigh": weigh(scores, mask) -> weights}, explanation) for ``attention_with``."""

import numpy as np

from course_utils.embedding_space import softmax
from course_utils.query_key_value import masked_softmax


def mistakes():
    yield (
        "no-softmax",
        {"weigh": lambda s, mask: s if mask is None else np.where(mask, s, 0)},
        "You mixed with the scores themselves. Softmax makes positive weights of them that sum to 1.",
    )
    yield (
        "scores-over-their-sum",
        {"weigh": lambda s, mask: _over_sum(s if mask is None else s * mask)},
        "You divided the scores by their sum. Scores may be negative and their sum zero: take exponentials first.",
    )
    yield (
        "not-normalised",
        {"weigh": lambda s, mask: np.exp(s) if mask is None else np.exp(s) * mask},
        "Your weights are exponentials that nothing divides. Divide each row by its sum.",
    )
    yield (
        "softmax-twice",
        {"weigh": lambda s, mask: masked_softmax(masked_softmax(s, mask), mask)},
        "Softmax was applied twice, which levels the weights. Once is enough.",
    )
    yield (
        "softmax-overflows",
        {"weigh": lambda s, mask: _exponentials(s, mask, 0.0)},
        "Your softmax overflows: exp(710) is infinite. Subtract each row's largest score first; the weights stay.",
    )
    yield (
        "one-maximum-for-all",
        {"weigh": lambda s, mask: _exponentials(s, mask, s.max())},
        "You subtracted the largest score of the whole array, so rows far below it become 0 / 0. Subtract each "
        "row's own: max(axis=-1, keepdims=True).",
    )
    yield from _axes()


def _axes():
    yield (
        "softmax-over-queries",
        {"weigh": _along(lambda s: softmax(s, axis=-2))},
        "This is softmax over the queries (axis −2). Each query spreads its attention over the keys: axis −1.",
    )
    yield (
        "softmax-over-everything",
        {"weigh": _along(lambda s: softmax(s.ravel()).reshape(s.shape))},
        "All weights of the whole array sum to 1 together. Each query has a sum of its own: axis −1.",
    )
    yield (
        "softmax-over-each-table",
        {"weigh": _along(lambda s: softmax(s.reshape(*s.shape[:-2], -1)).reshape(s.shape))},
        "All weights of a sentence sum to 1 together. Each query has a sum of its own: axis −1.",
    )
    yield (
        "softmax-over-the-first-axis",
        {"weigh": _along(lambda s: softmax(s, axis=0))},
        "You took softmax along axis 0: a sentence's queries, or a batch's sentences. The keys are the last axis: −1.",
    )
    yield (
        "softmax-over-axis-1",
        {"weigh": lambda s, mask: masked_softmax(s, mask) if s.ndim == 2 else _along(lambda t: softmax(t, axis=1))(s, mask)},
        "Axis 1 holds the keys of one sentence, but the queries of a batch. Count from the end: axis −1.",
    )


def _along(normalise):
    """Softmax along something else, with forbidden scores filled as a learner fills them."""
    return lambda s, mask: normalise(s if mask is None else np.where(mask, s, -1e9))


def _exponentials(s, mask, shift):
    """Softmax from exponentials of s − shift: right as long as nothing overflows or underflows."""
    allowed = np.broadcast_to(True if mask is None else mask, s.shape)
    weights = _over_sum(np.where(allowed, np.exp(s - shift), 0))
    return np.where(allowed.any(axis=-1, keepdims=True), weights, 0)


def _over_sum(x):
    return x / x.sum(axis=-1, keepdims=True)
