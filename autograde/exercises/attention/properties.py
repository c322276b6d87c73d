"""The properties of attention, each asked for by itself, so that a mistake costs its own points alone.

What can be is asked of the answer relative to itself: the output must be *its* weights times the values, its
weights under a mask must be *its* weights without one, cut and renormalised, and a batch must give what its items
give one by one. Whether the weights are right is read off in ``scale``.
"""

import numpy as np

from autograde.engine.calling import Outcome
from autograde.engine.compare import compare, failed, same_outcome, same_value
from autograde.engine.exercise import Check, Problem

OUTPUT, WEIGHTS = 0, 1


def results(trial, outcome):
    """((output, weights), None) of a call, or (None, what is wrong) when they cannot be read in the right shapes."""
    if outcome is trial.outcome and (problem := trial.problem()) and problem.stage not in ("shape", "value", "finite"):
        return None, problem
    if parts := _parts(outcome.value, 2):
        return parts, None
    return None, failed(outcome) or Problem("type", "it did not return an output and weights: return output, weights")


def right_part(number, name):
    """A test: this one of several results agrees with the reference's, whatever the others are."""

    def test(trial):
        parts = _parts(trial.outcome.value, len(trial.expected))
        if parts is None:
            return trial.problem()
        problem = compare(Outcome(parts[number]), trial.expected[number])
        return problem and Problem(problem.stage, f"{name}: {problem.message}")

    return test


def right_weights(trial):
    """The weights agree with the reference's, whatever the output."""
    found, problem = results(trial, trial.outcome)
    if problem:
        return problem
    problem = compare(Outcome(found[WEIGHTS]), trial.expected[WEIGHTS])
    if problem is None:
        return None
    told = _sums(found[WEIGHTS]) if problem.stage == "value" else problem.message.replace("it returned", "they have")
    return Problem(problem.stage, f"the weights: {told}")


def _sums(weights) -> str:
    rows = weights.sum(axis=-1).ravel()
    worst = int(np.argmax(np.abs(rows - 1)))
    if not np.isclose(rows[worst], 1, atol=1e-4):
        return f"those of query {worst} sum to {rows[worst]:.3g}, not to 1"
    return "each query's sum to 1, but they are not the softmax of its scores"


def mixes_values(values):
    """A test: the output is right, or is the answer's own weights times ``values(args)`` where the first check is passed."""

    def test(trial):
        found, problem = results(trial, trial.outcome)
        wrong = problem or compare(Outcome(found[OUTPUT]), trial.expected[OUTPUT])
        if wrong is None or problem or not trial.run.core_passed:
            return wrong and Problem(wrong.stage, f"the output: {wrong.message}")
        return _mixed(found, trial.expected, values(trial.args))

    return test


def _mixed(found, expected, V):
    output, weights = found
    if weights.shape != expected[WEIGHTS].shape:
        return f"the weights have shape {weights.shape}, not {expected[WEIGHTS].shape}, so they mix nothing"
    if not np.isfinite(weights).all():
        return Problem("finite", "there are weights that are not finite numbers, so nothing can be mixed")
    problem = compare(Outcome(output), np.matmul(weights, V))
    if problem is None:
        return None
    told = "it is not the weighted sum of the values" if problem.stage == "value" else problem.message
    return Problem(problem.stage, f"the output: {told.replace('it returned', 'it has')}")


def cuts_weights(values, without):
    """A test: what the mask closes weighs 0, what stays open keeps its proportions, and the output follows.

    ``without(args)``: the arguments of the same call without its mask; ``values`` as in :func:`mixes_values`.
    The case's mask is where the reference's weights are not 0.
    """

    def test(trial):
        free, problem = results(trial, trial.ask(*without(trial.args)))
        if not problem:
            found, problem = results(trial, trial.outcome)
        if problem:
            return problem
        allowed, weights = trial.expected[WEIGHTS] > 0, free[WEIGHTS]
        if weights.shape != allowed.shape:
            return f"without a mask the weights have shape {weights.shape}, not {allowed.shape}"
        problem = not_cut(found[WEIGHTS], weights, trial.expected[WEIGHTS])
        if problem:
            return leak(found[WEIGHTS], allowed) if problem.stage == "value" else Problem(problem.stage, problem.message)
        if _mixed(free, trial.expected, values(trial.args)) is None:
            return _mixed(found, trial.expected, values(trial.args))
        return None

    return test


def not_cut(found, free, right) -> Problem | None:
    """What is wrong with weights that are neither the free ones, cut where the right ones are 0, nor the right ones:
    cutting may enlarge what rounding did to the free ones."""
    problem = compare(Outcome(found), renormalised(free * (right > 0), free))
    return problem and compare(Outcome(found), right) and problem


def renormalised(kept, free):
    """Sums of 1 again, over whatever the answer's own softmax ran over: keys, queries or everything."""
    for axis in (-1, -2, (-2, -1)):
        if np.allclose(free.sum(axis=axis), 1, atol=1e-4):
            with np.errstate(all="ignore"):
                return np.nan_to_num(kept / kept.sum(axis=axis, keepdims=True))
    return kept


def leak(weights, allowed) -> str:
    """What is wrong with weights (n_q, n_k), or (h, n_q, n_k), that are not the free ones cut by the mask."""
    closed = np.where(allowed, 0, np.abs(weights))
    index = np.unravel_index(np.argmax(closed), closed.shape)
    *head, query, key = index
    if closed[index] <= 1e-5:
        return "closed keys weigh 0, but the weights of the open ones are not their softmax"
    where = f"in head {head[-1]}, " if head else ""
    return f"{where}query {query} gives weight {weights[index]:.3g} to key {key}, where it may not look"


