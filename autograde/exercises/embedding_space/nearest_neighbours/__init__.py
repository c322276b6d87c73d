"""nearest_neighbours: the ids of the rows with the highest cosines."""

from autograde.engine.exercise import Check, Exercise
from autograde.engine.properties import leaves_arguments_alone
from course_utils import embedding_space as ref

from ...inputs.layouts import and_read_only
from ..draws import TYPES
from . import draws
from .accepted import ACCEPTED
from .mistakes import MISTAKES

EXERCISE = Exercise(
    name="nearest_neighbours",
    lesson="embedding_space",
    reference=ref.nearest_neighbours,
    kind="int",
    checks=(
        Check("the ids of the k highest cosines, the best first", 2, draws.plain),
        Check("by direction: length plays no part", 1, draws.lengths),
        Check("excluded ids never come back, and k others do", 1, draws.excluded),
        Check("fewer than k left: all that are left, down to none", 1, draws.few, side=True),
        Check("equal cosines: the smaller id first", 1, draws.ties, side=True),
        Check("a zero vector has cosine 0 with everything", 1, draws.zero, side=True),
        Check(TYPES, 1, draws.types, side=True),
        leaves_arguments_alone(and_read_only(draws.plain)),
    ),
    inputs=draws.every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Compute all V cosines first: lesson 1's cosine_matrix takes the query as a matrix of one row, query[None].",
        'np.argsort(-cosines, kind="stable") gives all ids, the best first, and equal ones by rising id.',
        "Only then leave out and cut: [i for i in order if i not in exclude][:k].",
    ),
)
