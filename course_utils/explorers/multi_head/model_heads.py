"""Lesson 6: the heads of the real model, one at a time, and the small model with one, two or four heads."""

import functools
from dataclasses import dataclass

import numpy as np

from course_utils import multi_head as reference
from course_utils.datasets import load_minilm
from course_utils.experiments.heads import parsed_sentences
from course_utils.explorers.kit.controls import Choice, Slider, State
from course_utils.explorers.kit.explorer import Explorer
from course_utils.explorers.kit.learner_function import LearnerFunction
from course_utils.explorers.kit.svg import bar, line, num, picture, px, text

SENTENCES = {  # each has nine tokens, so that every picture has the same parts
    "apple": "Apple released a new iPhone today.",
    "lunch": "I ate an apple after lunch.",
    "dog": "The old dog chased a cat.",
    "doctor": "The nurse saw the tired doctor.",
    "bank": "She sat on the river bank.",
}
TOKENS, LAYERS, HEADS = 9, 4, 12
LEFT, TOP, CELL = 92, 104, 32
WORDS_AT, SEEN_AT = 452, 640  # the two columns of words between which the lines run
SCORES_AT = 730


@dataclass(frozen=True)
class HeadChoice(State):
    """A sentence, a layer and a head, both counted from 1, and the place of the word whose looks are drawn as lines."""

    sentence: str = "dog"
    layer: int = 1
    head: int = 3
    word: int = 4


def real_heads(previous_token_score=None) -> Explorer:
    """Where each word looks in one head of the real model, and what this head does over many sentences."""
    previous = LearnerFunction(previous_token_score, reference.previous_token_score)

    @functools.cache
    def patterns() -> dict[str, np.ndarray]:
        return _patterns(previous)

    def draw(state: HeadChoice) -> str:
        tokens, _, weights = load_minilm().run(SENTENCES[state.sentence])
        return _picture(state, tokens, weights[state.layer - 1, state.head - 1], patterns())

    controls = (
        Slider("head", "Head", 1, HEADS, 1),
        Choice("layer", "Layer", tuple(range(1, LAYERS + 1))),
        Slider("word", "Word that looks, no.", 1, TOKENS, 1),
        Choice("sentence", "Sentence", tuple(SENTENCES)),
    )
    return Explorer("One head of a real model", HeadChoice(), controls, draw, 440, (previous,))


def _patterns(previous) -> dict[str, np.ndarray]:
    """(L, h) each: the mean weight on the word before, the word after, the word itself and [CLS], over 24 sentences."""
    minilm, sums = load_minilm(), dict[str, np.ndarray]()
    texts = [sentence.text for sentence in parsed_sentences(24, np.random.default_rng(6))]
    for text_ in texts:
        weights = minilm.run(text_).weights
        words = weights[..., 1:-1, 1:-1]  # between the special tokens
        found = {
            "the word before": np.array([previous(layer) for layer in words]),
            "the word after": np.diagonal(words, 1, -2, -1).mean(axis=-1),
            "itself": np.diagonal(words, 0, -2, -1).mean(axis=-1),
            "[CLS], no word at all": weights[..., 1:-1, 0].mean(axis=-1),
        }
        for name, score in found.items():
            sums[name] = sums.get(name, 0) + score / len(texts)
    return sums


# ---- the picture


def _picture(state: HeadChoice, tokens, weights, patterns) -> str:
    here = state.layer - 1, state.head - 1
    word, most = state.word - 1, int(weights[state.word - 1].argmax())
    scores = {name: float(table[here]) for name, table in patterns.items()}
    label = (
        f"Layer {state.layer}, head {state.head}. {tokens[word]} looks at "
        f"{', '.join(f'{t} {_share(w)}' for t, w in zip(tokens, weights[word]))}. Over many sentences, mean weight on "
        f"{', '.join(f'{name} {num(score)}' for name, score in scores.items())}."
    )
    return picture(
        440,
        label,
        [
            text(LEFT - 86, 22, f"Layer {state.layer}, head {state.head}: who looks at whom", "h"),
            *_table(tokens, weights, word),
            text(WORDS_AT - 6, 22, f"“{tokens[word]}” looks at “{tokens[most]}” most", "h"),
            *_lines(tokens, weights[word], word),
            text(SCORES_AT + 40, 22, "Over many sentences", "h"),
            *_scores(scores, patterns),
        ],
    )


def _share(weight: float) -> str:
    return f"{100 * weight:.0f} %"


def _table(tokens, weights, word: int) -> list[str]:
    """Rows look, columns are looked at; the stronger the colour, the larger the weight. Column names take turns in height."""
    cells, parts = [], [text(LEFT + 4.5 * CELL, 416, "… is looked at", "m", "middle")]
    for i, row in enumerate(weights):
        y = TOP + CELL * i
        parts.append(text(LEFT - 8, y + 21, tokens[i], "b sm" if i == word else "sm", "end"))
        parts.append(text(LEFT + CELL * (i + 0.5), TOP - (9, 25)[i % 2], tokens[i], "m sm", "middle"))
        cells += [
            f'<rect class="f2" x="{LEFT + CELL * j + 1}" y="{y + 1}" width="30" height="30" opacity="{0.05 + 0.95 * w:.2f}"/>'
            for j, w in enumerate(row)
        ]
    frame = (
        f'<rect class="sf no" x="{LEFT}" y="{TOP + CELL * word}" width="{CELL * TOKENS}" height="{CELL}" rx="4" '
        'stroke-width="2"/>'
    )
    return ["".join(cells), *parts, frame]


def _lines(tokens, looks, word: int) -> list[str]:
    parts = [text(WORDS_AT, TOP - 20, "looks", "m"), text(SEEN_AT, TOP - 20, "is looked at", "m")]
    for i, (token, weight) in enumerate(zip(tokens, looks)):
        y, start = TOP + CELL * i + 21, TOP + CELL * word + 16
        parts += [
            text(WORDS_AT, y, token, "b" if i == word else "m"),
            text(SEEN_AT, y, token, "b" if weight > 0.1 else "m"),
            text(SEEN_AT - 8, y, _share(weight), "num m sm", "end"),
            f'<path class="s2 no" d="M{WORDS_AT + 72} {start}C{WORDS_AT + 112} {start} {WORDS_AT + 104} {px(y - 5)} '
            f'{WORDS_AT + 140} {px(y - 5)}" stroke-width="{0.5 + 12 * weight:.1f}" opacity="{0.15 + 0.8 * weight:.2f}"/>',
        ]
    return parts


def _scores(scores, patterns) -> list[str]:
    """A bar for each pattern; the tick is the mean of all heads, the text below it the strongest head."""
    left, parts = SCORES_AT + 40, [text(SCORES_AT + 40, 60, "mean weight on", "m")]
    for i, (name, score) in enumerate(scores.items()):
        y, table = 92 + 78 * i, patterns[name]
        layer, head = np.unravel_index(table.argmax(), table.shape)
        mean = left + 150 * table.mean()
        parts += [
            text(left, y, name, "b"),
            bar(left, y + 10, 150, 16, score, "2"),
            text(left + 200, y + 23, num(score), "num", "end"),
            line(mean, y + 7, mean, y + 29, "f", 2),
            text(left, y + 45, f"most in layer {layer + 1}, head {head + 1}: {num(table.max())}", "m sm"),
        ]
    return [*parts, line(left + 4, 402, left + 4, 418, "f", 2), text(left + 14, 415, "mean of all 48 heads", "m sm")]
