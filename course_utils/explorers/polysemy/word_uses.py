"""Lesson 3: the twelve uses of a word as points that move from the static vector into the layers of a real model."""

import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from course_utils import polysemy as reference
from course_utils.experiments import senses
from course_utils.experiments.sentences import SENSES
from course_utils.explorers.kit.controls import Choice, Pick, Slider, State
from course_utils.explorers.kit.explorer import Explorer
from course_utils.explorers.kit.labels import Box, place
from course_utils.explorers.kit.learner_function import LearnerFunction
from course_utils.explorers.kit.precompute import precompute
from course_utils.explorers.kit.svg import bar, box, dot, line, num, picture, px, text
from course_utils.word_vectors import cosine_matrix

STAGES = ("static", "near", "sentence", "layer 0", "layer 1", "layer 2", "layer 3", "layer 4")
STAGE_NAMES = ("static row", "average ±4", "average of all", *STAGES[3:])
HUES = ("2", "1")  # first sense: blue circles, second: red squares
LEFT, TOP, SIZE = 24, 58, 360  # the square in which the points move
RIGHT = 426


@dataclass(frozen=True)
class UsesChoice(State):
    """A word, the stage of its vectors, and the number of one sentence for each sense."""

    word: str = "apple"
    stage: str = "near"
    first: int = 1
    second: int = 1


class Seen(NamedTuple):
    """What is drawn of one word at one stage. Use i lies at (to_first[i], to_second[i])."""

    to_first: np.ndarray  # (12,) cosines with the centroid of the first sense, a use's own vector left out of it
    to_second: np.ndarray  # (12,)
    right: np.ndarray  # (12,) 1, 0, or 0.5 for a tie
    between: np.ndarray  # (12, 12) cosines
    separation: float


def uses(context_average=None, nearest_sense=None, sense_separation=None) -> Explorer:
    """Twelve sentences of a word: is each use nearer to its own sense? Along the stages from static to layer 4."""
    average = LearnerFunction(context_average, reference.context_average)
    nearest = LearnerFunction(nearest_sense, reference.nearest_sense)
    separation = LearnerFunction(sense_separation, reference.sense_separation)

    seen = precompute(
        lambda word, stage: _look(senses.uses(word, _vectors(stage, average)), nearest, separation),
        itertools.product(SENSES, STAGES),
        seconds=5,
    )  # the model reads each sentence once

    def draw(state: UsesChoice) -> str:
        rights = [float(seen(state.word, stage).right.sum()) for stage in STAGES]
        return _picture(state, seen(state.word, state.stage), rights)

    controls = (
        Pick("stage", "Vectors", STAGES, STAGE_NAMES),
        Choice("word", "Word", tuple(SENSES)),
        Slider("first", "First sentence", 1, 6, 1),
        Slider("second", "Second sentence", 1, 6, 1),
    )
    return Explorer("Two senses of a word", UsesChoice(), controls, draw, 440, (average, nearest, separation))


def _vectors(stage: str, average):
    """The way of making vectors that a stage stands for; 99 words on each side are the whole sentence."""
    if stage.startswith("layer"):
        return senses.contextual(int(stage[-1]))
    return {"static": senses.static, "near": senses.averaged(4, average), "sentence": senses.averaged(99, average)}[stage]


def _look(these: senses.Uses, nearest, separation) -> Seen:
    cosines = np.empty((len(these.sense), 2))
    for i, centroids in enumerate(senses.centroids_without(these)):
        cosines[i] = cosine_matrix(these.vectors[i][None], centroids)[0]
    groups = [these.vectors[these.sense == sense] for sense in (0, 1)]
    return Seen(
        cosines[:, 0],
        cosines[:, 1],
        senses.told_right(these, nearest),
        cosine_matrix(these.vectors, these.vectors),
        float(separation(*groups)),
    )


# ---- the picture


def _picture(state: UsesChoice, now: Seen, rights: list[float]) -> str:
    names, stage = tuple(SENSES[state.word]), STAGE_NAMES[STAGES.index(state.stage)]
    chosen, count = (state.first - 1, 5 + state.second), now.right.sum()
    between = num(now.between[chosen], 3)
    label = (
        f"{state.word}, {stage}: {count:g} of 12 sentences told right. Separation of the senses "
        f"{num(now.separation, 3)}. Cosine of the two chosen uses {between}. "
        f"By stage: {', '.join(f'{name} {right:g}' for name, right in zip(STAGE_NAMES, rights))}."
    )
    return picture(
        440,
        label,
        [
            text(LEFT, 24, f"{state.word}: {stage}", "h"),
            *_plane(state, now, names, chosen),
            *_sentences(state, names),
            text(RIGHT, 194, f"Cosine of these two uses: {between}", "num"),
            text(RIGHT, 218, f"Separation of the senses: {num(now.separation, 3)}", "num"),
            *_stages(state, rights),
        ],
    )


