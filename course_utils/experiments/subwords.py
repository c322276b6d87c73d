"""Words from their pieces: a vector for a word that was never seen.

A word is cut into its letter n-grams, each n-gram is hashed into one of a fixed number of buckets, and a word's vector
is the mean of its buckets' vectors, as in FastText (Bojanowski et al. 2017, "Enriching word vectors with subword
information"). FastText trains the buckets on text. Here a bucket simply gets the mean row of the known words that
have one of its n-grams: crude, without training, and enough to place most new words.
"""

import zlib
from collections.abc import Sequence

import numpy as np

BUCKETS = 100_000


def ngrams(word: str, shortest: int = 3, longest: int = 6) -> list[str]:
    """The pieces of a word, with < and > for its ends, so that a prefix differs from the same letters inside.

    >>> ngrams("cat", 3, 4)
    ['<ca', 'cat', 'at>', '<cat', 'cat>']
    """
    marked = f"<{word}>"
    return [marked[i : i + n] for n in range(shortest, longest + 1) for i in range(len(marked) - n + 1)]


def buckets(word: str) -> list[int]:
    """The bucket of each n-gram. Python's own ``hash`` would differ from run to run."""
    return [zlib.crc32(piece.encode()) % BUCKETS for piece in ngrams(word)]


class Subwords:
    """Bucket vectors taken from known words and their rows E (V, d)."""

    def __init__(self, words: Sequence[str], E: np.ndarray):
        E = np.asarray(E, dtype=np.float32)
        self.mean = E.mean(axis=0)  # subtracted, so that pieces found in all kinds of words count for little
        found = [buckets(word) for word in words]
        bucket = np.concatenate(found)
        owner = np.repeat(np.arange(len(words)), [len(its) for its in found])
        order = np.argsort(bucket, kind="stable")
        used, first, counts = np.unique(bucket[order], return_index=True, return_counts=True)
        self.vectors = np.zeros((BUCKETS, E.shape[1]), np.float32)
        self.vectors[used] = np.add.reduceat((E - self.mean)[owner[order]], first, axis=0) / counts[:, None]
        self.known = np.zeros(BUCKETS, dtype=bool)
        self.known[used] = True

    def __getitem__(self, word: str) -> np.ndarray:
        """The vector of any word (d,), known or not; the mean of all words where no piece of it was ever seen."""
        mine = [bucket for bucket in buckets(word) if self.known[bucket]]
        return self.mean + self.vectors[mine].mean(axis=0) if mine else self.mean.copy()
