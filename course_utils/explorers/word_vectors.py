"""Lesson 1: two arrows beside a third, and a table of features with its cosines."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .. import word_vectors as reference
from .borrowed import Borrowed, Trouble
from .controls import Choice, Slider, State
from .explorer import Explorer
from .heat import heat
from .labels import Box
from .plane import Arrow, Plane
from .svg import arc, bar, box, line, num, picture, signed_bar, text

LONGEST = 5.0
TRUCK = (0, 4.5)  # direction and length of the arrow that stays

FEATURES = ("animality", "living being", "vehicle-ness", "body size", "domesticity")
DOG = (0.98, 0.99, 0.01, 0.45, 0.95)
OTHERS = {
    "Cat": (0.97, 0.99, 0.01, 0.25, 0.90),
    "Car": (0.02, 0.01, 0.98, 0.60, 0.40),
    "Elephant": (0.99, 0.99, 0.05, 0.98, 0.15),
    "Truck": (0.01, 0.01, 0.99, 0.90, 0.10),
}


@dataclass(frozen=True)
class Arrows(State):
    """Direction in degrees and length of the two arrows that move."""

    dog_angle: int = 55
    dog_length: float = 3.0
    cat_angle: int = 75
    cat_length: float = 4.0


def arrows(dot_products=None, cosine_similarity=None) -> Explorer:
    """Dog and Cat turn and stretch, Truck stays: which of the two others is nearer to Dog, by either measure?"""
    dots = Borrowed(dot_products, reference.dot_products)
    cosine = Borrowed(cosine_similarity, reference.cosine_similarity)

    def draw(state: Arrows) -> str:
        dog, cat = _vector(state.dog_angle, state.dog_length), _vector(state.cat_angle, state.cat_length)
        others = np.array([cat, _vector(*TRUCK)])
        return _arrows_picture(state, dog, cat, dots(others, dog), [cosine(other, dog) for other in others])

    controls = tuple(slider for word in ("Dog", "Cat") for slider in (
        Slider(f"{word.lower()}_angle", f"{word}: direction", -180, 180, 5, "°"),
        Slider(f"{word.lower()}_length", f"{word}: length", 0.0, LONGEST, 0.5)))
    return Explorer("Two arrows beside a third", Arrows(), controls, draw, 368, (dots, cosine))


def _vector(angle: float, length: float) -> np.ndarray:
    return length * np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])


def _nearer(scores: Sequence[float]) -> str:
    """Which of Cat and Truck has the higher score; empty when they are level."""
    if abs(scores[0] - scores[1]) < 1e-9:
        return ""
    return "Cat" if scores[0] > scores[1] else "Truck"


def _verdict(dots, cosines) -> str:
    """Which of Cat and Truck is nearer to Dog, in words."""
    by_dot, by_cosine = _nearer(dots), _nearer(cosines)
    if by_dot == by_cosine:
        return f"Both measures agree: nearer to Dog is {by_dot}." if by_dot else "Cat and Truck are equally near to Dog."
    if by_dot and by_cosine:
        return f"The ranking flips: {by_dot} by dot product, {by_cosine} by cosine. Only dot products count length."
    level, decides, nearer = (("dot product", "cosine", by_cosine) if by_cosine else ("cosine", "dot product", by_dot))
    return f"Equally near to Dog by {level}; by {decides}, {nearer} is nearer."


def _arrows_picture(state: Arrows, dog, cat, dots, cosines) -> str:
    verdict = _verdict(dots, cosines)
    between = abs(_turn(state))
    shadow = dots[0] / state.dog_length if state.dog_length else 0.0
    label = (f"{verdict} Dog {num(state.dog_angle, 0)}°, length {num(state.dog_length, 1)}; "
             f"Cat {num(state.cat_angle, 0)}°, length {num(state.cat_length, 1)}; angle {between}°. "
             f"Dot product with Dog: Cat {num(dots[0])}, Truck {num(dots[1])}. "
             f"Cosine: Cat {num(cosines[0])}, Truck {num(cosines[1])}. Projection of Cat on Dog {num(shadow)}.")
    return picture(368, label, [
        text(6, 20, verdict, "h"), _arrows_plane(state, dog, cat, shadow),
        *_ranking(346, 330, "Dot product with Dog", dots, LONGEST**2), *_dot_sums(346, 330, state, dog, cat, shadow, dots[0]),
        *_ranking(694, 280, "Cosine with Dog", cosines, 1.0), *_cosine_sums(694, 280, state, dots, cosines),
    ])


def _turn(state: Arrows) -> int:
    """From Dog to Cat the shorter way round, in degrees, anticlockwise."""
    return (state.cat_angle - state.dog_angle + 180) % 360 - 180


def _arrows_plane(state: Arrows, dog, cat, shadow: float) -> str:
    plane = Plane(6, 42, 320, LONGEST + 0.7)
    foot, middle = _vector(state.dog_angle, shadow), state.dog_angle + _turn(state) / 2
    aside = _vector(state.dog_angle - math.copysign(90, _turn(state)), 0.8)  # off the side where Cat is not
    words = [Arrow("Dog", *dog, "1", 4), Arrow("Cat", *cat, "2", 4), Arrow("Truck (fixed)", *_vector(*TRUCK), "0", 3)]
    more = ((f"{abs(_turn(state))}°", *plane.at(*_vector(middle, 1.5))), ("projection", *plane.at(*(foot * 0.6 + aside))))
    return "".join([
        plane.ground(), line(*plane.centre, *plane.at(*foot), "4", 11, opacity=0.55),
        line(*plane.at(*cat), *plane.at(*foot), "m", 1.5, dash="3 4"), *map(plane.arrow, reversed(words)),
        arc(*plane.centre, 30, state.dog_angle, state.cat_angle),
        plane.names(words, (*plane.blocked(), Box(*plane.at(*foot), 6, 6)), more),
    ])


def _ranking(left: float, width: float, heading: str, scores, largest: float) -> list[str]:
    """Cat and Truck with their scores as bars either side of zero; the nearer one is marked in words."""
    best, parts = _nearer(scores), [text(left, 62, heading, "h")]
    for i, (word, colour) in enumerate((("Cat", "2"), ("Truck", "0"))):
        y = 78 + 46 * i
        parts += [box(left, y, 5, 32, colour, 2), text(left + 13, y + 15, word, "b"),
                  text(left + 13, y + 30, "nearer" if word == best else "", "m"),
                  signed_bar(left + 66, y + 4, width - 130, 24, scores[i] / largest, colour),
                  text(left + width, y + 21, num(scores[i]), "num b", "end")]
    return parts


def _dot_sums(left: float, width: float, state: Arrows, dog, cat, shadow: float, score: float) -> list[str]:
    """One dot product, reckoned in three ways."""
    long, tall = num(state.dog_length, 1), num(state.cat_length, 1)
    return _sums(left, width, (
        ("Dog · Cat, coordinate by coordinate",
         f"{_factor(dog[0])}·{_factor(cat[0])} + {_factor(dog[1])}·{_factor(cat[1])} = {num(score)}"),
        ("length of Dog × projection of Cat", f"{long} · {_factor(shadow)} = {num(score)}"),
        ("both lengths × cosine of the angle", f"{long} · {tall} · cos {abs(_turn(state))}° = {num(score)}"),
    ))


def _cosine_sums(left: float, width: float, state: Arrows, dots, cosines) -> list[str]:
    """Both cosines from the dot products above them."""
    lines = [(f"{word}: dot product / both lengths",
              f"{num(dot)} / ({num(state.dog_length, 1)} · {num(length, 1)}) = {num(cosine)}"
              if state.dog_length and length else f"length 0, so no direction: {num(cosine)}")
             for word, length, dot, cosine in zip(("Cat", "Truck"), (state.cat_length, TRUCK[1]), dots, cosines)]
    return _sums(left, width, (*lines, ("angle from Dog to Cat", f"{abs(_turn(state))}°, at any length")))


def _factor(value: float) -> str:
    """A number that may follow an operator: negative ones in brackets."""
    words = num(value)
    return f"({words})" if words.startswith("−") else words


def _sums(left: float, width: float, sums) -> list[str]:
    parts = [box(left, 188, width, 174)]
    for i, (how, numbers) in enumerate(sums):
        parts += [text(left + 12, 210 + 54 * i, how, "m"), text(left + 12, 230 + 54 * i, numbers, "num n")]
    return parts


@dataclass(frozen=True)
class Table(State):
    """A row of features (tuple of floats) for each word, and the word whose features the sliders move."""

    rows: tuple[tuple[float, ...], ...]
    words: tuple[str, ...]
    word: str

    def __getattr__(self, name: str) -> float:
        if name in FEATURES:
            return self.rows[self.words.index(self.word)][FEATURES.index(name)]
        raise AttributeError(name)

    def put(self, name: str, value) -> "Table":
        if name not in FEATURES:
            return replace(self, **{name: value})
        here, column = self.words.index(self.word), FEATURES.index(name)
        row = (*self.rows[here][:column], value, *self.rows[here][column + 1:])
        return replace(self, rows=(*self.rows[:here], row, *self.rows[here + 1:]))


def features(rows: Mapping[str, Sequence[float]] = OTHERS, cosine_matrix=None) -> Explorer:
    """Dog's five features, with those that a learner gives to other words, and every cosine beside them.

    ``rows`` names up to four words, each with five numbers from 0 to 1; None for a word leaves it at 0.5 everywhere.
    """
    cosines = Borrowed(cosine_matrix, reference.cosine_matrix)
    sliders = tuple(Slider(name, name, 0.0, 1.0, 0.01) for name in FEATURES)
    table, trouble = {"Dog": DOG}, ""
    for word, row in rows.items():
        table[word], problem = _row(word, row, sliders[0])
        trouble = trouble or problem

    def draw(state: Table) -> str:
        if trouble:
            raise Trouble(trouble)
        X = np.array(state.rows)
        return _table_picture(state, cosines(X, X))

    words = tuple(table)
    start = Table(tuple(table.values()), words, words[1] if len(words) > 1 else words[0])
    choice = Choice("word", "Sliders move", words)
    return Explorer("Five features of a word", start, (choice, *sliders), draw, 398, (cosines,))


def _row(word: str, row, slider: Slider) -> tuple[tuple[float, ...], str]:
    """Five numbers on the slider's positions, and what is wrong with those given."""
    blank = (0.5,) * len(FEATURES)
    if row is None:
        return blank, ""
    try:
        values = tuple(float(value) for value in row)
    except (TypeError, ValueError):
        values = ()
    if len(values) != len(FEATURES) or not all(0 <= value <= 1 for value in values):
        return blank, (f"{word} needs five numbers between 0 and 1 ({', '.join(FEATURES)}); "
                       f"found {str(row)[:60]}. Mend the row and run this cell again.")
    return tuple(slider.snap(value) for value in values), ""


