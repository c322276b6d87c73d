"""Training word vectors by filling in missing words, with anybody's ``predict_missing`` and ``cbow_gradients``.

The loop hands over one blank at a time, so it is the given function that does the learning: the gradients of a batch
are added up, and Adagrad takes the step. Small vocabularies are predicted in full. With ``sampled``, only the
words that occur in the batch compete (a sampled softmax, Jean et al. 2015, without its correction for frequency),
which makes a vocabulary of thousands affordable one blank at a time.
"""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from course_utils import embedding_space as reference
from course_utils.datasets import WordVectors
from course_utils.word_vectors import cosine_matrix

from .corpus import GROUPS

SNAPSHOT_STEPS = (0, 2, 5, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 500, 1000)  # steps after which E is kept
HELD_OUT = 200  # blanks that are never trained on
MARKS = 40  # of the progress bar
PATIENCE = 60.0  # seconds of computing that a training may take; beyond that the reference takes over
FLOOR = 0.01  # of Adagrad's sums
TRIAL = 20  # steps after which that is decided


@dataclass(frozen=True, repr=False)
class Blanks:
    """Each word of a text as a blank: the ids around it, and its own. ``words`` has the most frequent first."""

    words: tuple[str, ...]
    contexts: tuple[tuple[int, ...], ...]
    targets: tuple[int, ...]

    def __len__(self):
        return len(self.targets)

    def __repr__(self):
        return f"Blanks({len(self):,} blanks, {len(self.words):,} words)"


def blanks(
    sentences: Iterable[Sequence[str]], window: int = 4, least: int = 1, thin: float | None = None, seed: int = 0
) -> Blanks:
    """Every word of every sentence as a blank, with up to ``window`` words of its sentence on either side.

    least: rarer words are left out. thin: a word of share f of the text is kept with probability sqrt(thin / f), so
    that "the" does not fill every context (Mikolov et al. 2013b, section 2.3). A sentence of one word has no blank.

    >>> found = blanks([["the", "cat", "drank"]], window=1)
    >>> found.words, found.contexts, found.targets
    (('the', 'cat', 'drank'), ((1,), (0, 2), (1,)), (0, 1, 2))
    """
    counts = Counter(word for sentence in sentences for word in sentence)
    words = tuple(word for word, count in counts.most_common() if count >= least)
    index = {word: i for i, word in enumerate(words)}
    share = np.array([counts[word] for word in words]) / sum(counts.values())
    keep = np.minimum(1, np.sqrt(thin / share)) if thin else np.ones(len(words))
    rng, contexts, targets = np.random.default_rng(seed), [], []
    for sentence in sentences:
        ids = [index[word] for word in sentence if word in index]
        ids = [i for i, draw in zip(ids, rng.random(len(ids))) if draw < keep[i]]
        for at, target in enumerate(ids if len(ids) > 1 else ()):
            contexts.append((*ids[max(0, at - window) : at], *ids[at + 1 : at + 1 + window]))
            targets.append(target)
    return Blanks(words, tuple(contexts), tuple(targets))


@dataclass(frozen=True, repr=False)
class Training:
    """What a training left behind. ``snapshots[i]`` is E after ``steps[i]`` steps, ``held_out[i]`` the loss on blanks that
    were never trained on; ``losses`` has one entry per step.

    ``whose`` gradients they were: "your" or "the reference".
    """

    words: tuple[str, ...]
    E: np.ndarray  # (V, d)
    U: np.ndarray  # (d, V)
    losses: np.ndarray  # (steps,)
    steps: tuple[int, ...]
    snapshots: np.ndarray  # (frames, V, d)
    held_out: np.ndarray  # (frames,)
    whose: str

    def __repr__(self):
        steps, words = f"{len(self.losses):,} steps", f"{len(self.words):,} words"
        return f"Training({steps}, {words}, trained by {self.whose} cbow_gradients)"

    @property
    def vectors(self) -> WordVectors:
        """The trained rows with their words, to be used like GloVe's."""
        return WordVectors(self.words, self.E.copy())


