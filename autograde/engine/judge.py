"""An exercise and an answer in, a Report out. Deterministic under a seed; the same in a notebook and in grading.

In grading the answer is a proxy for a function in another process: nothing here runs a learner's code
except through ``Answer.call``.
"""

import functools
import zlib

import numpy as np

from .calling import Answer, LocalAnswer, Outcome, described, fresh
from .compare import compare, failed, plain_expected
from .diagnosis import diagnose
from .example import show
from .exercise import PUBLIC_SEED, Check, CheckResult, Exercise, Problem, Quiz, Report, Status
from .quiz import judge_quiz

LIMITS = 2  # calls that may hit a limit before the rest of an answer is not called any more


def judge(record: Exercise | Quiz, answer, seed: int = PUBLIC_SEED) -> Report:
    """Judges a function (or a quiz's letter) and says which mistake was made.

    answer: a callable, an ``Answer``, None, or a quiz's letter.
    """
    if isinstance(record, Quiz):
        return judge_quiz(record, answer)
    if answer is None or answer is ...:
        return not_attempted(record)
    if not isinstance(answer, Answer) and not callable(answer):
        return refused(record, f"{record.name} is {described(answer)}, not a function")
    answer = answer if isinstance(answer, Answer) else LocalAnswer(answer)
    return not_attempted(record) if answer.empty else _judge(record, answer, seed)


def _judge(exercise: Exercise, answer: Answer, seed: int) -> Report:
    run = Judging(exercise, answer, seed)
    results = tuple(run.result(check) for check in exercise.checks)
    if run.untouched:
        return not_attempted(exercise)
    if all(result.score == result.points for result in results):
        return Report(exercise.name, Status.SCORED, results)
    named, undecided = diagnose(exercise, run, seed)
    return Report(exercise.name, Status.SCORED, results, named, undecided, show(exercise, run))


class Trial:
    """One case of a check: what was handed over, what came back, and a way to ask once more."""

    def __init__(self, run: "Judging", args: tuple, outcome: Outcome):
        self.run, self.args, self.outcome = run, args, outcome

    @functools.cached_property
    def expected(self):
        """The reference's result: an array, or a tuple of arrays."""
        return plain_expected(self.run.exercise.reference(*fresh(self.args)))

    def ask(self, *args) -> Outcome:
        """One more call of the answer, seen by the diagnosis too."""
        return self.run.ask(args)

    def problem(self) -> Problem | None:
        """The stage of the ladder that the outcome breaks, compared with the reference."""
        return compare(self.outcome, self.expected, self.run.exercise.kind)


class Judging:
    """One answer on its way through the checks. ``seen`` holds every call for the diagnosis."""

    def __init__(self, exercise: Exercise, answer: Answer, seed: int):
        self.exercise, self.answer, self.seed = exercise, answer, seed
        self.seen: list[tuple[tuple, Outcome]] = []
        self.failing: tuple[Check, tuple, Outcome, Problem] | None = None
        self.lost: list[tuple[tuple, Outcome]] = []  # the calls on which a check was lost
        self.limits = 0
        self.core_passed: bool | None = None  # of the first check and the core ones so far

    @property
    def untouched(self) -> bool:
        """Every call said NotImplementedError: the stub of a learner who has not begun."""
        return all(o.failure is not None and o.failure.type == "NotImplementedError" for _, o in self.seen)

    def is_failing(self, outcome: Outcome) -> bool:
        """Whether a check was lost on this very call."""
        return any(outcome is lost for _, lost in self.lost)

    def ask(self, args: tuple) -> Outcome:
        return self.ask_all([args])[0]

    def ask_all(self, cases: list[tuple]) -> list[Outcome]:
        """An outcome for each case. They are handed over together: a sandbox is asked once, not once for each."""
        outcomes: list[Outcome] = []
        while len(outcomes) < len(cases) and self.limits < LIMITS:
            waiting = cases[len(outcomes) :]
            told = self.answer.calls(waiting)
            self.seen += zip(waiting, told)
            self.limits += sum(outcome.limited for outcome in told)
            outcomes += told
        return outcomes + [self.seen[-1][1]] * (len(cases) - len(outcomes))

    def result(self, check: Check) -> CheckResult:
        if check.side and not self.core_passed:  # not called: what it would show belongs to another mistake
            return CheckResult(check.name, 0.0, float(check.points), called=False)
        problem = self._first_problem(check)
        if self.core_passed is None or check.core:
            self.core_passed = self.core_passed is not False and problem is None
        score = 0.0 if problem else float(check.points)
        return CheckResult(check.name, score, float(check.points), problem.message if problem else "")

    def _first_problem(self, check: Check) -> Problem | None:
        """All cases are called in any event: a mistake is named only if it explains those after a failing one too."""
        cases = list(check.cases(generator(self.seed, self.exercise.name, check.name)))
        for args, outcome in zip(cases, self.ask_all(cases)):
            found = self._test(check, Trial(self, args, outcome))
            if found:
                self.failing = self.failing or (check, args, outcome, found)
                self.lost.append((args, outcome))
                return found
        return None

    def _test(self, check: Check, trial: Trial) -> Problem | None:
        if check.test is None:
            return trial.problem()
        before = len(self.seen)
        try:
            problem = check.test(trial)
        except Exception:
            problem = self._malformed([(trial.args, trial.outcome), *self.seen[before:]])
            if problem is None:  # then the test is broken
                raise
        if isinstance(problem, str):
            problem = failed(trial.outcome) or Problem("property", problem)
        return problem

    def _malformed(self, calls: list[tuple[tuple, Outcome]]) -> Problem | None:
        """The first result that has not the form that is due; a test need not cope with any other."""
        problems = (Trial(self, args, outcome).problem() for args, outcome in calls)
        return next((problem for problem in problems if problem and problem.stage != "value"), None)


def generator(seed: int, *words: str) -> np.random.Generator:
    """A generator of its own for each check, so that adding a check changes no other's inputs."""
    return np.random.default_rng([seed, *(zlib.crc32(word.encode()) for word in words)])


def not_attempted(record) -> Report:
    return _without_points(record, Status.NOT_ATTEMPTED, "nothing has been written yet")


def refused(record, reason: str) -> Report:
    return _without_points(record, Status.SCORED, reason)


def not_gradable(record, reason: str) -> Report:
    """For an answer that could not be judged: never the same as an answer that scored 0."""
    return _without_points(record, Status.NOT_GRADABLE, reason)


def _without_points(record, status: Status, reason: str) -> Report:
    checks = getattr(record, "checks", ())
    results = tuple(CheckResult(check.name, 0.0, float(check.points)) for check in checks)
    return Report(record.name, status, results or (CheckResult("the right option", 0.0, float(record.points)),), reason=reason)
