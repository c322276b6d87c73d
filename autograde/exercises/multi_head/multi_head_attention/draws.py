"""multi_head_attention: sentences, matrices, heads and masks to ask with."""

import numpy as np

from course_utils import multi_head as ref
from course_utils.query_key_value import causal_mask

from ...attention.draws import one_each, some_open
from ...inputs import masks as kinds_of_masks
from ...inputs import vectors
from ...inputs.attention import LEADS
from ...inputs.layouts import in_layouts, laid_out, varied

N, D, H = 5, 6, 3  # d_head = 2; no one the root of another


def sentence(rng, *batch, n=N, d=D, h=H, size=0.7):
    return (rng.normal(size=(*batch, n, d)), *(size * rng.normal(size=(d, d)) for _ in range(4)), h)


def readable(rng):
    """Two tokens of four numbers, two heads, matrices of zeros and ones."""
    X = np.array([[1.0, 0, 1, 0], [0, 2, 0, -1]])
    mixer = np.eye(4)[[1, 0, 3, 2]] + np.eye(4, k=1)
    return X, np.eye(4), rng.permutation(np.eye(4)), np.eye(4) + np.eye(4, k=-1), mixer, 2


def plain(rng):
    return [
        readable(rng),
        sentence(rng),
        sentence(rng, n=4, d=8, h=2),
        sentence(rng, n=3, d=9, h=3),
        (*sentence(rng), None),
        *hard_sentences(rng),
    ]


def hard_sentences(rng):
    """Tokens at right angles with scores of exactly 0, equal tokens and a row of zeros; more tokens, more heads."""
    X, *rest = sentence(rng)
    eye = np.eye(4)
    return [
        (eye[[0, 1, 2, 3, 1]], eye, rng.permutation(eye), *rng.normal(size=(2, 4, 4)), 2),
        (X[[0, 1, 1, 2, 3]] * [[1], [1], [1], [0], [1]], *rest),
        sentence(rng, n=9, d=4, h=2),
        sentence(rng, n=3, d=14, h=7),
    ]


def widths(rng):
    """Heads of several widths, never equal to the number of heads or of tokens, and never a root of another size."""
    return [
        readable(rng),
        sentence(rng),
        sentence(rng, n=4, d=6, h=2),
        sentence(rng, n=7, d=10, h=2),
        sentence(rng, n=3, d=20, h=4),
    ]


def ends(rng):
    return [sentence(rng, d=4, h=1), sentence(rng, n=4, d=5, h=5), sentence(rng, n=1), sentence(rng, n=2, d=12, h=4)]


def masks(rng):
    return [
        (*readable(rng), np.array([[True, False], [True, True]])),
        (*sentence(rng), causal_mask(N)),
        (*sentence(rng), some_open(rng, N, N)),
        (*sentence(rng, n=3, d=9, h=3), some_open(rng, 3, 3)),
        (*sentence(rng), one_each(rng, N)),
        (*sentence(rng, d=4, h=1), some_open(rng, N, N)),
    ]


def masks_by_head(rng):
    """A mask of each head's own: what is right for the first head is wrong for the others."""
    return [
        (*readable(rng), np.array([[[True, False], [True, True]], [[True, True], [False, True]]])),
        (*sentence(rng), some_open(rng, H, N, N)),
        (*sentence(rng, n=3, d=9, h=3), some_open(rng, 3, 3, 3)),
        (*sentence(rng), some_open(rng, 1, N, N)),
    ]


def batches(rng):
    return [sentence(rng, 2), sentence(rng, 3, n=3, d=9, h=3), sentence(rng, 2, 3, n=4, d=8, h=2), sentence(rng, 1)]


def masked_batches(rng):
    each = some_open(rng, 2, 1, N, N)
    each[1, 0, 2] = False
    return [
        (*sentence(rng, 2), each),
        (*sentence(rng, 2), some_open(rng, N, N)),
        (*sentence(rng, 2), some_open(rng, 2, 1, N, N)),
        (*sentence(rng, 2), some_open(rng, 2, H, N, N)),
        (*sentence(rng, 3, n=3, d=9, h=3), some_open(rng, 3, 3, 3)),
    ]


def fully_masked_rows(rng):
    mask = some_open(rng, N, N)
    mask[2] = False
    return [
        (*readable(rng), np.array([[False, False], [True, True]])),
        (*sentence(rng), mask),
        (*sentence(rng), np.tri(N, k=-1, dtype=bool)),
        (*sentence(rng), np.zeros((N, N), bool)),
    ]


def huge(rng):
    X, *rest = sentence(rng)
    unlike = X * [[100], [0.1], [1], [0.1], [30]], *rest  # what is exact for the largest scores is not for the small ones
    return [scored(size, *sentence(rng)) for size in (1e3, 1e6, -1e6)] + [unlike]


def huge_masked(rng):
    return [(*scored(size, *sentence(rng)), causal_mask(N)) for size in (100, -100, 1e6, -1e6)] + [
        (*far_below(rng, size), causal_mask(N)) for size in (10, 300, 700)
    ]


def far_below(rng, size):
    """Every score far below 0, where a fill of −100,000 is not low enough."""
    X, _, _, *rest = sentence(rng)
    return np.abs(X) + 0.5, size * np.eye(D), -size * np.eye(D), *rest


def scored(size, X, W_q, *rest):
    """The same sentence with its largest raw score brought to ``size``, with either sign."""
    Q, K = ref.split_heads(X @ W_q, rest[-1]), ref.split_heads(X @ rest[0], rest[-1])
    return X, size / np.abs(Q @ np.swapaxes(K, -1, -2)).max() * W_q, *rest


def types(rng):
    *arrays, h = sentence(rng)
    whole = tuple(rng.integers(-1, 2, a.shape) for a in arrays)
    return [
        (*(a.astype(np.float32) for a in arrays), h),
        (*whole, h),
        (*whole, h, causal_mask(N)),
        (arrays[0], *whole[1:], h),
        (whole[0], *arrays[1:], h),
        *in_layouts((*arrays, h, some_open(rng, N, N))),
    ]


def every_kind(rng):
    """One head and many, heads of width 1, masks of all families for all heads or each its own, scores up to a million."""
    sizes = ((2, 4, 2), (1, 1, 1), (3, 2, 1), (4, 5, 5), (1, 6, 3), (3, 9, 3), (7, 8, 4), (5, 6, 3))
    modest_ones, huge_ones = [], []
    for lead in LEADS:
        for n, d, h in sizes:
            X, *rest = sentence(rng, *lead, n=n, d=d, h=h)
            tables = [None, *kinds_of_masks.broadcast(rng, (*lead, h), n, n)]
            modest_ones += [(x, *rest, mask) for x, mask in zip([X, vectors.modest(rng, *X.shape)] * len(tables), tables)]
            huge_ones += [(*scored(rng.choice([-1e6, 1e6]), X, *rest), mask) for mask in tables[::4]]
    return [readable(rng), *varied(modest_ones), *laid_out(huge_ones)]
