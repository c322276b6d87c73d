"""What a run or a report refuses to do, in words."""


class GradingError(Exception):
    """The command cannot do its work. The text says what was found, what was expected, and what to do."""
