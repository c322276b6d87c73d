"""Lesson 6: attention by several heads with one step wrong: split, merge, scale, mask, W_o, or a shared matrix."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import multi_head as ref
from course_utils.query_key_value import causal_mask, project
from course_utils.scaling import scaled_dot_product_attention

from ...attention.formula import attention_with, root_d_k
from ...attention.mistakes import shared_mistakes
from .. import merge_heads, split_heads


def multi_head_with(
    project=project,
    split=ref.split_heads,
    attend=scaled_dot_product_attention,
    merge=ref.merge_heads,
    finish=np.matmul,
    pack=lambda output, weights: (output, weights),
):
    """The right formula from its steps; hand over one to get it wrong there."""

    def attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
        Q, K, V = (split(part, n_heads) for part in project(X, W_q, W_k, W_v))
        heads, weights = attend(Q, K, V, mask)
        return pack(finish(merge(heads), W_o), weights)

    return attention


def _named(table, step):
    """The mistakes of ``split_heads`` or ``merge_heads`` that keep every shape, made inside attention."""
    for mistake in table:
        if mistake.id in ("reshaped-only", "every-hth-column", "interleaved", "heads-reversed"):
            yield Misconception(
                f"{step}-{mistake.id}", multi_head_with(**{step: mistake.function}), f"In {step}_heads: {mistake.explanation}"
            )


def _batch_last(X, h):
    """Heads before the batch, in an array that is then read as if the batch came first."""
    split = ref.split_heads(X, h)
    return np.moveaxis(split, -3, 0).reshape(split.shape)


BATCH = (
    Misconception(
        "heads-and-batch-mixed",
        multi_head_with(split=_batch_last),
        "Alone each sentence is right; in a batch, heads are given to other sentences. You stacked the heads before "
        "the batch and read them back as (batch, h, n, d_head). Swap the axes of heads and tokens instead.",
    ),
)


def _scaled(id, divisor, text):
    return Misconception(id, multi_head_with(attend=attention_with(divisor)), text)


def _whole_width(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    attend = attention_with(lambda Q, K, V: np.sqrt(X.shape[-1]))
    return multi_head_with(attend=attend)(X, W_q, W_k, W_v, W_o, n_heads, mask)


SCALE = (
    Misconception(
        "scaled-by-the-whole-width",
        _whole_width,
        "You divided by √d_model. A head's queries and keys have d_head numbers: divide by √d_head.",
    ),
    _scaled("not-scaled", lambda Q, K, V: 1.0, "The scores were not divided. Each head divides by √d_head."),
    _scaled("divided-by-d-head", lambda Q, K, V: Q.shape[-1], "You divided by d_head. Its root is wanted: √d_head."),
    _scaled(
        "divided-by-root-of-heads",
        lambda Q, K, V: np.sqrt(Q.shape[-3]),
        "You divided by the root of the number of heads. The width of a head counts: √d_head.",
    ),
    _scaled(
        "divided-by-root-of-keys",
        lambda Q, K, V: np.sqrt(K.shape[-2]),
        "You divided by the root of the number of keys. The width of a head counts: √d_head.",
    ),
    _scaled("multiplied-by-root", lambda Q, K, V: 1 / np.sqrt(Q.shape[-1]), "You multiplied by √d_head. Divide by it."),
)


def _first_head_masked(Q, K, V, mask):
    free, masked = (scaled_dot_product_attention(Q, K, V, m) for m in (None, mask))
    first = np.arange(Q.shape[-3])[:, None, None] == 0
    return tuple(np.where(first, m, f) for m, f in zip(masked, free))


def _first_heads_mask(Q, K, V, mask):
    if mask is not None and mask.ndim > 2:
        mask = mask[..., :1, :, :]
    return scaled_dot_product_attention(Q, K, V, mask)


def _heads_masks_joined(Q, K, V, mask):
    if mask is not None and mask.ndim > 2:
        mask = mask.any(axis=-3, keepdims=True)
    return scaled_dot_product_attention(Q, K, V, mask)


MASKS = (
    Misconception(
        "mask-on-the-first-head-only",
        multi_head_with(attend=_first_head_masked),
        "The mask holds in the first head only. Every head must obey it.",
    ),
    Misconception(
        "first-head-s-mask-for-all",
        multi_head_with(attend=_first_heads_mask),
        "All heads got the first head's mask. A mask may have one table for each head: let it broadcast.",
    ),
    Misconception(
        "masks-of-the-heads-joined",
        multi_head_with(attend=_heads_masks_joined),
        "You joined the heads' masks into one. Each head obeys its own table: let it broadcast.",
    ),
    Misconception(
        "causal-without-being-asked",
        lambda X, W_q, W_k, W_v, W_o, h, mask=None: ref.multi_head_attention(
            X, W_q, W_k, W_v, W_o, h, causal_mask(X.shape[-2]) & (True if mask is None else mask)
        ),
        "Your attention hides the future whatever the mask says. Use the mask that is handed over, and no other.",
    ),
)


def _before_the_merge(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Each head times its own rows and columns of W_o."""
    Q, K, V = (ref.split_heads(part, n_heads) for part in project(X, W_q, W_k, W_v))
    heads, weights = scaled_dot_product_attention(Q, K, V, mask)
    width = heads.shape[-1]
    blocks = np.stack([W_o[i * width : (i + 1) * width, i * width : (i + 1) * width] for i in range(n_heads)])
    return ref.merge_heads(heads @ blocks), weights


