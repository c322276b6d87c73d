"""Scores that softmax is taken of: equal, far apart, large either way, the largest first or last, with fractions."""

import numpy as np


def families(rng, n: int) -> list[np.ndarray]:
    """Scores (n,), up to 10⁶ in size."""
    any_ones = rng.normal(size=n)
    last, first = np.arange(n) == n - 1, np.arange(n) == 0
    fractions = 0.25 * rng.integers(0, 9, n)
    return [
        any_ones,
        np.zeros(n),
        -np.abs(any_ones) - 1,
        any_ones + 1000.0 * last,
        any_ones + 1000.0 * first,
        1e6 * last,
        1e6 * first - 1e6 * last,
        1e6 - 4 + fractions,
        -1e6 + fractions,
        720.0 * last,
        -745.0 + 40 * any_ones,
        np.full(n, -1e6),
        3 * rng.integers(-2, 3, n).astype(float),
    ]


def table(rng, *shape, modest: bool = False) -> np.ndarray:
    """Rows of all families, also side by side: (..., n)."""
    n, count = shape[-1], int(np.prod(shape[:-1]))
    kinds = [row for row in families(rng, n) if not modest or np.abs(row).max() <= 50]
    return np.array([kinds[i] for i in rng.integers(len(kinds), size=count)]).reshape(shape)
