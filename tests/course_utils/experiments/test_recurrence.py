"""Recurrent networks step by step, and how the influence of the first word is measured."""

import math

import numpy as np
import pytest

from course_utils.experiments import recurrence


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def test_two_steps_of_an_rnn_by_hand():
    """One number wide: tanh(0.5 · 2) = 0.7616, then tanh(3 · 0.7616 + 0.5 · 4)."""
    states = recurrence.rnn(np.array([[2.0], [4.0]]), np.array([[3.0]]), np.array([[0.5]]))
    assert states[:, 0] == pytest.approx([math.tanh(1), math.tanh(3 * math.tanh(1) + 2)])


def test_lstm_against_its_equations_number_by_number(rng):
    d, X = 2, rng.normal(size=(4, 2))
    W, U, b = rng.normal(size=(d, 4 * d)), rng.normal(size=(d, 4 * d)), rng.normal(size=4 * d)
    h, c, found = [0.0] * d, [0.0] * d, recurrence.lstm(X, W, U, b)
    for t in range(4):
        z = [b[k] + sum(h[i] * W[i, k] + X[t, i] * U[i, k] for i in range(d)) for k in range(4 * d)]
        gate = [1 / (1 + math.exp(-value)) for value in z]
        c = [gate[k] * c[k] + gate[d + k] * math.tanh(z[3 * d + k]) for k in range(d)]
        h = [gate[2 * d + k] * math.tanh(c[k]) for k in range(d)]
        assert found[t] == pytest.approx(h)


def test_influence_of_a_linear_mix_is_its_weight(rng):
    weights = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.25, 0.25, 0.5]])
    X = rng.normal(size=(3, 4))
    assert recurrence.influence_of_first(lambda rows: weights @ rows, X, rng) == pytest.approx(0.25)


def test_influence_by_distance_meets_the_first_word_again_at_the_end(rng):
    """An average so far thins out as 1 / (distance + 1); half of the first word's equal at the end never does."""

    def average(X):
        return np.cumsum(X, axis=0) / np.arange(1, len(X) + 1)[:, None]

    def equals(X):
        same = np.isclose(X @ X.T, (X * X).sum(axis=1, keepdims=True), rtol=0.01)
        return same @ X / same.sum(axis=1, keepdims=True)

    found = recurrence.influence_by_distance({"average": average, "equals": equals}, [1, 4, 9], rng)
    assert found["average"] == pytest.approx([1 / 2, 1 / 5, 1 / 10])
    assert found["equals"] == pytest.approx([1 / 2] * 3)


def test_who_notices_the_order(rng):
    X = rng.normal(size=(5, 8))
    assert recurrence.notices_order(recurrence.random_rnn(8, rng), X)
    assert recurrence.notices_order(recurrence.random_lstm(8, rng), X)
    assert not recurrence.notices_order(lambda rows: np.cumsum(rows, axis=0), X)


@pytest.mark.parametrize("make", [recurrence.random_rnn, recurrence.random_lstm])
def test_a_recurrence_forgets(rng, make):
    states = make(16, rng)
    X = rng.normal(size=(41, 16))
    near, far = (recurrence.influence_of_first(states, X[-n:], rng) for n in (2, 41))
    assert near > 5 * far > 0


def test_no_state_sees_the_future(rng):
    states, X = recurrence.random_lstm(8, rng), rng.normal(size=(6, 8))
    assert states(X[:3]) == pytest.approx(states(X)[:3])
