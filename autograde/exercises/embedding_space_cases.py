"""Lesson 2: the inputs of the checks, the smallest first. What each is for: ``embedding_space``."""

import numpy as np

from course_utils import embedding_space as ref
from course_utils.word_vectors import cosine_matrix, unit_rows

GAP = 0.003  # least difference between two cosines: float32, and a tiny epsilon in a denominator, keep the order


def whole(rng, *shape):
    """Modest whole numbers as int64, none of them zero."""
    return rng.choice([-4, -3, -2, -1, 1, 2, 3, 4], size=shape)


def real(numbers):
    """Whole numbers as floats: easy to read, and without the traps of integer arrays, which ``..._types`` have."""
    return np.array(numbers, dtype=float)


def single(*arrays):
    return tuple(array.astype(np.float32) for array in arrays)


def draw(rng, make, good):
    """The first ``make(rng)`` that is ``good``: a few tries for the conditions used here."""
    while not good(*(value := make(rng))):
        pass
    return value


def lengths(rng, n):
    """(n, 1) lengths from 0.2 to 500, in any order."""
    return rng.permutation(np.geomspace(0.2, 500, n))[:, None]


def spread(values):
    return np.diff(np.sort(values)).min() > GAP


# ---- nearest_neighbours

COMPASS = real([[0, 5], [3, 4], [5, 0], [-4, 3]])
EAST = real([1, 0])


def query_and_rows(rng, V, d):
    """A query, and V rows of length 5 no two of which are equally near."""
    return draw(
        rng,
        lambda rng: (rng.normal(size=d), 5 * unit_rows(rng.normal(size=(V, d)))),
        lambda q, E: spread(cosine_matrix([q], E)[0]),
    )


def neighbours_plain(rng):
    (q, E), (q6, E6), (q7, E7) = query_and_rows(rng, 9, 4), query_and_rows(rng, 6, 6), query_and_rows(rng, 7, 3)
    return [(EAST, COMPASS, 1), (EAST, COMPASS, 2), (q, E, 4), (q6, E6, 3), (q7, E7, 7)]


def neighbours_lengths(rng):
    """A long row that is not near, a short one that is, and a query of any length."""
    q, E = query_and_rows(rng, 8, 5)
    E = E / 5 * lengths(rng, 8)
    return [(EAST, real([[30, 40], [1, 0], [6, 8], [-9, 0]]), 2), (q, E, 4), (100 * q, E, 3), (q, E, 8)]


def neighbours_excluded(rng):
    q, E = query_and_rows(rng, 9, 4)
    best = ref.nearest_neighbours(q, E, 9).tolist()
    return [
        (EAST, COMPASS, 1, (2,)),
        (COMPASS[2], COMPASS, 2, [2]),
        (q, E, 3, (best[1], best[0])),
        (q, E, 4, [best[2], best[5]]),
        (q, E, 2, (best[8], best[0], best[1])),
        (q, E, 3, ()),
        (q, E, 3, []),
    ]


def neighbours_few(rng):
    q, E = query_and_rows(rng, 6, 3)
    return [
        (EAST, COMPASS, 9),
        (EAST, COMPASS, 3, (1, 2)),
        (q, E, 4, [0, 3, 5]),
        (q, E, 8, (2,)),
        (EAST, COMPASS, 2, (0, 1, 2, 3)),
    ]


def neighbours_ties(rng):
    """Rows of length 2 whose cosines come out exactly equal, in whichever way they are computed."""
    corners = np.vstack([rng.choice([-1, 1], size=(45, 4)), 2 * np.eye(4)[rng.integers(0, 4, 15)]])
    rows, query = rng.permutation(corners), np.ones(4)
    few = real([[0, 1], [1, 0], [1, 0]]), real([[0, 2], [0, -2], [2, 0]])
    return [
        (EAST, few[0], 2),
        (2 * EAST, few[1], 3),
        (query, rows[:12], 5, (0,)),
        (query, rows, 40, [3, 20]),
        (query, rows.astype(np.float32), 60),
    ]


def neighbours_zero(rng):
    """Rows on both sides of the zero row: its cosine of 0 puts it between them."""
    q, E = draw(rng, lambda rng: query_and_rows(rng, 7, 4), _both_sides)
    E = np.where(np.arange(7)[:, None] == 3, 0.0, E)
    return [
        (EAST, real([[-1, 0], [0, 0], [2, 0]]), 3),
        (0 * EAST, real([[1, 0], [0, 1], [-1, 0]]), 2),
        (q, E, 7),
        (*single(q, E), 4, (0,)),
    ]


