"""How well senses are told apart: against loops, and the figures that lesson 3 speaks of."""

import math

import numpy as np
import pytest
from paths import DATA

from course_utils import polysemy
from course_utils.experiments import senses
from course_utils.experiments.sentences import MISLEADING, SENSES, TWICE

ONCE = [(word, text) for word, its_senses in SENSES.items() for texts in its_senses.values() for text in texts]
BOTH = [(word, text) for word, _, text in TWICE]


def cosine(u, v):
    return sum(u * v) / math.sqrt(sum(u * u) * sum(v * v))


def test_left_out_accuracy_against_loops():
    for word in ("apple", "seal"):
        these = senses.uses(word, senses.averaged(4))
        wanted = []
        for i in range(12):
            near = {}
            for sense in (0, 1):
                rows = [these.vectors[j] for j in range(12) if j != i and j // 6 == sense]
                near[sense] = cosine(these.vectors[i], sum(rows) / len(rows))
            wanted.append(float(near[i // 6] > near[1 - i // 6]))
        assert senses.told_right(these).tolist() == wanted


def test_uses_are_in_the_order_of_the_sentences():
    these = senses.uses("bank", senses.static)
    assert these.sense.tolist() == [0] * 6 + [1] * 6
    assert these.texts[0] == SENSES["bank"]["money"][0] and these.texts[6] == SENSES["bank"]["river"][0]


def test_one_vector_for_all_is_a_coin_in_every_test():
    """By ties, which count half; whatever ``nearest`` would say of them."""
    assert senses.accuracy(senses.static, nearest=lambda vector, centroids: 1) == 0.5
    assert senses.twice_accuracy(senses.static) == 0.5


def test_two_equal_vectors_in_a_sentence_are_a_tie():
    assert senses.twice_accuracy(senses.averaged(99)) == 0.5
    assert senses.twice_accuracy(senses.mixed(lambda X: polysemy.uniform_weights(len(X)))) == 0.5


def test_nearest_is_asked():
    always_first = senses.accuracy(senses.averaged(4), nearest=lambda vector, centroids: 0)
    never_right = senses.told_right(senses.uses("bat", senses.averaged(4)), lambda vector, centroids: 2)
    assert always_first == 0.5 and not never_right.any()


@pytest.mark.parametrize(
    "way, one_use, twice, misled",
    [
        (senses.averaged(4), 94 / 108, 24 / 24, 10 / 18),
        (senses.averaged(6), 101 / 108, 23.5 / 24, 3 / 18),
        (senses.averaged(99), 103 / 108, 12 / 24, 7 / 18),
        (senses.contextual(0), 60 / 108, 16 / 24, 9 / 18),
        (senses.contextual(3), 107 / 108, 22 / 24, 9 / 18),
    ],
)
def test_the_figures_of_the_lesson(way, one_use, twice, misled):
    """Recorded where the lesson was written: a change of data, tokenizer or model shows here."""
    assert senses.accuracy(way) == pytest.approx(one_use)
    assert senses.twice_accuracy(way) == pytest.approx(twice)
    assert senses.misled_accuracy(way) == pytest.approx(misled)


@pytest.fixture(scope="module")
def pytorch():
    """Hidden states that PyTorch computed, (156 occurrences, 5 layers, 384) in float16: data/make_senses.py."""
    with np.load(DATA / "senses.npz") as stored:
        return {name: stored[name] for name in ("shipped", "published")}


def test_every_hidden_state_of_the_word_is_pytorchs(pytorch):
    """Equal but for the rounding to float16, which is half its spacing."""
    layers = [[state for word, text in ONCE + BOTH for state in senses.contextual(layer)(text, word)] for layer in range(5)]
    stored = pytorch["shipped"]
    rounding = np.spacing(np.abs(stored)).astype(float) / 2
    assert stored.shape == (len(ONCE) + 2 * len(BOTH), 5, 384) == (156, 5, 384)
    assert (np.abs(np.array(layers).swapaxes(0, 1) - stored) <= rounding + 5e-6).all()


@pytest.mark.parametrize("layer", range(5))
def test_the_published_weights_tell_the_senses_as_well(pytorch, layer):
    """Six layers in float32 and every token: the shipped cut is off by one sentence at most in either test."""
    states = iter(pytorch["published"][:, layer].astype(float))
    found = {(text, word): [next(states)] for word, text in ONCE}
    found |= {(text, word): [next(states), next(states)] for word, text in BOTH}

    def published(text, word):
        return found[text, word]

    assert abs(senses.accuracy(published) - senses.accuracy(senses.contextual(layer))) <= 1.001 / 108
    assert abs(senses.twice_accuracy(published) - senses.twice_accuracy(senses.contextual(layer))) <= 1.001 / 24


def test_misleading_sentences_hold_the_word_once():
    assert len(MISLEADING) == 18
    for word, sense, text in MISLEADING:
        assert sense in SENSES[word]
        assert len(senses.static(text, word)) == len(senses.contextual(0)(text, word)) == 1


def test_cached_rows_cannot_be_changed():
    _, rows = senses.glove_rows("A bat flew.")
    with pytest.raises(ValueError, match="read-only"):
        rows[0] = 0
    assert isinstance(rows, np.ndarray)
