"""Masks, True where a query may look: causal, one open key, rows or all closed, all open, with or without batch axes."""

import numpy as np


def families(rng, n_q: int, n_k: int) -> list[np.ndarray]:
    """Masks (n_q, n_k)."""
    one_open = np.arange(n_k) == rng.integers(n_k, size=n_q)[:, None]
    closed_rows = rng.random((n_q, n_k)) < 0.6
    closed_rows[rng.integers(n_q)] = False
    first_closed = np.ones((n_q, n_k), bool)
    first_closed[0] = False
    return [
        np.tri(n_q, n_k, dtype=bool),
        one_open,
        closed_rows,
        first_closed,
        np.zeros((n_q, n_k), bool),
        np.ones((n_q, n_k), bool),
        rng.random((n_q, n_k)) < 0.5,
        np.tri(n_q, n_k, k=-1, dtype=bool),
    ]


def broadcast(rng, lead: tuple[int, ...], n_q: int, n_k: int) -> list[np.ndarray]:
    """Masks for scores (*lead, n_q, n_k): without batch axes, with all of them, and with each 1 instead of its size."""
    kinds = families(rng, n_q, n_k)
    shapes = [lead, (1,) * len(lead), (*lead[:1], *(1,) * (len(lead) - 1)), lead[1:]]
    return kinds + [
        np.array([kinds[i] for i in rng.integers(len(kinds), size=int(np.prod(shape)))]).reshape(*shape, n_q, n_k)
        for shape in shapes
        if lead
    ]
