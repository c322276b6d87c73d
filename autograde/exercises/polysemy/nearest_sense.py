"""nearest_sense: which sense's vector lies nearest by cosine."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import polysemy as ref
from course_utils.word_vectors import cosine_matrix, unit_rows

from ..cosine import cosine
from ..inputs import vectors
from ..inputs.layouts import and_read_only, each_array, in_layouts, in_types, laid_out, single

norm = np.linalg.norm


# ---- what is asked


def clear(rng, s, d, lengths=(0.5, 2.0)):
    """A vector and s senses of which one has the highest cosine by a clear margin, by absolute value too."""
    while True:
        vector, senses = rng.normal(size=d), rng.normal(size=(s, d))
        cosines = senses @ vector / np.linalg.norm(senses, axis=1) / np.linalg.norm(vector)
        first, second = np.sort(cosines)[::-1][:2]
        if first - second > 0.1:
            return vector, senses / np.linalg.norm(senses, axis=1, keepdims=True) * rng.uniform(*lengths, size=(s, 1))


def sense_plain(rng):
    return [
        (np.array([1, 2]), np.array([[3, 0], [0, 3]])),
        (np.array([3, 1]), np.array([[2, 0], [0, 2]])),
        *(clear(rng, s, d) for s, d in ((3, 4), (2, 5), (4, 4), (5, 3), (3, 8))),
        (rng.normal(size=3), rng.normal(size=(1, 3))),
        (np.array([2.0]), np.array([[-1.0], [3.0]])),
    ]


def sense_lengths(rng):
    cases = [
        (np.array([1, 2]), np.array([[9, 0], [0, 1]])),
        (np.array([1, 2]), np.array([[1, 0], [0, 9]])),
        (np.array([2, 1]), np.array([[30, 5], [1, 9], [2, 1]])),
    ]
    for s, d, best, others in ((3, 4, 0.3, 900), (4, 6, 500, 0.2), (2, 3, 0.2, 60)):
        vector, senses = clear(rng, s, d, (1, 1))
        lengths = np.where(np.arange(s) == ref.nearest_sense(vector, senses), best, others)
        cases.append((vector * rng.uniform(0.5, 9), senses * lengths[:, None]))
    return cases


def sense_signs(rng):
    vector, senses = clear(rng, 4, 5)
    nearest = np.argsort(-(senses @ vector) / np.linalg.norm(senses, axis=1))
    return [
        (np.array([1, 0]), np.array([[-5, 0], [1, 1]])),
        (np.array([-1, 2]), np.array([[2, 1], [3, -6], [-3, 1]])),
        (np.array([1, 1]), np.array([[-1, -1], [-3, -1], [-4, 3]])),
        (vector, senses[nearest[[3, 2, 0]]]),
        (vector, -senses),
    ]


def sense_ties(rng):
    """Equal rows whose unit vectors are exact in binary, so that no order of adding breaks the tie."""
    a, b, c = np.array([2, 0, 0, 0]), np.array([1, 1, 1, 1]), np.array([0, 4, 0, 0])
    return [
        (np.array([4, 0]), np.array([[0, 2], [2, 0], [2, 0]])),
        (a, np.array([c, b, b, -a])),
        (b.astype(float), np.array([c, -b, b, a, b, b], dtype=float)),
        (c, np.array([a, -c, a, -b])),
        (np.array([1, 0]), np.array([[0, 2], [0, -1]])),
        (a, np.array([-b, -b, -b, -b, c, -c])),  # a sort that is not stable may put the last one first
    ]


def sense_zero(rng):
    """Zero vectors; and senses that look like them and are not, such as [1, -1], [0, 1] and [0, -3]."""
    vector = rng.normal(size=3)
    return [
        (np.array([1, 0]), np.array([[-2, 0], [0, 0]])),
        (np.array([1, 0]), np.array([[0, 0], [3, 1]])),
        (np.array([0, 0]), np.array([[3, 0], [0, 0]])),
        (vector, np.array([-vector, np.zeros(3), -vector * 2])),
        (np.array([0, 1]), np.array([[0, -1], [1, 0], [0, 0]])),
        *((like, np.array([-np.ones_like(like), like, np.zeros_like(like)])) for like in vectors.like_zero(3)),
    ]


def sense_types(rng):
    vector, senses = clear(rng, 3, 4)
    return [
        (np.array([-1, 3]), np.array([[4, 1], [1, 9]])),
        (vector, senses),
        (np.array([-1, 3]), np.array([[4.0, 1.0], [1.0, 9.0]])),
        (np.array([-1.0, 3.0]), np.array([[4, 1], [1, 9]])),
        each_array((vector, senses), single),
        *in_layouts((vector, senses)),
        (np.array([2, 7]), np.array([[5.0, 0.5], [-1.0, 0.5], [0.5, 2.5]])),
    ]


def every_kind(rng):
    """One sense and many, vectors of all families, ties that are exact; no two cosines nearly equal."""
    tables = [
        (vector, vectors.table(rng, s, d))
        for d in (2, 1, 3, 5)
        for s in (2, 1, 3, 6)
        for _ in range(3)
        for vector in vectors.families(rng, d)
    ]
    tiny = (np.array([1.0, 2.0]), np.array([[3.0, 0.0], [0.0, 3.0]]))
    clear_ones = [case for case in tables if no_near_tie(*case)]
    return [tiny, *sense_ties(rng), *sense_zero(rng), *in_types(tiny), *laid_out(clear_ones), *singles(clear_ones)]


def singles(cases):
    return (each_array(case, single) for case in cases[::5])


def no_near_tie(vector, senses) -> bool:
    """The highest cosine is clearly so, or equal to another one without any rounding: each of their products is 0."""
    cosines = cosine_matrix(vector[None], senses)[0]
    near = cosines.max() - cosines < 1e-3
    return near.sum() == 1 or not (senses[near] * vector).any()


# ---- what learners write instead


def _cosines(vector, senses):
    return cosine_matrix(np.asarray(vector)[None], senses)[0]


def _highest(scores):
    """nearest_sense with scores of another kind."""
    return lambda vector, senses: int(np.argmax(scores(vector, senses)))


def _last_of_a_tie(vector, senses):
    cosines = _cosines(vector, senses)
    return len(cosines) - 1 - int(np.argmax(cosines[::-1]))


def _nan_wins(vector, senses):
    return int(np.argmax(senses @ vector / (norm(senses, axis=1) * norm(vector))))


def _search_from_zero(vector, senses):
    best, highest = 0, 0.0
    for i, found in enumerate(_cosines(vector, senses)):
        if found > highest:
            best, highest = i, found
    return best


def _zero_row_never(vector, senses):
    cosines = _cosines(vector, senses)
    cosines[~senses.any(axis=1)] = -np.inf
    return int(np.argmax(cosines))


def _zero_row_is_like_everything(vector, senses):
    return int(np.argmax(np.where(senses.any(axis=1), _cosines(vector, senses), 1.0)))


def _centred(vector, senses):
    return _cosines(vector - vector.mean(), senses - senses.mean(axis=1, keepdims=True))


def _one_when_found(vector, senses):
    return np.arange(len(senses)) == ref.nearest_sense(vector, senses)


def _columns_normalised(vector, senses):
    return unit_rows(senses.T).T @ vector


def _squared_lengths(vector, senses):
    squares = (senses**2).sum(axis=1)
    return senses @ vector / np.where(squares == 0, 1, squares)


MISTAKES = (
    Misconception(
        "dot-product-for-cosine",
        _highest(lambda v, S: S @ v),
        "The largest dot product was taken, which favours long senses. Divide out the length of each sense.",
    ),
    Misconception(
        "distance-for-cosine",
        _highest(lambda v, S: -norm(S - v, axis=1)),
        "The nearest point was taken. Distance depends on length; the cosine looks at the direction alone.",
    ),
    Misconception(
        "smallest-cosine",
        lambda vector, senses: int(np.argmin(_cosines(vector, senses))),
        "The lowest cosine was taken (argmin). The nearest sense has the highest: argmax. Smallest is right for a distance.",
    ),
    Misconception(
        "sign-lost",
        _highest(lambda v, S: np.abs(_cosines(v, S))),
        "The sign of the cosine is lost. −1 points the other way: it is as far as a sense can be.",
    ),
    Misconception(
        "squared-cosine",
        _highest(lambda v, S: _cosines(v, S) ** 2 * (1 + 1e-9 * np.arange(len(S)))),
        "The cosine was squared, which loses its sign. −1 points the other way: it is as far as a sense can be.",
    ),
    Misconception(
        "search-starts-at-zero",
        _search_from_zero,
        "The search starts from a highest cosine of 0, so senses with negative cosines are never taken. "
        "Start below −1, or use np.argmax.",
    ),
    Misconception(
        "last-of-a-tie",
        _last_of_a_tie,
        "On a tie the last sense was taken. The smaller index wins: np.argmax does that, and > instead of ≥ in a loop.",
    ),
    Misconception(
        "counts-from-one",
        lambda vector, senses: ref.nearest_sense(vector, senses) + 1,
        "The index counts from 1. Rows count from 0, as in senses[0].",
    ),
    Misconception(
        "cosine-for-index",
        lambda vector, senses: float(_cosines(vector, senses).max()),
        "This is the highest cosine. Return where it stands: np.argmax.",
    ),
    Misconception(
        "sense-for-index",
        lambda vector, senses: senses[ref.nearest_sense(vector, senses)],
        "This is the row of the nearest sense. Return its index.",
    ),
    Misconception(
        "true-for-index", _one_when_found, "This marks the nearest sense with True. Return its index: np.argmax of the cosines."
    ),
    Misconception("all-cosines", _cosines, "These are all cosines. Return the index of the highest: np.argmax."),
    Misconception(
        "lengths-of-columns",
        _highest(_columns_normalised),
        "The columns of senses were made one long (axis 0). A sense is a row: its length is taken along axis 1.",
    ),
    Misconception(
        "squared-lengths",
        _highest(_squared_lengths),
        "The lengths have no root, so short senses win. The length is the root of the sum of squares.",
    ),
    Misconception(
        "absolute-sums",
        _highest(lambda v, S: S @ v / np.maximum(np.abs(S).sum(axis=1), 1e-9)),
        "Length was measured by adding absolute values. It is the root of the sum of squares.",
    ),
    Misconception(
        "centred-first",
        _highest(_centred),
        "The mean was taken off each vector first: that is a correlation. The cosine uses the vectors as they are.",
    ),
    Misconception(
        "zero-row-is-nan", _nan_wins, "A zero row makes 0 / 0, which is NaN, and np.argmax then picks it. Its cosine is 0."
    ),
    Misconception(
        "zero-row-never-chosen", _zero_row_never, "A zero row is never chosen. Its cosine is 0, which beats a negative one."
    ),
    Misconception(
        "zero-row-is-like-everything",
        _zero_row_is_like_everything,
        "A zero row is taken to be like everything (1). Its cosine is 0 by our convention.",
    ),
)


# ---- right answers written differently


def _nearest_loop(vector, senses):
    best, highest = 0, -2.0
    for i, sense in enumerate(senses):
        if cosine(vector, sense) > highest:
            best, highest = i, cosine(vector, sense)
    return best


def _nearest_max(vector, senses):
    return max(range(len(senses)), key=lambda i: cosine(vector, senses[i]))


def _nearest_eps(vector, senses):
    cosines = senses @ vector / (np.linalg.norm(senses, axis=1) * np.linalg.norm(vector) + 1e-8)
    return np.argmax(cosines)


def _nearest_sorted(vector, senses):
    unit = senses / np.maximum(np.linalg.norm(senses, axis=1, keepdims=True), 1e-8)
    return np.argsort(-(unit @ (vector / max(np.linalg.norm(vector), 1e-8))), kind="stable")[0]


def _nearest_without_the_vectors_length(vector, senses):
    lengths = np.linalg.norm(senses, axis=1)
    return int(np.argmax((senses @ vector) / np.where(lengths == 0, 1, lengths)))


def _nearest_distance(vector, senses):
    with np.errstate(all="ignore"):
        distances = 1 - np.nan_to_num(senses @ vector / np.linalg.norm(senses, axis=1) / np.linalg.norm(vector))
    return np.array(distances.argmin(), dtype=np.int32)


ACCEPTED = (_nearest_loop, _nearest_max, _nearest_eps, _nearest_sorted, _nearest_without_the_vectors_length, _nearest_distance)


# ---- the exercise

EXERCISE = Exercise(
    name="nearest_sense",
    lesson="polysemy",
    reference=ref.nearest_sense,
    kind="int",
    checks=(
        Check("the index of the sense with the highest cosine", 2, sense_plain),
        Check("length plays no part", 1, sense_lengths),
        Check("a sense that points the other way is far", 1, sense_signs),
        Check("a tie goes to the smaller index", 1, sense_ties, side=True),
        Check("a zero vector has cosine 0 with everything", 1, sense_zero, side=True),
        serves_any_array(and_read_only(sense_types)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "One cosine for each sense, then the place of the largest.",
        (
            "cosine_similarity(vector, sense) does one sense and knows what to do with zeros. np.argmax gives the first "
            "place of the largest."
        ),
        "int(np.argmax([cosine_similarity(vector, sense) for sense in senses]))",
    ),
)
