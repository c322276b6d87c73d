"""masked_softmax: weights of the keys that a query may look at, and none for the others."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import query_key_value as ref
from course_utils.embedding_space import softmax

from ..attention import masks as mask_mistakes
from ..attention import weights as weight_mistakes
from ..attention.draws import one_each, some_open
from ..inputs import masks, scores
from ..inputs.attention import LEADS
from ..inputs.layouts import and_read_only, every_form, varied

N_Q, N_K = 3, 4

# ---- what is asked


def table(rng, *lead, n_q=N_Q, n_k=N_K):
    return 2 * rng.normal(size=(*lead, n_q, n_k))


def masked(rng):
    """Every query sees something. Among the scores zeros that are open, equal ones, and a closed one that is largest."""
    zeros = np.array([[0.0, 2.0, 0.0, -1.0], [0.0, 0.0, 0.0, 0.0], [3.0, 3.0, 0.0, -2.0]])
    return [
        (np.array([[1, 2], [0, 3]]), np.array([[True, True], [True, False]])),
        (table(rng), some_open(rng, N_Q, N_K)),
        (table(rng, n_q=5, n_k=5), np.tri(5, dtype=bool)),
        (table(rng, n_q=4), one_each(rng, 4)),
        (zeros, some_open(rng, N_Q, N_K)),
        (np.array([[9.0, 1, 0], [8, 0, 1], [0, 7, 1]]), np.array([[0, 1, 1], [0, 1, 1], [1, 0, 1]], bool)),
        (table(rng), np.ones((N_Q, N_K), bool)),
    ]


def unmasked(rng):
    return [
        (np.array([[0, 0], [1, 1]]),),
        (table(rng),),
        (table(rng, n_q=4),),
        (table(rng), None),
        (table(rng, n_k=1),),
        (table(rng, n_q=1),),
    ]


def fully_masked_rows(rng):
    mask = some_open(rng, N_Q, N_K)
    mask[1] = False
    return [
        (np.array([[1, 2], [0, 3]]), np.array([[False, False], [True, True]])),
        (table(rng), mask),
        (table(rng, n_q=4), np.tri(4, k=-1, dtype=bool)),
        (table(rng, 2), np.stack([mask, ~mask])),
    ]


def batches(rng):
    return [
        (table(rng, 2),),
        (table(rng, 1), some_open(rng, N_Q, N_K)),
        (table(rng, 2), some_open(rng, N_Q, N_K)),
        (table(rng, 2), some_open(rng, 2, N_Q, N_K)),
        (table(rng, 3, 2), some_open(rng, 2, N_Q, N_K)),
        (table(rng, 3, 2), some_open(rng, 3, 1, N_Q, N_K)),
        (table(rng, 4, n_q=4), some_open(rng, 4, 4, 4)),
    ]


def huge(rng):
    """A million either way, with a mask and without; closed scores far above the open ones, and rows far apart."""
    mask = some_open(rng, N_Q, N_K)
    far = np.where(mask, -1e6, 1e6) + table(rng)
    return [
        *((size * table(rng), *more) for size in (-5e5, 5e5) for more in ((), (mask,))),
        (far, mask),
        (table(rng) + [[1e6], [0], [-1e6]], mask),
        (table(rng) + [[800], [0], [-800]],),
        *((table(rng) - low, mask) for low in (30, 5e4)),  # below what is filled in for −∞
        (table(rng) + np.where(mask, -2e4, 0), mask),
    ]


def types(rng):
    return every_form((table(rng, 2), some_open(rng, 2, N_Q, N_K))) + [
        (rng.integers(-3, 4, (N_Q, N_K)), some_open(rng, N_Q, N_K))
    ]


def every_kind(rng):
    cases = []
    for lead in LEADS:
        for n_q, n_k in ((2, 2), (1, 1), (1, 3), (3, 1), (4, 4), (3, 7), (9, 13)):
            kinds = masks.broadcast(rng, lead, n_q, n_k)
            cases += [(scores.table(rng, *lead, n_q, n_k),), (table(rng, *lead, n_q=n_q, n_k=n_k), None)]
            cases += [(scores.table(rng, *lead, n_q, n_k, modest=i % 2 == 0), mask) for i, mask in enumerate(kinds)]
    return [(np.array([[1.0, 2.0], [0.0, 3.0]]), np.array([[True, True], [True, False]])), *varied(cases)]


# ---- what learners write instead

OWN_WORDS = {"no-softmax": "These are the scores. Softmax makes positive weights of them that sum to 1."}


def _in_common():
    """What can be wrong about softmax or about a mask in all of attention, told of the weights alone."""
    for id, steps, text in (*weight_mistakes.mistakes(), *mask_mistakes.mistakes()):
        words = OWN_WORDS.get(id, text).replace("Its weights and its output are zeros", "Its weights are zeros")
        yield Misconception(id, lambda s, mask=None, weigh=steps["weigh"]: weigh(s, mask), words)


def _plus_infinity(scores, mask=None):
    return softmax(scores if mask is None else np.where(mask, scores, np.inf))


def _infinity_as_weight(scores, mask=None):
    return softmax(scores) if mask is None else np.where(mask, softmax(scores), -np.inf)


def _zero_times_infinity(scores, mask=None):
    return softmax(scores if mask is None else scores + ~mask * -np.inf)


def _always_a_mask(scores, mask=None):
    nowhere = ~mask.any(axis=-1, keepdims=True)
    return np.where(nowhere, 0, softmax(np.where(mask | nowhere, scores, -np.inf)))


def _zero_is_closed(scores, mask=None):
    return ref.masked_softmax(scores, None if mask is None else mask & (np.asarray(scores) != 0))


MISTAKES = (
    *_in_common(),
    Misconception(
        "plus-infinity",
        _plus_infinity,
        "You put +∞ where a query may not look: that score wins everything. It must be −∞, −np.inf.",
    ),
    Misconception(
        "infinity-as-weight",
        _infinity_as_weight,
        "You put −∞ among the weights. It belongs among the scores, before softmax, which makes 0 of it.",
    ),
    Misconception(
        "zero-times-infinity",
        _zero_times_infinity,
        "~mask * -np.inf is 0 · ∞ where the mask is open, and that is NaN. Choose instead: np.where(mask, scores, -np.inf).",
    ),
    Misconception(
        "none-not-asked-for",
        _always_a_mask,
        "Without a mask, mask is None, which has no rows. Ask first: if mask is None, plain softmax is the answer.",
    ),
    Misconception(
        "zero-score-is-closed",
        _zero_is_closed,
        "A score of 0 is open like any other: the mask alone says what is closed. Do not multiply scores by the mask.",
    ),
)


# ---- right answers written differently


def _exponentials(scores, mask=None):
    allowed = np.broadcast_to(True if mask is None else mask, np.shape(scores))
    shifted = np.where(allowed, scores, -np.inf)
    top = shifted.max(axis=-1, keepdims=True)
    e = np.where(allowed, np.exp(shifted - np.where(np.isfinite(top), top, 0)), 0)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


def _nan_to_num(scores, mask=None):
    return softmax(scores) if mask is None else np.nan_to_num(softmax(np.where(mask, scores, -np.inf)))


def _row_by_row(scores, mask=None):
    scores = np.asarray(scores, dtype=float)
    mask = np.broadcast_to(True if mask is None else mask, scores.shape)
    weights = np.zeros(scores.shape)
    for row in np.ndindex(scores.shape[:-1]):
        if mask[row].any():
            weights[row][mask[row]] = softmax(scores[row][mask[row]])
    return weights


ACCEPTED = (_exponentials, _nan_to_num, _row_by_row)


# ---- the exercise

EXERCISE = Exercise(
    name="masked_softmax",
    lesson="query_key_value",
    reference=ref.masked_softmax,
    checks=(
        Check("closed keys weigh 0, the open ones share 1 by softmax", 3, masked),
        Check("without a mask: softmax over the keys", 1, unmasked),
        Check("a query that may look nowhere gets zeros", 2, fully_masked_rows, side=True),
        Check("a batch, with one mask for all or masks of its own", 1, batches, side=True),
        Check("scores as large as 1,000,000", 1, huge, side=True),
        serves_any_array(and_read_only(types)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Two cases: mask is None, and a mask. With a mask, what score makes softmax give a weight of exactly 0?",
        "np.where(mask, scores, -np.inf) keeps the open scores; e^−∞ is 0. A row that is −∞ everywhere becomes 0 / 0.",
        (
            "nowhere = ~mask.any(axis=-1, keepdims=True) finds such rows. Leave their scores as they are, "
            "np.where(mask | nowhere, scores, -np.inf), and put zeros for them after softmax: np.where(nowhere, 0, …)."
        ),
    ),
)
