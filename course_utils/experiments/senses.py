"""Can two senses of a word be told apart by their vectors? The measurements of lesson 3.

A way of making vectors is a function ``vectors(text, word) -> list``: one vector for each occurrence of the word.
``nearest`` is ``nearest_sense``, the learner's or the reference.
"""

import functools
from typing import NamedTuple

import numpy as np

from course_utils import polysemy
from course_utils.datasets import load_glove, load_minilm
from course_utils.word_vectors import cosine_matrix

from .sentences import MISLEADING, SENSES, TWICE, occurrences, words_of

TIE = 1e-6  # cosines nearer than this are equal: what is left is rounding, and differs from machine to machine


class Uses(NamedTuple):
    """The uses of one word: a vector each (12, d), the index of its sense, and its sentence."""

    vectors: np.ndarray
    sense: np.ndarray
    texts: tuple[str, ...]


# ---- ways of making vectors


@functools.cache
def glove_rows(text):
    """The words of a text that GloVe knows ("a" and "i" are missing), and their rows (n, d)."""
    glove = load_glove()
    words = [word for word in words_of(text) if word in glove]
    rows = glove[words].astype(float)
    rows.setflags(write=False)  # shared by every caller
    return words, rows


def static(text, word):
    """The word's own row, whatever stands around it."""
    words, rows = glove_rows(text)
    return [rows[i] for i in occurrences(word, words)]


def averaged(window, average=polysemy.context_average):
    """The mean of the static rows around each occurrence."""

    def vectors(text, word):
        words, rows = glove_rows(text)
        return [average(rows, i, window) for i in occurrences(word, words)]

    return vectors


def mixed(weights_of, mix=polysemy.mix):
    """The static rows of a sentence, mixed by the weights that ``weights_of`` makes of them."""

    def vectors(text, word):
        words, rows = glove_rows(text)
        return list(mix(weights_of(rows), rows)[occurrences(word, words)])

    return vectors


def contextual(layer):
    """What the real model makes of each occurrence: layer 0 before any attention, to 4."""

    def vectors(text, word):
        run = load_minilm().run(text)
        return list(run.hidden[layer][occurrences(word, run.tokens)])

    return vectors


def first_article(layer):
    """What the real model makes of the first *the*, *a* or *an* of a text, a word without senses; of its first word
    where there is no article."""

    def vectors(text, word):
        run = load_minilm().run(text)
        found = [i for i, token in enumerate(run.tokens) if token in ("the", "a", "an")]
        return [run.hidden[layer][found[0] if found else 1]]

    return vectors


# ---- what they are worth


def uses(word, vectors) -> Uses:
    """The twelve sentences of a word, each turned into the vector of the word in it."""
    texts = tuple(text for sentences in SENSES[word].values() for text in sentences)
    sense = np.repeat(np.arange(2), [len(sentences) for sentences in SENSES[word].values()])
    return Uses(np.array([vectors(text, word)[0] for text in texts]), sense, texts)


def told_right(these: Uses, nearest=polysemy.nearest_sense) -> np.ndarray:
    """For each use: 1 if its vector is nearest to the centroid of its own sense, made without it; a tie is 0.5. (12,)"""
    found = []
    for vector, sense, two in zip(these.vectors, these.sense, centroids_without(these)):
        cosines = cosine_matrix(vector[None], two)[0]
        tie = abs(cosines[0] - cosines[1]) < TIE
        found.append(0.5 if tie else float(nearest(vector, two) == sense))
    return np.array(found)


def centroids_without(these: Uses):
    """For each use, the centroids of the two senses (2, d) made of the other uses alone."""
    for i in range(len(these.sense)):
        others = np.arange(len(these.sense)) != i
        yield np.array([these.vectors[others & (these.sense == sense)].mean(axis=0) for sense in (0, 1)])


def accuracy(vectors, nearest=polysemy.nearest_sense) -> float:
    """Share of the 108 sentences whose sense is told right; a tie counts half."""
    return float(np.mean([told_right(uses(word, vectors), nearest) for word in SENSES]))


def centroids(word, vectors) -> np.ndarray:
    """The mean vector of each sense, (2, d)."""
    these = uses(word, vectors)
    return np.array([these.vectors[these.sense == sense].mean(axis=0) for sense in (0, 1)])


def twice_accuracy(vectors) -> float:
    """Share of the 24 sentences with the word twice in which it is told which is which; a tie counts half."""
    told = []
    for word, senses, text in TWICE:
        first, second = (list(SENSES[word]).index(sense) for sense in senses)
        cosines = cosine_matrix(vectors(text, word), centroids(word, vectors))  # (2 occurrences, 2 senses)
        lead = cosines[0, first] + cosines[1, second] - cosines[0, second] - cosines[1, first]
        told.append(0.5 if abs(lead) < TIE else float(lead > 0))
    return float(np.mean(told))


def misled_accuracy(vectors, nearest=polysemy.nearest_sense) -> float:
    """Share of the 18 sentences with misleading neighbours whose sense is told right."""
    return float(
        np.mean(
            [
                nearest(vectors(text, word)[0], centroids(word, vectors)) == list(SENSES[word]).index(sense)
                for word, sense, text in MISLEADING
            ]
        )
    )


def misleading_distances() -> list[int]:
    """For each of the 18 misleading sentences: how many words away the most misleading one stands, that whose row is
    nearer by most to the centroid of the wrong sense (of averages over whole sentences) than to that of the right one."""
    found = []
    for word, sense, text in MISLEADING:
        words, rows = glove_rows(text)
        right = list(SENSES[word]).index(sense)
        cosines = cosine_matrix(rows, centroids(word, averaged(99)))
        pull = cosines[:, 1 - right] - cosines[:, right]
        (here, *_) = occurrences(word, words)
        pull[here] = -np.inf
        found.append(abs(int(pull.argmax()) - int(here)))
    return found
