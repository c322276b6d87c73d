"""A table of features as bars with sliders, and the cosine of every pair of words beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from course_utils import word_vectors as reference
from course_utils.explorers.kit.controls import Choice, Slider, State
from course_utils.explorers.kit.explorer import Explorer
from course_utils.explorers.kit.heat import heat
from course_utils.explorers.kit.learner_function import CannotDraw, LearnerFunction
from course_utils.explorers.kit.svg import bar, box, num, picture, text

FEATURES = ("animality", "living being", "vehicle-ness", "body size", "domesticity")
BLANK = (0.5,) * len(FEATURES)
DOG = (0.98, 0.99, 0.01, 0.45, 0.95)
OTHERS = {
    "Cat": (0.97, 0.99, 0.01, 0.25, 0.90),
    "Car": (0.02, 0.01, 0.98, 0.60, 0.40),
    "Elephant": (0.99, 0.99, 0.05, 0.98, 0.15),
    "Truck": (0.01, 0.01, 0.99, 0.90, 0.10),
}


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
        row = (*self.rows[here][:column], value, *self.rows[here][column + 1 :])
        return replace(self, rows=(*self.rows[:here], row, *self.rows[here + 1 :]))


def features(rows: Mapping[str, Sequence[float]] = OTHERS, cosine_matrix=None) -> Explorer:
    """Dog's five features, with those that a learner gives to other words, and every cosine beside them.

    ``rows`` names up to four words, each with five numbers from 0 to 1; None for a word leaves it at 0.5 everywhere.
    """
    cosines = LearnerFunction(cosine_matrix, reference.cosine_matrix)
    sliders = tuple(Slider(name, name, 0.0, 1.0, 0.01) for name in FEATURES)
    table: dict[str, tuple[float, ...]] = {"Dog": DOG}
    trouble = ""
    for word, row in rows.items():
        table[word], problem = _row(word, row, sliders[0])
        trouble = trouble or problem

    def draw(state: Table) -> str:
        if trouble:
            raise CannotDraw(trouble)
        X = np.array(state.rows)
        return _table_picture(state, cosines(X, X))

    words = tuple(table)
    start = Table(tuple(table.values()), words, words[1] if len(words) > 1 else words[0])
    choice = Choice("word", "Sliders move", words)
    return Explorer("Five features of a word", start, (choice, *sliders), draw, 398, (cosines,))


def filled(rows: Mapping[str, Sequence[float] | None]) -> dict[str, Sequence[float]]:
    """The rows that a learner gave, and ours for words that still stand at None."""
    return {word: OTHERS[word] if row is None else row for word, row in rows.items()}


def _row(word: str, row, slider: Slider) -> tuple[tuple[float, ...], str]:
    """Five numbers on the slider's positions, and what is wrong with those given."""
    if row is None:
        return BLANK, ""
    try:
        values = tuple(float(value) for value in row)
    except (TypeError, ValueError):
        values = ()
    if len(values) != len(FEATURES) or not all(0 <= value <= 1 for value in values):
        return BLANK, (
            f"{word} needs five numbers between 0 and 1 ({', '.join(FEATURES)}); "
            f"found {str(row)[:60]}. Mend the row and run this cell again."
        )
    return tuple(slider.snap(value) for value in values), ""


def _table_picture(state: Table, cosines) -> str:
    here = state.words.index(state.word)
    says = _neighbours(state, cosines[here], here)
    values = ", ".join(f"{name} {num(value)}" for name, value in zip(FEATURES, state.rows[here]))
    matrix = "; ".join(f"{word} {' '.join(map(num, row))}" for word, row in zip(state.words, cosines))
    return picture(
        398,
        f"{says} {state.word}: {values}. Cosines with {', '.join(state.words)}: {matrix}.",
        [
            text(6, 20, says, "h"),
            *_bars(state, here),
            text(622, 62, "Cosine of every pair", "h"),
            heat(690, 98, 56, state.words, state.words, cosines, marked=here),
        ],
    )


def _neighbours(state: Table, cosines, here: int) -> str:
    if state.rows[here] == BLANK:
        return f"{state.word} stands at 0.50 in every feature: give it numbers of its own."
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
