"""Tests that several exercises of this lesson share."""

from collections.abc import Mapping

import numpy as np

from autograde.engine.compare import failed, same_value


def same_in_float64(trial):
    """float32 and whole numbers give what the same numbers give as float64."""
    problem = failed(trial.outcome)
    if problem:
        return problem
    if same_value(trial.outcome.value, trial.ask(*map(in_float64, trial.args)).value):
        return None
    return "the same numbers as float64 give another result"


def in_float64(value):
    if isinstance(value, np.ndarray):
        return value if value.dtype == bool else value.astype(float)
    if isinstance(value, Mapping):
        return {key: in_float64(item) for key, item in value.items()}
    return value
