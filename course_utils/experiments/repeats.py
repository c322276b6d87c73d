"""The repeat test of lesson 8: random words, given twice. Who can copy finds the second time easy (Olsson et al. 2022).

No grammar and no meaning helps here, so a loss that falls the second time has one explanation: what came after this
word last time was looked up. Every text begins with [CLS], as the model expects.
"""

from typing import NamedTuple

import numpy as np

WORDS, TEXTS = 20, 24


class Surprise(NamedTuple):
    """Mean loss, in nats a word: of random words, of the same words again, and of other random words in their place."""

    first: float
    again: float
    others: float


def random_texts(decoder, rng, words: int = WORDS, texts: int = TEXTS) -> list[tuple[np.ndarray, np.ndarray]]:
    """Pairs (1 + 2 · words,) of ids: random words given twice, and the same words followed by others.

    Words are whole ones of four letters and more, each at most once in a text. ``decoder``: as ``load_decoder`` gives it.
    """
    whole = np.array([i for i, piece in enumerate(decoder.tokenizer.vocab) if piece.isalpha() and len(piece) > 3])
    start = decoder.ids("")
    pairs = []
    for _ in range(texts):
        drawn = rng.choice(whole, 2 * words, replace=False)
        pairs.append((np.concatenate([start, drawn[:words], drawn[:words]]), np.concatenate([start, drawn])))
    return pairs


def surprise(pairs, logits_of, next_token_loss) -> Surprise:
    """logits_of(ids (n,)) → (n, V), and the loss function of lesson 8."""
    words = len(pairs[0][0]) // 2
    losses = []
    for repeated, other in pairs:
        logits, elsewhere = logits_of(repeated), logits_of(other)
        losses.append(
            (
                next_token_loss(logits[: words + 1], repeated[: words + 1]),
                next_token_loss(logits[words:], repeated[words:]),
                next_token_loss(elsewhere[words:], other[words:]),
            )
        )
    return Surprise(*np.mean(losses, axis=0).tolist())


def mean_scores(texts, weights_of, score) -> np.ndarray:
    """(L, h): the mean over texts of score(weights (h, n, n)), [CLS] left out. weights_of(ids) → L arrays of weights."""
    return np.mean([[score(weights[:, 1:, 1:]) for weights in weights_of(ids)] for ids in texts], axis=0)


def even_score(words: int = WORDS) -> float:
    """``induction_score`` of a head that looks at all it may see alike: what no copying gives."""
    return float(np.mean([1 / (words + i + 1) for i in range(words - 1)]))