def _both_sides(q, E):
    cosines = cosine_matrix([q], np.delete(E, 3, axis=0))[0]
    return np.abs(cosines).min() > GAP and 1 < (cosines > 0).sum() < 5


def neighbours_types(rng):
    q, E = query_and_rows(rng, 9, 4)
    return [(np.array([3, 1]), np.array([[1, 3], [4, 1], [-2, 2]]), 2), (*single(q, E), 3, (1,)), (q, E, 2, [0, 4])]


# ---- analogy


def analogy_case(rng, V, d, good):
    """Three ids and V rows of length 1, without a near tie, for which ``good(a, b, c, ranked ids)`` holds."""

    def make(rng):
        return (*map(int, rng.choice(V, 3, replace=False)), unit_rows(rng.normal(size=(V, d)) + rng.normal(size=d)))

    def fits(a, b, c, E):
        target = E[b] - E[a] + E[c]
        return spread(cosine_matrix([target], E)[0]) and good(a, b, c, ref.nearest_neighbours(target, E, V).tolist())

    return draw(rng, make, fits)


def new(a, b, c, best):
    """The best row of all is none of the three given, so that leaving them out makes no difference."""
    return best[0] not in (a, b, c)


def analogy_plain(rng):
    """In some, a product of cosines would choose another row."""
    E = real([[3, 0, 0], [0, 3, 0], [0, 0, 3], [-2, 2, 1], [-2, 1, -2]])
    return [
        (0, 1, 2, E),
        (0, 1, 2, E[[0, 1, 2, 4, 3]]),
        *(analogy_case(rng, V, d, new) for V, d in ((8, 3), (6, 6))),
        *(_unlike_a_product(rng, 20, 4) for _ in range(2)),
    ]


def _unlike_a_product(rng, V, d):
    return draw(rng, lambda rng: analogy_case(rng, V, d, new), lambda *case: ref.analogy(*case) != by_product(*case))


def by_product(a, b, c, E):
    """3CosMul (Levy and Goldberg 2014): the cosines, moved to 0 ... 1, multiplied and divided."""
    unit = unit_rows(E)
    to_a, to_b, to_c = ((unit @ unit[word] + 1) / 2 for word in (a, b, c))
    scores = to_b * to_c / (to_a + 1e-3)
    scores[[a, b, c]] = -np.inf
    return int(scores.argmax())


def analogy_excluded(rng):
    """b is nearest, c is, both come before the answer, all three do; or a is, half-way between b and c, and then
    every other row may be at more than a right angle."""
    between = real([[5, 0, 0], [4, 3, 0], [4, -3, 0], [3, 0, 4], [-4, 0, 3]])
    behind = real([[5, 0, 0], [4, 3, 0], [4, -3, 0], [-4, 0, 3], [-3, 0, 4]])
    rules = (
        lambda a, b, c, best: best[0] == c and best[1] not in (a, b),
        lambda a, b, c, best: best[0] == b and best[1] not in (a, c),
        lambda a, b, c, best: {b, c} == set(best[:2]),
        lambda a, b, c, best: set(best[:3]) == {a, b, c},
    )
    return [
        (0, 1, 2, between),
        (0, 1, 2, behind),
        *(analogy_case(rng, 7, 3, rule) for rule in rules),
        *(analogy_case(rng, 4, 3, lambda a, b, c, best: best[3] not in (a, b, c)) for _ in range(2)),
    ]


def analogy_lengths(rng):
    """Rows of all lengths, for which the offset of the raw rows points at another word."""
    return [
        (0, 1, 2, real([[1, 0, 0], [0, 30, 0], [0, 0, 1], [-2, 2, 2], [1, 30, 1]])),
        *(_scaled(rng, V, d) for V, d in ((8, 3), (7, 5), (11, 4))),
    ]


