"""split_heads: the width cut into heads, each of them a batch item of its own."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import raises, serves_any_array
from course_utils import multi_head as ref

from ..inputs import vectors
from ..inputs.attention import LEADS
from ..inputs.layouts import and_read_only, every_form, varied
from .draws import lettered

# ---- what is asked


def plain(rng):
    """Where h = n = d_head every wrong order of axes has the right shape; elsewhere none has."""
    return [
        (lettered(2, 4), 2),
        (lettered(3, 6), 2),
        (rng.normal(size=(3, 9)), 3),
        (rng.normal(size=(5, 8)), 2),
        (rng.normal(size=(4, 6)), 3),
        (rng.normal(size=(3, 14)), 7),
    ]


def ends(rng):
    return [
        (lettered(2, 3), 1),
        (lettered(2, 3), 3),
        (rng.normal(size=(4, 6)), 1),
        (rng.normal(size=(4, 5)), 5),
        (rng.normal(size=(1, 6)), 3),
    ]


def batches(rng):
    return [
        (lettered(2, 3, 4), 2),
        (rng.normal(size=(2, 3, 6)), 3),
        (rng.normal(size=(3, 3, 9)), 3),
        (rng.normal(size=(2, 4, 3, 10)), 5),
        (rng.normal(size=(1, 3, 6)), 2),
        (rng.normal(size=(2, 1, 2, 3, 4)), 2),
    ]


def unequal(rng):
    return [(lettered(2, 3), 2), (rng.normal(size=(4, 7)), 3), (rng.normal(size=(2, 3, 4)), 8), (rng.normal(size=(5, 6)), 4)]


def types(rng):
    return every_form((rng.normal(size=(3, 8)), 4)) + [(rng.integers(-9, 9, (4, 6)), 2)]


def every_kind(rng):
    """Every number of heads that divides the width, and some that do not."""
    cases = [(lettered(2, 2), 2)]
    for lead in LEADS:
        for n, d in ((2, 2), (1, 1), (1, 6), (3, 9), (4, 4), (5, 8), (2, 12), (3, 10), (13, 20)):
            heads = [h for h in range(1, d + 1) if d % h == 0] + [d + 1, 2 * d]
            cases += [(vectors.modest(rng, *lead, n, d), h) for h in heads]
    return list(varied(cases))


# ---- what learners write instead


def _cut(X, h):
    """Each row cut into h pieces where it is: (..., n, h, d/h). A width that h does not divide is refused."""
    if X.shape[-1] % h:
        raise ValueError("the heads do not divide the width")
    return X.reshape(*X.shape[:-1], h, X.shape[-1] // h)


def _reshaped_only(X, h):
    *batch, n, d = X.shape
    _cut(X, h)
    return X.reshape(*batch, h, n, d // h)


def _every_hth_column(X, h):
    *batch, n, d = X.shape
    _cut(X, h)
    return np.moveaxis(X.reshape(*batch, n, d // h, h), -1, -3)


def _rest_dropped(X, h):
    return ref.split_heads(X[..., : X.shape[-1] // h * h], h)


def _asserts(X, h):
    assert X.shape[-1] % h == 0
    return ref.split_heads(X, h)


def _last_axes_swapped(X, h):
    return np.swapaxes(_cut(X, h), -1, -2)


MISTAKES = (
    Misconception(
        "reshaped-only",
        _reshaped_only,
        "You reshaped straight to (h, n, d/h). That keeps the reading order, so the first head gets whole "
        "tokens. Reshape to (n, h, d/h) first, then swap the axes of tokens and heads.",
    ),
    Misconception(
        "axes-not-swapped",
        _cut,
        "The pieces are right, but the heads still come after the tokens: (n, h, d/h). Swap these two axes.",
    ),
    Misconception(
        "every-hth-column",
        _every_hth_column,
        "Your heads take every h-th column. Head i holds the columns from i·d/h on, side by side: reshape "
        "to (n, h, d/h), with h before d/h.",
    ),
    Misconception(
        "head-transposed",
        lambda X, h: np.swapaxes(ref.split_heads(X, h), -1, -2),
        "Within each head tokens and numbers are exchanged. A token stays a row: (h, n, d/h).",
    ),
    Misconception(
        "all-axes-reversed",
        lambda X, h: _cut(X, h).T,
        ".T turns round every axis. Swap the axes of tokens and heads only: np.swapaxes(…, -2, -3).",
    ),
    Misconception(
        "heads-before-the-batch",
        lambda X, h: np.moveaxis(_cut(X, h), -2, 0),
        "The heads stand before the batch. They go just before the tokens: (batch, h, n, d/h).",
    ),
    Misconception(
        "first-axes-swapped",
        lambda X, h: _cut(X, h).swapaxes(0, -2),
        "You exchanged the heads with the first axis. In a batch that is the batch: count from the end, −3 and −2.",
    ),
    Misconception(
        "heads-reversed",
        lambda X, h: ref.split_heads(X, h)[..., ::-1, :, :],
        "Your heads come in reverse order. Head 0 holds the first columns.",
    ),
    Misconception(
        "first-head-only",
        lambda X, h: ref.split_heads(X, h)[..., :1, :, :],
        "Only the first head is there. All h of them are wanted: (h, n, d/h).",
    ),
    Misconception(
        "rest-dropped",
        _rest_dropped,
        "Where the heads do not divide the width, you dropped the columns left over. Raise ValueError instead.",
    ),
    Misconception(
        "assert-for-error", _asserts, "A width that the heads do not divide must raise ValueError; assert raises AssertionError."
    ),
    Misconception(
        "last-axes-swapped",
        _last_axes_swapped,
        "You swapped heads with the numbers of a head. After the reshape to (n, h, d/h) tokens and heads "
        "change places: axes −3 and −2.",
    ),
)


# ---- right answers written differently


def _by_slices(X, h):
    d = X.shape[-1]
    if d % h != 0:
        raise ValueError(f"{h} heads do not divide {d}")
    width = d // h
    return np.stack([X[..., i * width : (i + 1) * width] for i in range(h)], axis=-3)


def _by_split(X, h):
    return np.stack(np.split(X, h, axis=-1), axis=-3)  # np.split raises ValueError by itself


def _by_reshape(X, h):
    return X.reshape(*X.shape[:-1], h, -1).swapaxes(-2, -3)  # so does reshape


def _by_loops(X, h):
    *batch, n, d = X.shape
    if d % h:
        raise ValueError
    out = np.empty((*batch, h, n, d // h), np.float32)
    for head in range(h):
        for column in range(d // h):
            out[..., head, :, column] = X[..., head * (d // h) + column]
    return out


def _by_moveaxis(X, h):
    return np.moveaxis(X.reshape(X.shape[:-1] + (h, -1)), -2, -3)


ACCEPTED = (_by_slices, _by_split, _by_reshape, _by_loops, _by_moveaxis)


# ---- the exercise

EXERCISE = Exercise(
    name="split_heads",
    lesson="multi_head",
    reference=ref.split_heads,
    checks=(
        Check("head i holds columns i·d/h to (i+1)·d/h − 1 of every token", 3, plain),
        Check("one head, and heads of width 1", 1, ends, side=True),
        Check("a batch is split sentence by sentence", 1, batches, side=True),
        Check("a width that the heads do not divide is a ValueError", 1, unequal, raises(ValueError), side=True),
        serves_any_array(and_read_only(lambda rng: plain(rng) + types(rng))),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Two steps. First cut each token's row into h pieces without moving anything: (..., n, h, d/h).",
        "Then bring the heads before the tokens: swap the axes of n and h. Reshaping straight to (..., h, n, d/h) "
        "would tear tokens apart.",
        "X.reshape(*X.shape[:-1], n_heads, d // n_heads), then np.swapaxes(…, -2, -3); before that: "
        "if d % n_heads: raise ValueError(…).",
    ),
)
