"""dot_product_samples: dot products of random vectors, whose spread grows with their width."""

from autograde.engine.exercise import Check, Exercise
from course_utils import scaling as ref

from . import properties as has
from .accepted import ACCEPTED
from .mistakes import MISTAKES

EXERCISE = Exercise(
    name="dot_product_samples",
    lesson="scaling",
    reference=ref.dot_product_samples,
    checks=(
        Check("n numbers whose variance is d", 2, has.wide, has.variance_is_d),
        Check("their mean is 0", 1, has.wide, has.mean_is_0, side=True),
        Check("at d = 1 they are products of two normal numbers", 1, has.narrow, has.products_at_width_1, side=True),
        Check("the same seed gives the same numbers", 1, has.small, has.repeats, side=True),
        Check("another seed gives other numbers", 1, has.other_seeds, has.follows_its_seed, side=True),
    ),
    inputs=has.every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Draw two tables of n rows and d columns, and take the dot product of each row with its partner.",
        "rng.standard_normal((n, d)) is one table. Each pair needs two vectors of its own: draw two tables.",
        "(X * Y).sum(axis=1) multiplies entry by entry and adds along each row: n numbers.",
    ),
    alike=has.alike,
)
