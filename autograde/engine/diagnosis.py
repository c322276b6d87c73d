"""Naming the mistake: the misconception that explains what was seen, beside habits that hide it on some calls.

A call speaks for a misconception where the answer is wrong and does as the misconception does. A call speaks
against it where the answer does anything else, unless a habit explains the difference. A misconception is named when
a call speaks for it and none against it, here and on one further draw of inputs; among several, those that need the
fewest habits. When these still agree after more draws, all are told and none is named.
"""

import contextlib
import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .calling import LocalAnswer, Outcome, quiet
from .compare import same_outcome
from .exercise import Diagnosis, Exercise, Habit, Misconception
from .habits import HABITS

ROUNDS = 3  # further draws of every check's inputs, to tell apart misconceptions that agree so far


@dataclass(frozen=True)
class Fit:
    """A misconception that no call speaks against, the habits it needs for that, and on how many calls."""

    misconception: Misconception
    habits: tuple[Habit, ...]
    touched: int

    @property
    def diagnosis(self) -> Diagnosis:
        mistake, also = self.misconception, [habit.explanation for habit in self.habits if habit.explanation]
        told = f"Two things. First: {mistake.explanation} Second: {' '.join(also)}" if also else mistake.explanation
        return Diagnosis(mistake.id, told)


def diagnose(exercise: Exercise, run, seed: int) -> tuple[Diagnosis | None, tuple[Diagnosis, ...]]:
    """(the mistake, ()) when one misconception explains all, (None, several) when it stays undecided."""
    if run.limits or all(outcome.failure for _, outcome in run.seen):
        return None, ()  # an answer that only raises shows nothing that a misconception could explain
    seen = sorted(run.seen, key=lambda call: call[0] is not run.failing[1])  # what failed rules out most
    fits = _simplest(_fits(exercise, run, seen))
    if not fits and _habits_alone(exercise, (*exercise.habits, *HABITS), seen):
        fits = _simplest(_fits(exercise, run, [*seen, *_asked_for_all(exercise, run, np.random.default_rng([seed, ROUNDS]))]))
    for round_ in range(ROUNDS):
        if not fits or (round_ and len(fits) == 1):
            break
        fits = _confirmed(exercise, fits, run, np.random.default_rng([seed, round_]), round_)
    named = tuple(fit.diagnosis for fit in fits)
    return (named[0], ()) if len(named) == 1 else (None, named)


def _asked_for_all(exercise: Exercise, run, rng) -> list:
    """Calls for every check: a second flaw may have kept those that tell the mistake from being asked."""
    cases = [args for check in exercise.checks for args in check.cases(rng)]
    return list(zip(cases, run.answer.calls(cases)))


def _fits(exercise: Exercise, run, seen) -> list[Fit]:
    with quiet():
        right = functools.cache(lambda i: known(exercise.reference).call(seen[i][0]))
        fits = [fit for m in exercise.misconceptions if (fit := _fit(exercise, m, run, seen, right))]
    return [fit for fit in fits if not (fit.habits and _habits_alone(exercise, fit.habits, seen))]


def _habits_alone(exercise: Exercise, habits: tuple[Habit, ...], seen) -> bool:
    """Whether a right answer with these habits does all that was seen: then nothing speaks for a mistake besides."""
    with quiet():
        rights = [known(exercise.reference).call(args) for args, _ in seen]
        return all(
            _alike(exercise, right, outcome, args) or any(habit.explains(right, outcome, args) for habit in habits)
            for right, (args, outcome) in zip(rights, seen)
        )


def _fit(exercise: Exercise, misconception: Misconception, run, seen, right) -> Fit | None:
    answer, habits, touched, spoken = known(misconception.function), {}, 0, False
    for i, (args, outcome) in enumerate(seen):
        mistaken = answer.call(args)
        if _alike(exercise, mistaken, outcome, args):
            spoken = spoken or run.is_failing(outcome) or not _alike(exercise, outcome, right(i), args)
            continue
        habit = _habit(exercise, mistaken, outcome, args)
        if habit is None:
            return None
        spoken = spoken or not habit.explains(right(i), outcome, args)  # a right answer with this habit does something else
        habits[habit.id], touched = habit, touched + 1
    return Fit(misconception, tuple(habits.values()), touched) if spoken else None


def _habit(exercise: Exercise, mistaken: Outcome, outcome: Outcome, args: tuple) -> Habit | None:
    return next((habit for habit in (*exercise.habits, *HABITS) if habit.explains(mistaken, outcome, args)), None)


def _simplest(fits: list[Fit]) -> list[Fit]:
    """Those that need the fewest habits, on the fewest calls."""
    least = min(((len(fit.habits), fit.touched) for fit in fits), default=None)
    return [fit for fit in fits if (len(fit.habits), fit.touched) == least]


def _confirmed(exercise: Exercise, fits: list[Fit], run, rng, round_: int) -> list[Fit]:
    """Those that also explain what the answer does on further inputs: a side property's, too, where they must be told apart."""
    for check in exercise.checks:
        if check.side and len(fits) == 1:
            continue
        cases = [args for args in check.cases(rng) if len(fits) == 1 or _differ(exercise, fits, args)]
        if not cases:
            continue
        outcomes = run.answer.calls(cases)
        with quiet():
            fits = [fit for fit in fits if _explains(exercise, fit, zip(cases, outcomes))]
        if not fits:
            break
    return fits


def _differ(exercise: Exercise, fits: list[Fit], args: tuple) -> bool:
    with quiet():
        first, *others = (known(fit.misconception.function).call(args) for fit in fits)
    return not all(_alike(exercise, first, other, args) for other in others)


def _explains(exercise: Exercise, fit: Fit, calls) -> bool:
    for args, outcome in calls:
        mistaken = known(fit.misconception.function).call(args)
        if not _alike(exercise, mistaken, outcome, args) and _habit(exercise, mistaken, outcome, args) not in fit.habits:
            return False
    return True


def known(function: Callable) -> LocalAnswer:
    """A function of ours, which needs no limit of time, and none to quiet it but the one around all of them."""
    return LocalAnswer(function, around=contextlib.nullcontext)


def _alike(exercise: Exercise, one: Outcome, other: Outcome, args: tuple) -> bool:
    return (exercise.alike or same_outcome)(one, other, args)