def _plane(state: UsesChoice, now: Seen, names, chosen) -> list[str]:
    low, high = _range(now)
    unit = SIZE / (high - low)

    def at(i: int) -> tuple[float, float]:
        return LEFT + (now.to_first[i] - low) * unit, TOP + SIZE - (now.to_second[i] - low) * unit

    parts = [
        box(LEFT, TOP, SIZE, SIZE),
        line(LEFT, TOP + SIZE, LEFT + SIZE, TOP, "m", 1.5, dash="4 5"),
        text(LEFT, TOP - 8, f"up: cosine with {names[1]}, {_span(now.to_second)}", "m"),
        text(LEFT + SIZE, TOP + SIZE + 18, f"right: cosine with {names[0]}, {_span(now.to_first)}", "m", "end"),
    ]
    for i in range(12):
        parts.append(_mark(*at(i), i // 6, 8 if i in chosen else 5, now.right[i] == 1))
    sides = [(f"nearer to {names[1]}", LEFT + 80, TOP + 16), (f"nearer to {names[0]}", LEFT + SIZE - 80, TOP + SIZE - 16)]
    taken = [Box(*at(i), 9, 9) for i in range(12)]
    frame = (LEFT, TOP, LEFT + SIZE, TOP + SIZE)
    named = [(f"{name} {i % 6 + 1}", at(i)[0], at(i)[1] - 18) for name, i in zip(names, chosen)]
    return [*parts, place([*sides, *named], frame, taken)]


def _span(cosines: np.ndarray) -> str:
    low, high = num(cosines.min()), num(cosines.max())
    return f"all {low}" if low == high else f"{low} to {high}"


def _range(now: Seen) -> tuple[float, float]:
    """Both axes alike, so that the dashed line keeps its meaning; never so narrow that rounding would show."""
    cosines = np.concatenate([now.to_first, now.to_second])
    middle, half = (cosines.max() + cosines.min()) / 2, max(0.56 * (cosines.max() - cosines.min()), 0.02)
    return float(middle - half), float(middle + half)


def _mark(x: float, y: float, sense: int, size: float, right: bool) -> str:
    """A circle for the first sense, a square for the second; a ring around a use that is not told right."""
    shape = dot(x, y, size, HUES[0]) if sense == 0 else box(x - size, y - size, 2 * size, 2 * size, HUES[1], 2)
    return (
        f'{shape}<circle class="sf no" cx="{px(x)}" cy="{px(y)}" r="{px(size + 5)}" stroke-width="2" '
        f'opacity="{0 if right else 1}"/>'
    )


def _sentences(state: UsesChoice, names) -> list[str]:
    parts = [text(RIGHT, 24, "Twelve sentences, two of them chosen", "h")]
    for sense, number in enumerate((state.first, state.second)):
        y = 60 + 62 * sense
        mark = dot(RIGHT + 8, y - 5, 7, HUES[0]) if sense == 0 else box(RIGHT + 1, y - 12, 14, 14, HUES[1], 2)
        parts += [
            mark,
            text(RIGHT + 24, y, f"{names[sense]}, sentence {number}", "b"),
            text(RIGHT + 24, y + 21, SENSES[state.word][names[sense]][number - 1]),
        ]
    return parts


def _stages(state: UsesChoice, rights: list[float]) -> list[str]:
    """How many of the twelve are told right, stage by stage; the present one is marked."""
    parts = [text(RIGHT, 260, "Told right, of 12 (a tie counts half; a ring: not told)", "h")]
    for i, (stage, name) in enumerate(zip(STAGES, STAGE_NAMES)):
        y, here = 274 + 19 * i, stage == state.stage
        parts += [
            text(RIGHT + 14, y + 12, name, "b" if here else "m"),
            bar(RIGHT + 140, y + 1, 320, 13, rights[i] / 12, "2" if here else "0"),
            text(RIGHT + 490, y + 12, f"{rights[i]:g}", "num b" if here else "num m", "end"),
        ]
    return [*parts, line(RIGHT + 300, 272, RIGHT + 300, 426, "f", 1, dash="3 4")]
