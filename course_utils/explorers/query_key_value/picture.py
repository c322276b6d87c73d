"""Drawing the four-stage panel: score, softmax, pool, side by side, as pictures or as numbers.

Closed, the left and right columns are dials with arrows. With the calculation open the same rows hold the numbers
that made them, line by line beside the weights.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from course_utils.explorers.kit.svg import bar, box, dot, num, picture, px, text

from .dial import Dial

WORDS = ("doctor", "gave", "patient", "medicine", "he")
HEIGHT = 478
TOP, SIZE, PITCH = 92, 290, 54  # of the dials, and of the rows of the middle column
LEFT, MIDDLE, RIGHT = 6, 330, 684
HALF = 141  # height of a dial where two heads share the place of one
SAYS = (
    "The words are averaged, whoever asks and whatever for. The one that matters is diluted like the rest.",
    "One vector asks, is found and is handed over. Turn the question and the word itself turns with it.",
    "Three projections of each word: what it asks, what it is found by and what it hands over need not look alike.",
    "Each head asks a question of its own. The answers are joined: 2 + 2 = 4 numbers (lesson 6).",
)
FOOT = (
    "Lines are as thick as weights. Vectors are set by hand: association, not proof. "
    "“The doctor gave the patient medicine because he was sick.”"
)


class Head(NamedTuple):
    """One look: query (2,), keys (5, 2), values (5, 2), scores (5,) or None, weights (5,), output (2,)."""

    query: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    scores: np.ndarray | None
    weights: np.ndarray
    output: np.ndarray

    @property
    def strongest(self) -> int:
        return int(np.argmax(self.weights))


def draw_panel(stage: int, angle: int, heads: list[Head], calculation: bool) -> str:
    columns = _numbers(stage, heads) if calculation else _dials(stage, heads)
    return picture(
        HEIGHT,
        _label(stage, angle, heads),
        [
            text(LEFT, 20, _headline(stage, heads), "h"),
            text(LEFT, 43, SAYS[stage - 1], "m"),
            *columns,
            *_headings(stage, calculation),
            *_weights(stage, heads, calculation),
            *_strip(stage, heads),
            text(LEFT, HEIGHT - 8, FOOT, "m"),
        ],
    )


def _percent(weight: float) -> str:
    return f"{num(100 * weight, 0)} %"


def _pair(vector, digits: int = 2) -> str:
    return f"({num(vector[0], digits, True)}, {num(vector[1], digits, True)})"


def _most(head: Head) -> str:
    return f"“{WORDS[head.strongest]}” ({_percent(head.weights[head.strongest])})"


def _headline(stage: int, heads: list[Head]) -> str:
    own = heads[0].weights[-1]
    return (
        f"Uniform average: every word gets {_percent(own)}, and turning the query changes nothing.",
        f"Raw dot product: “he” gives itself {_percent(own)}, and all other words together {_percent(1 - own)}.",
        f"Query, key, value: “he” takes most from {_most(heads[0])}.",
        f"Two heads: the first takes most from {_most(heads[0])}, the second from {_most(heads[-1])}.",
    )[stage - 1]


def _label(stage: int, angle: int, heads: list[Head]) -> str:
    parts = [_headline(stage, heads), f"Query direction {num(angle, 0, True)} degrees."]
    for i, head in enumerate(heads, 1):
        name = f"Head {i}. " if len(heads) > 1 else ""
        scores = "" if head.scores is None else ", ".join(f"{word} {num(s, 2, True)}" for word, s in zip(WORDS, head.scores))
        weights = ", ".join(f"{word} {_percent(w)}" for word, w in zip(WORDS, head.weights))
        parts.append(
            f"{name}Query {_pair(head.query)}. {f'Scores divided by √2: {scores}. ' if scores else ''}"
            f"Weights: {weights}; from other words {_percent(1 - head.weights[-1])}. Output {_pair(head.output)}."
        )
    return " ".join(parts)


@cache
def _headings(stage: int, calculation: bool) -> tuple[str, ...]:
    score = {1: "", 2: "x · x ÷ √2"}.get(stage, "q · k ÷ √2")
    parts = [
        text(LEFT, 78, "Score: the query meets the keys", "h"),
        text(RIGHT, 78, "Pool: the values are mixed", "h"),
        text(MIDDLE, 78, "Softmax: scores become weights", "h"),
    ]
    if calculation:
        return (
            *parts,
            text(LEFT + 12, TOP + 18, score and f"{score}, where √2 is √d_k (lesson 5)", "m"),
            text(572, TOP + 10, "1 ÷ 5" if stage == 1 else "e^score ÷ sum", "m", "end"),
            text(RIGHT + 12, TOP + 18, "weight × value", "m"),
        )
    return (
        *parts,
        text(MIDDLE + 13, TOP + 10, "word", "m"),
        text(476, TOP + 10, score, "m", "end"),
        text(490, TOP + 10, "weight", "m"),
    )


# ---- the middle: scores, weights, and lines as thick as the weights


def _rows(heads: list[Head]):
    """(word's number, head's number, middle of the row): one row a word, split in two where there are two heads."""
    for i in range(len(WORDS)):
        middle = TOP + 20 + PITCH * i + PITCH / 2 - 4
        for j in range(len(heads)):
            yield i, j, middle if len(heads) == 1 else middle - 10 + 20 * j


def _weights(stage: int, heads: list[Head], calculation: bool) -> list[str]:
    two = len(heads) == 2
    parts = [part for i, word in enumerate(WORDS) for part in _word(i, word)]
    ends = [TOP + HALF / 2, TOP + SIZE - HALF / 2] if two else [TOP + SIZE / 2]
    end_x = 672
    for i, j, y in _rows(heads):
        head, weight = heads[j], float(heads[j].weights[i])
        parts += _calculated(head, i, y) if calculation else _barred(head, i, y, 16 if two else 24)
        parts.append(text(620, y + 5, _percent(weight), "num b n", "end"))
        if two:
            parts.append(text(624, y + 4.5, f"h{j + 1}", "m sm"))
        parts.append(_ribbon(650 if two else 628, y, end_x, ends[j], weight, i))
    return parts + [dot(end_x, end, 5) for end in ends]


@cache
def _word(i: int, word: str) -> tuple[str, str]:
    y = TOP + 20 + PITCH * i
    return box(MIDDLE, y + 6, 5, PITCH - 20, str(i), 2), text(MIDDLE + 13, y + PITCH / 2 + 1, word, "b")


def _barred(head: Head, i: int, y: float, height: float) -> list[str]:
    score = [] if head.scores is None else [text(476, y + 4.5, num(head.scores[i], 2, True), "num m", "end")]
    return [*score, bar(490, y - height / 2, 84, height, float(head.weights[i]), str(i))]


def _calculated(head: Head, i: int, y: float) -> tuple[str, ...]:
    if head.scores is None:
        return (text(572, y + 4.5, "1 ÷ 5", "num n", "end"),)
    powers = np.exp(head.scores)
    return (text(572, y + 4.5, f"{num(powers[i])} ÷ {num(powers.sum())} =", "num n", "end"),)


def _ribbon(x0: float, y0: float, x1: float, y1: float, weight: float, i: int) -> str:
    bend = (x1 - x0) * 0.55
    path = f"M{px(x0)} {px(y0)}C{px(x0 + bend)} {px(y0)} {px(x1 - bend)} {px(y1)} {px(x1)} {px(y1)}"
    return (
        f'<path class="s{i} no" d="{path}" '
        f'stroke-width="{px(0.8 + 14 * weight)}" stroke-linecap="round" opacity="{0.35 + 0.6 * weight:.2f}"/>'
    )


# ---- left and right: dials with arrows


def _dials(stage: int, heads: list[Head]) -> list[str]:
    parts, height = [], SIZE if len(heads) == 1 else HALF
    for i, head in enumerate(heads):
        top, name = TOP + i * (SIZE - HALF), f", head {i + 1}" if len(heads) == 2 else ""
        asks, takes = ("tokens", "tokens") if stage < 3 else (f"keys{name}", f"values{name}")
        parts += [
            _score_side(Dial(LEFT, top, SIZE, height, asks), stage, head),
            _pool_side(Dial(RIGHT, top, SIZE, height, takes), stage, head),
        ]
    return parts


def _score_side(dial: Dial, stage: int, head: Head) -> str:
    """The keys, and the query that turns among them. In the raw stage the query is the word's own arrow."""
    fixed = list(zip(WORDS, head.keys.tolist()))
    thin = 2.6 if dial.height == SIZE else 2
    moving = ("query", head.query, "f", 1.7 * thin, 0.35 if stage == 1 else 1)
    if stage == 2:
        fixed, moving = fixed[:-1], ("he = query", head.query, "4", 2 * thin, 1)
    return dial.drawn(fixed, [thin] * len(fixed), [moving])


