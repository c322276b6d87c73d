"""Lesson 1: two arrows and a third, and a table of features with its cosines."""

import math
from dataclasses import dataclass

import numpy as np

from .. import word_vectors as reference
from .borrowed import Borrowed
from .controls import Slider, State
from .explorer import Explorer
from .labels import Box
from .plane import Arrow, Plane
from .svg import box, dot, line, num, picture, px, text

FIXED, FIXED_ANGLE, FIXED_LENGTH = "Truck", 0, 4.5
LONGEST = 5.0


@dataclass(frozen=True)
class Arrows(State):
    """Direction in degrees and length of the two words that move."""

    dog_angle: int = 55
    dog_length: float = 3.0
    cat_angle: int = 75
    cat_length: float = 4.0


def arrows(dot_products=None, cosine_similarity=None) -> Explorer:
    """Dog and Cat to be turned and stretched, Truck fixed: which of the two is nearer to Dog, by either measure?"""
    dots = Borrowed(dot_products, reference.dot_products)
    cosine = Borrowed(cosine_similarity, reference.cosine_similarity)

    def draw(state: Arrows) -> str:
        dog, cat = _vector(state.dog_angle, state.dog_length), _vector(state.cat_angle, state.cat_length)
        others = np.array([cat, _vector(FIXED_ANGLE, FIXED_LENGTH)])
        scores = [float(score) for score in dots(others, dog)]
        return _arrows_picture(state, dog, others, scores, [float(cosine(other, dog)) for other in others])

    controls = tuple(slider for word in ("Dog", "Cat") for slider in (
        Slider(f"{word.lower()}_angle", f"{word}: direction", -180, 180, 5, "°"),
        Slider(f"{word.lower()}_length", f"{word}: length", 0.0, LONGEST, 0.5)))
    return Explorer("Two arrows and a third", Arrows(), controls, draw, 418, (dots, cosine))


def _vector(angle: float, length: float) -> np.ndarray:
    return length * np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])


def _verdict(dots: list[float], cosines: list[float]) -> str:
    """Which word is nearer by either measure, in words."""
    by_dot, by_cosine = (_nearer(values) for values in (dots, cosines))
    if by_dot == by_cosine:
        return f"Both measures agree: {by_dot} is nearer to Dog." if by_dot else "Both measures find them equally near."
    return (f"The ranking flips: {by_dot or 'neither'} by dot product, {by_cosine or 'neither'} by cosine. "
            "Length counts in the one and not in the other.")


def _nearer(values: list[float]) -> str:
    if abs(values[0] - values[1]) < 1e-9:
        return ""
    return "Cat" if values[0] > values[1] else FIXED


def _arrows_picture(state, dog, others, dots, cosines) -> str:
    verdict = _verdict(dots, cosines)
    label = (f"Dog {state.dog_angle}° long {num(state.dog_length, 1)}, Cat {state.cat_angle}° long "
             f"{num(state.cat_length, 1)}, {FIXED} {FIXED_ANGLE}° long {num(FIXED_LENGTH, 1)}. "
             f"Dot product with Dog: Cat {num(dots[0])}, {FIXED} {num(dots[1])}. "
             f"Cosine with Dog: Cat {num(cosines[0])}, {FIXED} {num(cosines[1])}. {verdict}")
    plane = Plane(6, 68, 330, LONGEST + 0.6)
    names = [Arrow("Dog", *dog, "1", 4), Arrow("Cat", *others[0], "2", 4), Arrow(FIXED, *others[1], "0", 3)]
    parts = [text(6, 18, verdict), plane.ground(), *map(plane.arrow, names), plane.names(names, plane.blocked())]
    return picture(418, label, parts)


EXPLORERS = (arrows,)
