"""Search by meaning: which of some hundred sentences is nearest to a question (lesson 7).

A way of making vectors is a function ``vector(text) -> (d,)``; near is high cosine. A sentence that uses a word in one
of its senses is found rightly when its nearest other sentence with that word uses it in the same sense.
"""

from typing import NamedTuple

import numpy as np

from course_utils.datasets import load_glove
from course_utils.word_vectors import cosine_matrix

from .sentences import MISLEADING, SENSES, TWICE, words_of

TEXTS = tuple(
    dict.fromkeys(
        [text for senses in SENSES.values() for texts in senses.values() for text in texts]
        + [text for _, _, text in TWICE]
        + [text for _, _, text in MISLEADING]
    )
)  # what is searched


class Found(NamedTuple):
    text: str
    cosine: float


def averaged_glove(text) -> np.ndarray:
    """The mean of a text's GloVe rows: no context at all. Zeros where GloVe knows none of its words."""
    glove = load_glove()
    known = [word for word in words_of(text) if word in glove]
    return glove[known].astype(float).mean(axis=0) if known else np.zeros(glove.E.shape[1])


def nearest_texts(question, texts, vector, k=5) -> list[Found]:
    """The k texts nearest to the question, best first; of equal ones the earlier."""
    table = np.array([vector(text) for text in texts])
    cosines = cosine_matrix(vector(question)[None], table)[0]
    return [Found(texts[i], float(cosines[i])) for i in np.argsort(-cosines, kind="stable")[:k]]


def same_sense_share(vector) -> float:
    """Of the 108 sentences: the share whose nearest other sentence with the same word has the same sense, 5/11 by chance."""
    right = []
    for senses in SENSES.values():
        texts = [text for each in senses.values() for text in each]
        sense = np.repeat(np.arange(len(senses)), [len(each) for each in senses.values()])
        table = np.array([vector(text) for text in texts])
        cosines = cosine_matrix(table, table)
        np.fill_diagonal(cosines, -np.inf)
        right += (sense[cosines.argmax(axis=1)] == sense).tolist()
    return float(np.mean(right))
