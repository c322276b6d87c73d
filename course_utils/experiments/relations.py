"""Where relations come from: capitals and countries in a training whose text pairs them, and in one that does not."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from course_utils.datasets import WordVectors
from course_utils.word_vectors import unit_rows

from . import analogies, cbow, corpus

MORE_CAPITALS = (
    ("lisbon", "portugal"), ("stockholm", "sweden"), ("oslo", "norway"), ("helsinki", "finland"),
    ("warsaw", "poland"), ("budapest", "hungary"), ("ankara", "turkey"), ("havana", "cuba"),
)  # fmt: skip


def capitals_told_right(training: cbow.Training, nearest: Callable, solve: Callable) -> list[float]:
    """Three shares of a training on the template language: a capital's or country's nearest neighbour is of its kind; a
    capital's nearest country is its own; "a is to b as c is to ?" is solved for capitals and countries."""
    vectors, countries = training.vectors, list(corpus.GROUPS["countries"])
    kinds = {group: corpus.GROUPS[group] for group in ("capitals", "countries")}
    own = [nearest(vectors[city], vectors[countries], 1)[0] for city in corpus.LANDS]
    asked = [q for q in analogies.questions() if q.a in corpus.LANDS and q.c in corpus.LANDS]
    solved = [vectors.words[solve(*vectors.ids([q.a, q.b, q.c]), vectors.E)] == q.d for q in asked]
    by_kind = cbow.own_group(training.words, training.E, kinds)
    return [by_kind, float(np.mean(np.array(own) == np.arange(len(countries)))), float(np.mean(solved))]


CHANCE = (7 / 15, 1 / 8, 1 / 7)  # of the same: 7 of the 15 others are of its kind; b is left out


def twenty_capitals() -> list[tuple[str, str]]:
    """Twenty capitals and their countries."""
    return [*analogies.pairs()["capital, country"], *MORE_CAPITALS]


def parallel_steps(pairs: Sequence[tuple[str, str]], parallel: Callable, glove: WordVectors) -> Mapping[str, list[float]]:
    """Cosines of the steps capital → country of every two pairs, and of the same with one *wrong* country, that of the
    pair before it. Two pairs that would then share a country are left out."""
    capitals, countries = (glove.ids(list(words)) for words in zip(*pairs))
    found: dict[str, list[float]] = {"right": [], "wrong": []}
    for i in range(len(pairs)):
        for j in range(i):
            found["right"].append(parallel(capitals[i], countries[i], capitals[j], countries[j], glove.E))
            if j != i - 1:
                found["wrong"].append(parallel(capitals[i], countries[i - 1], capitals[j], countries[j], glove.E))
    return found


def ask(question: str, glove: WordVectors, nearest: Callable, k: int = 5) -> None:
    """Prints the rows nearest to b − a + c for a question "a b c" of any three words, those of the question marked."""
    words = question.split()
    unknown = [word for word in words if word not in glove]
    if len(words) != 3 or unknown:
        lacking = f"GloVe's cut has no row for {', '.join(unknown)}." if unknown else f"{len(words)} words were found."
        print(f"{lacking} Write three words with blanks between them, such as man woman king.")
        return
    unit = unit_rows(glove.E)
    a, b, c = glove.ids(words)
    point = unit[b] - unit[a] + unit[c]
    print(f"{words[0]} is to {words[1]} as {words[2]} is to …")
    for i in nearest(point, unit, k):
        cosine = unit[i] @ point / np.linalg.norm(point)
        print(f"  {glove.words[i]:14} {cosine:.3f}  {'(in the question: left out)' if i in (a, b, c) else ''}".rstrip())
