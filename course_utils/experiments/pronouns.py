"""Thirty-two sentences with a pronoun and two nouns it might mean, written for this course, and what heads make of them.

Most come in pairs that differ in their last words, so that neither "the first one" nor "the nearer one" is right for both
(after the Winograd schema challenge, Levesque, Davis and Morgenstern 2012).
"""

import math
from dataclasses import dataclass

import numpy as np

SENTENCES = (  # (sentence, first noun, second noun, the one that is meant)
    ("The doctor gave the patient medicine because he was sick.", "doctor", "patient", "patient"),
    ("The doctor gave the patient medicine because he was kind.", "doctor", "patient", "doctor"),
    ("The doctor gave the patient advice because he was worried about his health.", "doctor", "patient", "patient"),
    ("The nurse called the doctor because he was needed in surgery.", "nurse", "doctor", "doctor"),
    ("The trophy did not fit in the suitcase because it was too big.", "trophy", "suitcase", "trophy"),
    ("The trophy did not fit in the suitcase because it was too small.", "trophy", "suitcase", "suitcase"),
    ("The lion chased the zebra because it was hungry.", "lion", "zebra", "lion"),
    ("The lion ate the zebra because it was weak.", "lion", "zebra", "zebra"),
    ("The teacher punished the student because he was angry.", "teacher", "student", "teacher"),
    ("The teacher punished the student because he was lazy.", "teacher", "student", "student"),
    ("The father carried his son because he was tired from walking.", "father", "son", "son"),
    ("The father carried his son because he was strong.", "father", "son", "father"),
    ("The truck hit the car because it was going too fast.", "truck", "car", "truck"),
    ("The truck hit the car because it was parked on the road.", "truck", "car", "car"),
    ("The police arrested the thief because he was guilty.", "police", "thief", "thief"),
    ("The thief robbed the merchant because he was greedy.", "thief", "merchant", "thief"),
    ("The thief robbed the merchant because he was rich.", "thief", "merchant", "merchant"),
    ("The boy fed the dog because it was hungry.", "boy", "dog", "dog"),
    ("The cat chased the mouse because it was bored.", "cat", "mouse", "cat"),
    ("The cat caught the mouse because it was slow.", "cat", "mouse", "mouse"),
    ("The ball broke the window because it was heavy.", "ball", "window", "ball"),
    ("The ball broke the window because it was thin.", "ball", "window", "window"),
    ("The coach praised the player because he was proud.", "coach", "player", "coach"),
    ("The coach praised the player because he had scored.", "coach", "player", "player"),
    ("The lawyer visited the prisoner because he was curious.", "lawyer", "prisoner", "lawyer"),
    ("The lawyer visited the prisoner because he was innocent.", "lawyer", "prisoner", "prisoner"),
    ("The guest thanked the host because he was grateful.", "guest", "host", "guest"),
    ("The guest thanked the host because he was generous.", "guest", "host", "host"),
    ("The bee landed on the flower because it wanted nectar.", "bee", "flower", "bee"),
    ("The bee landed on the flower because it smelled sweet.", "bee", "flower", "flower"),
    ("The king feared the knight because he was weak.", "king", "knight", "king"),
    ("The king feared the knight because he was dangerous.", "king", "knight", "knight"),
)


@dataclass(frozen=True)
class PronounScores:
    """Shares of sentences in which a head gives the noun that is meant more weight than the other one.

    best and mean: of all heads. chance_level: what the best of as many fair coins reaches on average.
    """

    sentences: int
    heads: int
    best: float
    mean: float
    chance_level: float


def by_heads(minilm) -> PronounScores:
    """Every head of the model asked about every sentence. minilm: as ``datasets.load_minilm`` gives it."""
    right = np.array([_prefers_right(minilm, *row) for row in SENTENCES])  # (sentences, L, h)
    shares = right.mean(axis=0).ravel()
    return PronounScores(
        len(right), len(shares), float(shares.max()), float(shares.mean()), best_of_coins(len(shares), len(right))
    )


def _prefers_right(minilm, text, first, second, meant):
    """(L, h) of bool: whether the pronoun looks at the noun that is meant more than at the other."""
    tokens, _, weights = minilm.run(text)
    pronoun = tokens.index("he") if "he" in tokens else tokens.index("it")
    other = second if meant == first else first
    return weights[..., pronoun, tokens.index(meant)] > weights[..., pronoun, tokens.index(other)]


def best_of_coins(coins: int, throws: int) -> float:
    """The expected share of heads of the luckiest of ``coins`` fair coins, each thrown ``throws`` times.

    >>> best_of_coins(1, 10)
    0.5
    """
    below, expected = 0.0, 0.0
    for k in range(throws):
        below += math.comb(throws, k) / 2**throws
        expected += 1 - below**coins  # E[max] = sum of P(max > k)
    return expected / throws
