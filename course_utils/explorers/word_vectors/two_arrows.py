"""Two arrows that move beside a third that stays: dot product and cosine, and when they rank differently."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course_utils import word_vectors as reference
from course_utils.explorers.kit.controls import Slider, State
from course_utils.explorers.kit.explorer import Explorer
from course_utils.explorers.kit.labels import Box
from course_utils.explorers.kit.learner_function import LearnerFunction
from course_utils.explorers.kit.plane import Arrow, Plane
from course_utils.explorers.kit.svg import arc, box, line, num, picture, signed_bar, text

LONGEST = 5.0
TRUCK = (0, 4.5)  # direction and length of the arrow that stays


@dataclass(frozen=True)
class Arrows(State):
    """Direction in degrees and length of the two arrows that move."""

    dog_angle: int = 55
    dog_length: float = 3.0
    cat_angle: int = 75
    cat_length: float = 4.0


def arrows(dot_products=None, cosine_similarity=None) -> Explorer:
    """Dog and Cat turn and stretch, Truck stays: which of the two others is nearer to Dog, by either measure?"""
    dots = LearnerFunction(dot_products, reference.dot_products)
    cosine = LearnerFunction(cosine_similarity, reference.cosine_similarity)

    def draw(state: Arrows) -> str:
        dog, cat = _vector(state.dog_angle, state.dog_length), _vector(state.cat_angle, state.cat_length)
        others = np.array([cat, _vector(*TRUCK)])
        return _arrows_picture(state, dog, cat, dots(others, dog), [cosine(other, dog) for other in others])

    controls = tuple(
        slider
        for word in ("Dog", "Cat")
        for slider in (
            Slider(f"{word.lower()}_angle", f"{word}: direction", -180, 180, 5, "°"),
            Slider(f"{word.lower()}_length", f"{word}: length", 0.0, LONGEST, 0.5),
        )
    )
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
        equal = "Cat and Truck are equally near to Dog."
        return f"Both measures agree: nearer to Dog is {by_dot}." if by_dot else equal
    if by_dot and by_cosine:
        return f"The ranking flips: {by_dot} by dot product, {by_cosine} by cosine. Only dot products count length."
    level, decides, nearer = ("dot product", "cosine", by_cosine) if by_cosine else ("cosine", "dot product", by_dot)
    return f"Equally near to Dog by {level}; by {decides}, {nearer} is nearer."


def _without_direction(state: Arrows) -> str:
    """Said in place of a comparison where an arrow is only a point."""
    points = [name for name, length in (("Dog", state.dog_length), ("Cat", state.cat_length)) if not length]
    return f"{' and '.join(points)} {'has' if len(points) == 1 else 'have'} length 0: no direction, so no angle to compare."


def _arrows_picture(state: Arrows, dog, cat, dots, cosines) -> str:
    verdict = _verdict(dots, cosines) if state.dog_length and state.cat_length else _without_direction(state)
    between = f"angle {abs(_turn(state))}°" if state.dog_length and state.cat_length else "no angle"
    shadow = dots[0] / state.dog_length if state.dog_length else 0.0
    label = (
        f"{verdict} Dog {num(state.dog_angle, 0)}°, length {num(state.dog_length, 1)}; "
        f"Cat {num(state.cat_angle, 0)}°, length {num(state.cat_length, 1)}; {between}. "
        f"Dot product with Dog: Cat {num(dots[0])}, Truck {num(dots[1])}. "
        f"Cosine: Cat {num(cosines[0])}, Truck {num(cosines[1])}. Projection of Cat on Dog {num(shadow)}."
    )
    return picture(
        368,
        label,
        [
            text(6, 20, verdict, "h"),
            _arrows_plane(state, dog, cat, shadow),
            *_ranking(346, 330, "Dot product with Dog", dots, LONGEST**2, bool(state.dog_length and state.cat_length)),
            *_dot_sums(346, 330, state, dog, cat, shadow, dots[0]),
            *_ranking(694, 280, "Cosine with Dog", cosines, 1.0, bool(state.dog_length and state.cat_length)),
            *_cosine_sums(694, 280, state, dots, cosines),
        ],
    )


def _turn(state: Arrows) -> int:
    """From Dog to Cat the shorter way round, in degrees, anticlockwise."""
    return (state.cat_angle - state.dog_angle + 180) % 360 - 180


def _arrows_plane(state: Arrows, dog, cat, shadow: float) -> str:
    plane = Plane(6, 42, 320, LONGEST + 0.7)
    foot, middle = _vector(state.dog_angle, shadow), state.dog_angle + _turn(state) / 2
    aside = _vector(state.dog_angle - math.copysign(90, _turn(state)), 0.8)  # off the side where Cat is not
    named = (("Dog", dog, "1", 4), ("Cat", cat, "2", 4), ("Truck (fixed)", _vector(*TRUCK), "0", 3))
    words = [Arrow(name, x, y, colour, width) for name, (x, y), colour, width in named]
    angle = f"{abs(_turn(state))}°" if state.dog_length and state.cat_length else ""
    more = ((angle, *plane.at(*_vector(middle, 1.5))), ("projection", *plane.at(*(foot * 0.6 + aside))))
    return "".join(
        [
            plane.ground(),
            line(*plane.centre, *plane.at(*foot), "4", 11, opacity=0.55),
            line(*plane.at(*cat), *plane.at(*foot), "m", 1.5, dash="3 4"),
            *map(plane.arrow, reversed(words)),
            arc(*plane.centre, 30, state.dog_angle, state.cat_angle),
            plane.names(words, (*plane.blocked(), Box(*plane.at(*foot), 6, 6)), more),
        ]
    )


def _ranking(left: float, width: float, heading: str, scores, largest: float, compared: bool) -> list[str]:
    """Cat and Truck with their scores as bars either side of zero; the nearer one is marked in words."""
    best, parts = _nearer(scores) if compared else None, [text(left, 62, heading, "h")]
    for i, (word, colour) in enumerate((("Cat", "2"), ("Truck", "0"))):
        y = 78 + 46 * i
        parts += [
            box(left, y, 5, 32, colour, 2),
            text(left + 13, y + 15, word, "b"),
            text(left + 13, y + 30, "nearer" if word == best else "", "m"),
            signed_bar(left + 66, y + 4, width - 130, 24, scores[i] / largest, colour),
            text(left + width, y + 21, num(scores[i]), "num b", "end"),
        ]
    return parts


def _dot_sums(left: float, width: float, state: Arrows, dog, cat, shadow: float, score: float) -> list[str]:
    """One dot product, computed in three ways."""
    long, tall = num(state.dog_length, 1), num(state.cat_length, 1)
    return _sums(
        left,
        width,
        (
            (
                "Dog · Cat, coordinate by coordinate",
                f"{_factor(dog[0])}·{_factor(cat[0])} + {_factor(dog[1])}·{_factor(cat[1])} = {num(score)}",
            ),
            ("length of Dog × projection of Cat", f"{long} · {_factor(shadow)} = {num(score)}"),
            ("both lengths × cosine of the angle", f"{long} · {tall} · cos {abs(_turn(state))}° = {num(score)}"),
        ),
    )


def _cosine_sums(left: float, width: float, state: Arrows, dots, cosines) -> list[str]:
    """Both cosines from the dot products above them."""
    lines = [
        (
            f"{word}: dot product / both lengths",
            f"{num(dot)} / ({num(state.dog_length, 1)} · {num(length, 1)}) = {num(cosine)}"
            if state.dog_length and length
            else f"length 0, so no direction: {num(cosine)}",
        )
        for word, length, dot, cosine in zip(("Cat", "Truck"), (state.cat_length, TRUCK[1]), dots, cosines)
    ]
    angle = f"{abs(_turn(state))}°, at any length" if state.dog_length and state.cat_length else "none: length 0"
    return _sums(left, width, (*lines, ("angle from Dog to Cat", angle)))


def _factor(value: float) -> str:
    """A number that may follow an operator: negative ones in brackets."""
    words = num(value)
    return f"({words})" if words.startswith("−") else words


def _sums(left: float, width: float, sums) -> list[str]:
    parts = [box(left, 188, width, 174)]
    for i, (how, numbers) in enumerate(sums):
        parts += [text(left + 12, 210 + 54 * i, how, "m"), text(left + 12, 230 + 54 * i, numbers, "num n")]
    return parts
