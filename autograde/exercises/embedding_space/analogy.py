"""analogy: a is to b as c is to which word?"""

import math

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import leaves_arguments_alone
from course_utils import embedding_space as ref
from course_utils.word_vectors import cosine_matrix, unit_rows

from ..cosine import cosine
from ..inputs.layouts import and_read_only, in_layouts, laid_out
from .draws import TYPES, any_lengths, draw, real, single, spread
from .nearest_neighbours.mistakes import ranked

norm = np.linalg.norm

# ---- what is asked


def case(rng, V, d, good):
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


def plain(rng):
    """In some, a product of cosines would choose another row."""
    E = real([[3, 0, 0], [0, 3, 0], [0, 0, 3], [-2, 2, 1], [-2, 1, -2]])
    return [
        (0, 1, 2, E),
        (0, 1, 2, E[[0, 1, 2, 4, 3]]),
        *(case(rng, V, d, new) for V, d in ((8, 3), (6, 6))),
        *(_unlike_a_product(rng, 20, 4) for _ in range(2)),
    ]


def _unlike_a_product(rng, V, d):
    return draw(rng, lambda rng: case(rng, V, d, new), lambda *args: ref.analogy(*args) != by_product(*args))


def by_product(a, b, c, E):
    """3CosMul (Levy and Goldberg 2014): the cosines, moved to 0 ... 1, multiplied and divided."""
    unit = unit_rows(E)
    to_a, to_b, to_c = ((unit @ unit[word] + 1) / 2 for word in (a, b, c))
    scores = to_b * to_c / (to_a + 1e-3)
    scores[[a, b, c]] = -np.inf
    return int(scores.argmax())


def excluded(rng):
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
        *(case(rng, 7, 3, rule) for rule in rules),
        *(case(rng, 4, 3, lambda a, b, c, best: best[3] not in (a, b, c)) for _ in range(2)),
    ]


def lengths(rng):
    """Rows of all lengths, for which the offset of the raw rows points at another word."""
    return [
        (0, 1, 2, real([[1, 0, 0], [0, 30, 0], [0, 0, 1], [-2, 2, 2], [1, 30, 1]])),
        *(_scaled(rng, V, d) for V, d in ((8, 3), (7, 5), (11, 4))),
    ]


def _scaled(rng, V, d):
    def make(rng):
        a, b, c, E = case(rng, V, d, new)
        return a, b, c, E * any_lengths(rng, V)

    def misleading(a, b, c, E):
        right, raw, unit = ref.analogy(a, b, c, E), E[b] - E[a] + E[c], unit_rows(E)
        others = [i for i in range(V) if i not in (a, b, c)]
        by_dot = max(others, key=lambda i: E[i] @ (unit[b] - unit[a] + unit[c]))
        return right != ref.nearest_neighbours(raw, E, 1, (a, b, c))[0] and right != by_dot

    return draw(rng, make, misleading)


def types(rng):
    a, b, c, E = case(rng, 8, 3, new)
    readable = np.array([[1, 0], [0, 2], [-3, 0], [-4, 2], [1, 1]])
    return [(0, 1, 2, readable), (a, b, c, *single(E)), (a, b, c, E), *in_layouts((a, b, c, E))]


def every_kind(rng):
    """Four rows and many, two dimensions and many, any of the three given rows near the answer, rows of all lengths."""
    sizes = [(V, d) for V in (4, 5, 8, 12) for d in (2, 3, 5)]
    cases = [case(rng, V, d, lambda *_: True) for V, d in sizes if (V, d) != (12, 2) for _ in range(12)]
    cases += [(a, b, c, E * any_lengths(rng, len(E))) for a, b, c, E in cases]
    return [*plain(rng)[:2], *types(rng), *laid_out(cases), *((a, b, c, *single(E)) for a, b, c, E in cases)]


# ---- what learners write instead


def _analogy(target, exclude="abc", rows=unit_rows, among=unit_rows):
    """A wrong analogy: ``target(a, b, c)`` of three rows of ``rows(E)``, searched by dot product in ``among(E)``."""

    def answer(a, b, c, E):
        R = np.asarray(rows(E), dtype=float)
        given = {"a": a, "b": b, "c": c}
        scores = np.asarray(among(E), dtype=float) @ target(R[a], R[b], R[c])
        return int(ranked(scores, 1, [given[word] for word in exclude])[0])

    return answer


def _offset(a, b, c):
    return b - a + c


def _the_vector(a, b, c, E):
    return _offset(*unit_rows(E)[[a, b, c]])


def _second_best(a, b, c, E):
    return int(ref.nearest_neighbours(_the_vector(a, b, c, E), E, 2)[1])


def _furthest(a, b, c, E):
    return int(ref.nearest_neighbours(-_the_vector(a, b, c, E), E, 1, (a, b, c))[0])


def _nearest_by_distance(a, b, c, E):
    E = np.asarray(E, dtype=float)
    return int(ranked(-norm(E - _offset(E[a], E[b], E[c]), axis=1), 1, (a, b, c))[0])


def _given_set_to_zero(a, b, c, E):
    scores = unit_rows(E) @ _the_vector(a, b, c, E)
    scores[[a, b, c]] = 0.0
    return int(scores.argmax())


def _as_a_list(a, b, c, E):
    return [ref.analogy(a, b, c, E)]


def _index_among_the_rest(a, b, c, E):
    left = [i for i in range(len(E)) if i not in (a, b, c)]
    return left.index(ref.analogy(a, b, c, E))


