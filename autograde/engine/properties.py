"""Checks that many exercises share."""

import numpy as np

from .compare import failed, problem_of
from .exercise import Check, Problem


def leaves_arguments_alone(cases, points: int = 1, right=None) -> Check:
    """A small property of its own: a right answer that writes into its arguments loses this and no more."""
    wanted = right_and_unchanged(right)
    return Check("leaves its arguments as they were", points, cases, lambda trial: _unchanged(trial, wanted), side=True)


def _unchanged(trial, wanted):
    """Values are compared for arguments that may not be written into; for others the other checks compare them."""
    if trial.outcome.changed or any(isinstance(arg, np.ndarray) and not arg.flags.writeable for arg in trial.args):
        return wanted(trial)
    return failed(trial.outcome)


def serves_any_array(cases, points: int = 1, right=None) -> Check:
    """The same, where no other check looks at types: a result that depends on how numbers are stored loses this."""
    name = "whole numbers, float32 and views serve as well, and arguments stay as they were"
    return Check(name, points, cases, right_and_unchanged(right), side=True)


def right_and_unchanged(right=None):
    """A test: no argument was changed, and ``right(trial)`` finds nothing; without it results are compared."""

    def test(trial):
        if trial.outcome.failure is None and trial.outcome.changed:
            which = " and ".join(f"no. {i + 1}" for i in trial.outcome.changed)
            return f"the call changed its argument {which}: work on a copy, such as X = X.copy() or X = X - 1"
        return right(trial) if right else trial.problem()

    return test


def raises(*errors: type[Exception]):
    """A test: the call must end with one of these errors, or with one derived from them."""
    names = tuple(error.__name__ for error in errors)

    def test(trial):
        failure, due = trial.outcome.failure, f"{' or '.join(names)} is due here"
        if failure is None:
            return f"it returned a result and raised no error; {due}"
        if failure.kind == "raised" and {failure.type, *failure.bases} & set(names):
            return None
        problem = problem_of(failure)
        return Problem(problem.stage, f"{problem.message}; {due}")

    return test