def _scaled(rng, V, d):
    def make(rng):
        a, b, c, E = analogy_case(rng, V, d, new)
        return a, b, c, E * lengths(rng, V)

    def misleading(a, b, c, E):
        right, raw, unit = ref.analogy(a, b, c, E), E[b] - E[a] + E[c], unit_rows(E)
        others = [i for i in range(V) if i not in (a, b, c)]
        by_dot = max(others, key=lambda i: E[i] @ (unit[b] - unit[a] + unit[c]))
        return right != ref.nearest_neighbours(raw, E, 1, (a, b, c))[0] and right != by_dot

    return draw(rng, make, misleading)


def analogy_types(rng):
    a, b, c, E = analogy_case(rng, 8, 3, new)
    readable = np.array([[1, 0], [0, 2], [-3, 0], [-4, 2], [1, 1]])
    return [(0, 1, 2, readable), (a, b, c, *single(E)), (a, b, c, E)]


# ---- offset_cosine


def four_rows(rng, V, d):
    """Four different ids, and V rows none of whose offsets is short."""
    (E,) = draw(rng, lambda rng: (rng.normal(size=(V, d)),), _far_apart)
    return (*map(int, rng.choice(V, 4, replace=False)), E)


def _far_apart(E):
    return np.linalg.norm(E[:, None] - E[None], axis=-1)[~np.eye(len(E), dtype=bool)].min() > 0.3


def offset_plain(rng):
    square = real([[0, 0], [3, 0], [5, 1], [9, 4], [5, 6]])
    return [(0, 1, 2, 3, square), (0, 1, 2, 4, square), *(four_rows(rng, V, d) for V, d in ((6, 4), (9, 3), (5, 5)))]


def offset_signs(rng):
    a, b, c, d, E = four_rows(rng, 7, 4)
    E = E.copy()
    E[d] = E[c] + 0.5 * (E[b] - E[a])
    return [(0, 1, 2, 3, real([[0, 0], [1, 2], [5, 5], [4, 3]])), (a, b, c, d, E), (a, b, d, c, E), (a, b, b, a, E)]


def offset_lengths(rng):
    """Rows of all lengths are taken as they are; only the offsets' own lengths are divided out."""
    a, b, c, d, E = four_rows(rng, 6, 5)
    return [
        (0, 1, 2, 3, real([[1, 0], [1, 6], [10, 0], [30, 20]])),
        (a, b, c, d, 0.4 * E),
        (a, b, c, d, 80 * E),
        (a, b, c, d, E * np.geomspace(1, 60, 6)[:, None]),
    ]


def offset_zero(rng):
    a, b, c, d, E = four_rows(rng, 6, 3)
    return [(0, 1, 2, 3, real([[2, 1], [2, 1], [0, 0], [3, 4]])), (a, b, c, c, E), (a, a, c, d, E), (b, b, b, b, E)]


def offset_types(rng):
    a, b, c, d, E = four_rows(rng, 7, 4)
    return [(0, 1, 2, 3, np.array([[1, 2], [3, -1], [0, 4], [2, 2]])), (a, b, c, d, *single(E)), (d, a, b, c, E)]


# ---- softmax


def softmax_plain(rng):
    return [
        (np.array([0.0, 0.0]),),
        (np.log([1.0, 2.0, 5.0]),),
        (rng.normal(size=(3, 4)),),
        (2 * rng.normal(size=(5, 2)),),
        (rng.normal(size=(4, 4)),),
        (rng.normal(size=(2, 3, 5)),),
        (np.array([7.0]),),
    ]


def softmax_axes(rng):
    X = rng.normal(size=(2, 3, 4))
    return [
        (np.log([[1.0, 2.0], [3.0, 6.0]]), 0),
        (rng.normal(size=(3, 5)), 0),
        (rng.normal(size=(4, 4)), 0),
        (rng.normal(size=(4, 3)), 1),
        (X, 1),
        (X, 0),
        (X, -2),
        (rng.normal(size=5), 0),
    ]


def softmax_large(rng):
    """Only differences count. Whole numbers, so that float32 holds them too."""
    scores = rng.integers(-5, 6, size=(3, 4)).astype(float)
    return [
        (np.array([1000.0, 1000.0]),),
        (np.array([-1000.0, -1001.0]),),
        (scores + 1e6,),
        (scores - 1e6,),
        (scores.T - 1e6, 0),
        (np.array([1e6, 0.0, -1e6]),),
        (np.array([720.0, 0.0]),),
    ]


