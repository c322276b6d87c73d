"""Ids of words: one, repeated, the first and the last of the vocabulary; as arrays and as lists."""

import numpy as np


def families(rng, V: int) -> list:
    """Ids (m,), all within 0 … V − 1."""
    several = rng.integers(0, V, size=5)
    return [
        np.array([0]),
        np.array([V - 1]),
        [V - 1, 0],
        np.array([0, 0]),
        np.repeat(several[:2], 2),
        several.astype(np.int32),
        several.tolist(),
        rng.permutation(V),
        rng.integers(0, V, size=2 * V + 1),
        [0] * 3 + [V - 1],
    ]


def distinct(rng, V: int, count: int) -> tuple[int, ...]:
    """Different ids, the ends of the vocabulary now and then among them."""
    ids = rng.permutation(V)[:count].tolist()
    if rng.random() < 0.5:
        ends = [end for end in (0, V - 1) if end not in ids]
        ids[: len(ends)] = ends
    return tuple(ids)
