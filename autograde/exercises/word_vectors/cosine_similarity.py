"""cosine_similarity: how near two words are, length left out."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import word_vectors as ref

from ..cosine import cosine
from ..draws import integers
from ..inputs.layouts import and_read_only, every_form, varied
from ..inputs.vectors import SIZES, families, like_zero
from .draws import vectors

norm = np.linalg.norm  # short, since it is in nearly every formula

# ---- what is asked


def plain(rng):
    pairs = [(np.array([2, 3]), np.array([4, 6])), (np.array([3, 0]), np.array([4, 3])), (np.array([0, 2]), np.array([5, 0]))]
    single = (abs(vectors(rng, 7)).astype(np.float32), abs(vectors(rng, 7)).astype(np.float32))
    return pairs + [(abs(vectors(rng, d)), abs(vectors(rng, d))) for d in (3, 1, 5, 8)] + [single]


def lengths(rng):
    u, v = abs(vectors(rng, 2, 6))
    longer = [(a * u / norm(u), b * v / norm(v)) for a, b in ((0.1, 0.1), (1000, 0.5), (1000, 1000))]
    return [(np.array([30, 0]), np.array([4, 3])), (np.array([1, 1]), np.array([50, 0])), *longer]


def signs(rng):
    u = vectors(rng, 4)
    return [
        (np.array([1, 2]), np.array([-1, -2])),
        (np.array([3, 0]), np.array([-4, 3])),
        (u, -3 * u),
        (u, u),
        (-abs(u), -abs(vectors(rng, 4))),
    ]


def zero(rng):
    """Zero vectors; and vectors that look like them and are not: [1, -1], [0, 1], [0, -3] and the like."""
    others = [(u, abs(vectors(rng, len(u)))) for d in (2, 4) for u in like_zero(d)]
    return [
        (np.zeros(2), np.array([3.0, 4.0])),
        (np.array([1, 2, 2]), np.zeros(3, dtype=int)),
        (np.zeros(4), np.zeros(4)),
        (vectors(rng, 5).astype(np.float32), np.zeros(5, np.float32)),
        *others[::2],
        *((v, u) for u, v in others[1::2]),
        (np.array([1, -1]), np.array([3, 1])),
    ]


def types(rng):
    u, v = vectors(rng, 2, 7)
    apart = (u / 8).astype(np.float32), (900 * v).astype(np.float32)  # what takes differences of lengths loses its digits
    return [(integers(rng, 3), integers(rng, 3)), (u, integers(rng, 7)), apart, *every_form((u, v))]


def every_kind(rng):
    cases = ((u, v) for d in SIZES for u in families(rng, d) for v in families(rng, d))
    return [(np.array([2.0, 0.0]), np.array([1.0, 1.0])), *varied(cases)]


# ---- what learners write instead


def _guarded(formula):
    """The formula, with the zero vector handled as the contract says."""

    def answer(u, v):
        u, v = u.astype(float), v.astype(float)
        a, b = norm(u), norm(v)
        return formula(u, v, a, b) if a and b else 0.0

    return answer


def _right(u, v, a, b):
    return u @ v / (a * b)


def _correlation(u, v, a, b):
    u, v = u - u.mean(), v - v.mean()
    return ref.cosine_similarity(u, v)


def _zero_is_nan(u, v):
    return u @ v / (norm(u) * norm(v))


def _zero_is_one(u, v):
    return ref.cosine_similarity(u, v) if norm(u) and norm(v) else 1.0


def _any_zero_entry(u, v):
    return ref.cosine_similarity(u, v) if u.all() and v.all() else 0.0


MISTAKES = (
    Misconception(
        "dot-product-only",
        lambda u, v: u @ v,
        "This is the dot product. Divide it by both lengths, so that only the angle is left.",
    ),
    Misconception(
        "divided-by-first-length",
        _guarded(lambda u, v, a, b: u @ v / a),
        "Only the length of u was divided out, so a longer v still scores more. Divide by both lengths.",
    ),
    Misconception(
        "divided-by-second-length",
        _guarded(lambda u, v, a, b: u @ v / b),
        "Only the length of v was divided out, so a longer u still scores more. Divide by both lengths.",
    ),
    Misconception(
        "missing-parentheses",
        _guarded(lambda u, v, a, b: u @ v / a * b),
        "Python reads u @ v / a * b as (u @ v / a) * b, which multiplies by the second length. Write u @ v / (a * b).",
    ),
    Misconception(
        "sum-of-lengths",
        _guarded(lambda u, v, a, b: u @ v / (a + b)),
        "The lengths were added. Divide by their product: first by one, then by the other.",
    ),
    Misconception(
        "squared-lengths",
        _guarded(lambda u, v, a, b: u @ v / (a * b) ** 2),
        "These lengths have no root: u @ u is the square of the length. Take np.sqrt, or np.linalg.norm(u).",
    ),
    Misconception(
        "root-of-lengths",
        _guarded(lambda u, v, a, b: u @ v / np.sqrt(a * b)),
        "One root too many: np.linalg.norm has taken it already. Divide by the product of the lengths as it is.",
    ),
    Misconception(
        "sums-of-absolutes",
        _guarded(lambda u, v, a, b: u @ v / (np.abs(u).sum() * np.abs(v).sum())),
        "Length was measured by adding absolute values. The length of an arrow is the root of the sum of squares.",
    ),
    Misconception(
        "largest-entry-as-length",
        _guarded(lambda u, v, a, b: u @ v / (np.abs(u).max() * np.abs(v).max())),
        "The largest entry stood in for the length. The length of an arrow is the root of the sum of squares.",
    ),
    Misconception(
        "mean-for-lengths",
        _guarded(lambda u, v, a, b: u @ v / len(u)),
        "The dot product was divided by the number of entries d. Divide by the two lengths instead.",
    ),
    Misconception(
        "len-for-length",
        _guarded(lambda u, v, a, b: u @ v / len(u) ** 2),
        "len(u) says how many numbers u has. The length of the arrow is np.linalg.norm(u).",
    ),
    Misconception(
        "absolute-values",
        _guarded(lambda u, v, a, b: u @ v / (abs(u) * abs(v))),
        "|u| in the formula is the length of the arrow, np.linalg.norm(u). abs(u) only takes the minus signs away.",
    ),
    Misconception(
        "length-of-products",
        _guarded(lambda u, v, a, b: u @ v / norm(u * v)),
        "This divides by the length of u * v. Take the length of u and the length of v, and multiply the two.",
    ),
    Misconception(
        "not-added",
        _guarded(lambda u, v, a, b: u * v / (a * b)),
        "The products are there but not added. The dot product is their sum: u @ v.",
    ),
    Misconception(
        "np-cos",
        _guarded(lambda u, v, a, b: np.cos(u @ v)),
        "np.cos turns an angle into its cosine, and a dot product is no angle. Divide it by both lengths: "
        "that is the cosine already.",
    ),
    Misconception(
        "rounded",
        _guarded(lambda u, v, a, b: np.round(_right(u, v, a, b), 2)),
        "The result was rounded. Return all its digits; rounding is for printing.",
    ),
    Misconception(
        "cosine-distance",
        _guarded(lambda u, v, a, b: 1 - _right(u, v, a, b)),
        "This is 1 − cosine, a distance: near words get small numbers. The similarity is the cosine itself.",
    ),
    Misconception(
        "angle-for-cosine",
        _guarded(lambda u, v, a, b: np.arccos(np.clip(_right(u, v, a, b), -1, 1))),
        "This is the angle. Its cosine is wanted: leave out arccos.",
    ),
    Misconception(
        "sign-lost",
        _guarded(lambda u, v, a, b: abs(_right(u, v, a, b))),
        "The sign is lost. Opposite directions have cosine −1, not +1.",
    ),
    Misconception(
        "negative-cut-off",
        _guarded(lambda u, v, a, b: max(_right(u, v, a, b), 0.0)),
        "Negative cosines were cut off at 0. A cosine runs from −1 to 1.",
    ),
    Misconception(
        "squared-cosine",
        _guarded(lambda u, v, a, b: _right(u, v, a, b) ** 2),
        "The cosine was squared, which loses its sign and makes it smaller. Leave it as it is.",
    ),
    Misconception(
        "centred-first",
        _guarded(_correlation),
        "The mean was taken off both vectors first: that is a correlation. The cosine uses the vectors as they are.",
    ),
    Misconception(
        "distance-for-similarity",
        _guarded(lambda u, v, a, b: norm(u - v)),
        "This is the distance between the two points, which grows with length. The cosine looks at the angle.",
    ),
    Misconception(
        "zero-vector-divides",
        _zero_is_nan,
        "A zero vector makes this 0 / 0, which is NaN. It has no direction: return 0.0 for it before dividing.",
    ),
    Misconception(
        "zero-vector-is-one",
        _zero_is_one,
        "A zero vector is said to be like everything (1.0). It has no direction: its cosine is 0.0 by our convention.",
    ),
    Misconception(
        "only-u-tested",
        lambda u, v: _zero_is_nan(u, v) if u.any() else 0.0,
        "Only u is tested for zeros. v may be the zero vector as well: then this is still 0 / 0.",
    ),
    Misconception(
        "only-v-tested",
        lambda u, v: _zero_is_nan(u, v) if v.any() else 0.0,
        "Only v is tested for zeros. u may be the zero vector as well: then this is still 0 / 0.",
    ),
    Misconception(
        "any-zero-entry",
        _any_zero_entry,
        "A single 0 among the numbers is enough here to give 0.0. The zero vector has only zeros: its length is 0.",
    ),
)


# ---- right answers written differently


def _unit_first(u, v):
    if not u.any() or not v.any():
        return 0
    return np.sum(u / np.sqrt(np.sum(u**2.0)) * (v / np.sqrt(np.sum(v**2.0))))


def _single(u, v):
    u, v = u.astype(np.float32), v.astype(np.float32)
    length = norm(u) * norm(v)
    return np.float32(0) if length == 0 else u @ v / length


def _small_number(u, v):
    return np.dot(u, v) / (norm(u) * norm(v) + 1e-9)


def _nan_to_num(u, v):
    return np.nan_to_num(np.inner(u, v) / np.sqrt(np.inner(u, u) * np.inner(v, v)))


def _law(u, v):
    """From the three sides of a triangle: |u - v|^2 = |u|^2 + |v|^2 - 2 |u| |v| cos."""
    u, v = np.asarray(u, float), np.asarray(v, float)
    a, b, c = (norm(x) for x in (u, v, u - v))
    return (a * a + b * b - c * c) / (2 * a * b) if a * b else 0.0


ACCEPTED = (cosine, _unit_first, _single, _small_number, _nan_to_num, _law)


# ---- the exercise

EXERCISE = Exercise(
    name="cosine_similarity",
    lesson="word_vectors",
    reference=ref.cosine_similarity,
    checks=(
        Check("the dot product divided by both lengths", 2, plain),
        Check("length plays no part", 1, lengths),
        Check("opposite directions give a negative cosine", 1, signs),
        Check("a zero vector has cosine 0 with everything", 1, zero, side=True),
        serves_any_array(and_read_only(types)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "The dot product mixes two things: the angle and both lengths. Divide the lengths out.",
        "The length of u is np.linalg.norm(u), the root of the sum of its squares. Divide by both lengths.",
        "u @ v / (np.linalg.norm(u) * np.linalg.norm(v)), and 0.0 before dividing when a length is 0.",
    ),
)
