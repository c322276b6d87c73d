"""The course's grader: tells from the outside not only that an answer is wrong, but which mistake was made."""

from .earlier import earlier
from .engine.exercise import PUBLIC_SEED
from .learner import check, hint, judge, yours
from .predictions import predict

__all__ = ["PUBLIC_SEED", "check", "earlier", "hint", "judge", "predict", "yours"]
