"""attention: scores, weights, weighted sum of the values, not scaled yet; asked property by property."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from course_utils import query_key_value as ref
from course_utils.embedding_space import softmax

from ..attention.accepted import UNSCALED
from ..attention.checks import mask_and_batch, size_and_types, the_values
from ..attention.draws import hard_sizes, qkv, square, tiny
from ..attention.formula import one
from ..attention.habits import attention_habits
from ..attention.mistakes import divided, shared_mistakes, single_head_mistakes
from ..attention.properties import mixes_values
from ..attention.scale import Scale, follows_dot_products, has_right_factor, sums_to_1
from ..inputs.attention import all_kinds

# ---- what is asked


def plain(rng):
    return [tiny(rng), qkv(rng), square(rng), (*qkv(rng), None), *hard_sizes(rng)]


def with_single(rng):
    """And a single query, a single key, a single number per value: shapes that a squeeze would lose."""
    return plain(rng) + [qkv(rng, n_q=1), qkv(rng, n_k=1), qkv(rng, d_v=1)]


def widths(rng):
    """Keys of several widths, no size equal to another or to its root."""
    return [tiny(rng), qkv(rng), qkv(rng, n_q=4, n_k=3, d_k=2, d_v=5), qkv(rng, n_q=2, n_k=7, d_k=20, d_v=3)]


PLAIN = Scale(vectors=lambda args: args[:2], times=lambda args, c: (c * args[0], *args[1:]), right=lambda args: 1.0)


def every_kind(rng):
    return [tiny(rng), *all_kinds(rng)]


# ---- what learners write instead


def _infinity_into(Q, K, V, mask=None):
    """scores[~mask] = −∞ in the scores' own type, which whole numbers do not have."""
    scores = Q @ np.swapaxes(K, -1, -2)
    if mask is not None:
        mask = np.broadcast_to(mask, scores.shape)
        scores[~mask & mask.any(axis=-1, keepdims=True)] = -np.inf
    weights = softmax(scores) * (True if mask is None else mask)
    return weights @ V, weights


def _queries_in_place(Q, K, V, mask=None):
    result = ref.attention(Q, K, V, mask)
    Q *= 0
    return result


MISTAKES = (
    *(mistake for mistake in shared_mistakes(one) if mistake.id != "changes-the-queries"),  # Q /= 1 changes nothing
    divided(
        "divided-by-root-d-k",
        lambda Q, K, V: np.sqrt(K.shape[-1]),
        "You divided the scores by √d_k. Right from lesson 5 on, where you will see why; here the plain scores are asked for.",
    ),
    divided("divided-by-d-k", lambda Q, K, V: K.shape[-1], "You divided the scores by d_k. Here they are not scaled at all."),
    divided(
        "divided-by-root-d-v",
        lambda Q, K, V: np.sqrt(V.shape[-1]),
        "You divided the scores by √d_v, the width of the values. Here they are not scaled at all.",
    ),
    divided(
        "divided-by-root-n-k",
        lambda Q, K, V: np.sqrt(K.shape[-2]),
        "You divided the scores by the root of the number of keys. Here they are not scaled at all.",
    ),
    divided(
        "divided-by-root-n-q",
        lambda Q, K, V: np.sqrt(Q.shape[-2]),
        "You divided the scores by the root of the number of queries. Here they are not scaled at all.",
    ),
    divided(
        "times-root-d-k",
        lambda Q, K, V: 1 / np.sqrt(K.shape[-1]),
        "You multiplied the scores by √d_k. Here they are not scaled at all.",
    ),
    divided(
        "divided-by-8",
        lambda Q, K, V: 8.0,
        "You divided the scores by 8, the √64 of the 2017 paper. Here they are not scaled at all.",
    ),
    divided("negative-scores", lambda Q, K, V: -1.0, "Your scores have the opposite sign: the best key gets the least weight."),
    *single_head_mistakes(one),
    Misconception(
        "infinity-into-whole-numbers",
        _infinity_into,
        "scores[~mask] = -np.inf fails where the scores are whole numbers. np.where(mask, scores, -np.inf) makes floats.",
    ),
    Misconception("changes-the-queries", _queries_in_place, "The call writes into Q, and whoever called needs it again."),
)


# ---- right answers written differently

ACCEPTED = UNSCALED  # lesson 5 builds on them too


# ---- the exercise

EXERCISE = Exercise(
    name="attention",
    lesson="query_key_value",
    reference=ref.attention,
    checks=(
        Check("weights: exponentials of the dot products of queries and keys", 2, plain, follows_dot_products(PLAIN)),
        Check("the scores are taken as they are, not scaled", 1, widths, has_right_factor(PLAIN)),
        Check("each query's weights sum to 1", 1, with_single, sums_to_1, side=True),
        Check("output: the values mixed with these weights", 2, with_single, mixes_values(the_values)),
        *mask_and_batch(mask_points=3),
        *size_and_types(PLAIN),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    habits=attention_habits(lambda args: ref.attention_scores(*args[:2]), lambda args: args[3] if len(args) > 3 else None),
    hints=(
        "Three steps: attention_scores(Q, K), masked_softmax of these with the mask, and mix(weights, V). Return both results.",
        (
            "A closed key must get weight 0 and let the others sum to 1: give it the score −∞ before softmax, "
            "np.where(mask, scores, -np.inf). A row that is −∞ everywhere needs a thought of its own."
        ),
        (
            "For rows with nowhere to look: nowhere = ~mask.any(axis=-1, keepdims=True). Leave their scores as they are "
            "(np.where(mask | nowhere, scores, -np.inf)), and set their weights to 0 after softmax."
        ),
    ),
)
