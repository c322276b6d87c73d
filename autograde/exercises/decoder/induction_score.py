"""induction_score: how much a head looks at what followed last time."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import decoder as ref

from ..inputs.layouts import every_form, read_only
from ..inputs.probabilities import table

# ---- what is asked


def plain(rng):
    by_hand = np.array([[[1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.5, 0.25, 0], [0.125, 0.25, 0.5, 0.125]]])
    return [(by_hand,), *((table(rng, h, 2 * n, 2 * n),) for h, n in ((3, 3), (2, 5), (6, 3), (4, 2)))]


def sizes(rng):
    return [(table(rng, 1, 4, 4),), (table(rng, 5, 4, 4),), (table(rng, 2, 24, 24),)]


def types(rng):
    weights = table(rng, 3, 6, 6)
    sure = np.stack([np.eye(6, dtype=int), np.eye(6, k=-2, dtype=int)])
    return [*every_form((weights,)), (read_only(weights),), (sure,)]


# ---- what learners write instead


def _at(row, column, last=1):
    """Mean weight of row(n, i) on column(n, i), i = 0 … n − 1 − last."""

    def answer(weights):
        n = np.shape(weights)[-1] // 2
        i = np.arange(n - last)
        return np.asarray(weights)[:, row(n, i), column(n, i)].mean(axis=-1)

    return answer


def _mean_of_heads(weights):
    return ref.induction_score(weights).mean()


def _sum(weights):
    return ref.induction_score(weights) * (np.shape(weights)[-1] // 2 - 1)


def _over_n(weights):
    n = np.shape(weights)[-1] // 2
    return _sum(weights) / n


def _best(weights):
    n = np.shape(weights)[-1] // 2
    i = np.arange(n - 1)
    return np.asarray(weights)[:, n + i, i + 1].max(axis=-1)


def _all_pairs(weights):
    n = np.shape(weights)[-1] // 2
    return np.asarray(weights)[:, n : 2 * n - 1, 1:n].mean(axis=(1, 2))


MISTAKES = (
    Misconception(
        "same-token",
        _at(lambda n, i: n + i, lambda n, i: i, 0),
        "This is the weight on the same token the first time. What came after it is one further: i + 1.",
    ),
    Misconception(
        "token-before",
        _at(lambda n, i: n + i + 1, lambda n, i: i),
        "This is the weight on what stood before the token last time. What came after it is asked for: i + 1.",
    ),
    Misconception(
        "query-and-key-exchanged",
        _at(lambda n, i: i + 1, lambda n, i: n + i),
        "Rows look, columns are looked at: weights[:, n + i, i + 1].",
    ),
    Misconception(
        "previous-token",
        _at(lambda n, i: n + i, lambda n, i: n + i - 1),
        "This is the weight on the token before. The one that followed last time is i + 1.",
    ),
    Misconception(
        "one-too-many",
        _at(lambda n, i: n + i, lambda n, i: i + 1, 0),
        "i runs to n − 2 only: what follows the last token is not in the first half.",
    ),
    Misconception("mean-of-the-heads", _mean_of_heads, "The heads were averaged. One number for each head: (h,)."),
    Misconception("sum-for-mean", _sum, "This is the sum. The mean is asked for."),
    Misconception("divided-by-n", _over_n, "There are n − 1 such weights, and you divided by n."),
    Misconception("largest", _best, "This is the largest of those weights. Their mean is asked for."),
    Misconception(
        "every-pair",
        _all_pairs,
        "All rows met all columns: a slice of both axes. Pair them: weights[:, n + i, i + 1] with arrays of ids.",
    ),
)


# ---- right answers written differently


def _with_loops(weights):
    n = len(weights[0]) // 2
    return [sum(float(head[n + i][i + 1]) for i in range(n - 1)) / (n - 1) for head in weights]


def _by_diagonal(weights):
    n = weights.shape[-1] // 2
    return np.diagonal(weights[:, n:-1, 1:n], axis1=1, axis2=2).mean(axis=1)


def _by_trace(weights):
    n = weights.shape[-1] // 2
    return np.trace(weights[:, n:-1, 1:n], axis1=1, axis2=2) / (n - 1)


EXERCISE = Exercise(
    name="induction_score",
    lesson="decoder",
    reference=ref.induction_score,
    checks=(
        Check("mean weight of token n + i on token i + 1, for each head", 3, plain),
        Check("two tokens given twice, one head, many tokens", 1, sizes, side=True),
        serves_any_array(types),
    ),
    misconceptions=MISTAKES,
    accepted=(_with_loops, _by_diagonal, _by_trace),
    hints=(
        "n is half the number of tokens. Write out for n = 3 which row looks at which column.",
        "i = np.arange(n - 1); rows are n + i, columns i + 1; the first axis holds the heads.",
        "return weights[:, n + i, i + 1].mean(axis=-1).",
    ),
)
