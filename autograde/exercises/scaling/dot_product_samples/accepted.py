"""dot_product_samples: right answers written differently. Each must get full marks."""

import numpy as np


def _pair_by_pair(n, d, rng):
    return [rng.normal(size=d) @ rng.normal(size=d) for _ in range(n)]


def _number_by_number(n, d, rng):
    def vector():
        return rng.standard_normal(d).tolist()

    return [sum(a * b for a, b in zip(vector(), vector())) for _ in range(n)]


def _one_draw(n, d, rng):
    X, Y = rng.normal(size=(2, n, d))
    return np.einsum("ij,ij->i", X, Y)


def _interleaved(n, d, rng):
    pairs = rng.standard_normal((n, d, 2))
    return pairs.prod(axis=-1).sum(axis=-1)


def _diagonal(n, d, rng):
    return np.diag(rng.normal(0, 1, (n, d)) @ rng.normal(0, 1, (n, d)).T)


def _single(n, d, rng):
    X, Y = (rng.standard_normal((n, d), dtype=np.float32) for _ in "XY")
    return (X * Y).sum(-1)


def _many_normal(n, d, rng):
    X, Y = (rng.multivariate_normal(np.zeros(d), np.eye(d), size=n) for _ in "XY")
    return (X * Y).sum(axis=1)


def _by_matmul(n, d, rng):
    return np.matmul(rng.standard_normal((n, 1, d)), rng.standard_normal((n, d, 1)))[:, 0, 0]


ACCEPTED = (_pair_by_pair, _number_by_number, _one_draw, _interleaved, _diagonal, _single, _many_normal, _by_matmul)
