"""Attention from its five steps. ``attention_with()`` is the right formula, unscaled; hand over a step to get it wrong there."""

import numpy as np

from course_utils.polysemy import mix
from course_utils.query_key_value import attention_scores, masked_softmax


def one(Q, K, V):
    """No scaling: lesson 4."""
    return 1.0


def root_d_k(Q, K, V):
    """√d_k: lessons 5 and 6."""
    return np.sqrt(Q.shape[-1])


def pair(output, weights, scores):
    return output, weights


def attention_with(divisor=one, scores=attention_scores, weigh=masked_softmax, blend=mix, pack=pair):
    """An attention from its five steps: scores(Q, K), divisor(Q, K, V), weigh(s, mask), blend(w, V), pack(o, w, s)."""

    def attention(Q, K, V, mask=None):
        s = scores(Q, K) / divisor(Q, K, V)
        weights = weigh(s, mask)
        return pack(blend(weights, V), weights, s)

    return attention
