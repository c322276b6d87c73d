"""sinusoidal_positions: a row for each position, made of sines and cosines of many wavelengths."""

import math

import numpy as np

from autograde.engine.compare import close
from autograde.engine.exercise import Check, Exercise, Misconception
from course_utils import transformer as ref

# ---- what is asked


def small(rng):
    return [(2, 2), (3, 4), (5, 6), (4, 8), (6, 6), (int(rng.integers(7, 12)), 10)]


def edges(rng):
    return [(1, 2), (1, 8), (9, 2), (300, 4), (3, 64), (int(rng.integers(40, 60)), 32)]


def has_each_column(trial):
    """Every sine and every cosine that is due is a column, in whatever order."""
    found = trial.outcome.value
    problem = trial.problem()
    if problem is None or problem.stage != "value":
        return problem
    left = list(found.T)
    for column in trial.expected.T:
        match = next((i for i, other in enumerate(left) if close(other, column)), None)
        if match is None:
            return "right shape, but a column that is due stands nowhere: no sine or cosine has its wavelength"
        left.pop(match)
    return None


# ---- what learners write instead


def _angles(n, d, base=10000.0, first=0):
    return np.arange(first, n + first)[:, None] / base ** (np.arange(0, d, 2) / d)


def _interleaved(sines, cosines):
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def _in_pairs(angles):
    return _interleaved(np.sin(angles), np.cos(angles))


def _halves(n, d):
    return np.concatenate([np.sin(_angles(n, d)), np.cos(_angles(n, d))], axis=1)


def _cosine_first(n, d):
    return _interleaved(np.cos(_angles(n, d)), np.sin(_angles(n, d)))


def _own_wavelength(n, d):
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(d) / d)
    return np.where(np.arange(d) % 2, np.cos(angles), np.sin(angles))


def _exponent_4i(n, d):
    return _in_pairs(np.arange(n)[:, None] / 10000 ** (2 * np.arange(0, d, 2) / d))


