"""Lesson 2: snapshots of a training in the plane, from random rows to groups."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from course_utils import embedding_space as reference
from course_utils.experiments.cbow import Training, blanks, own_group, train
from course_utils.experiments.corpus import GROUPS, sentences
from course_utils.explorers.kit.controls import Pick, State
from course_utils.explorers.kit.explorer import Explorer
from course_utils.explorers.kit.labels import place
from course_utils.explorers.kit.learner_function import LearnerFunction, rows_of
from course_utils.explorers.kit.svg import bar, box, curve, dot, line, num, picture, px, text
from course_utils.word_vectors import cosine_matrix, unit_rows

CHOSEN = tuple("dog wolf car bus bread soup milk tea paris tokyo france japan king man queen woman".split())
DRAWN = tuple(word for words in GROUPS.values() for word in words)
GROUP = {word: group for group, words in GROUPS.items() for word in words}
COLOUR = dict(zip(GROUPS, "21430214", strict=True))
SHAPE = dict(
    zip(
        GROUPS,
        (
            "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
            "M-4.5-4.5h9v9h-9z",
            "M0-6 5.5 4.5h-11z",
            "M0-6.5 5-0 0 6.5-5 0z",
            "M-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
            "M0 6-5.5-4.5h11z",
            "M-6-2h12v4h-12z",
            "M-2-6h4v12h-4z",
        ),
        strict=True,
    )
)
VIEW = (6, 44, 404, 378)  # left, top, width and height of the plane


@dataclass(frozen=True)
class Frame(State):
    """Which step of the training is shown, and whose neighbours."""

    step: int
    word: str = "dog"


def snapshots(training: Training | None = None, project_to_2d=None, nearest_neighbours=None) -> Explorer:
    """The words of the template language's eight groups, from random rows to groups, step by step."""
    training = training or reference_training()
    project = LearnerFunction(project_to_2d, reference.project_to_2d)
    nearest = LearnerFunction(nearest_neighbours, reference.nearest_neighbours)
    index = {word: i for i, word in enumerate(training.words)}
    rows = unit_rows(training.snapshots[:, [index[word] for word in DRAWN]])  # (frames, words, d): only directions count
    shares = [own_group(training.words, E) for E in training.snapshots]

    @cache
    def plane() -> np.ndarray:
        """One plane for all frames, so that a point moves only because its row does: (frames, words, 2) pixels."""
        flat = project(rows.reshape(-1, rows.shape[-1])) * [1, -1]
        low, high = flat.min(axis=0), flat.max(axis=0)
        left, top, width, height = VIEW
        inside = (flat - low) / (high - low) * [width - 40, height - 50] + [left + 20, top + 30]
        return inside.reshape(*rows.shape[:2], 2)

    def draw(state: Frame) -> str:
        at, here = training.steps.index(state.step), DRAWN.index(state.word)
        ids = rows_of(nearest, nearest(rows[at, here], rows[at], 5, (here,)), len(DRAWN))
        near = [(DRAWN[i], float(cosine)) for i, cosine in zip(ids, cosine_matrix(rows[at, [here]], rows[at, ids])[0])]
        return _picture(training, at, state.word, near, shares[at], plane()[at].tolist())

    controls = (
        Pick("step", "After step", training.steps, tuple(f"{step:,}" for step in training.steps), play=True),
        Pick("word", "Neighbours of", CHOSEN),
    )
    start = Frame(training.steps[0])
    return Explorer("From random rows to groups", start, controls, draw, 450, (project, nearest))


@cache
def reference_training() -> Training:
    """A training of the reference on the template language, for an explorer that was given none."""
    return train(blanks(sentences()))


