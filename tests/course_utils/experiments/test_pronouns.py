"""Pronouns: sentences are what they claim to be, shares counted right, the chance level is what a simulation finds."""

from collections import Counter

import numpy as np
import pytest

from course_utils import datasets
from course_utils.experiments import pronouns


def words(text):
    return text.lower().rstrip(".").split()


@pytest.mark.parametrize("text, first, second, meant", pronouns.SENTENCES)
def test_a_sentence_has_one_pronoun_after_two_nouns(text, first, second, meant):
    found = words(text)
    assert found.count("he") + found.count("it") == 1
    pronoun = next(i for i, word in enumerate(found) if word in ("he", "it"))
    assert found.index(first) < found.index(second) < pronoun and meant in (first, second)
    assert found.count(first) == found.count(second) == 1


def test_neither_the_first_nor_the_nearer_noun_is_always_meant():
    meant_first = sum(meant == first for _, first, _, meant in pronouns.SENTENCES)
    assert abs(meant_first - len(pronouns.SENTENCES) / 2) <= 2


class Model:
    """Head 1 looks at the noun that is meant, head 2 at the other one, head 3 at the first."""

    def run(self, text):
        found, (_, first, second, meant) = words(text), next(row for row in pronouns.SENTENCES if row[0] == text)
        weights = np.zeros((1, 3, len(found), len(found)))
        weights[0, 0, :, found.index(meant)] = 1
        weights[0, 1, :, found.index(second if meant == first else first)] = 1
        weights[0, 2, :, found.index(first)] = 1
        return found, None, weights


def test_shares_by_head():
    found, first = pronouns.by_heads(Model()), Counter(row[1] == row[3] for row in pronouns.SENTENCES)[True]
    assert (found.sentences, found.heads, found.best) == (len(pronouns.SENTENCES), 3, 1.0)
    assert found.mean == pytest.approx((1 + 0 + first / found.sentences) / 3)
    assert found.chance_level == pronouns.best_of_coins(3, found.sentences)


@pytest.mark.parametrize("coins, throws", [(1, 5), (2, 1), (48, 32), (72, 32), (500, 10)])
def test_the_chance_level_is_that_of_a_simulation(coins, throws):
    rng = np.random.default_rng(coins)
    drawn = rng.binomial(throws, 0.5, size=(20_000, coins)).max(axis=1) / throws
    error = drawn.std() / np.sqrt(len(drawn))
    assert pronouns.best_of_coins(coins, throws) == pytest.approx(drawn.mean(), abs=5 * error + 1e-12)


def test_two_coins_thrown_once_by_hand():
    assert pronouns.best_of_coins(2, 1) == 0.75  # three of four outcomes have a head among them


def test_no_head_of_the_real_model_is_far_above_chance():
    found = pronouns.by_heads(datasets.load_minilm())
    assert found.heads == 48 and abs(found.mean - 0.5) < 0.1 and found.best < found.chance_level + 0.1
