"""What text says of people, left in its vectors: occupations between *he* and *she*.

After Bolukbasi et al. 2016, "Man is to Computer Programmer as Woman is to Homemaker?", who take the direction out, and
Gonen and Goldberg 2019, "Lipstick on a Pig", who show what is left when it is out.
"""

import numpy as np

from course_utils.datasets import WordVectors
from course_utils.word_vectors import cosine_matrix, unit_rows

OCCUPATIONS = tuple(
    "nurse librarian teacher dancer secretary journalist lawyer doctor professor scientist "
    "programmer engineer pilot carpenter philosopher mechanic".split()
)
FREQUENT = 10_000  # words, most frequent first, among which the two ends are sought
MOST = 300  # words at each end


def direction(glove: WordVectors) -> np.ndarray:
    """From *she* to *he* (d,), at length 1, both rows brought to length 1 before."""
    he, she = unit_rows(glove[["he", "she"]])
    return (he - she) / np.linalg.norm(he - she)


def leaning(words, glove: WordVectors) -> dict[str, float]:
    """The cosine of each word with the direction from she to he, the most she-like first."""
    cosines = cosine_matrix(glove[list(words)], direction(glove)[None])[:, 0]
    return {words[i]: float(cosines[i]) for i in np.argsort(cosines)}


def without(E: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Rows (n, d) with what lies along a direction of length 1 taken out of each."""
    return E - np.outer(E @ along, along)


def neighbours_alike(glove: WordVectors, taken_out: bool) -> float:
    """Of the 300 most he-like and the 300 most she-like of the frequent words: the share whose nearest neighbour among
    the 600 was on the same side at first. With ``taken_out`` the direction has been taken out of every row."""
    along, rows = direction(glove), unit_rows(glove.E[:FREQUENT])
    order = np.argsort(rows @ along)
    ends = np.concatenate([order[:MOST], order[-MOST:]])
    side = np.repeat([0, 1], MOST)
    rows = without(rows[ends], along) if taken_out else rows[ends]
    cosines = cosine_matrix(rows, rows)
    np.fill_diagonal(cosines, -2)
    return float(np.mean(side[cosines.argmax(axis=1)] == side))