def _heads_averaged(heads):
    return ref.merge_heads(np.broadcast_to(heads.mean(axis=-3, keepdims=True), heads.shape))


def _one_head(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    output, weights = ref.multi_head_attention(
        X, W_q, W_k, W_v, W_o, 1, mask if mask is None or mask.ndim < 3 else mask[..., :1, :, :]
    )
    return output, np.repeat(weights, n_heads, axis=-3)


OUTPUT = (
    Misconception(
        "no-w-o",
        multi_head_with(finish=lambda merged, W_o: merged),
        "W_o is missing. After the merge the heads are mixed by it: merge_heads(heads) @ W_o.",
    ),
    Misconception(
        "w-o-transposed",
        multi_head_with(finish=lambda merged, W_o: merged @ W_o.T),
        "You multiplied by W_o transposed. Tokens are rows: merged @ W_o.",
    ),
    Misconception(
        "w-o-before-the-merge",
        _before_the_merge,
        "W_o was applied to each head by itself, so it cannot mix heads. Merge first, then multiply.",
    ),
    Misconception(
        "heads-averaged-before-w-o",
        multi_head_with(merge=_heads_averaged),
        "You averaged the heads. They are put side by side: merge_heads.",
    ),
    Misconception(
        "x-added",
        lambda X, *rest: (lambda output, weights: (output + X, weights))(*ref.multi_head_attention(X, *rest)),
        "You added X to the output. That comes later, in the encoder layer; attention alone does not.",
    ),
    Misconception(
        "one-head-for-all",
        _one_head,
        "All heads have the same weights: the width was never split. Split Q, K and V before the scores.",
    ),
    Misconception(
        "weights-averaged-over-heads",
        multi_head_with(pack=lambda output, weights: (output, weights.mean(axis=-3))),
        "You averaged the weights over the heads. Return all of them: (h, n, n).",
    ),
    Misconception(
        "output-and-weights-swapped",
        multi_head_with(pack=lambda output, weights: (weights, output)),
        "You returned the weights first. The order is: output, then weights.",
    ),
    Misconception(
        "output-only",
        multi_head_with(pack=lambda output, weights: output),
        "You returned the output alone. Return the weights too: output, weights.",
    ),
)


def _projected(id, wrong, text):
    return Misconception(id, multi_head_with(project=wrong), text)


PROJECTIONS = (
    _projected(
        "one-projection-for-q-and-k",
        lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_q, X @ W_v),
        "Queries and keys came from the same matrix. Keys have their own: X @ W_k.",
    ),
    _projected(
        "one-projection-for-all",
        lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_q, X @ W_q),
        "All three came from W_q. Keys come from W_k and values from W_v.",
    ),
    _projected(
        "keys-as-values",
        lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_k, X @ W_k),
        "The keys were mixed. What is mixed are the values: X @ W_v.",
    ),
    _projected(
        "queries-and-keys-exchanged",
        lambda X, W_q, W_k, W_v: (X @ W_k, X @ W_q, X @ W_v),
        "W_q and W_k have changed places. Queries come from W_q.",
    ),
    _projected(
        "values-not-projected",
        lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_k, X),
        "The values are X itself. They have a matrix of their own: X @ W_v.",
    ),
    _projected(
        "matrices-transposed",
        lambda X, W_q, W_k, W_v: (X @ W_q.T, X @ W_k.T, X @ W_v.T),
        "The matrices were transposed. Tokens are rows, so it is X @ W.",
    ),
)

# Inside attention Q and K are arrays of its own, and these mistakes are told apart above or need unsplit shapes.
ELSEWHERE = {
    "changes-the-queries",
    "output-and-weights-swapped",
    "output-only",
    "weights-only",
    "keys-as-values",
    "always-causal",
    "queries-and-keys-swapped",
    "all-axes-reversed",
    "softmax-over-axis-1",
    "first-mask-of-the-batch",
    "softmax-over-each-table",
    "no-softmax",
    "scores-over-their-sum",
}

MISTAKES = (
    *_named(split_heads.MISTAKES, "split"),
    *_named(merge_heads.MISTAKES, "merge"),
    *BATCH,
    *SCALE,
    *MASKS,
    *OUTPUT,
    *PROJECTIONS,
    *(
        Misconception(m.id, multi_head_with(attend=m.function), m.explanation)
        for m in shared_mistakes(root_d_k)
        if m.id not in ELSEWHERE
    ),
)
