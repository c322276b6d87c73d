"""The ladder: five models that differ in one thing, how the last word gathers its context.

Each reads ten words and predicts the next two. A token is its word's vector, half of the vector of the word before
it, and its position's vector. One step of attention, asked by the last token, makes a context vector; a linear
read-out of [last token, context] does the rest. The forward pass is made of the course's own functions, and the
backward pass is written by hand (checked against finite differences in tests/course_utils/experiments/test_ladder.py).
"""

import numpy as np

from course_utils.embedding_space import softmax
from course_utils.multi_head import merge_heads, split_heads
from course_utils.polysemy import mix, uniform_weights
from course_utils.query_key_value import attention, project
from course_utils.scaling import scaled_dot_product_attention

LEFT = 0.5  # how much of its left neighbour a token carries: one layer alone cannot find "the word after cat"
ANSWERS = 2  # words to predict


class LastWord:
    """No context at all."""

    def parameters(self, d, rng):
        return {}

    def forward(self, X, p):
        """X (B, n, d) → (context (B, 0), weights (B, 0, n), what ``backward`` needs)."""
        return X[:, 0, :0], np.zeros((len(X), 0, X.shape[1])), None

    def backward(self, d_context, X, p, kept):
        """Gradient by the context → (gradient by X, gradients by the parameters)."""
        return np.zeros_like(X), {}


class Average(LastWord):
    """Every word alike: one row of uniform weights."""

    def forward(self, X, p):
        weights = np.broadcast_to(uniform_weights(X.shape[1])[-1:], (len(X), 1, X.shape[1]))
        return mix(weights, X)[:, 0], weights, weights

    def backward(self, d_context, X, p, weights):
        return np.swapaxes(weights, -1, -2) @ d_context[:, None], {}


class RawDotProduct(LastWord):
    """The last token itself asks, and every token itself is both found and taken away: softmax(x xᵀ) x."""

    def __init__(self, scaled=True):
        self.scaled = scaled
        self.attend = scaled_dot_product_attention if scaled else attention

    def forward(self, X, p):
        output, weights = self.attend(X[:, -1:], X, X)  # (B, 1, d), (B, 1, n)
        return output[:, 0], weights, weights

    def backward(self, d_context, X, p, weights):
        dQ, dK, dV = attention_gradients(d_context[:, None], X[:, -1:], X, X, weights, self.scaled)
        dX = dK + dV
        dX[:, -1:] += dQ
        return dX, {}


class Heads(RawDotProduct):
    """Queries, keys and values of their own, in one head or several."""

    def __init__(self, n_heads, scaled=True):
        super().__init__(scaled)
        self.n_heads = n_heads

    def parameters(self, d, rng):
        return {name: rng.normal(size=(d, d)) / np.sqrt(d) for name in ("W_q", "W_k", "W_v", "W_o")}

    def forward(self, X, p):
        Q, K, V = (split_heads(part, self.n_heads) for part in project(X, p["W_q"], p["W_k"], p["W_v"]))
        Q = Q[..., -1:, :]  # (B, h, 1, d_head): only the last token asks
        heads, weights = self.attend(Q, K, V)
        merged = merge_heads(heads)  # (B, 1, d)
        return merged[:, 0] @ p["W_o"], weights[:, :, 0], (Q, K, V, weights, merged)

    def backward(self, d_context, X, p, kept):
        Q, K, V, weights, merged = kept
        d_heads = split_heads(d_context[:, None] @ p["W_o"].T, self.n_heads)
        dQ, dK, dV = map(merge_heads, attention_gradients(d_heads, Q, K, V, weights, self.scaled))
        grads = {
            "W_q": _by_matrix(X[:, -1:], dQ),
            "W_k": _by_matrix(X, dK),
            "W_v": _by_matrix(X, dV),
            "W_o": merged[:, 0].T @ d_context,
        }
        dX = dK @ p["W_k"].T + dV @ p["W_v"].T
        dX[:, -1:] += dQ @ p["W_q"].T
        return dX, grads


def attention_gradients(d_output, Q, K, V, weights, scaled):
    """Backward through attention: gradients by Q, K and V, from the one by its output.

    Each row of weights p passes its gradient on through softmax's Jacobian: (diag(p) − p pᵀ) d_p.
    """
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))
    if scaled:
        d_scores /= np.sqrt(Q.shape[-1])
    return d_scores @ K, np.swapaxes(d_scores, -1, -2) @ Q, np.swapaxes(weights, -1, -2) @ d_output


