"""Lesson 6: a small trained model asked for two facts at once, with one, two or four heads."""

import functools
from dataclasses import dataclass

import numpy as np

from course_utils.experiments.ladder import models as ladder
from course_utils.experiments.ladder import training as ladder_training
from course_utils.experiments.ladder.sentences import KINDS, VOCABULARY, sentences, words_of
from course_utils.explorers.kit.controls import Choice, Slider, State
from course_utils.explorers.kit.explorer import Explorer
from course_utils.explorers.kit.svg import bar, box, num, picture, text

NUMBERS, MOST, SHOWN = (1, 2, 4), 4, 8
TWO = KINDS.index("two facts")
LEFT, TOP, WIDE, TALL = 110, 92, 84, 46
FAINT, STRONG = 0.04, 0.6  # a cell's opacity at weight 0, and how much is added at 1: its number stays readable


@dataclass(frozen=True)
class TwoFacts(State):
    """How many heads the model has, and which of the sentences it reads."""

    heads: int = 1
    sentence: int = 2


@functools.cache
def _trained() -> dict:
    """Models of this explorer's own, for where none are handed over: trained on its kind of sentence alone, 2 seconds."""
    asked, all_kinds = sentences(8000, np.random.default_rng(61), TWO), sentences(200, np.random.default_rng(62))
    return {n: ladder_training.train(ladder.Heads(n), asked, all_kinds, steps=350).model for n in NUMBERS}


def toy(models: dict | None = None) -> Explorer:
    """Where the last word looks, and what comes out. models: number of heads (1, 2 and 4) → a trained ``Ladder``."""
    models = models or _trained()
    asked = sentences(SHOWN, np.random.default_rng(60), TWO)
    seen = {n: model.predict(asked.ids) for n, model in models.items()}

    def draw(state: TwoFacts) -> str:
        probabilities, weights = seen[state.heads]
        return _picture(state, asked, probabilities[state.sentence - 1], weights[state.sentence - 1])

    controls = (Choice("heads", "Number of heads", NUMBERS), Slider("sentence", "Sentence", 1, SHOWN, 1))
    return Explorer("Two facts at once", TwoFacts(), controls, draw, 420)


# ---- the picture


def _picture(state: TwoFacts, asked, probabilities, weights) -> str:
    words, answers = (words_of(rows[state.sentence - 1]).split() for rows in (asked.ids, asked.answers))
    said = [VOCABULARY[p.argmax()] for p in probabilities]
    looks = "; ".join(
        f"head {i} " + ", ".join(f"{word} {100 * w:.0f} %" for word, w in zip(words, row))
        for i, row in enumerate(weights, start=1)
    )
    right = sum(a == b for a, b in zip(said, answers))
    label = (
        f"{state.heads} head{'s' * (state.heads > 1)}. {' '.join(words)}: said {' '.join(said)}, "
        f"right is {' '.join(answers)}. Where {words[-1]} looks: {looks}."
    )
    return picture(
        420,
        label,
        [
            text(6, 24, f"Where “{words[-1]}” looks: {right} of 2 answers right", "h"),
            *_words(words, answers),
            *_heads(weights),
            *_answers(said, answers, probabilities),
        ],
    )


def _words(words, answers) -> list[str]:
    parts = []
    for j, word in enumerate(words):
        x = LEFT + WIDE * (j + 0.5)
        parts += [
            text(x, TOP - 12, word, "b" if word in answers else "m", "middle"),
            text(
                x, TOP - 32, ("wanted first", "wanted second")[answers.index(word)] if word in answers else "", "m sm", "middle"
            ),
        ]
    return parts


def _heads(weights) -> list[str]:
    """A row for each head; rows that this model has not are empty."""
    parts = []
    for i in range(MOST):
        y, there = TOP + TALL * i, i < len(weights)
        parts.append(text(LEFT - 14, y + 28, f"head {i + 1}" if there else f"(no head {i + 1})", "b" if there else "m sm", "end"))
        for j in range(weights.shape[1]):
            w = float(weights[i, j]) if there else 0.0
            parts += [
                f'<rect class="f2" x="{LEFT + WIDE * j + 2}" y="{y + 2}" width="{WIDE - 4}" height="{TALL - 4}" rx="4" '
                f'opacity="{FAINT + STRONG * w:.2f}"/>',
                text(LEFT + WIDE * (j + 0.5), y + 28, f"{100 * w:.0f} %" if there else "", "num", "middle"),
            ]
    return parts


def _answers(said, answers, probabilities) -> list[str]:
    parts = [box(LEFT, 296, WIDE * 10, 108)]
    for i, (blank, word, wanted) in enumerate(zip(("first word", "second word"), said, answers)):
        y, p = 334 + 44 * i, float(probabilities[i].max())
        verdict = "right" if word == wanted else f"wrong: {wanted}"
        parts += [
            text(LEFT + 16, y, blank, "m"),
            text(LEFT + 130, y, word, "b"),
            bar(LEFT + 240, y - 14, 300, 18, p, "2"),
            text(LEFT + 600, y, num(p), "num", "end"),
            text(LEFT + 640, y, verdict, "b" if word == wanted else "m"),
        ]
    return parts
