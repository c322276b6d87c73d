"""Lesson 6: right answers written differently. Each must get full marks."""

import numpy as np

# ---- split_heads


def _by_slices(X, h):
    d = X.shape[-1]
    if d % h != 0:
        raise ValueError(f"{h} heads do not divide {d}")
    width = d // h
    return np.stack([X[..., i * width : (i + 1) * width] for i in range(h)], axis=-3)


def _by_split(X, h):
    return np.stack(np.split(X, h, axis=-1), axis=-3)  # np.split raises ValueError by itself


def _by_reshape(X, h):
    return X.reshape(*X.shape[:-1], h, -1).swapaxes(-2, -3)  # so does reshape


def _by_loops(X, h):
    *batch, n, d = X.shape
    if d % h:
        raise ValueError
    out = np.empty((*batch, h, n, d // h), np.float32)
    for head in range(h):
        for column in range(d // h):
            out[..., head, :, column] = X[..., head * (d // h) + column]
    return out


def _by_moveaxis(X, h):
    return np.moveaxis(X.reshape(X.shape[:-1] + (h, -1)), -2, -3)


SPLIT_HEADS = (_by_slices, _by_split, _by_reshape, _by_loops, _by_moveaxis)

# ---- merge_heads


def _side_by_side(H):
    return np.concatenate([H[..., i, :, :] for i in range(H.shape[-3])], axis=-1)


def _einsum(H):
    turned = np.einsum("...hnd->...nhd", H)
    return turned.reshape(turned.shape[:-2] + (-1,))


def _token_by_token(H):
    *batch, h, n, width = H.shape
    flat = H.reshape(-1, h, n, width)
    rows = [[np.concatenate([sentence[i, token] for i in range(h)]) for token in range(n)] for sentence in flat]
    return np.reshape(rows, (*batch, n, h * width)).tolist()


def _single(H):
    return np.moveaxis(H, -3, -2).reshape(*H.shape[:-3], H.shape[-2], -1).astype(np.float32)


MERGE_HEADS = (_side_by_side, _einsum, _token_by_token, _single)

# ---- head_budget


def _heads_added(d_model, n_heads):
    width = d_model // n_heads
    return [width, n_heads * 3 * d_model * width + d_model * n_heads * width]


def _numpy_numbers(d_model, n_heads):
    return np.int64(d_model) // n_heads, np.int64(4) * d_model**2


HEAD_BUDGET = (
    _heads_added,
    _numpy_numbers,
    lambda d, h: np.array([int(d / h), 2 * d * 2 * d]),
    lambda d, h: divmod(d, h)[:1] + (4 * d * d,),
)

# ---- previous_token_score


def _loops(weights):
    h, n, _ = weights.shape
    return [sum(weights[head, i, i - 1] for i in range(1, n)) / (n - 1) for head in range(h)]


def _trace(weights):
    return np.trace(weights[:, 1:, :-1], axis1=1, axis2=2) / (weights.shape[1] - 1)


def _fancy(weights):
    i = np.arange(1, weights.shape[-1])
    return weights[:, i, i - 1].mean(axis=1)


def _einsum_below(weights):
    return np.einsum("hii->h", weights[:, 1:, :-1]).astype(np.float32) / (weights.shape[1] - 1)


PREVIOUS_TOKEN_SCORE = (
    _loops,
    _trace,
    _fancy,
    _einsum_below,
    lambda w: (w * np.eye(w.shape[1], k=-1)).sum(axis=(1, 2)) / (w.shape[1] - 1),
)
