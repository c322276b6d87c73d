"""Random inputs that several exercises of this lesson draw."""

from ..transformer.draws import layer, norm


def model(rng, n_layers=2, n_heads=3, d=6, m=8, V=9, N=8):
    """A small decoder: every table, norm and bias counts."""
    gamma, beta = norm(rng, d)
    tables = {"word": rng.normal(size=(V, d)), "position": rng.normal(size=(N, d)), "gamma": gamma, "beta": beta}
    layers = [layer(rng, d, m) for _ in range(n_layers)]
    return {"embeddings": tables, "layers": layers, "n_heads": n_heads, "bias": rng.normal(size=V)}


def ids(rng, n, V=9):
    return rng.integers(V, size=n)
