"""The course's grader: tells from the outside not only that an answer is wrong, but which mistake was made."""

from .exercise import PUBLIC_SEED
from .judge import judge
from .notebook_commands import check, hint, yours

__all__ = ["PUBLIC_SEED", "check", "hint", "judge", "yours"]
