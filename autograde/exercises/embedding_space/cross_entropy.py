"""cross_entropy: what the right words' probabilities cost."""

import math

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import leaves_arguments_alone
from course_utils import embedding_space as ref

from ..inputs import layouts, probabilities
from ..inputs.layouts import and_read_only, each_array, in_layouts, laid_out
from .draws import TYPES, real

# ---- what is asked


def distributions(rng, n, V):
    return rng.dirichlet(np.full(V, 2.0), size=n) * 0.97 + 0.03 / V


def plain(rng):
    return [
        (real([[0.5, 0.5]]), np.array([0])),
        (real([[0.25, 0.75], [0.5, 0.5]]), np.array([0, 1])),
        (distributions(rng, 3, 5), np.array([4, 0, 2])),
        (distributions(rng, 6, 4), rng.permutation([0, 1, 2, 3, 3, 1])),
    ]


def square(rng):
    return [
        (real([[0.25, 0.75], [0.5, 0.5]]), np.array([1, 0])),
        (distributions(rng, 4, 4), np.array([3, 1, 0, 2])),
        (distributions(rng, 3, 3), np.array([1, 1, 0])),
    ]


def zeros(rng):
    probs = distributions(rng, 4, 6)
    probs[:, [1, 4]] = 0
    probs /= probs.sum(axis=1, keepdims=True)
    return [
        (real([[1.0, 0.0]]), np.array([0])),
        (real([[0.0, 1.0], [0.5, 0.5]]), np.array([1, 0])),
        (probs, np.array([0, 5, 3, 2])),
        (np.eye(3), np.array([0, 1, 2])),
        (np.ones((2, 1)), np.array([0, 0])),
    ]


def surprise(rng):
    """A right word that got almost no probability: its price is -ln p, uncut. One row among forty, so that 1e-8
    added inside the logarithm is still within the tolerance, and 1e-7 or a floor of 1e-5 is not."""
    probs = distributions(rng, 40, 5)
    probs[3] = [0.5, 2e-6, 0.3, 0.2 - 2e-6, 0.0]
    targets = rng.integers(0, 5, 40)
    targets[3] = 1
    return [(real([[0.001, 0.999]]), np.array([0])), (real([[0.9999, 0.0001], [0.5, 0.5]]), np.array([1, 1])), (probs, targets)]


def types(rng):
    probs = distributions(rng, 4, 3)
    return [
        (np.array([[1, 0], [0, 1]]), np.array([0, 1])),
        (probs, np.array([0, 2, 2, 1], dtype=np.int32)),
        (probs.astype(np.float32), np.array([2, 0, 1, 1])),
        *in_layouts((probs, np.array([2, 0, 1, 1]))),
    ]


def every_kind(rng):
    """One row and many, one word and many, the right word unlikely or sure, zeros elsewhere; targets 0 and V − 1."""
    shapes = [(n, V) for n in (2, 1, 3, 7) for V in (2, 1, 3, 5, 12)]
    cases = []
    for n, V in shapes * 6:
        for targets in (np.zeros(n, int), np.full(n, V - 1), rng.integers(0, V, n), rng.integers(0, V, n).tolist()):
            probs = probabilities.table(rng, n, V) * 0.999
            probs[np.arange(n), targets] += 0.001
            cases.append((probs, targets))
    return [*plain(rng)[:2], *laid_out(cases), *(each_array(case, layouts.single) for case in cases)]


def lists(rng):
    return [(real([[0.25, 0.75], [0.5, 0.5]]), [1, 0]), (distributions(rng, 4, 3), [0, 2, 2, 1])]


# ---- what learners write instead


def _chosen(probs, targets):
    return np.asarray(probs, dtype=float)[np.arange(len(probs)), targets]


def _sum(probs, targets):
    return -np.log(_chosen(probs, targets)).sum()


def _log2(probs, targets):
    return -np.log2(_chosen(probs, targets)).mean()


def _log10(probs, targets):
    return -np.log10(_chosen(probs, targets)).mean()


def _no_minus(probs, targets):
    return np.log(_chosen(probs, targets)).mean()


def _one_minus(probs, targets):
    return (1 - _chosen(probs, targets)).mean()


def _log_of_mean(probs, targets):
    return -np.log(_chosen(probs, targets).mean())


def _mean_of_all_logs(probs, targets):
    return -np.log(np.maximum(probs, 1e-12)).mean()


def _divided_by_all(probs, targets):
    return -np.log(_chosen(probs, targets)).sum() / np.size(probs)


def _every_row_with_every_target(probs, targets):
    return -np.log(np.maximum(np.asarray(probs, dtype=float)[:, targets], 1e-12)).mean()


def _target_as_row(probs, targets):
    return -np.log(np.maximum(_chosen(np.transpose(probs), targets), 1e-12)).mean()


def _most_likely(probs, targets):
    return -np.log(np.max(probs, axis=1)).mean()


def _weighted(probs, targets):
    p = _chosen(probs, targets)
    return -(p * np.log(p)).mean()


def _entropy(probs, targets):
    return -(probs * np.log(np.maximum(probs, 1e-12))).sum(axis=1).mean()


def _one_hot_times_log(probs, targets):
    return -(np.eye(np.shape(probs)[1])[targets] * np.log(probs)).sum() / len(probs)


def _both_sides(probs, targets):
    hot = np.eye(np.shape(probs)[1])[targets]
    p = np.clip(probs, 1e-12, 1 - 1e-12)
    return -(hot * np.log(p) + (1 - hot) * np.log(1 - p)).sum() / len(probs)