@threadpool_limits.wrap(limits=1, user_api="blas")  # products this small are slower on two
def train(
    blanks: Blanks,
    predict_missing=reference.predict_missing,
    cbow_gradients=reference.cbow_gradients,
    *,
    width: int = 16,
    batch: int = 64,
    steps: int = 1000,
    rate: float = 0.3,
    seed: int = 0,
    sampled: bool = False,
    label: str = "",
) -> Training:
    """Embeddings trained from random rows; the gradients of every blank come from ``cbow_gradients``.

    A function so slow that the training would take longer than a minute is thanked, and the reference goes on from
    where it stood. With a label it shows a progress bar, mark by mark, the same in every run.
    """
    rng, V = np.random.default_rng(seed), len(blanks.words)
    tables = Tables(rng.normal(scale=0.1, size=(V, width)), np.zeros((width, V)))
    order = rng.permutation(len(blanks))
    unseen, order = order[:HELD_OUT], order[HELD_OUT:]
    kept = {0: tables.E.copy()}
    held_out = [held_out_loss(blanks, unseen, tables, predict_missing)]
    losses, begun = np.empty(steps), time.process_time()
    print(label, end=" " if label else "")
    for step in range(steps):
        picks = order.take(np.arange(step * batch, (step + 1) * batch), mode="wrap")
        examples = [(blanks.contexts[i], blanks.targets[i]) for i in picks]
        losses[step] = tables.learn(examples, cbow_gradients, rate, sampled)
        if step + 1 == TRIAL and (time.process_time() - begun) / TRIAL * steps > PATIENCE:
            print(f"(right, but too slow for {steps * batch:,} blanks: the reference goes on) ", end="")
            predict_missing, cbow_gradients = reference.predict_missing, reference.cbow_gradients
        if step + 1 in SNAPSHOT_STEPS or step + 1 == steps:
            kept[step + 1] = tables.E.copy()
            held_out.append(held_out_loss(blanks, unseen, tables, predict_missing))
        if label and (step + 1) * MARKS // steps > step * MARKS // steps:
            print("▪", end="", flush=True)
    print(f" loss {losses[:10].mean():.2f} → {losses[-50:].mean():.2f}\n" if label else "", end="")
    whose = getattr(cbow_gradients, "whose", "the reference" if cbow_gradients is reference.cbow_gradients else "your")
    return Training(
        blanks.words, tables.E, tables.U, losses, tuple(kept), np.array(list(kept.values())), np.array(held_out), whose
    )


class Tables:
    """E and U, and for each of their numbers the sum of its squared gradients (Adagrad, Duchi et al. 2011).

    The sums begin a little above 0: else the first step would be as long for a gradient of noise as for any other.
    """

    def __init__(self, E: np.ndarray, U: np.ndarray):
        self.E, self.U = E, U
        self.E_squares, self.U_squares = np.full_like(E, FLOOR), np.full_like(U, FLOOR)

    def learn(self, examples, gradients, rate: float, sampled: bool) -> float:
        """One step on a batch of (context, target); the mean loss before it. With ``sampled`` only the words of
        the batch take part, under ids of their own."""
        words = sorted({word for context, target in examples for word in (*context, target)}) if sampled else range(len(self.E))
        own, rows = {word: i for i, word in enumerate(words)}, list(words) if sampled else slice(None)
        E, U = self.E[rows], self.U[:, rows]
        loss, dE, dU = 0.0, np.zeros(E.shape), np.zeros(U.shape)
        for context, target in examples:
            one_loss, one_dE, one_dU = gradients(np.array([own[word] for word in context]), own[target], E, U)
            loss, dE, dU = loss + one_loss, dE + one_dE, dU + one_dU
        self.E_squares[rows] += dE**2
        self.U_squares[:, rows] += dU**2
        self.E[rows] -= rate * dE / np.sqrt(self.E_squares[rows])
        self.U[:, rows] -= rate * dU / np.sqrt(self.U_squares[:, rows])
        return float(loss) / len(examples)


def held_out_loss(blanks: Blanks, numbers, tables: Tables, predict_missing) -> float:
    """The mean of −ln p of the right word over some blanks, every word competing."""
    return float(
        np.mean([-np.log(predict_missing(np.array(blanks.contexts[i]), tables.E, tables.U)[blanks.targets[i]]) for i in numbers])
    )


def own_group(words: Sequence[str], E: np.ndarray, groups=None) -> float:
    """The share of the groups' words whose nearest neighbour, among all words of the groups, is in their own group."""
    groups = GROUPS if groups is None else groups
    index = {word: i for i, word in enumerate(words)}
    members = [(index[word], group) for group, its in groups.items() for word in its if word in index]
    ids, names = np.array([i for i, _ in members]), np.array([group for _, group in members])
    cosines = cosine_matrix(E[ids], E[ids])
    np.fill_diagonal(cosines, -2)
    return float(np.mean(names[cosines.argmax(axis=1)] == names))
