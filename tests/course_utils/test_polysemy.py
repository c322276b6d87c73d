"""References of lesson 3 against loops and numbers worked by hand."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils import polysemy
from course_utils.experiments import sentences


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def test_uniform_weights_of_three():
    assert polysemy.uniform_weights(3) == pytest.approx(np.full((3, 3), 1 / 3))
    assert polysemy.uniform_weights(3, causal=True) == pytest.approx(
        np.array([[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]])
    )


@given(st.integers(1, 30), st.booleans())
def test_every_row_of_uniform_weights_sums_to_one(n, causal):
    weights = polysemy.uniform_weights(n, causal)
    assert weights.shape == (n, n) and weights.sum(axis=1) == pytest.approx(np.ones(n))


def test_mix_against_loops(rng):
    weights, X = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 4, 5))
    wanted = np.zeros((2, 3, 5))
    for b, i, j in itertools.product(range(2), range(3), range(4)):
        wanted[b, i] += weights[b, i, j] * X[b, j]
    assert polysemy.mix(weights, X) == pytest.approx(wanted)


def test_mix_with_identity_changes_nothing(rng):
    X = rng.normal(size=(4, 3))
    assert np.array_equal(polysemy.mix(np.eye(4), X), X)


@pytest.mark.parametrize(
    "position, window, wanted",
    [
        (2, 1, [(2 + 8) / 2]),  # both sides
        (0, 2, [(2 + 4) / 2]),  # the left edge has no neighbours on its left, and -1 is not the last row
        (4, 1, [8.0]),  # the right edge
        (2, 9, [(1 + 2 + 8 + 16) / 4]),  # a window larger than the sentence
    ],
)
def test_context_average_by_hand(position, window, wanted):
    X = np.array([[1], [2], [4], [8], [16]])
    assert polysemy.context_average(X, position, window) == pytest.approx(wanted)


def test_context_average_of_a_single_word_is_zero():
    assert polysemy.context_average(np.array([[5.0, 7.0]]), 0, 3).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    "vector, senses, wanted",
    [
        ([1, 2], [[9, 0], [0, 1]], 1),  # a longer sense does not win
        ([1, 0], [[0, 5], [0, 0]], 0),  # a tie at 0: a right angle, and the zero vector
        ([1, 0], [[-1, 0], [0, 0]], 1),  # the zero vector's cosine is 0, above -1
        ([0, 0], [[3, 0], [0, 3]], 0),  # no direction of its own: a tie at 0
        ([3, 1], [[0, 2], [2, 0], [2, 0]], 1),  # two equal senses: the smaller index
    ],
)
def test_nearest_sense(vector, senses, wanted):
    found = polysemy.nearest_sense(np.array(vector), np.array(senses))
    assert type(found) is int and found == wanted


def test_similarity_weights_against_loops(rng):
    X = rng.normal(size=(2, 4, 3))
    weights = polysemy.similarity_weights(X)
    for b, i in itertools.product(range(2), range(4)):
        scores = [math.exp(sum(X[b, i] * X[b, j])) for j in range(4)]
        assert weights[b, i] == pytest.approx(np.array(scores) / sum(scores))


def test_similarity_weights_survive_scores_of_a_million():
    weights = polysemy.similarity_weights(np.array([[1000.0, 0.0], [-1000.0, 0.0]]))
    assert weights.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_sense_separation_against_loops(rng):
    A, B = rng.normal(size=(3, 4)), rng.normal(size=(2, 4))
    B[1] = 0  # its cosines are 0

    def cosine(u, v):
        lengths = np.linalg.norm(u) * np.linalg.norm(v)
        return u @ v / lengths if lengths else 0.0

    within = [cosine(u, v) for group in (A, B) for u, v in itertools.combinations(group, 2)]
    across = [cosine(u, v) for u, v in itertools.product(A, B)]
    assert len(within) == 3 + 1 and len(across) == 6
    assert polysemy.sense_separation(A, B) == pytest.approx(np.mean(within) - np.mean(across))


def test_senses_that_are_the_same_are_not_apart():
    A = np.tile([1.0, 2.0], (3, 1))
    assert polysemy.sense_separation(A, 5 * A[:2]) == pytest.approx(0)


def test_the_sentences_are_what_the_lesson_says():
    assert len(sentences.SENSES) == 9 and len(sentences.TWICE) == 24
    for word, senses in sentences.SENSES.items():
        assert [len(texts) for texts in senses.values()] == [6, 6]
        for text in itertools.chain.from_iterable(senses.values()):
            assert len(sentences.occurrences(word, sentences.words_of(text))) == 1, text
    for word, senses, text in sentences.TWICE:
        assert set(senses) == set(sentences.SENSES[word])
        assert len(sentences.occurrences(word, sentences.words_of(text))) == 2, text
