"""nearest_neighbours: what is asked."""

import numpy as np

from course_utils import embedding_space as ref
from course_utils.word_vectors import cosine_matrix, unit_rows

from ...inputs import vectors
from ...inputs.layouts import in_layouts, laid_out
from ...inputs.vectors import like_zero
from ..draws import GAP, any_lengths, draw, real, single, spread

COMPASS = real([[0, 5], [3, 4], [5, 0], [-4, 3]])
EAST = real([1, 0])


def query_and_rows(rng, V, d):
    """A query, and V rows of length 5 no two of which are equally near."""
    return draw(
        rng,
        lambda rng: (rng.normal(size=d), 5 * unit_rows(rng.normal(size=(V, d)))),
        lambda q, E: spread(cosine_matrix([q], E)[0]),
    )


def plain(rng):
    (q, E), (q6, E6), (q7, E7) = query_and_rows(rng, 9, 4), query_and_rows(rng, 6, 6), query_and_rows(rng, 7, 3)
    return [(EAST, COMPASS, 1), (EAST, COMPASS, 2), (q, E, 4), (q6, E6, 3), (q7, E7, 7), (q, E[:1], 1)]


def lengths(rng):
    """A long row that is not near, a short one that is, and a query of any length."""
    q, E = query_and_rows(rng, 8, 5)
    E = E / 5 * any_lengths(rng, 8)
    return [(EAST, real([[30, 40], [1, 0], [8, 6], [-9, 0]]), 2), (q, E, 4), (100 * q, E, 3), (q, E, 8)]


def excluded(rng):
    q, E = query_and_rows(rng, 9, 4)
    best = ref.nearest_neighbours(q, E, 9).tolist()
    return [
        (EAST, COMPASS, 1, (2,)),
        (COMPASS[2], COMPASS, 2, [2]),
        (q, E, 3, (best[1], best[0])),
        (q, E, 4, [best[2], best[5]]),
        (q, E, 2, (best[8], best[0], best[1])),
        (q, E, 3, (best[0], best[0])),
        (q, E, 3, ()),
        (q, E, 3, []),
    ]


def few(rng):
    q, E = query_and_rows(rng, 6, 3)
    return [
        (EAST, COMPASS, 9),
        (EAST, COMPASS, 3, (1, 2)),
        (q, E, 4, [0, 3, 5]),
        (q, E, 8, (2,)),
        (EAST, COMPASS, 2, (0, 1, 2, 3)),
    ]


def ties(rng):
    """Rows of length 2 whose cosines come out exactly equal, in whichever way they are computed."""
    corners = np.vstack([rng.choice([-1, 1], size=(45, 4)), 2 * np.eye(4)[rng.integers(0, 4, 15)]])
    rows, query = rng.permutation(corners), np.ones(4)
    few = real([[0, 1], [1, 0], [1, 0]]), real([[0, 2], [0, -2], [2, 0]])
    return [
        (EAST, few[0], 2),
        (2 * EAST, few[1], 3),
        (0 * EAST, real([[1, 0], [0, 1], [-1, 0]]), 2),
        (query, rows[:12], 5, (0,)),
        (query, rows, 40, [3, 20]),
        (query, rows.astype(np.float32), 60),
    ]


def zero(rng):
    """Rows on both sides of the zero row: its cosine of 0 puts it between them. And rows that only look like it."""
    q, E = draw(rng, lambda rng: query_and_rows(rng, 7, 4), _both_sides)
    E = np.where(np.arange(7)[:, None] == 3, 0.0, E)
    return [
        (EAST, real([[-1, 0], [0, 0], [2, 0]]), 3),
        (real([2]), real([[-3], [0], [5]]), 3),
        (q, E, 7),
        (*draw(rng, lambda rng: (rng.normal(size=4), unit_rows(like_zero(4))), no_near_tie), 6),
        (*single(q, E), 4, (0,)),
    ]


def _both_sides(q, E):
    cosines = cosine_matrix([q], np.delete(E, 3, axis=0))[0]
    return np.abs(cosines).min() > GAP and 1 < (cosines > 0).sum() < 5


def types(rng):
    q, E = query_and_rows(rng, 9, 4)
    few = np.array([3, 1]), np.array([[1, 3], [4, 1], [-2, 2]])
    return [
        (*few, 2),
        (few[0], real(few[1]), 2),
        (real(few[0]), few[1], 3),
        (*single(q, E), 3, (1,)),
        (q, E, 2, [0, 4]),
        *in_layouts((q, E, 4, (2,))),
    ]


def no_near_tie(query, E) -> bool:
    return len(E) == 1 or spread(cosine_matrix([query], E)[0])


def every_kind(rng):
    """Rows of all families, one row and many, k of 1 up to more than there are; ties that are exact, or none."""
    cases = []
    for V, d in [(V, d) for V in (2, 1, 3, 5, 8) for d in (2, 1, 3, 6)] * 25:
        query, E = rng.normal(size=d), vectors.table(rng, V, d)
        if no_near_tie(query, E):
            out = rng.permutation(V)[: rng.integers(0, V + 1)].tolist()
            cases += [(query, E, int(rng.integers(1, V + 3)), out), (query, E, V), (query, E, 1, (V - 1, 0))]
    singles = [(*single(query, E), *rest) for query, E, *rest in cases[::4]]
    return [(EAST, real([[0, 1], [1, 1]]), 1), *types(rng), *ties(rng), *laid_out(cases), *singles]