def _pool_side(dial: Dial, stage: int, head: Head) -> str:
    """The values, as thick as their weights, and the output that they add up to."""
    fixed, thick = list(zip(WORDS, head.values.tolist())), [1.2 + 6 * weight for weight in head.weights.tolist()]
    moving = [("output", head.output, "f", 4.4 if dial.height == SIZE else 3.4, 1)]
    if stage == 2:
        moving.insert(0, ("he", head.values[-1], "4", thick.pop(), 1))
        fixed = fixed[:-1]
    return dial.drawn(fixed, thick, moving)


# ---- left and right: the numbers


def _numbers(stage: int, heads: list[Head]) -> list[str]:
    parts = [box(LEFT, TOP, SIZE, SIZE), box(RIGHT, TOP, SIZE, SIZE), *_notes(stage)]
    for i, j, y in _rows(heads):
        head = heads[j]
        weight, value = float(head.weights[i]), head.values[i].tolist()
        mixed = [weight * number for number in value]
        if head.scores is not None:
            parts.append(text(LEFT + 12, y + 4.5, _score(head, i, head.scores[i]), "num sm"))
        parts += [text(RIGHT + 12, y + 4.5, f"{num(weight, 3)} · {_pair(value)} = {_pair(mixed)}", "num sm")]
    return parts


