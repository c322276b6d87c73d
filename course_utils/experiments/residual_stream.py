"""A token's last vector as a sum: what the embeddings put in, and what each block of each layer added (lesson 7).

A layer norm takes a mean off and divides by one number a row. Once that number is known, the norm treats every term
of a sum alike, so the sum can be followed to the end (Elhage et al. 2021 call it the residual stream).
"""

import numpy as np

from course_utils import transformer
from course_utils.multi_head import merge_heads, split_heads

EPS = 1e-12


def contributions(ids, model) -> dict[str, np.ndarray]:
    """The terms of the last layer's output, (n, d) each: they add up to ``encode(ids, model)``.

    "word", "position", "type", then "attention 1", "net 1", … of every layer, and "beta", what the norms' shifts leave.
    """
    tables = model["embeddings"]
    terms = {
        "word": tables["word"][np.asarray(ids)],
        "position": tables["position"][: len(ids)],
        "type": np.broadcast_to(tables["type"][0], (len(ids), len(tables["gamma"]))),
        "beta": np.zeros((len(ids), len(tables["gamma"]))),
    }
    terms = _normalised(terms, tables["gamma"], tables["beta"])
    for number, params in enumerate(model["layers"], start=1):
        terms[f"attention {number}"] = _attention(_total(terms), params, model["n_heads"])
        terms = _normalised(terms, params["gamma_1"], params["beta_1"])
        net = (params[name] for name in ("W_1", "b_1", "W_2", "b_2"))
        terms[f"net {number}"] = transformer.feed_forward(_total(terms), *net)
        terms = _normalised(terms, params["gamma_2"], params["beta_2"])
    return terms


def shares(terms: dict[str, np.ndarray], token: int) -> dict[str, float]:
    """How much of one token's vector each term makes up, along that vector: they sum to 1, and some may be negative."""
    whole = _total(terms)[token]
    return {name: float(term[token] @ whole / (whole @ whole)) for name, term in terms.items()}


def _total(terms: dict[str, np.ndarray]) -> np.ndarray:
    return sum(terms.values(), np.zeros(()))


def _normalised(terms, gamma, beta) -> dict[str, np.ndarray]:
    """Every term through a layer norm whose divisor is that of their sum; what is added last goes to "beta"."""
    whole = _total(terms)
    spread = np.sqrt(whole.var(axis=-1, keepdims=True) + EPS)
    done = {name: (term - term.mean(axis=-1, keepdims=True)) / spread * gamma for name, term in terms.items()}
    return done | {"beta": done["beta"] + beta}


def _attention(X, params, n_heads) -> np.ndarray:
    """What the attention block adds to X, with its biases."""
    *_, weights = transformer.encoder_layer(X, params, n_heads)
    values = split_heads(X @ params["W_v"] + params["b_v"], n_heads)
    return merge_heads(weights @ values) @ params["W_o"] + params["b_o"]
