"""Search by meaning: the nearest come first, ties in order, and the share counts what loops count."""

import numpy as np
import pytest

from course_utils.experiments import search
from course_utils.experiments.sentences import SENSES

POINTS = {"east": (1, 0), "far east": (5, 0), "north": (0, 1), "west": (-1, 0), "north-east": (1, 1)}


def point(text):
    return np.array(POINTS[text], dtype=float)


def test_the_nearest_come_first_and_length_plays_no_part():
    found = search.nearest_texts("east", ["west", "north-east", "far east", "north"], point, k=3)
    assert [f.text for f in found] == ["far east", "north-east", "north"]
    assert [f.cosine for f in found] == pytest.approx([1, np.sqrt(0.5), 0])


def test_of_equal_ones_the_earlier_comes_first():
    assert search.nearest_texts("north", ["west", "east"], point, k=1)[0].text == "west"


def test_what_is_searched_holds_every_sentence_once():
    assert len(set(search.TEXTS)) == len(search.TEXTS) == 150


def test_the_share_is_1_for_vectors_of_the_sense_and_0_for_the_others():
    sense = {t: s for senses in SENSES.values() for s, group in enumerate(senses.values()) for t in group}
    number = {t: i for i, t in enumerate(sense)}
    assert search.same_sense_share(lambda t: np.eye(2)[sense[t]]) == 1

    def crossed(text):  # each sentence lies beside one of the other sense
        word = next(i for i, senses in enumerate(SENSES.values()) if any(text in group for group in senses.values()))
        place = number[text] - 12 * word
        return np.eye(6)[place % 6] + 0.01 * place / 12

    assert search.same_sense_share(crossed) == 0


def test_glove_knows_no_word_of_a_strange_text():
    assert not search.averaged_glove("qqqq").any()