def _softmax_again(probs, targets):
    return ref.cross_entropy(ref.softmax(probs), targets)


def _clipped_low(probs, targets):
    return -np.log(np.maximum(_chosen(probs, targets), 1e-4)).mean()


def _large_epsilon(probs, targets):
    return -np.log(_chosen(probs, targets) + 1e-3).mean()


def _per_row(probs, targets):
    return -np.log(_chosen(probs, targets))


def _perplexity(probs, targets):
    return np.exp(ref.cross_entropy(probs, targets))


def _first_row_only(probs, targets):
    return -np.log(_chosen(probs, targets)[0])


def _rows_of_targets(probs, targets):
    return -np.log(np.asarray(probs)[np.asarray(targets)]).mean()


MISTAKES = (
    Misconception("sum", _sum, "The rows are summed. Take their mean, so that the number of rows plays no part."),
    Misconception("log2", _log2, "This is counted in bits, with log₂. The course uses the natural logarithm: np.log."),
    Misconception("log10", _log10, "This is log₁₀. The course uses the natural logarithm: np.log."),
    Misconception("no-minus", _no_minus, "The minus is missing: the logarithm of a probability is negative, the loss is not."),
    Misconception("one-minus", _one_minus, "This is 1 − p. Cross-entropy is −ln p: it grows without limit as p nears 0."),
    Misconception("log-of-mean", _log_of_mean, "You take the logarithm of the mean. Take the mean of the logarithms."),
    Misconception(
        "mean-of-all-logs", _mean_of_all_logs, "All probabilities are averaged. Only the one of each row's target counts."
    ),
    Misconception(
        "divided-by-all",
        _divided_by_all,
        "The sum is divided by the number of all entries, n·V. Divide by the number of rows, n.",
    ),
    Misconception(
        "every-row-every-target",
        _every_row_with_every_target,
        "probs[:, targets] takes every target from every row. One per row: probs[np.arange(n), targets].",
    ),
    Misconception(
        "target-as-row", _target_as_row, "Rows and columns are exchanged: the row is the example, the column the target."
    ),
    Misconception(
        "most-likely", _most_likely, "You use each row's largest probability. The target's counts, however unlikely it was."
    ),
    Misconception(
        "weighted-by-p", _weighted, "Each logarithm is multiplied by its probability. The target's −ln p counts in full."
    ),
    Misconception("entropy", _entropy, "This is the entropy of each row, which does not look at the targets."),
    Misconception(
        "zero-times-infinity",
        _one_hot_times_log,
        "A zero elsewhere in the row gives 0 · ln 0, which is not a number. Pick the target's probability "
        "first, then take the logarithm.",
    ),
    Misconception(
        "both-sides", _both_sides, "You also charge −ln(1 − p) for the wrong words. Only the right word's probability counts."
    ),
    Misconception("softmax-again", _softmax_again, "probs are probabilities already: a second softmax flattens them."),
    Misconception(
        "clipped",
        _clipped_low,
        "Small probabilities are cut off at a floor that is too high: p may be as small as 10⁻⁶, and its price is −ln p in full.",
    ),
    Misconception(
        "large-epsilon",
        _large_epsilon,
        "The number added inside the logarithm is too large: it changes the loss of small probabilities.",
    ),
    Misconception("one-per-row", _per_row, "This is one loss per row. The result is their mean, a single number."),
    Misconception("perplexity", _perplexity, "This is the perplexity, e to the loss. The loss itself is wanted."),
    Misconception("first-row-only", _first_row_only, "Only the first row counts here: take the mean over all rows."),
    Misconception(
        "rows-of-targets",
        _rows_of_targets,
        "probs[targets] takes whole rows. Of row i take column targets[i] alone: probs[np.arange(n), targets].",
    ),
)


# ---- right answers written differently


def _loop(probs, targets):
    total = 0.0
    for row, target in zip(probs, targets):
        total += -math.log(row[target])
    return total / len(targets)


def _one_hot(probs, targets):
    hot = np.eye(probs.shape[1])[targets]
    return -np.log((probs * hot).sum(axis=1)).mean()


def _take(probs, targets):
    picked = np.take_along_axis(probs, np.asarray(targets)[:, None], axis=1)
    return np.mean(-np.log(picked + 1e-12))


def _clipped(probs, targets):
    p = np.clip(np.asarray(probs, dtype=np.float32), 1e-9, 1.0)
    return np.float32(np.average(-np.log(p[range(len(targets)), targets])))


def _guarded_matrix(probs, targets):
    logs = np.log(np.where(probs > 0, probs, 1.0))
    return -(np.eye(probs.shape[1])[list(targets)] * logs).sum() / probs.shape[0]


ACCEPTED = (_loop, _one_hot, _take, _clipped, _guarded_matrix)


# ---- the exercise

EXERCISE = Exercise(
    name="cross_entropy",
    lesson="embedding_space",
    reference=ref.cross_entropy,
    checks=(
        Check("the mean of −ln p over the right words", 2, plain),
        Check("one target per row, where there are as many rows as words", 1, square),
        Check("zeros elsewhere in a row change nothing", 1, zeros, side=True),
        Check("an unlikely right word costs its full price", 1, surprise, side=True),
        Check("targets may be a plain list", 1, lists, side=True),
        Check(TYPES, 1, types, side=True),
        leaves_arguments_alone(and_read_only(plain)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "From each row only one number counts: the probability of that row's target.",
        "probs[np.arange(n), targets] picks it from every row at once, n being the number of rows.",
        "Take np.log of the picked ones only, then the mean, then the minus sign.",
    ),
)
