"""head_budget: how wide a head is, and how many parameters all of them have together."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from course_utils import multi_head as ref

from ..attention import properties as has

# ---- what is asked


def plain(rng):
    return [(4, 2), (6, 3), (768, 12), (12_288, 96)]


def ends(rng):
    heads = int(rng.integers(2, 9))
    return [(8, 1), (8, 8), (1, 1), (heads * int(rng.integers(3, 40)), heads), (128 * heads, 128)]


def plain_and_ends(rng):
    return plain(rng) + ends(rng)


def every_kind(rng):
    return [(d, h) for d in (2, 1, *range(3, 33), 97, 768, 1_048_576, 12_288) for h in range(1, 129) if d % h == 0]


# ---- what learners write instead


def _budget(width, parameters):
    return lambda d_model, n_heads: (width(d_model, n_heads), parameters(d_model, n_heads))


def _share(d, h):
    return d // h


def _all_four(d, h):
    return 4 * d * d


MISTAKES = (
    Misconception(
        "three-matrices", _budget(_share, lambda d, h: 3 * d * d), "You counted three matrices. W_o takes part as well: four."
    ),
    Misconception(
        "one-matrix", _budget(_share, lambda d, h: d * d), "You counted one matrix. There are four: W_q, W_k, W_v and W_o."
    ),
    Misconception(
        "a-set-per-head",
        _budget(_share, lambda d, h: 4 * d * d * h),
        "You gave each head full matrices of its own. The heads share the columns of the same four matrices.",
    ),
    Misconception(
        "one-head-s-share",
        _budget(_share, lambda d, h: 4 * d * (d // h)),
        "You counted one head's part. All heads together have 4 · d² entries.",
    ),
    Misconception(
        "w-o-per-head-width",
        _budget(_share, lambda d, h: 3 * d * d + d * (d // h)),
        "You made W_o as narrow as one head. It takes in all heads merged: d_model by d_model.",
    ),
    Misconception(
        "biases-counted",
        _budget(_share, lambda d, h: 4 * d * d + 4 * d),
        "You counted biases as well. Here only the four matrices count.",
    ),
    Misconception(
        "heads-for-width",
        _budget(lambda d, h: h, _all_four),
        "The first result is the number of heads. The width of one head is wanted: d_model / n_heads.",
    ),
    Misconception(
        "whole-width",
        _budget(lambda d, h: d, _all_four),
        "The first result is the whole width. One head has d_model / n_heads of it.",
    ),
    Misconception(
        "results-swapped",
        lambda d, h: (_all_four(d, h), _share(d, h)),
        "The results are exchanged: first the width of a head, then the parameters.",
    ),
    Misconception(
        "divided-with-fraction",
        lambda d, h: (d / h, _all_four(d, h)),
        "d_model / n_heads is a float in Python, even where it is whole. Divide with //.",
    ),
    Misconception(
        "width-of-a-head-squared",
        _budget(_share, lambda d, h: 4 * (d // h) ** 2),
        "You squared d_head. Each of the four matrices has d rows and d columns, whatever the number of heads.",
    ),
)


# ---- right answers written differently


def _heads_added(d_model, n_heads):
    width = d_model // n_heads
    return [width, n_heads * 3 * d_model * width + d_model * n_heads * width]


def _numpy_numbers(d_model, n_heads):
    return np.int64(d_model) // n_heads, np.int64(4) * d_model**2


ACCEPTED = (
    _heads_added,
    _numpy_numbers,
    lambda d, h: np.array([int(d / h), 2 * d * 2 * d]),
    lambda d, h: divmod(d, h)[:1] + (4 * d * d,),
)


# ---- the exercise

EXERCISE = Exercise(
    name="head_budget",
    lesson="multi_head",
    reference=ref.head_budget,
    checks=(
        Check("the width of a head", 1, plain_and_ends, has.right_part(0, "d_head")),
        Check("the entries of the four matrices", 1, plain_and_ends, has.right_part(1, "parameters")),
        Check("whole numbers, both", 1, plain_and_ends, side=True),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "The h heads share the width: each gets the same part of it.",
        "Four matrices take part, W_q, W_k, W_v and W_o, each d_model by d_model, whatever the number of heads.",
        "return d_model // n_heads, 4 * d_model ** 2",
    ),
    kind="int",
)
