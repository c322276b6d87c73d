"""Lesson 8, references: the layer of lesson 7 with the future hidden, and text written one token at a time.

Predict, choose, append, repeat: a decoder as in GPT (Radford et al. 2018), with the output tied to the word table
(Press and Wolf 2017). ``model`` is a dict: ``embeddings`` (``word`` (V, d), ``position`` (N, d), ``gamma``, ``beta``),
``layers`` (a list of params of ``transformer.encoder_layer``), ``n_heads`` and ``bias`` (V,).
"""

import numpy as np

from .embedding_space import softmax
from .multi_head import merge_heads, split_heads
from .query_key_value import causal_mask
from .scaling import scaled_dot_product_attention
from .transformer import encoder_layer, feed_forward, layer_norm


def next_token_loss(logits, ids):
    """Mean surprise at the token that came: logits (n, V), ids (n,), n ≥ 2 → float, in nats (Bengio et al. 2003).

    The mean over t = 0 … n − 2 of −ln softmax(logits[t])[ids[t + 1]]. Its exponential is the perplexity.
    Raises ValueError for fewer than two tokens.

    >>> round(next_token_loss(np.zeros((3, 8)), [5, 0, 7]), 3)  # ln 8: all eight alike
    2.079
    """
    if len(ids) < 2:
        raise ValueError(f"there are {len(ids)} tokens, but a prediction needs one before it: give two or more")
    predictions = np.asarray(logits, dtype=float)[:-1]  # the last row's next token is not known
    shifted = predictions - predictions.max(axis=-1, keepdims=True)
    log_total = np.log(np.exp(shifted).sum(axis=-1))
    return float((log_total - shifted[np.arange(len(shifted)), np.asarray(ids)[1:]]).mean())


def decode(ids, model):
    """The score of every token as the next one, at each token: ids (n,), n ≤ N → logits (n, V).

    Row t depends on ids 0 … t only. Raises ValueError for more tokens than positions.

    >>> embeddings = {"word": np.array([[1.0, -1.0], [-1.0, 1.0]]), "position": np.zeros((4, 2)),
    ...               "gamma": np.ones(2), "beta": np.zeros(2)}
    >>> decode([0, 1, 1], {"embeddings": embeddings, "layers": [], "n_heads": 1, "bias": np.zeros(2)})
    array([[ 2., -2.],
           [-2.,  2.],
           [-2.,  2.]])
    """
    hidden, _ = decode_layers(ids, model)
    return hidden[-1] @ model["embeddings"]["word"].T + model["bias"]


def decode_layers(ids, model):
    """What ``decode`` computes on its way: hidden states (L + 1, n, d) and a list of L weights (h, n, n).

    hidden[0] are the embeddings, before any attention.
    """
    hidden, weights = [_embed(ids, model["embeddings"])], []
    for params in model["layers"]:
        output, looks = encoder_layer(hidden[-1], params, model["n_heads"], causal_mask(len(ids)))
        hidden.append(output)
        weights.append(looks)
    return np.stack(hidden), weights


def next_distribution(logits, temperature=1.0, top_k=None):
    """Probabilities of the next token: logits (V,) → (V,), zero outside of the top_k largest logits.

    softmax(logits / temperature): below 1 the likely gains, above 1 the unlikely (Ackley et al. 1985); only the
    top_k best may be drawn at all (Fan et al. 2018), of equal ones the smaller id. Raises ValueError for a
    temperature that is not above 0, or a top_k below 1.

    >>> next_distribution(np.log([4.0, 2.0, 2.0]), top_k=2).round(3)
    array([0.667, 0.333, 0.   ])
    """
    if not temperature > 0:
        raise ValueError(f"the temperature is {temperature}, but it must be above 0: for the likeliest token use argmax")
    if top_k is not None and top_k < 1:
        raise ValueError(f"top_k is {top_k}, but at least one token must be left: give 1 or more")
    logits = np.asarray(logits, dtype=float)
    kept = np.argsort(-logits, kind="stable")[:top_k]
    probs = np.zeros(len(logits))
    probs[kept] = softmax((logits[kept] - logits.max()) / temperature)
    return probs


def draw(probs, rng):
    """An id drawn with these probabilities: (V,) → int. An id of probability 0 is never drawn.

    The probabilities lie end to end on a line; a uniform random point falls into one of them.

    >>> draw(np.array([0.0, 1.0, 0.0]), np.random.default_rng(0))
    1
    """
    ends = np.cumsum(probs, dtype=float)
    point = rng.random() * ends[-1]  # ends[-1] may be 1 only up to rounding
    return int(np.searchsorted(ends, point, side="right"))  # "right": a point on an end belongs to the next interval


def generate(ids, n, model):
    """ids (m,) and the n likeliest next tokens, one after another: → (m + n,). Of equal ones the smaller id.

    Each new token is read by all that follow. Raises ValueError for m + n > N.
    """
    ids, longest = [int(i) for i in ids], len(model["embeddings"]["position"])
    if len(ids) + n > longest:
        raise ValueError(f"{len(ids)} tokens and {n} more are {len(ids) + n}, but there are {longest} positions: ask for fewer")
    for _ in range(n):
        ids.append(int(decode(ids, model)[-1].argmax()))
    return np.array(ids, dtype=int)


def decode_step(x, K, V, params, n_heads):
    """One layer for one new token, with what earlier tokens left: the cache of keys and values (Pope et al. 2022).

    x (d,) the token's row into the layer, K and V (t, d), t ≥ 0 → (output (d,), K (t + 1, d), V (t + 1, d)).
    The output is the last row of the layer on all t + 1 rows under a causal mask: earlier rows never change, so
    their keys and values are computed once.
    """
    q, k, v = (x @ params[f"W_{role}"] + params[f"b_{role}"] for role in "qkv")  # (d,) each
    K, V = np.vstack([K, k]), np.vstack([V, v])
    heads, _ = scaled_dot_product_attention(*(split_heads(part, n_heads) for part in (q[None], K, V)))  # (h, 1, d_head)
    attended = merge_heads(heads)[0] @ params["W_o"] + params["b_o"]
    x = layer_norm(x + attended, params["gamma_1"], params["beta_1"])
    changed = feed_forward(x, params["W_1"], params["b_1"], params["W_2"], params["b_2"])
    return layer_norm(x + changed, params["gamma_2"], params["beta_2"]), K, V


def induction_score(weights):
    """How much each head looks at what followed last time: weights (h, 2n, 2n) of a text given twice → (h,).

    The mean weight that token n + i gives to token i + 1, i = 0 … n − 2: token i is the same token the first
    time, and i + 1 is what came next (Olsson et al. 2022). A head that does so can copy.

    >>> weights = np.zeros((1, 4, 4))
    >>> weights[0, 2, 1] = 0.75  # the text "a b a b": the second a looks at the first b
    >>> induction_score(weights)
    array([0.75])
    """
    weights = np.asarray(weights)
    n = weights.shape[-1] // 2
    i = np.arange(n - 1)
    return weights[:, n + i, i + 1].mean(axis=-1)


def _embed(ids, embeddings):
    n, longest = len(ids), len(embeddings["position"])
    if n > longest:
        raise ValueError(f"there are {n} tokens, but only {longest} positions: use a shorter text")
    X = embeddings["word"][np.asarray(ids)] + embeddings["position"][:n]
    return layer_norm(X, embeddings["gamma"], embeddings["beta"])
