"""offset_cosine: whether two steps between words point the same way."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import leaves_arguments_alone
from course_utils import embedding_space as ref
from course_utils.word_vectors import cosine_similarity, unit_rows

from ..cosine import cosine
from ..inputs import vectors
from ..inputs.layouts import and_read_only, in_layouts, laid_out
from ..inputs.vectors import like_zero
from .draws import TYPES, draw, real, single

norm = np.linalg.norm

# ---- what is asked


def four_rows(rng, V, d):
    """Four different ids, and V rows none of whose offsets is short."""
    (E,) = draw(rng, lambda rng: (rng.normal(size=(V, d)),), _far_apart)
    return (*map(int, rng.choice(V, 4, replace=False)), E)


def _far_apart(E):
    return np.linalg.norm(E[:, None] - E[None], axis=-1)[~np.eye(len(E), dtype=bool)].min() > 0.3


def plain(rng):
    square = real([[0, 0], [3, 0], [5, 1], [9, 4], [5, 6]])
    a, b, c, d, E = four_rows(rng, 7, 3)
    return [
        (0, 1, 2, 3, square),
        (0, 1, 2, 4, square),
        *(four_rows(rng, V, d) for V, d in ((6, 4), (9, 3), (5, 5))),
        (a, b, a, d, E),
        (a, b, c, b, E),
        (0, 1, 2, 3, real([[0], [2], [5], [9]])),
    ]


def signs(rng):
    a, b, c, d, E = four_rows(rng, 7, 4)
    E = E.copy()
    E[d] = E[c] + 0.5 * (E[b] - E[a])
    return [(0, 1, 2, 3, real([[0, 0], [1, 2], [5, 5], [4, 3]])), (a, b, c, d, E), (a, b, d, c, E), (a, b, b, a, E)]


def lengths(rng):
    """Rows of all lengths are taken as they are; only the offsets' own lengths are divided out."""
    a, b, c, d, E = four_rows(rng, 6, 5)
    return [
        (0, 1, 2, 3, real([[1, 0], [1, 6], [10, 0], [30, 20]])),
        (a, b, c, d, 0.4 * E),
        (a, b, c, d, 80 * E),
        (a, b, c, d, E * np.geomspace(1, 60, 6)[:, None]),
    ]


def zero(rng):
    """Steps of length zero; and steps that look like it and are not, such as [1, -1], [0, 1] and [0, -3]."""
    a, b, c, d, E = four_rows(rng, 6, 3)
    steps = np.array([np.zeros(3), *like_zero(3)])
    return [(0, 1, 2, 3, real([[2, 1], [2, 1], [0, 0], [3, 4]])), (a, b, c, c, E), (a, a, c, d, E), (b, b, b, b, E)] + [
        (0, step, step % 6 + 1, 0, steps) for step in range(1, 7)
    ]


def types(rng):
    a, b, c, d, E = four_rows(rng, 7, 4)
    return [(0, 1, 2, 3, np.array([[1, 2], [3, -1], [0, 4], [2, 2]])), (a, b, c, d, *single(E)), (d, a, b, c, E)] + in_layouts(
        (a, b, c, d, E)
    )


def every_kind(rng):
    """Any four ids, some of them the same, 0 and V − 1 among them; rows of all families but none too close."""
    cases = []
    for V, size in [(V, size) for V in (2, 3, 5, 9) for size in (2, 1, 3, 6)] * 12:
        E = vectors.modest(rng, V, size)
        a, b, c, d = map(int, rng.integers(0, V, 4))
        lengths = np.linalg.norm([E[b] - E[a], E[d] - E[c]], axis=1)
        if ((lengths == 0) | (lengths > 0.1)).all():
            cases += [(a, b, c, d, E), (0, V - 1, V - 1, 0, E)]
    return [(0, 1, 1, 0, real([[1, 0], [0, 1]])), *laid_out(cases), *((*ids, *single(E)) for *ids, E in cases)]


# ---- what learners write instead


def _one_reversed(a, b, c, d, E):
    return cosine_similarity(E[b] - E[a], E[c] - E[d])


def _other_sides(a, b, c, d, E):
    return cosine_similarity(E[c] - E[a], E[d] - E[b])


def _diagonals(a, b, c, d, E):
    return cosine_similarity(E[d] - E[a], E[c] - E[b])


def _sums(a, b, c, d, E):
    return cosine_similarity(E[b] + E[a], E[d] + E[c])


def _of_unit_rows(a, b, c, d, E):
    return ref.offset_cosine(a, b, c, d, unit_rows(E))


def _dot_of_offsets(a, b, c, d, E):
    return (E[b] - E[a]) @ (E[d] - E[c])


def _one_length(a, b, c, d, E):
    E = np.asarray(E, dtype=float)
    length = norm(E[b] - E[a])
    return (E[b] - E[a]) @ (E[d] - E[c]) / length if length else 0.0


def _rows_lengths(a, b, c, d, E):
    return (E[b] - E[a]) @ (E[d] - E[c]) / (norm(E[b]) * norm(E[d]))


