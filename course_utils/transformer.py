"""Lesson 7, references: an encoder layer and the encoder built of it, as in BERT (Devlin et al. 2019).

Sinusoids and the layer's plan come from "Attention is all you need" (Vaswani et al. 2017). The shipped
MiniLM runs on these functions: ``course_utils.minilm.model``.
"""

import math

import numpy as np

from .multi_head import merge_heads, split_heads
from .scaling import scaled_dot_product_attention


def sinusoidal_positions(n, d):
    """A row for each position 0 … n − 1, (n, d), d even (Vaswani et al. 2017, section 3.5).

    Column 2i is the sine, column 2i + 1 the cosine of position / 10000^(2i/d).

    >>> sinusoidal_positions(2, 2).round(3)
    array([[0.   , 1.   ],
           [0.841, 0.54 ]])
    """
    if d % 2:
        raise ValueError(f"the width d is {d}, but sines and cosines come in pairs: d must be even")
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)  # (n, d/2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


def embed_tokens(ids, params):
    """Word row + position row + type-0 row, then layer norm: ids (n,) → (n, d) (Devlin et al. 2019, figure 2).

    params: word (V, d), position (N, d), type (2, d), gamma (d,), beta (d,). Raises ValueError for n > N.

    >>> params = {"word": np.array([[1.0, -1.0]]), "position": np.zeros((4, 2)), "type": np.zeros((2, 2)),
    ...           "gamma": np.ones(2), "beta": np.zeros(2)}
    >>> embed_tokens([0], params)
    array([[ 1., -1.]])
    """
    n, longest = len(ids), len(params["position"])
    if n > longest:
        raise ValueError(f"there are {n} tokens, but only {longest} positions: use a shorter text")
    X = params["word"][np.asarray(ids)] + params["position"][:n] + params["type"][0]
    return layer_norm(X, params["gamma"], params["beta"])


def layer_norm(X, gamma, beta, eps=1e-12):
    """Each row with mean 0 and variance 1, then stretched and shifted: (..., d) → (..., d) (Ba et al. 2016).

    >>> layer_norm(np.array([1.0, 3.0]), gamma=np.array([10.0, 10.0]), beta=np.array([0.0, 1.0]))
    array([-10.,  11.])
    """
    centred = X - X.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + eps) * gamma + beta


def feed_forward(X, W_1, b_1, W_2, b_2):
    """Two affine maps with GELU between, at each token alone: (..., n, d) → (..., n, d), inner width m.

    >>> feed_forward(np.array([[100.0]]), np.ones((1, 2)), np.zeros(2), np.ones((2, 1)), np.ones(1))
    array([[201.]])
    """
    return gelu(X @ W_1 + b_1) @ W_2 + b_2  # (..., n, m) in between


def encoder_layer(X, params, n_heads, mask=None):
    """Attention, then a feed-forward net, each added to its input and normalised: the post-norm layer of BERT.

    X (..., n, d) → (output (..., n, d), weights (..., h, n, n)). params holds ``W_q b_q W_k b_k W_v b_v W_o b_o
    gamma_1 beta_1 W_1 b_1 W_2 b_2 gamma_2 beta_2``, matrices used as ``X @ W``. mask: True where a query may look.
    """
    Q, K, V = (split_heads(X @ params[f"W_{role}"] + params[f"b_{role}"], n_heads) for role in "qkv")
    heads, weights = scaled_dot_product_attention(Q, K, V, mask)  # (..., h, n, d_head), (..., h, n, n)
    attended = merge_heads(heads) @ params["W_o"] + params["b_o"]
    X = layer_norm(X + attended, params["gamma_1"], params["beta_1"])
    changed = feed_forward(X, params["W_1"], params["b_1"], params["W_2"], params["b_2"])
    return layer_norm(X + changed, params["gamma_2"], params["beta_2"]), weights


def encode(ids, model):
    """The last layer's hidden states of a whole encoder: ids (n,) → (n, d).

    model: ``embeddings`` (params of ``embed_tokens``), ``layers`` (a list of params), ``n_heads``.
    """
    hidden, _ = encode_layers(ids, model)
    return hidden[-1]


def encode_layers(ids, model):
    """What ``encode`` computes on its way: hidden states (L + 1, n, d) and attention weights (L, h, n, n).

    hidden[0] are the embeddings, before any attention.
    """
    hidden, weights = [embed_tokens(ids, model["embeddings"])], []
    for params in model["layers"]:
        output, looks = encoder_layer(hidden[-1], params, model["n_heads"])
        hidden.append(output)
        weights.append(looks)
    return np.stack(hidden), np.stack(weights)


def gelu(x):
    """x · Φ(x), Φ the standard normal distribution function (Hendrycks and Gimpel 2016): exact, not by tanh."""
    share = 1 + erf(x / math.sqrt(2))
    share *= x  # in place, here and below: fresh memory costs more than the arithmetic
    share *= 0.5
    return share


def erf(x):
    """The error function, which NumPy lacks: Abramowitz and Stegun 7.1.26, off by at most 1.5e-7.

    >>> round(float(erf(1.0)), 5)
    0.8427
    """
    size = np.abs(x)
    t = 1 / (1 + 0.3275911 * size)
    tail = 1.061405429 * t
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += coefficient
        tail *= t
    tail *= np.exp(-size * size)
    return np.copysign(1 - tail, x)