MISTAKES = (
    Misconception(
        "nothing-excluded",
        _analogy(_offset, ""),
        "Nothing is left out, so the answer is nearly always one of the three words you started from. Exclude a, b and c.",
    ),
    Misconception(
        "only-c-excluded", _analogy(_offset, "c"), "Only c is left out; b is often nearest of all. Exclude a, b and c."
    ),
    Misconception("a-not-excluded", _analogy(_offset, "bc"), "b and c are left out and a is not. Exclude all three."),
    Misconception("b-not-excluded", _analogy(_offset, "ac"), "a and c are left out and b is not. Exclude all three."),
    Misconception("c-not-excluded", _analogy(_offset, "ab"), "a and b are left out and c is not. Exclude all three."),
    Misconception("only-b-excluded", _analogy(_offset, "b"), "Only b is left out. Exclude a, b and c."),
    Misconception(
        "given-set-to-zero",
        _given_set_to_zero,
        "The three given words get cosine 0, which still beats every row at more than a right angle. "
        "Give them −∞ or leave them out of the ids.",
    ),
    Misconception(
        "product-of-cosines",
        by_product,
        "This multiplies and divides the cosines, a method called 3CosMul. Here the vectors are added and "
        "subtracted: the nearest row to Ê[b] − Ê[a] + Ê[c].",
    ),
    Misconception(
        "second-best",
        _second_best,
        "You take the second best row, as if only the best could be one of the three words. Exclude a, b "
        "and c, then take the best.",
    ),
    Misconception("a-minus-b", _analogy(lambda a, b, c: a - b + c), "The step goes the wrong way: from a to b is Ê[b] − Ê[a]."),
    Misconception(
        "sum-of-three", _analogy(lambda a, b, c: a + b + c), "All three are added. The step from a to b is Ê[b] − Ê[a]."
    ),
    Misconception("minus-c", _analogy(lambda a, b, c: b - a - c), "The step from a to b must be added to c: + Ê[c]."),
    Misconception(
        "a-plus-c-minus-b",
        _analogy(lambda a, b, c: b + a - c),
        "a and c are exchanged: c is where the step begins, a is subtracted.",
    ),
    Misconception("without-a", _analogy(lambda a, b, c: b + c), "a is missing: the step is Ê[b] − Ê[a]."),
    Misconception("without-c", _analogy(lambda a, b, c: b - a), "c is missing: the step from a to b begins at Ê[c]."),
    Misconception(
        "raw-rows",
        _analogy(_offset, rows=lambda E: E),
        "The step is taken between raw rows, so a long row decides where it points. Bring every row to length 1 first.",
    ),
    Misconception(
        "raw-rows-and-dot-product",
        _analogy(_offset, rows=lambda E: E, among=lambda E: E),
        "Raw rows all through: long rows decide. Bring every row of E to length 1, and use only those.",
    ),
    Misconception(
        "raw-candidates",
        _analogy(_offset, among=lambda E: E),
        "The candidates are raw rows, so a long one wins by its length. Compare by cosine, with rows of length 1.",
    ),
    Misconception(
        "by-distance",
        _nearest_by_distance,
        "You take the smallest distance between raw rows. Bring the rows to length 1 and compare by cosine.",
    ),
    Misconception("furthest", _furthest, "This is the row with the lowest cosine. The highest one is wanted."),
    Misconception("the-vector", _the_vector, "You return the vector b − a + c. The result is the id of the row nearest to it."),
    Misconception("a-list", _as_a_list, "You return the id inside a list. The result is the id itself: ids[0]."),
    Misconception(
        "index-among-the-rest",
        _index_among_the_rest,
        "Your number counts only the rows that are left after excluding. The result is the row's id in E.",
    ),
)


# ---- right answers written differently


def _unit(E):
    return E / norm(E, axis=1, keepdims=True)


def _masked(a, b, c, E):
    unit = _unit(E)
    scores = unit @ (unit[b] - unit[a] + unit[c])
    scores[[a, b, c]] = -np.inf
    return scores.argmax()


def _loop(a, b, c, E):
    rows = [[v / math.hypot(*row) for v in row] for row in E.tolist()]
    point = [q - p + r for p, q, r in zip(rows[a], rows[b], rows[c])]
    return max((i for i in range(len(E)) if i not in (a, b, c)), key=lambda i: cosine(point, rows[i]))


def _distance(a, b, c, E):
    unit = _unit(np.asarray(E, dtype=np.float32))
    distance = norm(unit - (unit[c] + (unit[b] - unit[a])), axis=1)
    return min(set(range(len(E))) - {a, b, c}, key=lambda i: distance[i])


def _ranking(a, b, c, E):
    unit = E / np.sqrt((E * E).sum(axis=1))[:, None]
    order = np.argsort(-(unit @ (unit[b] + unit[c] - unit[a])))
    return next(int(i) for i in order if i not in (a, b, c))


def _three_cosines(a, b, c, E):
    unit = _unit(E)
    scores = unit @ unit[b] - unit @ unit[a] + unit @ unit[c]
    return np.int64(np.argmax(np.where(np.isin(np.arange(len(E)), [a, b, c]), -9.0, scores)))


ACCEPTED = (_masked, _loop, _distance, _ranking, _three_cosines)


# ---- the exercise

EXERCISE = Exercise(
    name="analogy",
    lesson="embedding_space",
    reference=ref.analogy,
    kind="int",
    checks=(
        Check("from a to b, and the same step from c", 2, plain),
        Check("the three given words are left out", 1, excluded),
        Check("every row is brought to length 1 first", 1, lengths, side=True),
        Check(TYPES, 1, types, side=True),
        leaves_arguments_alone(and_read_only(plain)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Bring every row to length 1 first. The step from a to b is then Ê[b] − Ê[a].",
        "Take that step from c: the point you reach is Ê[b] − Ê[a] + Ê[c]. Which row is nearest to it?",
        "nearest_neighbours(point, E, 1, exclude=(a, b, c)) gives one id in an array: return its entry [0].",
    ),
)
