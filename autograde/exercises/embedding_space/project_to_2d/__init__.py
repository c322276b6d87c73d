"""project_to_2d: where rows lie along their two directions of largest spread."""

import dataclasses

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import compare, same_outcome
from autograde.engine.exercise import Check, Exercise
from autograde.engine.properties import leaves_arguments_alone
from course_utils import embedding_space as ref

from ...inputs.layouts import and_read_only
from ..draws import TYPES
from . import draws
from .accepted import ACCEPTED
from .mistakes import MISTAKES


def up_to_signs(trial):
    """The comparison with the reference, after each column has been turned to the reference's side."""
    value = trial.outcome.value
    if trial.outcome.failure or not isinstance(value, np.ndarray) or value.shape != trial.expected.shape:
        return trial.problem()
    return compare(Outcome(turned(value, trial.expected)), trial.expected)


def turned(columns, towards):
    """Each column with the sign that brings it nearer to the other array's column."""
    columns = columns.astype(float)
    with np.errstate(all="ignore"):
        return np.where((columns * towards).sum(axis=0) < 0, -columns, columns)


def alike_up_to_signs(one, other, args):
    """Whether two outcomes show the same behaviour, the signs of columns left aside."""
    values = one.value, other.value
    if all(isinstance(value, np.ndarray) for value in values) and values[0].shape == values[1].shape:
        one = dataclasses.replace(one, value=turned(*values))
    return same_outcome(one, other)


EXERCISE = Exercise(
    name="project_to_2d",
    lesson="embedding_space",
    reference=ref.project_to_2d,
    checks=(
        Check("where each row lies along the two directions of largest spread", 2, draws.plain, up_to_signs),
        Check("the rows are centred first", 1, draws.off_centre, up_to_signs),
        Check("three rows, two columns, more columns than rows", 1, draws.shapes, up_to_signs, side=True),
        Check(TYPES, 1, draws.types, up_to_signs, side=True),
        leaves_arguments_alone(and_read_only(draws.plain), right=up_to_signs),
    ),
    inputs=draws.every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Centre first: subtract from every column its mean, X.mean(axis=0).",
        "np.linalg.svd(centred, full_matrices=False) gives three arrays. The rows of the third, often called Vt, are "
        "directions, the one of largest spread first.",
        "centred @ Vt[:2].T says where each row lies along the first two.",
    ),
    alike=alike_up_to_signs,
)
