"""next_distribution: probabilities of the next token, by temperature and top-k."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import decoder as ref

from ..inputs.layouts import every_form, read_only

# ---- what is asked


def scores(rng, V=7):
    return 2 * rng.normal(size=V)


def temperatures(rng):
    tiny = np.array([0.0, 1.0, 2.0])
    return [(tiny, 0.5), *((scores(rng), t) for t in (0.3, 2.0, 5.0)), (scores(rng, 2), 1.0), (tiny,), (scores(rng, 9),)]


def cuts(rng):
    tiny = (np.array([0.0, 1.0, 2.0]), 1.0, 2)
    return [tiny, *((scores(rng), t, k) for t, k in ((1.0, 3), (0.5, 2), (2.0, 1), (1.5, 7), (0.8, 6)))]


def ties(rng):
    equal = np.array([1.0, 3.0, 1.0, 1.0, 3.0, 1.0])
    return [(equal, 1.0, 3), (np.zeros(5), 2.0, 2), (equal, 1.0, 1), (equal[::-1].copy(), 0.5, 4)]


def large(rng):
    return [
        (40 * rng.normal(size=5).clip(-1.2, 1.2), 0.1),
        (np.array([50.0, -50.0, 49.0]), 0.05, 2),
        (np.array([-50.0, -49.0]), 0.05),
    ]


def types(rng):
    z = scores(rng)
    return [*every_form((z, 0.7, 3)), (read_only(z), 2.0)]


# ---- what learners write instead


def _softmax(z):
    e = np.exp(z - z.max())
    return e / e.sum()


def _kept(z, top_k):
    return np.argsort(-np.asarray(z, dtype=float), kind="stable")[:top_k]


def _with(make, kept=_kept):
    def answer(logits, temperature=1.0, top_k=None):
        z, probs = np.asarray(logits, dtype=float), np.zeros(len(logits))
        where = kept(z, top_k)
        probs[where] = make(z, where, temperature)
        return probs

    return answer


def _right(z, where, temperature):
    return _softmax(z[where] / temperature)


def _after_softmax(z, where, temperature):
    return _softmax(z[where]) / temperature


def _not_renormalised(z, where, temperature):
    return _softmax(z / temperature)[where]


def _zeros_in_the_scores(logits, temperature=1.0, top_k=None):
    z = np.zeros(len(logits))
    where = _kept(logits, top_k)
    z[where] = np.asarray(logits, dtype=float)[where]
    return _softmax(z / temperature)


def _equal_ones_too(logits, temperature=1.0, top_k=None):
    z = np.asarray(logits, dtype=float)
    least = np.sort(z)[::-1][(top_k or len(z)) - 1]
    return _softmax(np.where(z >= least, z / temperature, -np.inf))


def _sorted(logits, temperature=1.0, top_k=None):
    return np.sort(ref.next_distribution(logits, temperature, top_k))[::-1]


def _kept_only(logits, temperature=1.0, top_k=None):
    return _right(np.asarray(logits, dtype=float), _kept(logits, top_k), temperature)


def _unstable(logits, temperature=1.0, top_k=None):
    with np.errstate(all="ignore"):
        e, probs = np.exp(np.asarray(logits, dtype=float) / temperature), np.zeros(len(logits))
        where = _kept(logits, top_k)
        probs[where] = e[where] / e[where].sum()
    return probs


MISTAKES = (
    Misconception(
        "temperature-multiplied",
        _with(lambda z, where, t: _softmax(z[where] * t)),
        "The scores were multiplied by the temperature. Divide: a low one sharpens.",
    ),
    Misconception(
        "temperature-after-softmax",
        _with(_after_softmax),
        "The probabilities were divided by the temperature. Divide the scores, before softmax.",
    ),
    Misconception(
        "temperature-ignored",
        _with(lambda z, where, t: _softmax(z[where])),
        "The temperature was not used: softmax(logits / temperature).",
    ),
    Misconception(
        "temperature-as-a-power-of-p",
        _with(lambda z, where, t: _softmax(z[where]) ** (1 / t)),
        "p to the power 1 / T no longer sums to 1: divide by the sum, or divide the scores before softmax.",
    ),
    Misconception(
        "top-k-ignored",
        _with(_right, lambda z, k: np.arange(len(z))),
        "top_k was not used: all but the k largest scores get probability 0.",
    ),
    Misconception(
        "not-renormalised",
        _with(_not_renormalised),
        "Softmax ran over all scores, so what is left sums to less than 1. Let it run over those kept.",
    ),
    Misconception(
        "the-smallest-kept",
        _with(_right, lambda z, k: np.argsort(z, kind="stable")[:k]),
        "The k smallest scores were kept. The largest are asked for: argsort(-z).",
    ),
    Misconception(
        "scores-set-to-0", _zeros_in_the_scores, "Scores left out were set to 0, and e⁰ is 1. Their probability must be 0."
    ),
    Misconception(
        "equal-ones-kept-too",
        _equal_ones_too,
        "All scores equal to the k-th were kept, which can be more than k. Of equal ones the smaller id.",
    ),
    Misconception(
        "later-of-equal-ones",
        _with(_right, lambda z, k: np.argsort(z, kind="stable")[::-1][:k]),
        "Of equal scores the larger id was kept. Sort -z, with kind='stable'.",
    ),
    Misconception("sorted", _sorted, "The probabilities were sorted. Each stays at its own id."),
    Misconception(
        "kept-ones-alone", _kept_only, "Only the k kept were returned. One number for each id is asked for, (V,): zero elsewhere."
    ),
    Misconception("unstable", _unstable, "e to a large score overflows. Subtract the largest first."),
)


# ---- right answers written differently


def _with_infinity(logits, temperature=1.0, top_k=None):
    z = np.full(len(logits), -np.inf)
    where = np.argsort(-np.asarray(logits, dtype=float), kind="stable")[:top_k]
    z[where] = np.asarray(logits, dtype=float)[where] / temperature
    return _softmax(z)


def _with_a_loop(logits, temperature=1.0, top_k=None):
    order = sorted(range(len(logits)), key=lambda i: (-float(logits[i]), i))[: len(logits) if top_k is None else top_k]
    top = float(logits[order[0]])
    e = {i: np.exp((float(logits[i]) - top) / temperature) for i in order}
    return [e.get(i, 0.0) / sum(e.values()) for i in range(len(logits))]


def _softmax_then_cut(logits, temperature=1.0, top_k=None):
    p = _softmax(np.asarray(logits, dtype=float) / temperature)
    kept = np.zeros(len(p), dtype=bool)
    kept[np.argsort(-np.asarray(logits, dtype=float), kind="stable")[:top_k]] = True
    return p * kept / p[kept].sum()


EXERCISE = Exercise(
    name="next_distribution",
    lesson="decoder",
    reference=ref.next_distribution,
    checks=(
        Check("softmax of the scores divided by the temperature", 3, temperatures),
        Check("the top_k largest, sharing all of the probability", 3, cuts),
        Check("of equal scores the smaller id", 1, ties, side=True),
        Check("large scores at a low temperature", 1, large, side=True),
        serves_any_array(types),
    ),
    misconceptions=MISTAKES,
    accepted=(_with_infinity, _with_a_loop, _softmax_then_cut),
    hints=(
        "First find the ids that are kept, then let softmax run over their scores alone.",
        "np.argsort(-logits, kind='stable')[:top_k] are those ids; top_k None keeps all.",
        "probs = np.zeros(len(logits)); probs[kept] = softmax(logits[kept] / temperature); return probs.",
    ),
)
