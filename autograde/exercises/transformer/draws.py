"""Random inputs that several exercises of this lesson draw."""

import numpy as np


def layouts(X):
    """The same numbers laid out otherwise in memory: Fortran order, reversed, every other column, read-only."""
    wide = np.repeat(X, 2, axis=-1)
    locked = X.copy()
    locked.setflags(write=False)
    return [np.asfortranarray(X), X[..., ::-1].copy()[..., ::-1], wide[..., ::2], locked]


def whole(rng, *shape):
    return rng.integers(-3, 4, size=shape)


def norm(rng, d):
    """A gamma and a beta that no row, no column and no other norm shares."""
    return rng.choice([-1, 1], size=d) * rng.uniform(0.5, 2, size=d), rng.normal(size=d)


def layer(rng, d=6, m=10, size=0.7):
    """Random params of an encoder layer: every bias, gamma and beta counts."""
    shapes = {"q": (d, d), "k": (d, d), "v": (d, d), "o": (d, d), "1": (d, m), "2": (m, d)}
    params = {}
    for name, shape in shapes.items():
        params[f"W_{name}"] = size * rng.normal(size=shape)
        params[f"b_{name}"] = rng.normal(size=shape[1])
    for i in (1, 2):
        params[f"gamma_{i}"], params[f"beta_{i}"] = norm(rng, d)
    return params


def embeddings(rng, V=9, N=7, d=6):
    """Random tables and a norm for ``embed_tokens``."""
    gamma, beta = norm(rng, d)
    tables = {"word": rng.normal(size=(V, d)), "position": rng.normal(size=(N, d)), "type": rng.normal(size=(2, d))}
    return tables | {"gamma": gamma, "beta": beta}


def in_type(params, kind):
    """The same params in another type of number: float32, or whole numbers near them."""
    rounded = np.rint if np.dtype(kind).kind == "i" else np.asarray
    return {name: rounded(value).astype(kind) for name, value in params.items()}
