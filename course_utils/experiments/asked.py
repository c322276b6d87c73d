"""What a small language model knows and does not, by example: a beginning, and the one word that should come next.

Each right word is one piece of the shipped vocabulary. Where others would do as well, its rank is not 1, and need not be.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from course_utils.decoder import next_distribution

QUESTIONS = {
    "the form of a dictionary": (
        ("dog :", "a"),
        ("quickly : in a quick", "manner"),
        ("of or relating to", "the"),
        ("a cat (or a dog", ")"),
        ("in the middle of", "the"),
        ("he wants to go", "to"),
    ),
    "the world": (
        ("paris is the capital of", "france"),
        ("two plus two is", "four"),
        ("hot is the opposite of", "cold"),
        ("ice is frozen", "water"),
        ("grass is", "green"),
        ("one two three", "four"),
    ),
    "what was said before": (
        ("she lost her book; then she found her", "book"),
        ("the cup was red; the cup was", "red"),
        ("the dogs in the garden", "are"),
        ("his name is john; he is called", "john"),
        ("a lake is not a river; a river is not a", "lake"),
        ("he had a horse and a dog; he sold the dog but not the", "horse"),
    ),
}


class Answer(NamedTuple):
    """rank: 1 where the right word is the likeliest of all; p its probability; said: the likeliest piece."""

    beginning: str
    right: str
    rank: int
    p: float
    said: str


def answers(questions: Sequence[tuple[str, str]], logits_of, decoder) -> list[Answer]:
    """logits_of(ids (n,)) → (n, V); ``decoder``: as ``load_decoder`` gives it.

    Raises ValueError for a right word that is not one piece.
    """
    found = []
    for beginning, right in questions:
        pieces = decoder.ids(right)[1:]
        if len(pieces) != 1:
            raise ValueError(f"{right!r} is {len(pieces)} pieces, but one is asked for: choose another word")
        p = next_distribution(logits_of(decoder.ids(beginning))[-1])
        wanted = float(p[pieces[0]])
        found.append(Answer(beginning, right, int((p > wanted).sum()) + 1, wanted, decoder.tokenizer.vocab[p.argmax()]))
    return found


def median_rank(found: Sequence[Answer]) -> float:
    return float(np.median([answer.rank for answer in found]))