def _exponent_i(n, d):
    return _in_pairs(np.arange(n)[:, None] / 10000 ** (np.arange(d // 2) / d))


def _half_d(n, d):
    return _in_pairs(np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / (d / 2)))


def _whole_division(n, d):
    return _in_pairs(np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) // d))


def _multiplied(n, d):
    return _in_pairs(np.arange(n)[:, None] * 10000 ** (np.arange(0, d, 2) / d))


def _sines_only(n, d):
    return np.repeat(np.sin(_angles(n, d)), 2, axis=1)


def _transposed(n, d):
    return ref.sinusoidal_positions(n, d).T


def _d_positions(n, d):
    return np.resize(ref.sinusoidal_positions(d, d), (n, d)) if n <= d else ref.sinusoidal_positions(n, d)[::-1]


def _angles_alone(n, d):
    return np.repeat(_angles(n, d), 2, axis=1)


def _whole_numbers(n, d):
    return ref.sinusoidal_positions(n, d).astype(int)


def _in_turns(n, d):
    return _in_pairs(2 * np.pi * _angles(n, d))


def _in_degrees(n, d):
    return _in_pairs(np.deg2rad(_angles(n, d)))


MISTAKES = (
    Misconception(
        "halves-not-interleaved",
        _halves,
        "All sines stand in the left half and all cosines in the right. In the paper they take turns: column 2i is a "
        "sine, column 2i + 1 the cosine of the same angle.",
    ),
    Misconception(
        "cosine-first",
        _cosine_first,
        "Sines and cosines have changed places: even columns are sines, odd columns cosines. Row 0 reads 0, 1, 0, 1, …",
    ),
    Misconception(
        "a-wavelength-for-each-column",
        _own_wavelength,
        "Each column has a wavelength of its own. A sine and the cosine beside it share one: 2i is the number of the "
        "even column, for both.",
    ),
    Misconception(
        "positions-from-1",
        lambda n, d: _in_pairs(_angles(n, d, first=1)),
        "The first row is that of position 1. Positions count from 0: np.arange(n).",
    ),
    Misconception(
        "exponent-doubled-twice",
        _exponent_4i,
        "The exponent grows twice as fast as it should: np.arange(0, d, 2) is 2i already, so divide it by d alone.",
    ),
    Misconception(
        "exponent-i-for-2i", _exponent_i, "The exponent is i/d, with i = 0, 1, 2, … It should be 2i/d: np.arange(0, d, 2) / d."
    ),
    Misconception("base-1000", lambda n, d: _in_pairs(_angles(n, d, base=1000.0)), "The base is 1,000. The paper's is 10,000."),
    Misconception(
        "base-100000", lambda n, d: _in_pairs(_angles(n, d, base=100000.0)), "The base is 100,000. The paper's is 10,000."
    ),
    Misconception(
        "exponent-in-whole-numbers",
        _whole_division,
        "// rounds the exponent down to 0, so all pairs of columns have one wavelength. Divide with /.",
    ),
    Misconception(
        "multiplied-for-divided",
        _multiplied,
        "The position was multiplied by 10000^(2i/d). Divide by it: waves get longer from left to right.",
    ),
    Misconception(
        "sines-only", _sines_only, "Every column is a sine. Odd columns are the cosines of the angle on their left: np.cos."
    ),
    Misconception(
        "rows-and-columns-exchanged", _transposed, "Positions go across here. A position is a row: the shape is (n, d)."
    ),
    Misconception("wrong-number-of-positions", _d_positions, "The rows are not those of positions 0 … n − 1, in this order."),
    Misconception("no-sine-taken", _angles_alone, "These are the angles. Take np.sin of them for even columns, np.cos for odd."),
    Misconception(
        "whole-numbers",
        _whole_numbers,
        "The result was written into an array of whole numbers, which cuts off all behind the point. "
        "Make it with np.zeros((n, d)).",
    ),
    Misconception("angles-in-turns", _in_turns, "The angles were multiplied by 2π. The formula has none: np.sin takes radians."),
    Misconception(
        "angles-in-degrees", _in_degrees, "The angles were taken for degrees. np.sin takes radians, as the formula does."
    ),
)


# ---- right answers written differently


def _with_loops(n, d):
    rows = []
    for position in range(n):
        row = []
        for i in range(d // 2):
            angle = position / 10000 ** (2 * i / d)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return rows


def _into_slices(n, d):
    P = np.zeros((n, d))
    angles = np.outer(np.arange(n), np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


def _column_by_column(n, d):
    t = np.arange(n)
    return np.transpose([(np.cos if j % 2 else np.sin)(t / 10000 ** ((j - j % 2) / d)) for j in range(d)])


def _with_powers(n, d):
    return np.fromfunction(
        lambda t, j: np.where(j % 2 == 0, np.sin(t / 1e4 ** (j / d)), np.cos(t / 1e4 ** ((j - 1) / d))), (n, d)
    )


def _one_sine(n, d):
    """A cosine is a sine a quarter turn ahead."""
    angles = np.repeat(np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d), 2, axis=1)
    return np.sin(angles + np.tile([0, np.pi / 2], d // 2))


def _complex(n, d):
    turned = np.exp(1j * np.arange(n)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d))
    return np.stack([turned.imag, turned.real], axis=2).reshape(n, d).astype(np.float32)


ACCEPTED = (_with_loops, _into_slices, _column_by_column, _with_powers, _one_sine, _complex)


# ---- the exercise

EXERCISE = Exercise(
    name="sinusoidal_positions",
    lesson="transformer",
    reference=ref.sinusoidal_positions,
    checks=(
        Check("the sine and the cosine of each wavelength, in whichever column", 2, small, has_each_column),
        Check("even columns are sines, odd columns the cosines of the same angles", 3, small),
        Check("one position, many positions, narrow and wide rows", 1, edges, side=True),
    ),
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "One angle for each position and each pair of columns: position / 10000^(2i/d), with 2i = 0, 2, 4, …, d − 2.",
        "np.arange(n)[:, None] stands upright, np.arange(0, d, 2) lies flat: dividing one by the other gives an (n, d/2) table.",
        "P = np.zeros((n, d)); P[:, 0::2] = np.sin(angles); P[:, 1::2] = np.cos(angles).",
    ),
)