@cache
def _notes(stage: int) -> tuple[str, ...]:
    """What is special about the first two stages."""
    if stage == 1:
        return (text(LEFT + 12, TOP + SIZE / 2, "No score: the query is not used.", "m"),)
    if stage == 2:
        return (text(RIGHT + 12, TOP + SIZE - 10, "query, key and value are one vector", "m sm"),)
    return ()


def _score(head: Head, i: int, score: float) -> str:
    (a, b), (c, d) = head.query.tolist(), head.keys[i].tolist()
    first = f"{num(a)}·{num(c)}" if c >= 0 else f"{num(a)}·({num(c)})"
    second = f"{'+' if b * d >= 0 else '−'} {num(abs(b))}·{num(abs(d))}"
    return f"({first} {second}) ÷ √2 = {num(score, 3, True)}"


# ---- the strip below: what went in, what adds up, what came out


def _strip(stage: int, heads: list[Head]) -> list[str]:
    y, first, last = TOP + SIZE + 12, heads[0], heads[-1]
    joined = ", ".join(num(number, 2, True) for head in heads for number in head.output.tolist())
    others = " and ".join(_percent(1 - head.weights[-1]) for head in heads)
    asks = "query (ignored)" if stage == 1 else "query" if first is last else "queries"
    return [
        box(LEFT, y, SIZE, 52),
        text(LEFT + 12, y + 21, asks, "m"),
        text(LEFT + 12, y + 41, " ".join(_pair(head.query) for head in heads), "num n"),
        box(MIDDLE, y, 310, 52),
        text(MIDDLE + 12, y + 21, "from other words than “he”", "m"),
        text(MIDDLE + 12, y + 41, others, "num n b"),
        box(RIGHT, y, SIZE, 52),
        text(RIGHT + 12, y + 21, "output: the sum of weight × value", "m"),
        text(RIGHT + 12, y + 41, f"({joined})", "num n b"),
    ]
