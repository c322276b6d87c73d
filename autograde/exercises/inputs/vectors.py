"""Vectors and tables of rows. None is shorter than 0.1 or longer than 1,000, but for the zero vector."""

import numpy as np

SIZES = (1, 2, 3, 5, 8)


def normal(rng, *shape):
    """Rows between 0.5 and 2 long."""
    X = rng.normal(size=shape)
    return X / np.linalg.norm(X, axis=-1, keepdims=True) * rng.uniform(0.5, 2.0, size=(*shape[:-1], 1))


def like_zero(d: int) -> list[np.ndarray]:
    """Vectors of width d that are not zero, though their sum, an end, their largest or smallest entry is."""
    if d == 1:
        return [np.array([2.0]), np.array([-3.0])]
    begin, end, falling, both = np.zeros((4, d))
    begin[0], end[-1], falling[1] = 2.0, 1.0, -3.0
    both[0], both[-1] = 1.0, -1.0
    return [both, end, falling, begin, -end, 2 * both[::-1]]


def families(rng, d: int) -> list[np.ndarray]:
    """Vectors of width d: zero, like zero, all negative, all equal, one-hot, short, long, any."""
    any_one = normal(rng, d)
    unit = any_one / np.linalg.norm(any_one)
    return [
        np.zeros(d),
        *like_zero(d),
        -np.abs(any_one),
        np.full(d, -2.0),
        np.eye(d)[d - 1],
        0.11 * unit,
        900 * unit,
        any_one,
        rng.integers(1, 4, d).astype(float),
    ]


def table(rng, n: int, d: int, zeros: bool = True) -> np.ndarray:
    """n rows from all families, now and then two equal ones."""
    kinds = families(rng, d)[0 if zeros else 1 :]
    rows = np.array([kinds[i] for i in rng.integers(len(kinds), size=n)])
    if n > 1 and rng.random() < 0.3:
        rows[-1] = rows[0]
    return rows


def modest(rng, *shape):
    """Rows at most 3 long whose products stay small: zero rows, rows that sum to zero, equal rows among any."""
    n, d = shape[-2:]
    count = int(np.prod(shape[:-2]))
    kinds = [row for row in families(rng, d) if np.linalg.norm(row) <= 3]
    rows = np.array([[kinds[i] for i in rng.integers(len(kinds), size=n)] for _ in range(count)])
    return rows.reshape(shape)
