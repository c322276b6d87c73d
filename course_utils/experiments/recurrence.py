"""What came before attention: a state that is carried from word to word. For comparison only, never trained here.

Rows are words: X (n, d) in, one state per word (n, d) out, each made of the words up to it.
"""

import numpy as np


def rnn(X, W, U):
    """The simple recurrent network of Elman 1990: state = tanh(last state @ W + word @ U).

    >>> rnn(np.array([[1.0], [0.0]]), W=np.array([[0.0]]), U=np.array([[0.0]])).tolist()
    [[0.0], [0.0]]
    """
    state, states = np.zeros(len(W)), []
    for x in X:
        state = np.tanh(state @ W + x @ U)
        states.append(state)
    return np.array(states)


def lstm(X, W, U, b):
    """Long short-term memory (Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al. 2000).

    W, U (d, 4d) and b (4d,) hold the forget, input and output gates and the new content, in this order.

    >>> lstm(np.zeros((2, 1)), np.zeros((1, 4)), np.zeros((1, 4)), np.zeros(4)).tolist()
    [[0.0], [0.0]]
    """
    state = memory = np.zeros(len(W))
    states = []
    for x in X:
        forget, write, show, content = np.split(state @ W + x @ U + b, 4)
        memory = _sigmoid(forget) * memory + _sigmoid(write) * np.tanh(content)
        state = _sigmoid(show) * np.tanh(memory)
        states.append(state)
    return np.array(states)


def random_rnn(d, rng, keep=0.9):
    """An untrained rnn as a function of X: W turns the state and keeps that share of it a step."""
    W, U = keep * np.linalg.qr(rng.normal(size=(d, d)))[0], rng.normal(size=(d, d)) / d
    return lambda X: rnn(X, W, U)


def random_lstm(d, rng, keep=0.95):
    """An untrained lstm as a function of X, its forget gates biased to keep that share of the memory a step.

    A bias towards keeping is how an lstm is started (Jozefowicz et al. 2015).
    """
    W, U, b = rng.normal(size=(d, 4 * d)) / (2 * d), rng.normal(size=(d, 4 * d)) / d, np.zeros(4 * d)
    b[:d] = np.log(keep / (1 - keep))
    return lambda X: lstm(X, W, U, b)


def influence_of_first(states, X, rng, nudges=20, size=1e-4):
    """How far the last state moves when the first word is moved by 1, on average over small random nudges."""
    there, moved = states(X)[-1], []
    for _ in range(nudges):
        direction = rng.normal(size=X.shape[1])
        nudged = X.astype(float)
        nudged[0] += size * direction / np.linalg.norm(direction)
        moved.append(np.linalg.norm(states(nudged)[-1] - there) / size)
    return float(np.mean(moved))


def influence_by_distance(readers, distances, rng, d=32):
    """For each name in ``readers``: the influence of the first word at each distance, on random words of width d.

    The last word is the first one again, so that a reader that weighs words by their likeness has one to find.
    """
    found: dict[str, list[float]] = {name: [] for name in readers}
    for distance in distances:
        X = rng.normal(size=(distance + 1, d))
        X[-1] = X[0]
        for name, states in readers.items():
            found[name].append(influence_of_first(states, X, rng))
    return found


def notices_order(states, X) -> bool:
    """Whether the last state changes when the first two words change places; X (n, d), n ≥ 3."""
    swapped = X[[1, 0, *range(2, len(X))]]
    return not np.allclose(states(X)[-1], states(swapped)[-1])


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))