def softmax_rows_apart(rng):
    scores = rng.integers(-5, 6, size=(3, 4)).astype(float)
    return [
        (real([[1000.0, 1001.0], [0.0, 1.0]]),),
        (scores + [[1e6], [0], [-1e6]],),
        (scores + [1e6, -1e6, 0, 3000], 0),
        (scores + [[0], [800], [0]],),
    ]


def softmax_types(rng):
    X = rng.normal(size=(3, 4))
    return [(np.array([1, 2, 3]),), (whole(rng, 2, 3),), (X.astype(np.float32),), (X, 0)]


# ---- cross_entropy


def distributions(rng, n, V):
    return rng.dirichlet(np.full(V, 2.0), size=n) * 0.97 + 0.03 / V


def entropy_plain(rng):
    return [
        (real([[0.5, 0.5]]), np.array([0])),
        (real([[0.25, 0.75], [0.5, 0.5]]), np.array([0, 1])),
        (distributions(rng, 3, 5), np.array([4, 0, 2])),
        (distributions(rng, 6, 4), rng.permutation([0, 1, 2, 3, 3, 1])),
    ]


def entropy_square(rng):
    return [
        (real([[0.25, 0.75], [0.5, 0.5]]), np.array([1, 0])),
        (distributions(rng, 4, 4), np.array([3, 1, 0, 2])),
        (distributions(rng, 3, 3), np.array([1, 1, 0])),
    ]


def entropy_zeros(rng):
    probs = distributions(rng, 4, 6)
    probs[:, [1, 4]] = 0
    probs /= probs.sum(axis=1, keepdims=True)
    return [
        (real([[1.0, 0.0]]), np.array([0])),
        (real([[0.0, 1.0], [0.5, 0.5]]), np.array([1, 0])),
        (probs, np.array([0, 5, 3, 2])),
        (np.eye(3), np.array([0, 1, 2])),
    ]


def entropy_surprise(rng):
    """A right word that got almost no probability: its price is -ln p, uncut. One row among forty, so that 1e-8
    added inside the logarithm is still within the tolerance, and 1e-7 or a floor of 1e-5 is not."""
    probs = distributions(rng, 40, 5)
    probs[3] = [0.5, 2e-6, 0.3, 0.2 - 2e-6, 0.0]
    targets = rng.integers(0, 5, 40)
    targets[3] = 1
    return [(real([[0.001, 0.999]]), np.array([0])), (real([[0.9999, 0.0001], [0.5, 0.5]]), np.array([1, 1])), (probs, targets)]


def entropy_types(rng):
    probs = distributions(rng, 4, 3)
    return [
        (np.array([[1, 0], [0, 1]]), np.array([0, 1])),
        (probs, np.array([0, 2, 2, 1], dtype=np.int32)),
        (probs.astype(np.float32), np.array([2, 0, 1, 1])),
    ]


def entropy_lists(rng):
    return [(real([[0.25, 0.75], [0.5, 0.5]]), [1, 0]), (distributions(rng, 4, 3), [0, 2, 2, 1])]


# ---- predict_missing

WORDS = real([[1, 0], [0, 2], [3, 1]])
COLUMNS = real([[1, 0, 2], [0, 1, -1]])


def tables(rng, V, d):
    return rng.normal(size=(V, d)), rng.normal(size=(d, V))


def predict_plain(rng):
    return [
        (np.array([0, 1]), WORDS, COLUMNS),
        (np.array([3, 0, 4]), *tables(rng, 7, 4)),
        (rng.permutation(9)[:5], *tables(rng, 9, 3)),
        (np.array([1, 4]), *tables(rng, 5, 6)),
    ]


def predict_one(rng):
    return [(np.array([2]), WORDS, COLUMNS), (np.array([0]), *tables(rng, 6, 4)), (np.array([5]), *tables(rng, 6, 3))]


def predict_repeats(rng):
    return [
        (np.array([0, 0, 1]), WORDS, COLUMNS),
        (np.array([4, 1, 4, 4, 2]), *tables(rng, 6, 4)),
        (np.array([2, 0, 2]), *tables(rng, 5, 3)),
    ]


def predict_square(rng):
    """As many words as numbers in a row: nothing but the meaning tells E from U, and rows from columns."""
    return [
        (np.array([0, 1]), real([[1, 2], [3, 0]]), real([[1, -1], [0, 2]])),
        (np.array([3, 1, 0]), *tables(rng, 4, 4)),
        (np.array([2, 4]), *tables(rng, 5, 5)),
    ]


