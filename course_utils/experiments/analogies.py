"""Analogy questions written for this course: "man is to woman as king is to ?".

Each kind is a list of pairs that stand in the same relation; any two pairs of a kind make a question. Scores by kind
are fair to compare between vectors, and no more than that: the kinds and the pairs were chosen by us.
"""

from dataclasses import dataclass

import numpy as np

from course_utils.datasets import WordVectors
from course_utils.word_vectors import unit_rows

_LISTS = {
    "capital, country": """paris france  tokyo japan  rome italy  berlin germany  madrid spain  london england
        cairo egypt  athens greece  moscow russia  beijing china  delhi india  vienna austria""",
    "country, language": """france french  japan japanese  italy italian  germany german  spain spanish  russia russian
        china chinese  greece greek  poland polish  sweden swedish""",
    "male, female": """man woman  king queen  boy girl  father mother  son daughter  brother sister  uncle aunt
        husband wife  prince princess  actor actress""",
    "one, many": """dog dogs  car cars  tree trees  house houses  river rivers  city cities  child children
        woman women  foot feet  book books""",
    "plain, comparative": """big bigger  small smaller  fast faster  strong stronger  cheap cheaper  young younger
        high higher  good better  bad worse  warm warmer""",
    "now, past": """walk walked  go went  see saw  take took  write wrote  play played  speak spoke
        buy bought  think thought  run ran""",
    "country, currency": """japan yen  britain pound  india rupee  russia ruble  china yuan  thailand baht
        mexico peso  brazil real""",
    "opposites": """good bad  hot cold  big small  old new  high low  rich poor  fast slow  early late  open closed
        happy sad""",
}


@dataclass(frozen=True)
class Question:
    """ "a is to b as c is to d": d is the expected answer."""

    kind: str
    a: str
    b: str
    c: str
    d: str


def pairs() -> dict[str, list[tuple[str, str]]]:
    """The pairs of each kind, such as ("paris", "france")."""
    words = {kind: text.split() for kind, text in _LISTS.items()}
    return {kind: list(zip(its[::2], its[1::2], strict=True)) for kind, its in words.items()}


def questions() -> list[Question]:
    """All questions: every ordered choice of two pairs of a kind that share no word."""
    return [
        Question(kind, *first, *second)
        for kind, its in pairs().items()
        for first in its
        for second in its
        if not {*first} & {*second}
    ]


def solve(asked: list[Question], vectors: WordVectors, exclude: bool = True, batch: int = 100) -> list[str]:
    """The nearest word to b - a + c for each question, all rows at length 1; with ``exclude`` a, b and c are left out.

    The same as ``embedding_space.analogy``, many questions in one matrix product.
    """
    unit, found = unit_rows(vectors.E).astype(np.float32), []
    for start in range(0, len(asked), batch):
        given = np.array([vectors.ids([q.a, q.b, q.c]) for q in asked[start : start + batch]])
        a, b, c = (unit[ids] for ids in given.T)
        scores = (b - a + c) @ unit.T  # (batch, V): the lengths of the rows on the left change no ranking
        if exclude:
            np.put_along_axis(scores, given, -np.inf, axis=1)
        found += [vectors.words[i] for i in scores.argmax(axis=1)]
    return found


def score(asked: list[Question], answers: list[str]) -> dict[str, float]:
    """The share of right answers of each kind, and of "all" together."""
    right: dict[str, list[bool]] = {}
    for question, answer in zip(asked, answers, strict=True):
        right.setdefault(question.kind, []).append(answer == question.d)
    everything = [hit for hits in right.values() for hit in hits]
    return {**{kind: float(np.mean(hits)) for kind, hits in right.items()}, "all": float(np.mean(everything))}
