"""Lesson 2: the inputs of the checks, the smallest first. See ``embedding_space`` for what each is for."""

import numpy as np

from course_utils import embedding_space as ref
from course_utils.word_vectors import cosine_matrix, unit_rows

GAP = 0.01  # least difference between two cosines, so that float32 gives the same order


def whole(rng, *shape):
    """Modest whole numbers as int64, none of them zero."""
    return rng.choice([-4, -3, -2, -1, 1, 2, 3, 4], size=shape)


def draw(rng, make, good):
    """The first ``make(rng)`` that is ``good``: a few tries at most for the conditions used here."""
    while not good(value := make(rng)):
        pass
    return value


def lengths(rng, n):
    """(n, 1) lengths from 0.2 to 500, the shortest and the longest among them."""
    return rng.permutation(np.geomspace(0.2, 500, n))[:, None]


# ---- nearest_neighbours


def apart(rng, V, d):
    """A query and V rows of length 5, no two of them equally near."""
    def make(rng):
        return rng.normal(size=d), 5 * unit_rows(rng.normal(size=(V, d)))

    return draw(rng, make, lambda pair: np.diff(np.sort(cosine_matrix(pair[:1], pair[1])[0])).min() > GAP)


COMPASS = np.array([[0, 5], [3, 4], [5, 0], [-4, 3]])


def neighbours_plain(rng):
    (q, E), (q6, E6), (q2, E2) = apart(rng, 9, 4), apart(rng, 6, 6), apart(rng, 7, 3)
    return [(np.array([1, 0]), COMPASS, 1), (np.array([1, 0]), COMPASS, 2), (q, E, 4), (q6, E6, 3), (q2, E2, 7)]


def neighbours_long_rows(rng):
    q, E = apart(rng, 8, 5)
    return [(np.array([1, 0]), np.array([[30, 40], [1, 0], [6, 8], [-9, 0]]), 2),
            (q, E / 5 * lengths(rng, 8), 4), (300 * q, E / 5 * lengths(rng, 8), 3), (q / 50 / np.abs(q).max(), E, 2)][:3]


def neighbours_excluded(rng):
    q, E = apart(rng, 9, 4)
    best = ref.nearest_neighbours(q, E, 9).tolist()
    return [(np.array([1, 0]), COMPASS, 1, (2,)), (COMPASS[2], COMPASS, 2, [2]), (q, E, 3, (best[1], best[0])),
            (q, E, 4, [best[2], best[5]]), (q, E, 2, (best[8], best[0], best[1])), (q, E, 3, ()), (q, E, 3, [])]


def neighbours_too_few(rng):
    q, E = apart(rng, 6, 3)
    return [(np.array([1, 0]), COMPASS, 9), (np.array([1, 0]), COMPASS, 3, (1, 2)), (q, E, 4, [0, 3, 5]),
            (q, E, 8, (2,)), (np.array([1, 0]), COMPASS, 2, (0, 1, 2, 3))]


def neighbours_ties(rng):
    """Rows of length 2 whose cosines come out exactly equal, whichever way they are computed."""
    corners = np.vstack([rng.choice([-1, 1], size=(45, 4)), 2 * np.eye(4, dtype=int)[rng.integers(0, 4, 15)]])
    rows, query = rng.permutation(corners), np.ones(4)
    return [(np.array([1, 0]), np.array([[0, 1], [1, 0], [1, 0]]), 2), (np.array([2, 0]), np.array([[0, 2], [0, -2], [2, 0]]), 3),
            (query, rows[:12], 5, (0,)), (query, rows, 40, [3, 20]), (query, rows.astype(np.float32), 60)]


def neighbours_zero(rng):
    """Rows on both sides of the zero row: its cosine of 0 puts it between them."""
    q, E = draw(rng, lambda rng: apart(rng, 7, 4), lambda pair: (GAP < np.abs(pair[1] @ pair[0])).all()
                and 2 < (pair[1] @ pair[0] > 0).sum() < 6)
    middle = np.where(np.arange(7)[:, None] == 3, 0.0, E)
    return [(np.array([1, 0]), np.array([[-1, 0], [0, 0], [2, 0]]), 3), (np.zeros(2), np.array([[1, 0], [0, 1], [-1, 0]]), 2),
            (q, middle, 7), (q, middle.astype(np.float32), 4, (0,))]


def neighbours_types(rng):
    q, E = apart(rng, 9, 4)
    return [(np.array([3, 1]), np.array([[1, 3], [4, 1], [-2, 2]]), 2), (q.astype(np.float32), E.astype(np.float32), 3, (1,)),
            (q, E, 2, [0, 4])]


# ---- analogy


def ranked(a, b, c, E):
    """All ids by falling cosine to b - a + c, the three given ones among them."""
    unit = unit_rows(E)
    return ref.nearest_neighbours(unit[b] - unit[a] + unit[c], unit, len(unit)).tolist()


def clear(a, b, c, E):
    """No near tie at the top, with the given words or without."""
    unit = unit_rows(E)
    cosines = cosine_matrix([unit[b] - unit[a] + unit[c]], unit)[0]
    return -np.diff(np.sort(cosines)[::-1])[:5].max(initial=-1) is not None and np.abs(np.diff(np.sort(cosines))).min() > GAP / 5


def analogy_case(rng, V, d, good=lambda a, b, c, E: True, scale=None):
    """Three ids and V rows (of length 1 without ``scale``) for which ``good`` holds."""
    def make(rng):
        E = unit_rows(rng.normal(size=(V, d)))
        return (*map(int, rng.choice(V, 3, replace=False)), E if scale is None else E * scale(rng, V))

    return draw(rng, make, lambda case: clear(*case) and good(*case))


def winner_is_new(a, b, c, E):
    return ranked(a, b, c, E)[0] not in (a, b, c)


def analogy_plain(rng):
    E = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0]])
    return [(3, 1, 2, np.vstack([E, [[0.6, 0, 0.8]]])[[0, 1, 2, 3, 4, 5]]) if False else (0, 1, 2, np.array(
                [[5, 0, 0], [0, 5, 0], [0, 0, 5], [-3, 0, 4], [-3, 4, 0], [0, -3, 4]]))][:0] + [
            analogy_case(rng, V, d, winner_is_new) for V, d in ((5, 2), (8, 3), (12, 5), (6, 6))]