def predict_types(rng):
    E, U = tables(rng, 7, 4)
    return [
        (np.array([0, 2]), whole(rng, 3, 2), whole(rng, 2, 3)),
        (np.array([1, 6, 3]), *single(E, U)),
        (np.array([5, 2], dtype=np.int32), E, U),
        (np.array([0, 3, 3, 1]), 4 * E, 2 * U),
    ]


def predict_lists(rng):
    return [([0, 2], WORDS, COLUMNS), ([1], WORDS, COLUMNS), ([3, 1, 3], *tables(rng, 6, 4))]


# ---- cbow_gradients


def gradient_plain(rng):
    return [
        (np.array([0, 1]), 2, WORDS, COLUMNS),
        (np.array([3, 0, 4]), 1, *tables(rng, 7, 4)),
        (rng.permutation(9)[:4], 8, *tables(rng, 9, 3)),
        (np.array([1, 2]), 0, *tables(rng, 5, 6)),
        (np.array([0, 3]), 2, *tables(rng, 4, 4)),
    ]


def gradient_repeats(rng):
    return [
        (np.array([0, 0, 1]), 2, WORDS, COLUMNS),
        (np.array([4, 1, 4, 4, 2]), 3, *tables(rng, 6, 4)),
        (np.array([2, 0, 2, 0]), 1, *tables(rng, 5, 3)),
    ]


def gradient_edges(rng):
    """One word of context, and a target that stands in its own context."""
    return [
        (np.array([2]), 0, WORDS, COLUMNS),
        (np.array([1, 2]), 2, WORDS, COLUMNS),
        (np.array([4]), 4, *tables(rng, 6, 3)),
        (np.array([0, 5, 2]), 5, *tables(rng, 6, 4)),
    ]


def gradient_types(rng):
    E, U = tables(rng, 7, 4)
    return [
        (np.array([0, 2]), 1, whole(rng, 3, 2), whole(rng, 2, 3)),
        (np.array([1, 6, 3]), 0, *single(E, U)),
        (np.array([5, 2], dtype=np.int32), 6, E, U),
    ]


def gradient_lists(rng):
    return [([0, 2], 1, WORDS, COLUMNS), ([1], 0, WORDS, COLUMNS), ([3, 1, 3], 5, *tables(rng, 6, 4))]


# ---- project_to_2d


def cloud(rng, n, d, centre):
    """n points about ``centre``, whose spreads along their principal directions stand well apart."""

    def make(rng):
        turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
        return (rng.normal(size=(n, d)) * np.geomspace(4, 0.4, d) @ turn,)

    def distinct(X):
        first, second, third, *_ = (*np.linalg.svd(X - X.mean(axis=0), compute_uv=False), 0.0)
        return first > 1.4 * second > 0.4 and second > 1.4 * third

    (X,) = draw(rng, make, distinct)
    return X - X.mean(axis=0) + centre


def project_plain(rng):
    """Clouds that are centred already."""
    cross = real([[3, 0, 0], [-3, 0, 0], [0, 1, 1], [0, -1, -1]])
    return [(cross[:, [1, 0, 2]],), (cloud(rng, 9, 4, 0.0),), (cloud(rng, 6, 3, 0.0),), (cloud(rng, 5, 5, 0.0),)]


def project_off_centre(rng):
    return [
        (real([[5, 9, 1], [7, 9, 1], [6, 10, 1], [6, 8, 9]]),),
        (cloud(rng, 8, 4, 6 * rng.normal(size=4)),),
        (cloud(rng, 6, 6, [9, 0, 0, 0, 0, -7]),),
    ]


def project_shapes(rng):
    """Three points, two columns, more columns than points."""
    return [(real([[0, 0], [4, 0], [1, 2]]),), (cloud(rng, 3, 5, 1.0),), (cloud(rng, 8, 2, -1.0),), (cloud(rng, 5, 11, 0.5),)]


def project_types(rng):
    return [
        (np.array([[1, 4, 0], [3, -2, 1], [-4, 0, 2], [2, 2, 2]]),),
        (cloud(rng, 7, 4, 1.0).astype(np.float32),),
        (cloud(rng, 10, 3, 0.0),),
    ]
