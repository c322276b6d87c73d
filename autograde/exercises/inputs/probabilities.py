"""Probabilities that sum to 1: even, sure, with exact zeros, with entries far below 0.005, of one outcome."""

import numpy as np


def families(rng, n: int) -> list[np.ndarray]:
    """Rows (n,) of probabilities."""
    any_ones = rng.dirichlet(np.ones(n))
    rare = np.geomspace(1, 1e-5, n)
    gaps = any_ones * (np.arange(n) % 2 == 0)
    return [
        np.full(n, 1 / n),
        np.eye(n)[n - 1],
        np.eye(n)[0],
        gaps / gaps.sum(),
        rare / rare.sum(),
        rare[::-1] / rare.sum(),
        any_ones,
        0.9 * np.eye(n)[n // 2] + 0.1 / n,
    ]


def table(rng, *shape) -> np.ndarray:
    """Rows of all families: (..., n)."""
    n, count = shape[-1], int(np.prod(shape[:-1]))
    kinds = families(rng, n)
    return np.array([kinds[i] for i in rng.integers(len(kinds), size=count)]).reshape(shape)


def positive(rng, *shape) -> np.ndarray:
    """Rows without a zero, the least entry 0.001 of an even share or more."""
    return 0.999 * table(rng, *shape) + 0.001 / shape[-1]
