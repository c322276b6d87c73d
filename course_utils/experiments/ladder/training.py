"""Training the ladder's models, and what they get right."""

from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from .models import Average, Heads, Ladder, LastWord, RawDotProduct
from .sentences import KINDS, LENGTH, VOCABULARY, Sentences, sentences

STAGES = {
    "last word": LastWord,
    "average": Average,
    "raw dot product": RawDotProduct,
    "one head": lambda: Heads(1),
    "four heads": lambda: Heads(4),
}
MARKS = 20  # of a progress bar
GRID = 2.0**20  # parameters are multiples of 1 / GRID: last digits, which differ between processors, cannot grow


@dataclass(frozen=True)
class Result:
    """A trained model and what it reached: ``accuracy`` on new sentences, ``by_kind`` (5,), ``losses`` step by step."""

    model: Ladder
    losses: np.ndarray
    accuracy: float
    by_kind: np.ndarray


def data(seed, training=20_000, test=5_000):
    """Sentences to train on and others to test with, the same for every stage: (Sentences, Sentences)."""
    return sentences(training, np.random.default_rng([seed, 0])), sentences(test, np.random.default_rng([seed, 1]))


def train(stage, training: Sentences, test: Sentences, *, d=32, hidden=0, spread=0.3, seed=0, steps=1000, label=""):
    """A model with this way to gather context, trained by Adam, and its Result. With a label it shows a progress bar.

    The bar is printed mark by mark, so what is left of it is the same in every run. For d, hidden and spread see Ladder.

    >>> train(Heads(4), *data(seed=0), label="four heads").accuracy  # doctest: +SKIP
    four heads      ▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪ 1.000
    1.0
    """
    model = Ladder(stage, len(VOCABULARY), LENGTH, d, hidden, spread, seed)
    losses = fit(model, training, seed=seed, steps=steps, label=label)
    right = is_right(model, test)
    by_kind = np.array([right[test.kinds == kind].mean() for kind in range(len(KINDS))])
    print(f" {right.mean():.3f}\n" if label else "", end="")
    return Result(model, losses, float(right.mean()), by_kind)


@threadpool_limits.wrap(limits=1, user_api="blas")  # products this small are slower on two
def fit(model, training: Sentences, *, seed=0, steps=1000, label=""):
    """Trains a model in place by Adam, 128 sentences a step, and returns the loss of each step (steps,).

    With a label it prints the label and a bar, and leaves the end of the line to the caller.
    """
    adam, rng, losses = Adam(model.params), np.random.default_rng([seed, 2]), np.empty(steps)
    print(f"{label:16}" if label else "", end="")
    for step in range(steps):
        batch = rng.integers(len(training), size=128)
        losses[step], grads = model.gradients(training.ids[batch], training.answers[batch])
        adam.step(grads, rate=5e-3 * min(1, 3 * (1 - step / steps)))  # constant, then down to 0 over the last third
        if label and (step + 1) * MARKS // steps > step * MARKS // steps:
            print("▪", end="", flush=True)
    return losses


def is_right(model, test):
    """Whether both words are predicted: one bool for each sentence."""
    return (model.predict(test.ids)[0].argmax(axis=-1) == test.answers).all(axis=1)


class Adam:
    """Kingma and Ba 2014 (arXiv:1412.6980), algorithm 1, with β₂ = 0.99; changes the parameters in place."""

    def __init__(self, params):
        self.params, self.t = params, 0
        self.mean = {name: np.zeros_like(array) for name, array in params.items()}
        self.square = {name: np.zeros_like(array) for name, array in params.items()}

    def step(self, grads, rate):
        self.t += 1
        for name, array in self.params.items():
            self.mean[name] += 0.1 * (grads[name] - self.mean[name])
            self.square[name] += 0.01 * (grads[name] ** 2 - self.square[name])
            mean = self.mean[name] / (1 - 0.9**self.t)
            square = self.square[name] / (1 - 0.99**self.t)
            array[...] = np.round((array - rate * mean / (np.sqrt(square) + 1e-8)) * GRID) / GRID