def _table_picture(state: Table, cosines) -> str:
    here = state.words.index(state.word)
    says = _neighbours(state, cosines[here], here)
    values = ", ".join(f"{name} {num(value)}" for name, value in zip(FEATURES, state.rows[here]))
    matrix = "; ".join(f"{word} {' '.join(map(num, row))}" for word, row in zip(state.words, cosines))
    return picture(398, f"{says} {state.word}: {values}. Cosines with {', '.join(state.words)}: {matrix}.", [
        text(6, 20, says, "h"), *_bars(state, here),
        text(622, 62, "Cosine of every pair", "h"),
        heat(690, 98, 56, state.words, state.words, cosines, marked=here),
    ])


def _neighbours(state: Table, cosines, here: int) -> str:
    others = {word: float(cosine) for i, (word, cosine) in enumerate(zip(state.words, cosines)) if i != here}
    if not others:
        return "Give a second word its features, and the two can be compared."
    high, low = max(others.values()), min(others.values())
    if len(others) > 1 and high - low < 1e-9:
        return f"All other words are equally near to {state.word} ({num(high)})."
    return f"Nearest to {state.word}: {_level(others, high)}. Furthest: {_level(others, low)}."


def _level(cosines: Mapping[str, float], value: float) -> str:
    """Every word at that cosine, with its number."""
    return f"{' and '.join(word for word, found in cosines.items() if abs(found - value) < 1e-9)} ({num(value)})"


def _bars(state: Table, here: int) -> list[str]:
    """A row of bars for each word, a column for each feature; the word that the sliders move lies on a soft ground."""
    parts = [box(0, 76 + 62 * here, 578, 56)]
    parts += [text(92 + 98 * column, 62, name, "m") for column, name in enumerate(FEATURES)]
    for i, (word, row) in enumerate(zip(state.words, state.rows)):
        y = 76 + 62 * i
        parts.append(text(10, y + 34, word, "b"))
        for column, value in enumerate(row):
            x = 92 + 98 * column
            parts += [text(x, y + 23, num(value), "num"), bar(x, y + 31, 80, 12, value, str(column))]
    return parts


EXPLORERS = (arrows, features)
