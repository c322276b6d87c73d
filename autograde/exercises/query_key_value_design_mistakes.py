"""Lesson 4: queries that do not yield the wanted table, and the sentence that helps."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import query_key_value as ref
from course_utils.embedding_space import softmax


def _solves(right_side, keys=lambda K: K):
    return lambda K, wanted: np.linalg.lstsq(keys(np.asarray(K, float)), right_side(np.asarray(wanted)), rcond=None)[0]


def _design_square_only(K, wanted):
    return np.linalg.solve(np.asarray(K, float), np.log(wanted))


def _design_in_place(K, wanted):
    q = ref.design_query(K, wanted)
    np.log(wanted, out=wanted)
    return q


def _design_by_columns(K, wanted):
    if K.shape[0] != K.shape[1]:
        raise np.linalg.LinAlgError("Incompatible dimensions")
    return np.linalg.solve(np.asarray(K, float).T, np.log(wanted))


DESIGN_QUERY = (
    Misconception(
        "no-logarithm",
        _solves(lambda p: p),
        "You made the scores equal to the wanted weights. Softmax takes exponentials first: the scores are their logarithms.",
    ),
    Misconception(
        "exponential",
        _solves(np.exp),
        "You took exponentials of the table. Softmax does that already; to undo it take logarithms.",
    ),
    Misconception("logarithm-base-2", _solves(np.log2), "Softmax undoes the natural logarithm: np.log, not np.log2."),
    Misconception("logarithm-base-10", _solves(np.log10), "Softmax undoes the natural logarithm: np.log, not np.log10."),
    Misconception(
        "softmax-of-the-table",
        _solves(softmax),
        "You took softmax of the table. Go the other way: which scores does softmax turn into it? Their logarithms.",
    ),
    Misconception(
        "log-odds",
        _solves(lambda p: np.log(p / np.maximum(1 - p, 1e-12))),
        "ln(p / (1 − p)) undoes a sigmoid. Softmax is undone by ln p.",
    ),
    Misconception(
        "negated", _solves(lambda p: -np.log(p)), "Your scores have the opposite sign: the key that should get most gets least."
    ),
    Misconception(
        "weighted-keys",
        lambda K, wanted: wanted @ K,
        "You mixed the keys by the wanted weights. That points somewhere between them; solve K q = ln(wanted) instead.",
    ),
    Misconception(
        "log-weighted-keys",
        lambda K, wanted: np.log(wanted) @ K,
        "Kᵀ ln(wanted) solves the equations only for keys at right angles and of length 1. Use np.linalg.lstsq.",
    ),
    Misconception(
        "nearest-key",
        lambda K, wanted: K[np.argmax(wanted)] * 1.0,
        "You asked with the key that should get most. That says nothing about how much the others get.",
    ),
    Misconception(
        "scaled",
        lambda K, wanted: ref.design_query(K, wanted) * np.sqrt(K.shape[-1]),
        "You reckoned with a division by √d_k. In this lesson scores are not scaled.",
    ),
    Misconception(
        "only-square",
        _design_square_only,
        "np.linalg.solve and inv want as many keys as numbers in a key. np.linalg.lstsq and pinv take fewer keys too.",
    ),
    Misconception("transposed", _design_by_columns, "You solved Kᵀ q = ln(wanted). The keys are the rows: K q."),
    Misconception("changes-the-table", _design_in_place, "The call writes into wanted, and whoever called needs it again."),
)
