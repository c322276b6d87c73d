"""cbow_gradients: the loss and its slope by every number of both tables."""

import dataclasses

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import compare, failed
from autograde.engine.exercise import Check, Exercise
from autograde.engine.properties import right_and_unchanged
from course_utils import embedding_space as ref

from ...inputs.layouts import and_read_only
from ..draws import TYPES
from . import draws
from .accepted import ACCEPTED
from .mistakes import MISTAKES

PARTS = ("the loss", "dE", "dU")


def one_part(number: int):
    """A test of one of the three results, whatever the others are."""

    def test(trial):
        parts = trial.outcome.value
        if trial.outcome.failure or not isinstance(parts, tuple) or len(parts) != 3:
            return trial.problem()
        problem = compare(Outcome(parts[number]), trial.expected[number])
        return problem and dataclasses.replace(problem, message=f"{PARTS[number]}: {problem.message}")

    return test


def parts_it_gets_right(trial):
    """Of the three results those that the answer gets right in a plain call, a gradient among them: a wrong loss, or one
    gradient, costs its own points alone."""
    plain = draws.SMALLEST
    asked, due = trial.ask(*plain), ref.cbow_gradients(*plain)
    if not (isinstance(asked.value, tuple) and len(asked.value) == 3):
        return failed(asked) or trial.problem()
    right = [i for i in range(3) if compare(Outcome(asked.value[i]), np.asarray(due[i])) is None]
    if not {1, 2} & set(right):
        return trial.problem() or "neither gradient is right"
    return next((problem for i in right if (problem := one_part(i)(trial))), None)


EXERCISE = Exercise(
    name="cbow_gradients",
    lesson="embedding_space",
    reference=ref.cbow_gradients,
    checks=(
        Check("the loss: −ln p of the target", 1, draws.plain, one_part(0)),
        Check("dU: the mean of the context meets the error", 2, draws.plain, one_part(2)),
        Check("dE: each context word gets its share of U times the error", 2, draws.plain, one_part(1)),
        Check("a word twice in the context gets two shares", 1, draws.repeats, one_part(1)),
        Check("one word of context; a target inside its own context", 1, draws.edges, parts_it_gets_right),
        Check("the context may be a plain list", 1, draws.lists, parts_it_gets_right),
        Check(TYPES, 1, draws.types, parts_it_gets_right),
        Check("leaves its arguments as they were", 1, and_read_only(draws.plain), right_and_unchanged(parts_it_gets_right)),
    ),
    inputs=draws.every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Begin with the prediction p. The gradient of −ln p[target] by the scores is p with 1 taken off at the target: "
        "call it error.",
        "scores = mean @ U, so dU = np.outer(mean, error) and the gradient by the mean is U @ error.",
        "Each of the m context words made up 1/m of the mean: its row of dE gets U @ error / m. "
        "np.add.at(dE, context, …) adds one share per position, repeats too.",
    ),
)
