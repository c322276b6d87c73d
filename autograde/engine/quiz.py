"""Judging a multiple-choice question: every wrong option is answered with why it is wrong."""

from .calling import described
from .exercise import CheckResult, Diagnosis, Quiz, Report, Status

CHECK = "the right option"


def judge_quiz(quiz: Quiz, answer) -> Report:
    """answer: a letter, in either case and with blanks around it; None or an empty text is not attempted."""
    if answer is None or answer is ... or (isinstance(answer, str) and not answer.strip()):
        return _report(quiz, Status.NOT_ATTEMPTED, 0, reason="no option has been chosen yet")
    letters = ", ".join(map(repr, quiz.options))
    if not isinstance(answer, str):
        return _report(quiz, Status.SCORED, 0, reason=f"{quiz.name} is {described(answer)}; write one of {letters}")
    letter = answer.strip().lower()
    if letter not in quiz.options:
        return _report(quiz, Status.SCORED, 0, reason=f"{answer.strip()[:20]!r} is not an option; write one of {letters}")
    explanation = quiz.options[letter].explanation
    if letter == quiz.right:
        return _report(quiz, Status.SCORED, quiz.points, message=explanation)
    return _report(quiz, Status.SCORED, 0, f"not {letter}", diagnosis=Diagnosis(f"chose-{letter}", explanation))


def _report(quiz, status, score, message="", **more) -> Report:
    check = CheckResult(CHECK, float(score), float(quiz.points), message)
    return Report(quiz.name, status, (check,), **more)