def _picture(training: Training, at: int, word: str, near, share: float, points) -> str:
    step, loss = training.steps[at], float(training.held_out[at])
    says = (
        f"After {step:,} step{'s' * (step != 1)}, {num(100 * share, 0)} % of {len(DRAWN)} words have their nearest "
        "neighbour in their own group."
    )
    cosines = ", ".join(f"{other} {num(cosine)}" for other, cosine in near)
    return picture(
        450,
        f"{says} Nearest to {word}: {cosines}. Loss on blanks never trained on: {num(loss)}.",
        [
            text(6, 22, says, "h"),
            *_points(points, word, near),
            *_legend(430, 64),
            *_neighbours(600, 44, word, near),
            *_loss_curve(600, 256, 350, 140, training, at),
        ],
    )


def _points(points, word: str, near) -> list[str]:
    left, top, width, height = VIEW
    here = points[DRAWN.index(word)]
    parts = [
        box(left, top, width, height),
        text(left, top + height + 16, "up: second direction", "m sm"),
        text(left + width, top + height + 16, "right: first direction of spread", "m sm", "end"),
    ]
    parts += [line(*here, *points[DRAWN.index(other)], "m", 1.2, dash="3 3") for other, _ in near]
    parts += [_mark(GROUP[name], x, y) for name, (x, y) in zip(DRAWN, points)]
    parts.append(f'<circle class="sf no" cx="{px(here[0])}" cy="{px(here[1])}" r="10" stroke-width="2"/>')
    labels = [(name, x, y - 17) for name in (word, *(other for other, _ in near)) for x, y in (points[DRAWN.index(name)],)]
    return [*parts, place(labels, (left, top, left + width, top + height))]


def _mark(group: str, x: float, y: float) -> str:
    return f'<path class="f{COLOUR[group]}" d="{SHAPE[group]}" transform="translate({px(x)} {px(y)})" opacity=".85"/>'


def _legend(left: float, top: float) -> list[str]:
    parts = []
    for i, group in enumerate(GROUPS):
        parts += [_mark(group, left + 8, top + 30 * i), text(left + 24, top + 30 * i + 5, group, "m")]
    return parts


def _neighbours(left: float, top: float, word: str, near) -> list[str]:
    parts = [text(left, top + 12, f"Nearest to {word}, by cosine", "b")]
    for i, (other, cosine) in enumerate(near):
        y = top + 28 + 32 * i
        parts += [
            _mark(GROUP[other], left + 8, y + 12),
            text(left + 24, y + 17, other),
            bar(left + 130, y + 4, 170, 16, cosine, COLOUR[GROUP[other]]),
            text(left + 362, y + 17, num(cosine), "num", "end"),
        ]
    return parts


def _loss_curve(left: float, top: float, width: float, height: float, training: Training, at: int) -> list[str]:
    """The loss from 0 against 1 + steps on a log axis, so that the random start has its place at 1."""
    losses, floor = training.held_out, top + height
    ceiling, longest = float(losses.max()) * 1.05, np.log10(1 + training.steps[-1])
    xs = [left + 18 + (width - 18) * float(np.log10(1 + step)) / longest for step in training.steps]
    places = [(x, floor - height * float(loss) / ceiling) for x, loss in zip(xs, losses)]
    x, y = places[at]
    ticks = [step for step in (0, 10, 100, 1000) if step <= training.steps[-1]]
    values = range(0, int(ceiling) + 1, 2)
    heights = {value: floor - height * value / ceiling for value in values}
    return [
        text(left, top - 10, "Loss on held-out blanks", "b"),
        *(line(left + 18, tall, left + width, tall) for tall in heights.values()),
        *(text(left, tall + 4, str(value), "m sm") for value, tall in heights.items()),
        line(x, top, x, top + height, "m", 1.5, "4 3"),
        curve(places, "2"),
        dot(x, y, 6, "2"),
        text(left + width, top - 10, f"{num(losses[at])} at step {training.steps[at]:,}", "num b", "end"),
        *(
            text(left + 18 + (width - 18) * float(np.log10(1 + step)) / longest, floor + 18, f"{step:,}", "m sm", "middle")
            for step in ticks
        ),
        text(left + width / 2 + 9, floor + 34, "step, log axis", "m sm", "middle"),
    ]
