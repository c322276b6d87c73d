"""Which words stand together how often: what GloVe is fitted to (Pennington, Socher and Manning 2014)."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np


def together(sentences: Iterable[Sequence[str]], rows: Sequence[str], columns: Sequence[str], window: int = 4) -> np.ndarray:
    """How often each row word has each column word within ``window`` places of it: (rows, columns).

    >>> together([["the", "dog", "barked"], ["the", "cat", "purred"]], ["dog", "cat"], ["barked", "the"]).tolist()
    [[1, 1], [0, 1]]
    """
    found: Counter = Counter()
    for words in sentences:
        for i, word in enumerate(words):
            near = [*words[max(0, i - window) : i], *words[i + 1 : i + 1 + window]]
            found.update((word, other) for other in near)
    return np.array([[found[row, column] for column in columns] for row in rows])
