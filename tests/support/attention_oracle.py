"""Scaled dot-product attention from its formula, entry by entry: the oracle of several tests."""

import math

import numpy as np


def attention_by_loops(Q, K, V, mask=None):
    """The formula written out with Python floats, for 2-D arrays."""
    output = np.zeros((len(Q), V.shape[1]))
    weights = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        allowed = [j for j in range(len(K)) if mask is None or mask[i, j]]
        scores = {j: sum(float(a) * float(b) for a, b in zip(q, K[j])) / math.sqrt(len(q)) for j in allowed}
        largest = max(scores.values(), default=0.0)
        total = sum(math.exp(s - largest) for s in scores.values())
        for j, score in scores.items():
            weights[i, j] = math.exp(score - largest) / total
            output[i] += weights[i, j] * V[j]
    return output, weights