def _by_matrix(X, dY):
    """The gradient by W of Y = X @ W: (B, n, d), (B, n, d) → (d, d)."""
    return X.reshape(-1, X.shape[-1]).T @ dY.reshape(-1, dY.shape[-1])


class Ladder:
    """One model of the ladder.

    stage: how it gathers context, such as ``Heads(4)``. n_words: size of the vocabulary. length: words in a sentence.
    hidden: width of a ReLU layer before the read-out; 0 reads out linearly. spread: standard deviation of the numbers
    that word and position vectors start from. params: its arrays by name.
    """

    def __init__(self, stage, n_words, length, d=32, hidden=0, spread=0.3, seed=0):
        rng = np.random.default_rng(seed)
        self.stage, self.hidden = stage, hidden
        p = {"words": spread * rng.normal(size=(n_words, d)), "positions": spread * rng.normal(size=(length, d))}
        p |= stage.parameters(d, rng)
        width = d if type(stage) is LastWord else 2 * d
        if hidden:
            p |= {"W_hidden": rng.normal(size=(width, hidden)) / np.sqrt(d), "b_hidden": np.zeros(hidden)}
            width = hidden
        p |= {"W_out": rng.normal(size=(width, ANSWERS * n_words)) / np.sqrt(d), "b_out": np.zeros(ANSWERS * n_words)}
        self.params = p

    @property
    def n_params(self):
        return sum(array.size for array in self.params.values())

    def predict(self, ids):
        """(B, n) → (probabilities of the next two words (B, 2, V), weights of the last word's look (B, h, n))."""
        logits, weights, _ = self._forward(ids)
        return softmax(logits), weights

    def gradients(self, ids, answers):
        """(B, n), (B, 2) → (mean loss of a sentence, a gradient for each parameter)."""
        logits, _, (X, features, active, kept) = self._forward(ids)
        probs, p = softmax(logits), self.params
        right = np.arange(len(ids))[:, None], np.arange(ANSWERS), answers
        loss = -np.log(probs[right]).sum(axis=1).mean()

        probs[right] -= 1  # softmax and cross-entropy together: p − one-hot
        d_logits = probs.reshape(len(ids), -1) / len(ids)
        grads = {"W_out": active.T @ d_logits, "b_out": d_logits.sum(axis=0)}
        d_features = d_logits @ p["W_out"].T
        if self.hidden:
            d_features *= active > 0
            grads |= {"W_hidden": features.T @ d_features, "b_hidden": d_features.sum(axis=0)}
            d_features = d_features @ p["W_hidden"].T

        d = X.shape[-1]
        dX, of_stage = self.stage.backward(d_features[:, d:], X, p, kept)
        dX[:, -1] += d_features[:, :d]
        return loss, grads | of_stage | self._by_embeddings(ids, dX)

    def _forward(self, ids):
        p = self.params
        words = p["words"][ids]  # (B, n, d)
        X = words + p["positions"]
        X[:, 1:] += LEFT * words[:, :-1]
        context, weights, kept = self.stage.forward(X, p)
        features = np.concatenate([X[:, -1], context], axis=1)  # (B, d or 2 d)
        active = np.maximum(features @ p["W_hidden"] + p["b_hidden"], 0) if self.hidden else features
        logits = (active @ p["W_out"] + p["b_out"]).reshape(len(ids), ANSWERS, -1)
        return logits, weights, (X, features, active, kept)

    def _by_embeddings(self, ids, dX):
        d_words = dX.copy()
        d_words[:, :-1] += LEFT * dX[:, 1:]  # each word is half of its right neighbour, too
        return {"words": _sum_by_word(ids, d_words, len(self.params["words"])), "positions": dX.sum(axis=0)}


def _sum_by_word(ids, d_words, n_words):
    """Rows of (B, n, d) added up for each word: (V, d). As np.add.at does, ten times as fast."""
    order = np.argsort(ids, axis=None, kind="stable")
    found, starts = np.unique(ids.ravel()[order], return_index=True)
    total = np.zeros((n_words, d_words.shape[-1]))
    total[found] = np.add.reduceat(d_words.reshape(len(order), -1)[order], starts)
    return total
