"""Real text for the ladder's models: windows of twelve words from dictionary definitions, ten to read, two to predict."""

from collections import Counter

import numpy as np

from course_utils.datasets import load_definitions

from .sentences import LENGTH, Sentences


def windows(n_words=300):
    """All windows of WordNet's definitions: (training, test) Sentences, all of kind 0; a definition is in one of them.

    Words are numbered by how frequent they are, 0 … n_words − 2; all rarer ones are one word, n_words − 1.

    >>> training, test = windows(n_words=300)
    >>> training.ids.shape[1], test.answers.shape[1], int(training.ids.max())
    (10, 2, 299)
    """
    texts = load_definitions()
    common = Counter(word for text in texts for word in text).most_common(n_words - 1)
    number = {word: i for i, (word, _) in enumerate(common)}
    numbered = [[number.get(word, n_words - 1) for word in text] for text in texts]
    order = np.random.default_rng(0).permutation(len(texts))
    tenth = len(texts) // 10
    return tuple(_windows([numbered[i] for i in part]) for part in (order[tenth:], order[:tenth]))


def _windows(texts):
    rows = np.array([text[i : i + LENGTH + 2] for text in texts for i in range(len(text) - LENGTH - 1)])
    return Sentences(rows[:, :LENGTH], rows[:, LENGTH:], np.zeros(len(rows), dtype=int))
