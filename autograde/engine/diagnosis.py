"""Naming the mistake: the misconception that explains everything that was seen, and no other.

A misconception is named only when it agrees with the answer on every call, right ones included. When
several do, more inputs are asked; when they still agree, all are told and none is named.
"""

import contextlib

import numpy as np

from .calling import LocalAnswer, Outcome, quiet
from .compare import same_outcome
from .exercise import Diagnosis, Exercise, Misconception

ROUNDS = 3  # further draws of every check's inputs, to tell apart misconceptions that agree so far


def diagnose(exercise: Exercise, run, seed: int) -> tuple[Diagnosis | None, tuple[Diagnosis, ...]]:
    """(the mistake, ()) when one misconception explains all, (None, several) when it stays undecided."""
    if run.limits or all(outcome.failure for _, outcome in run.seen):
        return None, ()  # an answer that only raises shows nothing that a misconception could explain
    seen = sorted(run.seen, key=lambda call: call[0] is not run.failing[1])  # what failed rules out most
    with quiet():
        fitting = [m for m in exercise.misconceptions if explains(exercise, m, seen)]
    for round_ in range(ROUNDS):
        if len(fitting) < 2:
            break
        fitting = _ask_further(exercise, fitting, run, np.random.default_rng([seed, round_]))
    named = tuple(Diagnosis(m.id, m.explanation) for m in fitting)
    return (named[0], ()) if len(named) == 1 else (None, named)


def explains(exercise: Exercise, misconception: Misconception, seen) -> bool:
    answer = known(misconception)
    return all(_alike(exercise, answer.call(args), outcome, args) for args, outcome in seen)


def known(misconception: Misconception) -> LocalAnswer:
    """A mistake of ours, which needs no limit of time, and none to quiet it but the one around all of them."""
    return LocalAnswer(misconception.function, around=contextlib.nullcontext)


def _alike(exercise: Exercise, one: Outcome, other: Outcome, args: tuple) -> bool:
    return (exercise.alike or same_outcome)(one, other, args)


def _ask_further(exercise: Exercise, fitting, run, rng):
    for check in exercise.checks:
        for args in check.cases(rng):
            with quiet():
                behaviours = [known(m).call(args) for m in fitting]
            if all(_alike(exercise, behaviours[0], other, args) for other in behaviours[1:]):
                continue
            outcome = run.answer.call(args)
            fitting = [m for m, b in zip(fitting, behaviours) if _alike(exercise, b, outcome, args)]
            if len(fitting) < 2:
                return fitting
    return fitting