def _size_only(a, b, c, d, E):
    return abs(ref.offset_cosine(a, b, c, d, E))


def _squared(a, b, c, d, E):
    return ref.offset_cosine(a, b, c, d, E) ** 2


def _angle(a, b, c, d, E):
    return np.arccos(np.clip(ref.offset_cosine(a, b, c, d, E), -1, 1))


def _distance(a, b, c, d, E):
    return 1 - ref.offset_cosine(a, b, c, d, E)


def _between_offsets(a, b, c, d, E):
    return norm((E[b] - E[a]) - (E[d] - E[c]))


def _zero_offset_is_nan(a, b, c, d, E):
    u, v = E[b] - E[a], E[d] - E[c]
    return u @ v / (norm(u) * norm(v))


def _zero_offset_is_one(a, b, c, d, E):
    zero = not np.any(E[b] - E[a]) or not np.any(E[d] - E[c])
    return 1.0 if zero else ref.offset_cosine(a, b, c, d, E)


MISTAKES = (
    Misconception(
        "one-reversed",
        _one_reversed,
        "One step goes forwards and the other backwards, so parallel steps give −1. Take b − a and d − c.",
    ),
    Misconception(
        "other-sides",
        _other_sides,
        "These are the other two sides of the parallelogram, a to c and b to d. The steps are a to b and c to d.",
    ),
    Misconception("diagonals", _diagonals, "These are the steps a to d and b to c. The steps are a to b and c to d."),
    Misconception("sums", _sums, "You add the two rows. A step from one to the other is their difference."),
    Misconception(
        "unit-rows",
        _of_unit_rows,
        "The rows are brought to length 1 before the difference. Here E is taken as it is: only the cosine divides by lengths.",
    ),
    Misconception(
        "no-lengths", _dot_of_offsets, "This is the dot product of the steps. Divide by the lengths of both to have a cosine."
    ),
    Misconception("one-length", _one_length, "You divided by the length of one step only. A cosine divides by both."),
    Misconception(
        "lengths-of-rows",
        _rows_lengths,
        "You divided by the lengths of the rows. The lengths that count are those of the two differences.",
    ),
    Misconception("size-only", _size_only, "The sign is gone: steps in opposite directions have a cosine of −1."),
    Misconception("squared", _squared, "This is the square of the cosine, which loses its sign."),
    Misconception("angle", _angle, "This is the angle in radians. The result is its cosine."),
    Misconception("distance", _distance, "This is 1 minus the cosine, a distance. The cosine itself is wanted."),
    Misconception(
        "difference-of-steps",
        _between_offsets,
        "This is how far apart the two steps are, and their lengths count in it. Compare their directions by cosine.",
    ),
    Misconception(
        "zero-step-nan", _zero_offset_is_nan, "A zero step gives 0/0. A cosine with a zero vector is 0.0 by the course's rule."
    ),
    Misconception(
        "zero-step-is-one", _zero_offset_is_one, "A zero step has no direction and is parallel to nothing: its cosine is 0.0."
    ),
)


# ---- right answers written differently


def _loop(a, b, c, d, E):
    return cosine([q - p for p, q in zip(E[a], E[b])], [q - p for p, q in zip(E[c], E[d])])


def _epsilon(a, b, c, d, E):
    u, v = E[b] - E[a], E[d] - E[c]
    return np.dot(u, v) / (norm(u) * norm(v) + 1e-10)


def _both_reversed(a, b, c, d, E):
    u, v = E[a] - E[b], E[c] - E[d]
    lengths = np.sqrt(u @ u) * np.sqrt(v @ v)
    return 0 if lengths == 0 else (u * v).sum() / lengths


def _matrix(a, b, c, d, E):
    steps = np.array(E, dtype=float)[[b, d]] - np.array(E, dtype=float)[[a, c]]
    lengths = norm(steps, axis=1, keepdims=True)
    unit = np.divide(steps, lengths, out=np.zeros_like(steps), where=lengths > 0)
    return np.array((unit @ unit.T)[0, 1])


def _single(a, b, c, d, E):
    E = E.astype(np.float32)
    u, v = E[b] - E[a], E[d] - E[c]
    return np.float32(np.nan_to_num(u @ v / (norm(u) * norm(v))))


ACCEPTED = (_loop, _epsilon, _both_reversed, _matrix, _single)


# ---- the exercise

EXERCISE = Exercise(
    name="offset_cosine",
    lesson="embedding_space",
    reference=ref.offset_cosine,
    checks=(
        Check("the cosine of b − a and d − c", 2, plain),
        Check("parallel steps give 1, opposite ones −1", 1, signs),
        Check("the rows as they are, whatever their lengths", 1, lengths),
        Check("a step of length zero has cosine 0", 1, zero, side=True),
        Check(TYPES, 1, types, side=True),
        leaves_arguments_alone(and_read_only(plain)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "a, b, c and d are ids. A step is a difference of two rows of E.",
        "Two steps, E[b] − E[a] and E[d] − E[c]; then the cosine of lesson 1.",
        "cosine_similarity(E[b] - E[a], E[d] - E[c]) has the zero case in it already.",
    ),
)