def zeros_in_fully_masked_rows(trial):
    """Queries that may look nowhere: weights and output 0, and the other queries answer as before."""
    Q, K, V, mask = trial.args
    found, problem = results(trial, trial.outcome)
    if problem:
        return problem
    nowhere = ~mask.any(axis=-1)
    for part, name in zip(found, ("output", "weights")):
        if not np.isfinite(part).all():
            return Problem("finite", f"the {name} of a query that may look nowhere is not a number; it should be 0")
        if part.ndim != 2 or len(part) != len(Q) or np.abs(part[nowhere]).max() > 1e-5:
            return f"the {name} of a query that may look nowhere is not 0"
    opened = trial.ask(Q, K, V, mask | nowhere[:, None])
    others = [part[~nowhere] for part in results(trial, opened)[0] or found]
    return (
        None
        if same_value(tuple(part[~nowhere] for part in found), tuple(others))
        else "a query that may look nowhere changes what the others get"
    )


def survives(values, small):
    """A test for huge scores: the weights are right, the output finite, and still the mixture it is otherwise.

    ``small(args)``: the same call with modest scores.
    """

    def test(trial):
        problem = right_weights(trial)
        if problem:
            return problem
        found, _ = results(trial, trial.outcome)
        if not np.isfinite(found[OUTPUT]).all():
            return Problem("finite", "the output is not a number")
        modest = small(trial.args)
        free, problem = results(trial, trial.ask(*modest))
        if problem or _mixed(free, trial.expected, values(modest)):
            return problem
        return _mixed(found, trial.expected, values(trial.args))

    return test


def hides_at_any_size(values, without):
    """A test: closed keys stay closed when their scores are huge, and the output follows where it does without a mask.

    What overflows without a mask is no fault of it.
    """

    def test(trial):
        free, problem = results(trial, trial.ask(*without(trial.args)))
        if problem is None and not np.isfinite(free[WEIGHTS]).all():
            return None
        wrong = right_weights(trial)
        if wrong or problem or _mixed(free, trial.expected, values(trial.args)):
            return wrong
        return _mixed(results(trial, trial.outcome)[0], trial.expected, values(trial.args))

    return test


def same_item_by_item(items, acts=None):
    """A test: a batch gives what its items give by themselves.

    ``items(args)``: the arguments of each item, in order. ``acts(args)``: arguments that must give another result.
    """

    def test(trial):
        expected = trial.expected if isinstance(trial.expected, tuple) else (trial.expected,)
        whole = _parts(trial.outcome.value, len(expected))
        singles = [_parts(trial.ask(*item).value, len(expected)) for item in items(trial.args)]
        if any(parts is None for parts in (whole, *singles)):
            return failed(trial.outcome) or "a batch does not give what its items give one by one"
        lead = trial.args[0].shape[:-2]
        for part, *own in zip(whole, *singles):
            stacked = np.stack(own).reshape(*lead, *own[0].shape) if _alike(own) else None
            if stacked is None or not same_value(part, stacked):
                return "a batch does not give what its items give one by one"
        if acts and same_value(trial.ask(*acts(trial.args)).value, trial.outcome.value):
            return "the result is the same with and without the mask"
        return None

    return test


def _alike(arrays) -> bool:
    return all(one.shape == arrays[0].shape for one in arrays)


def _parts(value, number):
    """A call's results as a tuple of arrays, ``number`` of them, or None. Equal shapes arrive as one array."""
    if isinstance(value, np.ndarray) and (number == 1 or value.ndim):
        value = (value,) if number == 1 else tuple(map(np.asarray, value))
    fine = isinstance(value, tuple) and len(value) == number and all(isinstance(part, np.ndarray) for part in value)
    return value if fine else None


def same_in_any_type(trial):
    """float32, whole numbers and views give what the same numbers give in a new array of float64."""
    if trial.outcome.failure is not None:
        return failed(trial.outcome)
    if same_value(trial.outcome.value, trial.ask(*map(_new_array, trial.args)).value):
        return None
    return "the same numbers in a new array of float64 give another result"


def _new_array(value):
    """The same numbers as float64 (a mask stays bool), in an array of its own."""
    return np.array(value, bool if value.dtype == bool else float, order="C") if isinstance(value, np.ndarray) else value


def touches_nothing(cases, points: int = 1) -> Check:
    """Only this is asked here: wrong values and errors lose theirs elsewhere, but for arrays that may not be written into."""

    def test(trial):
        if any(isinstance(a, np.ndarray) and not a.flags.writeable for a in trial.args):
            return _same_when_locked(trial)
        if trial.outcome.changed:
            which = " and ".join(f"no. {i + 1}" for i in trial.outcome.changed)
            return f"the call changed its argument {which}: work on a copy, such as scores = scores - 1"
        return None

    return Check("leaves its arguments as they were", points, cases, test, side=True)


def _same_when_locked(trial):
    """Arrays that may not be written into give what others give."""
    if same_outcome(trial.outcome, trial.ask(*map(_unlocked, trial.args))):
        return None
    return failed(trial.outcome) or "arrays that may not be written into give another result"


def _unlocked(value):
    return value.copy() if isinstance(value, np.ndarray) else value
