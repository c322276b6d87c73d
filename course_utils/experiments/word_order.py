"""Does a decoder notice in which order words came? Its guess at the next one, before and after they change places.

Without positions one layer cannot: the last token sees a bag of rows. A second layer can all the same, for under a
causal mask each row already tells which rows stood before it (Haviv et al. 2022).
"""

import numpy as np

from course_utils.decoder import next_distribution

TEXTS = (
    "the dog chased the cat across the",
    "she gave the old man her new",
    "he was not able to see the",
    "a small bird with a long red",
    "the doctor who saw the patient was",
)


def without_positions(model) -> dict:
    """The same model with a row of zeros for every position."""
    tables = model["embeddings"]
    return model | {"embeddings": tables | {"position": np.zeros_like(tables["position"])}}


def first_layer(model) -> dict:
    """The same model without all layers but the first."""
    return model | {"layers": model["layers"][:1]}


def shuffled(ids, rng) -> np.ndarray:
    """The ids in another order; the first, [CLS], and the last, which predicts, stay."""
    ids = np.asarray(ids)
    inner = rng.permutation(ids[1:-1])
    while (inner == ids[1:-1]).all():
        inner = rng.permutation(ids[1:-1])
    return np.concatenate([ids[:1], inner, ids[-1:]])


def moved(before, after) -> float:
    """How much probability two guesses, logits (V,) each, place differently: 0 none, 1 all (total variation)."""
    return float(np.abs(next_distribution(before) - next_distribution(after)).sum() / 2)


def noticed(logits_of, decoder, rng) -> float:
    """The mean of ``moved`` over ``TEXTS``, each shuffled. logits_of(ids (n,)) → (n, V)."""
    found = []
    for text in TEXTS:
        ids = decoder.ids(text)
        found.append(moved(logits_of(ids)[-1], logits_of(shuffled(ids, rng))[-1]))
    return float(np.mean(found))
