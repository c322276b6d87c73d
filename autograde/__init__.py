"""The course's grader: tells from the outside not only that an answer is wrong, but which mistake was made."""

from .engine.exercise import PUBLIC_SEED
from .learner.commands import check, hint, judge, yours
from .learner.earlier import earlier
from .learner.predictions import predict

__all__ = ["PUBLIC_SEED", "check", "earlier", "hint", "judge", "predict", "yours"]
