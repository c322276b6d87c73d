"""Lesson 2: analogies built from three words of GloVe."""

import itertools
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from course_utils import embedding_space as reference
from course_utils.datasets import WordVectors, load_glove
from course_utils.explorers.kit.controls import Pick, State
from course_utils.explorers.kit.explorer import Explorer
from course_utils.explorers.kit.labels import Box, place
from course_utils.explorers.kit.learner_function import LearnerFunction, rows_of
from course_utils.explorers.kit.precompute import precompute
from course_utils.explorers.kit.svg import arrow, bar, box, dot, num, picture, px, text
from course_utils.word_vectors import cosine_matrix, unit_rows

FIRST = tuple("man paris big walking good dog he".split())
SECOND = tuple("woman france bigger walked better dogs she".split())
THIRD = tuple("king tokyo small swimming bad cat uncle".split())
FREQUENT = 3000  # words that may answer, besides those of the sliders
SHOWN, NEAR = 5, 40  # rows in the list; rows that are searched for it
GREY = "m"


@dataclass(frozen=True)
class Three(State):
    """a is to b as c is to ?"""

    a: str = "man"
    b: str = "woman"
    c: str = "king"


class Found(NamedTuple):
    """What is drawn of one question; ``places`` holds each word shown and, as "", where b − a + c ends."""

    answer: str
    top: list[tuple[str, float]]  # the five rows nearest to b − a + c, with their cosines
    step: float  # cosine of the two steps
    places: dict[str, np.ndarray]


def analogies(analogy=None, nearest_neighbours=None) -> Explorer:
    """Three words of GloVe, the step from a to b taken from c, and the five rows nearest to where it ends."""
    solve = LearnerFunction(analogy, reference.analogy)
    nearest = LearnerFunction(nearest_neighbours, reference.nearest_neighbours)
    found = precompute(lambda *question: _find(question, solve, nearest), shortlists())

    def draw(state: Three) -> str:
        return _picture(state, found(state.a, state.b, state.c))

    controls = (Pick("a", "a", FIRST), Pick("b", "is to b", SECOND), Pick("c", "as c", THIRD))
    return Explorer("a is to b as c is to ?", Three(), controls, draw, 430, (solve, nearest))


def _find(question: tuple[str, str, str], solve, nearest) -> Found:
    words = shortlists()[question]
    a, b, c = map(int, words.ids(list(question)))
    target = words.E[b] - words.E[a] + words.E[c]
    (answer,) = rows_of(solve, [solve(a, b, c, words.E)], len(words))
    ids = rows_of(nearest, nearest(target, words.E, SHOWN), len(words))
    shown = list(dict.fromkeys([a, b, c, *ids, answer]))
    plane = reference.project_to_2d(np.vstack([words.E[shown], target]))
    cosines = cosine_matrix([target], words.E[ids])[0]
    return Found(
        words.words[answer],
        [(words.words[i], float(cosine)) for i, cosine in zip(ids, cosines)],
        reference.offset_cosine(a, b, c, answer, words.E),
        dict(zip([*(words.words[i] for i in shown), ""], plane)),
    )


@cache
def frequent_words() -> WordVectors:
    """GloVe's most frequent words and those of the sliders, at length 1."""
    glove = load_glove()
    words = tuple(dict.fromkeys([*glove.words[:FREQUENT], *FIRST, *SECOND, *THIRD]))
    return WordVectors(words, unit_rows(glove[list(words)]))


@cache
def shortlists() -> dict[tuple[str, str, str], WordVectors]:
    """For each question the rows that can matter to it: its own words and those nearest to b − a + c, in their order.

    Searching these finds what searching all would, so that a function written with slow loops does not hold up a slider.
    """
    words, questions = frequent_words(), list(itertools.product(FIRST, SECOND, THIRD))
    a, b, c = (words.ids(list(column)) for column in zip(*questions))
    cosines = cosine_matrix(words.E[b] - words.E[a] + words.E[c], words.E)
    near = np.argpartition(-cosines, NEAR, axis=1)[:, :NEAR]
    rows = (np.unique([*own, *others]) for *own, others in zip(a, b, c, near))
    return {question: WordVectors(tuple(words.words[i] for i in ids), words.E[ids]) for question, ids in zip(questions, rows)}


def _picture(state: Three, found: Found) -> str:
    answer, top, step, places = found
    given = (state.a, state.b, state.c)
    says = f"{state.a} is to {state.b} as {state.c} is to {answer}."
    listed = ", ".join(f"{word} {num(cosine)}{' (left out)' if word in given else ''}" for word, cosine in top)
    nearest = f"Nearest to {state.b} − {state.a} + {state.c}: {listed}."
    return picture(
        430,
        f"{says} {nearest} Cosine of the two steps: {num(step)}.",
        [
            text(6, 22, says, "h"),
            *_plane(state, top, answer, places),
            *_top_five(560, 44, given, top, answer),
            box(560, 268, 410, 146),
            text(576, 294, "The two steps, compared", "b"),
            text(576, 320, f"{state.a} → {state.b}", "lab"),
            text(576, 344, f"{state.c} → {answer}", "lab"),
            text(576, 370, f"cosine {num(step)}", "num lab"),
            text(576, 396, f"Among the {FREQUENT:,} most frequent words and the sliders'.", "sm m"),
        ],
    )


def _plane(state: Three, top, answer: str, places) -> list[str]:
    left, top_y, width, height = 6, 44, 530, 372
    points = np.array(list(places.values()))
    low, high = points.min(axis=0), points.max(axis=0)
    unit = min((width - 120) / max(high[0] - low[0], 1e-9), (height - 90) / max(high[1] - low[1], 1e-9))
    middle = np.array([left + width / 2, top_y + height / 2])
    moved = middle + (points - (low + high) / 2) * unit * [1, -1]
    at: dict[str, tuple[float, float]] = {word: (x, y) for word, (x, y) in zip(places, moved.tolist())}
    a, b, c, end = at[state.a], at[state.b], at[state.c], at[""]
    given = (state.a, state.b, state.c)
    names = [("b − a + c", end[0], end[1] + 17), *((word, x, y - 14) for word, (x, y) in at.items() if word)]
    return [
        box(left, top_y, width, height),
        arrow(*a, *b, "1", 3, 12),
        arrow(*c, *end, "1", 3, 12),
        *(dot(*at[word], 5, "f" if word in given else "4" if word == answer else GREY) for word in at if word),
        f'<circle class="s1 no" cx="{px(end[0])}" cy="{px(end[1])}" r="7" stroke-width="2.5"/>',
        place(names, (left, top_y, left + width, top_y + height), [Box(x, y, 7, 7) for x, y in at.values()]),
    ]


def _top_five(left: float, top_y: float, given, top, answer: str) -> list[str]:
    """Each row with its cosine; the words of the question are grey and say that they are left out."""
    parts = [text(left, top_y + 12, "Nearest to b − a + c, by cosine", "b")]
    for i, (word, cosine) in enumerate(top):
        y = top_y + 28 + 36 * i
        out = word in given
        note = "left out" if out else "the answer" if word == answer else ""
        parts += [
            text(left, y + 19, word, "m" if out else "b" if word == answer else ""),
            text(left + 136, y + 19, note, "m"),
            bar(left + 212, y + 5, 144, 18, cosine, GREY if out else "4" if word == answer else "2"),
            text(left + 410, y + 19, num(cosine), "num", "end"),
        ]
    return parts
