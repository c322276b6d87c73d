"""Lesson 5: a width and a divisor, and what they do to scores, weights and gradients."""

import functools
import itertools
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from course_utils import scaling as reference
from course_utils.embedding_space import softmax
from course_utils.explorers.kit.controls import Choice, Pick, State
from course_utils.explorers.kit.explorer import Explorer
from course_utils.explorers.kit.learner_function import LearnerFunction
from course_utils.explorers.kit.precompute import precompute
from course_utils.explorers.kit.svg import bar, box, curve, dot, line, num, picture, text
from course_utils.query_key_value import attention_scores

WIDTHS = tuple(2**i for i in range(1, 13))
QUERIES, KEYS = 40, 10
SCORES = 1000  # in the histogram; the first 400 are those of 40 queries with 10 keys
D_V, D_MODEL = 16, 512
DIVISORS = {
    "nothing": lambda d: 1.0,
    "√d_k": math.sqrt,
    "d_k": float,
    "ln d_k": math.log,
    "√n_k": lambda d: math.sqrt(KEYS),
    "√d_v": lambda d: math.sqrt(D_V),
    "8": lambda d: 8.0,
    "√d_model": lambda d: math.sqrt(D_MODEL),
}
TEMPERATURES = (0.5, 1.0, 2.0, 4.0)
EDGE, BINS = 12, 24  # the histogram runs from −12 to 12
EVEN = math.log(KEYS)


@dataclass(frozen=True)
class Race(State):
    """Width of queries and keys, what their scores are divided by, and a temperature that divides once more."""

    width: int = 64
    divisor: str = "nothing"
    temperature: float = 1.0


@functools.cache
def drawn_scores() -> np.ndarray:
    """Scores of 100 standard-normal queries with ten keys each, the same every time: (widths, 1000)."""
    return np.stack([_scores(d, np.random.default_rng(d)) for d in WIDTHS])


