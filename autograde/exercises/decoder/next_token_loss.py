"""next_token_loss: mean surprise at the token that came next."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import decoder as ref

from ..inputs.layouts import every_form, read_only

# ---- what is asked


def case(rng, n, V, size=2.0):
    return size * rng.normal(size=(n, V)), rng.integers(V, size=n)


def plain(rng):
    return [(np.array([[0.0, 2.0], [1.0, 0.0]]), np.array([0, 1]))] + [
        case(rng, n, V) for n, V in ((3, 5), (6, 4), (5, 5), (2, 7))
    ]


def lists(rng):
    logits, ids = case(rng, 4, 6)
    return [(logits, ids.tolist()), case(rng, 2, 2), case(rng, 30, 3)]


def large(rng):
    return [(np.array([[1e6, 0.0], [0.0, 1.0]]), np.array([0, 1])), case(rng, 4, 5, 1e6), case(rng, 3, 4, 1e3)]


def types(rng):
    logits, ids = case(rng, 4, 6)
    return [*every_form((logits, ids)), (read_only(logits), ids)]


# ---- what learners write instead


def _log_p(z, axis=-1):
    z = np.asarray(z, dtype=float)
    z = z - z.max(axis=axis, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=axis, keepdims=True))


def _picked(log_p, targets):
    return log_p[np.arange(len(targets)), np.asarray(targets)]


def _not_shifted(logits, ids):
    return float(-_picked(_log_p(logits), ids).mean())


def _shifted_twice(logits, ids):
    return float(-_picked(_log_p(logits)[:-2], ids[2:]).mean()) if len(ids) > 2 else 0.0


def _backwards(logits, ids):
    return float(-_picked(_log_p(logits)[1:], ids[:-1]).mean())


def _wrapped(logits, ids):
    return float(-_picked(_log_p(logits), np.roll(ids, -1)).mean())


def _sum(logits, ids):
    return float(-_picked(_log_p(logits)[:-1], ids[1:]).sum())


def _over_n(logits, ids):
    return _sum(logits, ids) / len(ids)


def _over_tokens(logits, ids):
    return float(-_picked(_log_p(logits, axis=0)[:-1], ids[1:]).mean())


def _base_2(logits, ids):
    return ref.next_token_loss(logits, ids) / np.log(2)


def _perplexity(logits, ids):
    return float(np.exp(min(ref.next_token_loss(logits, ids), 700)))


def _mean_of_p(logits, ids):
    return float(-np.log(np.exp(_picked(_log_p(logits)[:-1], ids[1:])).mean() + 1e-300))


def _no_softmax(logits, ids):
    return float(-_picked(np.asarray(logits, dtype=float)[:-1], ids[1:]).mean())


def _unstable(logits, ids):
    e = np.exp(np.asarray(logits, dtype=float)[:-1])
    return float(-np.log(_picked(e / e.sum(axis=-1, keepdims=True), ids[1:])).mean())


def _log_of_p(logits, ids):
    with np.errstate(all="ignore"):
        return float(-np.log(np.exp(_picked(_log_p(logits)[:-1], ids[1:]))).mean())


MISTAKES = (
    Misconception(
        "not-shifted", _not_shifted, "Row t was held against token t itself, which it has read. It predicts token t + 1: ids[1:]."
    ),
    Misconception("shifted-twice", _shifted_twice, "Row t was held against token t + 2. Shift once: rows [:-1] against ids[1:]."),
    Misconception(
        "shifted-backwards", _backwards, "Row t was held against the token before it. It predicts the next: rows [:-1], ids[1:]."
    ),
    Misconception(
        "last-row-wraps-round",
        _wrapped,
        "The last row was held against the first token. What follows it is not known: leave it out.",
    ),
    Misconception("sum-for-mean", _sum, "This is the sum of the surprises. Their mean is asked for."),
    Misconception("divided-by-n", _over_n, "There are n − 1 predictions, and you divided by n."),
    Misconception(
        "softmax-over-the-tokens",
        _over_tokens,
        "Softmax runs over the tokens here. Each row's scores compete with one another: axis −1.",
    ),
    Misconception("base-2", _base_2, "This is in bits. Take the natural logarithm, np.log."),
    Misconception("perplexity", _perplexity, "This is the perplexity, e to the loss. The loss itself is asked for."),
    Misconception(
        "logarithm-of-the-mean",
        _mean_of_p,
        "The logarithm was taken of the mean probability. Take it of each one, then the mean.",
    ),
    Misconception("no-softmax", _no_softmax, "The scores themselves were averaged. Softmax first, then the logarithm."),
    Misconception("unstable", _unstable, "e to a large score overflows. Subtract each row's largest first."),
    Misconception(
        "logarithm-of-0",
        _log_of_p,
        "A small probability rounds to 0, whose logarithm is −∞. Take ln softmax as z − max − ln Σ e^(z − max).",
    ),
)


# ---- right answers written differently


def _with_loop(logits, ids):
    total = 0.0
    for t in range(len(ids) - 1):
        z = np.asarray(logits[t], dtype=float)
        total += z.max() + np.log(np.exp(z - z.max()).sum()) - z[ids[t + 1]]
    return total / (len(ids) - 1)


def _with_logaddexp(logits, ids):
    z = np.asarray(logits, dtype=float)[:-1]
    return (np.logaddexp.reduce(z, axis=-1) - np.take_along_axis(z, np.asarray(ids)[1:, None], -1)[:, 0]).mean()


def _one_hot(logits, ids):
    log_p = _log_p(logits)[:-1]
    return -np.where(np.arange(log_p.shape[1]) == np.asarray(ids)[1:, None], log_p, 0).sum() / len(log_p)


EXERCISE = Exercise(
    name="next_token_loss",
    lesson="decoder",
    reference=ref.next_token_loss,
    checks=(
        Check("row t is held against token t + 1: the mean of −ln p", 4, plain),
        Check("ids as a list, two tokens, many", 1, lists, side=True),
        Check("scores as large as 10⁶", 1, large, side=True),
        serves_any_array(types),
    ),
    misconceptions=MISTAKES,
    accepted=(_with_loop, _with_logaddexp, _one_hot),
    hints=(
        "The last row predicts a token that is not there: use logits[:-1], and ids[1:].",
        "ln softmax(z)[i] is z[i] − max − ln Σ e^(z − max); table[np.arange(n), columns] picks one number from each row.",
        "z = logits[:-1] - logits[:-1].max(axis=-1, keepdims=True); log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True)); "
        "return float(-log_p[np.arange(len(z)), ids[1:]].mean()).",
    ),
)