def _scores(d: int, rng: np.random.Generator) -> np.ndarray:
    Q, K = rng.standard_normal((SCORES // KEYS, 1, d)), rng.standard_normal((SCORES // KEYS, KEYS, d))
    return attention_scores(Q, K).ravel()  # ten after ten: those of one query


class Spread(NamedTuple):
    """What one divisor and temperature make of the scores, at every width."""

    scores: np.ndarray  # (widths, 1000), divided
    weights: np.ndarray  # (widths, 40, 10)
    entropies: list[float]  # their means, by width


def race(entropy=None, softmax_jacobian=None) -> Explorer:
    """Queries meet ten keys at widths 2 to 4096: which divisor keeps the weights open at every width?"""
    measure, slopes = LearnerFunction(entropy, reference.entropy), LearnerFunction(softmax_jacobian, reference.softmax_jacobian)
    spread = functools.cache(lambda divisor, temperature: _spread(divisor, temperature, measure))

    def passed_gradient(here: int, divisor: str, temperature: float) -> float:
        jacobians = [slopes(p) for p in spread(divisor, temperature).weights[here]]
        return float(np.linalg.norm(jacobians, axis=(1, 2)).mean())

    gradient = precompute(passed_gradient, itertools.product(range(len(WIDTHS)), DIVISORS, TEMPERATURES))

    def draw(state: Race) -> str:
        here, by = WIDTHS.index(state.width), (state.divisor, state.temperature)
        return _picture(state, here, spread(*by), gradient(here, *by))

    controls = (
        Pick("width", "Width d_k", WIDTHS),
        Choice("divisor", "Divide by", tuple(DIVISORS)),
        Pick("temperature", "Temperature", TEMPERATURES),
    )
    return Explorer("Width, divisor and temperature", Race(), controls, draw, 404, (measure, slopes))


def _spread(divisor: str, temperature: float, measure) -> Spread:
    divisors = np.array([DIVISORS[divisor](d) for d in WIDTHS]) * temperature
    scores = drawn_scores() / divisors[:, None]
    weights = softmax(scores[:, : QUERIES * KEYS].reshape(len(WIDTHS), QUERIES, KEYS))
    return Spread(scores, weights, measure(weights, -1).mean(axis=1).tolist())


def _picture(state: Race, here: int, now: Spread, slope: float) -> str:
    scores, weights, entropies = now.scores[here], now.weights[here], now.entropies
    spread, largest = float(scores.std()), float(weights.max(axis=-1).mean())
    verdict = _verdict(state, spread)
    shown = ", ".join(num(w) for w in weights[0])
    label = (
        f"{verdict} Spread of the scores {num(spread)}; largest weight {num(largest)}; entropy "
        f"{num(entropies[here])} of {num(EVEN)}; gradient {num(slope, 3)}. One query's weights: {shown}. "
        f"Entropy at widths 2 to 4096: {', '.join(map(num, entropies))}."
    )
    return picture(
        404,
        label,
        [
            text(6, 20, verdict, "h"),
            *_histogram(6, 300, scores),
            *_weights(352, 286, weights[0]),
            *_curve(694, 280, state, here, entropies),
            *_readings(
                (
                    ("spread of the scores", num(spread)),
                    ("largest weight, on average", num(largest)),
                    (f"entropy, on average (even: {num(EVEN)})", num(entropies[here])),
                    ("gradient that softmax passes", num(slope, 3)),
                )
            ),
        ],
    )


def _verdict(state: Race, spread: float) -> str:
    by = DIVISORS[state.divisor](state.width)
    number = "" if state.divisor in ("8", "nothing") else f" = {num(by)}"
    if spread > 2.5:
        what = "one key takes nearly all, gradients fade"
    elif spread < 0.4:
        what = "nearly even, the query hardly chooses"
    else:
        what = "the weights stay open"
    warm = "" if state.temperature == 1 else f", temperature {num(state.temperature, 1)}"
    return f"Width {state.width}, divided by {state.divisor}{number}{warm}: {what}."


def _histogram(left: float, width: float, scores) -> list[str]:
    """Shares of the scores in 24 bins; what lies beyond ±12 is told in words."""
    shares = np.histogram(scores, BINS, (-EDGE, EDGE))[0] / len(scores)
    step, floor, tall = width / BINS, 296, 200
    parts = [text(left, 56, "Scores, divided", "h"), line(left, floor, left + width, floor, "m")]
    parts += [
        box(left + i * step + 0.5, floor - tall * min(share / 0.5, 1), step - 1, tall * min(share / 0.5, 1), "2", 0)
        for i, share in enumerate(shares)
    ]
    for score in (-EDGE, 0, EDGE):
        x = left + width / 2 + score * width / (2 * EDGE)
        parts.append(text(x, floor + 16, num(score, 0), "m num", {-EDGE: "start", 0: "middle", EDGE: "end"}[score]))
    beyond = float(np.mean(np.abs(scores) > EDGE))
    return [*parts, text(left, 76, f"{num(100 * beyond, 0)} % lie beyond ±{EDGE}", "m")]


def _weights(left: float, width: float, weights) -> list[str]:
    parts = [text(left, 56, "One query's ten weights", "h")]
    for i, weight in enumerate(weights):
        y = 70 + 24 * i
        parts += [
            text(left, y + 14, f"key {i + 1}", "m"),
            bar(left + 50, y, width - 100, 18, float(weight), "1"),
            text(left + width, y + 14, num(weight), "num n", "end"),
        ]
    return parts


def _curve(left: float, width: float, state: Race, here: int, entropies) -> list[str]:
    """Mean entropy over the widths, with the present width marked; level is what a divisor should keep it."""
    top, floor = 76, 296
    xs = [left + 34 + i * (width - 50) / (len(WIDTHS) - 1) for i in range(len(WIDTHS))]
    ys = [floor - (floor - top) * float(e) / EVEN for e in entropies]
    parts = [text(left, 56, "Mean entropy over widths", "h")]
    for value in (0.0, 1.0, 2.0):
        y = floor - (floor - top) * value / EVEN
        parts += [line(left + 26, y, left + width, y), text(left, y + 5, num(value, 0), "m num")]
    parts += [text(x, floor + 16, str(WIDTHS[i]), "m num", "middle") for i, x in enumerate(xs) if i % 3 == 2]
    parts += [line(xs[here], top, xs[here], floor, "m", 1, "3 4"), curve(zip(xs, ys), "2", 2.5)]
    return [*parts, dot(xs[here], ys[here], 7, "1")]


def _readings(readings) -> list[str]:
    parts = []
    for i, (name, number) in enumerate(readings):
        x = 6 + 244 * i
        parts += [box(x, 330, 232, 66), text(x + 14, 353, name, "m"), text(x + 14, 383, number, "h num")]
    return parts
