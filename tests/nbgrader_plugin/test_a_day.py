"""An instructor's day with a class of 60 over three lessons: late, twice, damaged, odd names, twins in the roster.

The expected marks come from what each learner was given to hand in, worked out here: never from a result file.
"""

import csv
import functools
import io
import json
import random
from dataclasses import dataclass, field

import make_class
import numpy as np
import pytest
from commands import autograde, grade
from small_gradebook import CONFIG, LATE, ON_TIME, WITH_OUR_CLASSES, nbgrader, released

from autograde import judge
from autograde.engine.exercise import Quiz
from autograde.exercises import folder, in_lesson

LESSONS = ("word_vectors", "embedding_space", "scaling")
SEED, BY_HAND = 4711, 2
ODD = ("Zoë Ångström", "o'neil, jr", "=1+1", "李雷", "-dash", "a.b@c.example")
NAMES = [*ODD, *(f"s{number:02d}" for number in range(len(ODD), 60))]
PENALTY = """
from nbgrader.plugins import BasePlugin
class ATenth(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return score / 10
c.AssignLatePenalties.plugin_class = ATenth
"""
pytestmark = [pytest.mark.soak, pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")]


@dataclass
class Given:
    """One attempt: the answers' sources; late; damaged: a file that nobody can read."""

    answers: dict[str, str] = field(default_factory=dict)
    late: bool = False
    damaged: bool = False


def first_attempt(number: int, lesson: str, rng: random.Random) -> Given | None:
    if number % 20 == 7 and lesson == LESSONS[2]:
        return None
    answers = {}
    for record in in_lesson(lesson):
        good, bad = make_class.right(record), make_class.wrong(record)
        choices = bad if bad and rng.random() < 0.3 else good
        if choices and rng.random() < 0.9:
            answers[record.name] = rng.choice(choices)
    return Given({} if number % 15 == 4 else answers, number % 7 == 0, number % 13 == 5)


def second_attempt(number: int, lesson: str) -> Given | None:
    """All right, blank, or none; one is late, and one mends a damaged file."""
    right = {record.name: make_class.right(record)[0] for record in in_lesson(lesson) if make_class.right(record)}
    return Given(right, number % 4 == 1) if number % 6 == 1 or number == 5 else Given() if number % 6 == 2 else None


@functools.cache
def worth(name: str, source: str) -> float:
    """Points of one answer's source by itself, under the course's seed."""
    space: dict = {"np": np, "math": __import__("math")}
    exec(source, space)
    record = next(each for lesson in LESSONS for each in in_lesson(lesson) if each.name == name)
    if isinstance(record, Quiz):
        return record.points if space[name] == record.right else 0.0
    return judge(name, space[name], seed=SEED).score


def points(given: Given) -> float | None:
    return None if given.damaged else sum(worth(name, source) for name, source in given.answers.items())


def counting(attempts: list[Given]) -> Given:
    """The best; of equals the last; anything rather than what nobody can read."""
    best = attempts[0]
    for other in attempts[1:]:
        if points(best) is None or (points(other) is not None and points(other) >= points(best)):
            best = other
    return best


def hand_in(home, student: str, lesson: str, given: Given) -> None:
    target = home / "submitted" / student / folder(lesson)
    target.mkdir(parents=True, exist_ok=True)
    data = json.dumps(make_class.filled(lesson, given.answers)).encode()
    (target / f"{lesson}.ipynb").write_bytes(data[: len(data) // 2] if given.damaged else data)
    (target / "timestamp.txt").write_text(LATE if given.late else ON_TIME)


def mark_by_hand(home, lesson: str) -> dict[str, float]:
    """The sheet with a mark for four of five; what each was given."""
    sheet, marks = home / "sheets" / f"{lesson}-why_so.csv", {}
    found = list(csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8-sig"), newline="")))
    for row in found:
        number = NAMES.index(row["student"] if row["student"] in NAMES else row["student"][1:])
        if number % 5:
            marks[NAMES[number]] = number % 5 / 2
            row["mark"] = f"{number % 5 / 2:g}"
    with open(sheet, "w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, found[0])
        writer.writeheader()
        writer.writerows(found)
    assert autograde("marks", home / "gradebook.db", sheet)[0] == 0
    return marks


def rows(path) -> list[dict]:
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def roster(*more: str) -> str:
    """As Canvas exports it: everybody is called the same, twins too, and only the login tells them apart."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["Student", "ID", "SIS Login ID", "Section"])
    writer.writerows([["Smith, Ann", 100 + number, name, "A"] for number, name in enumerate([*NAMES, *more])])
    return text.getvalue()


@pytest.fixture
def home(tmp_path):
    course = tmp_path / "course"
    course.mkdir()
    for lesson in LESSONS:
        released(course, lesson)
        nbgrader(course, "db", "assignment", "add", folder(lesson), "--duedate", "2030-02-02 00:00:00 UTC")
    (course / "nbgrader_config.py").write_text(CONFIG.format(home=course) + WITH_OUR_CLASSES + PENALTY)
    return course


def test_the_day(home):
    rng, attempts = random.Random(5), {}
    for number, name in enumerate(NAMES):
        for lesson in LESSONS:
            if given := first_attempt(number, lesson, rng):
                attempts[name, lesson] = [given]
                hand_in(home, name, lesson, given)
    run = functools.partial(grade, home / "submitted", home / "results", jobs=2, seed=SEED, gradebook=home / "gradebook.db")
    assert run()[0] == 1  # some cannot be read
    flags = [word for lesson in LESSONS for word in ("--lesson", lesson)]
    assert autograde("sheets", home / "gradebook.db", *flags, "--to", home / "sheets")[0] == 0
    by_hand = {lesson: mark_by_hand(home, lesson) for lesson in LESSONS}
    for number, name in enumerate(NAMES):
        for lesson in LESSONS:
            if (name, lesson) in attempts and (given := second_attempt(number, lesson)):
                attempts[name, lesson].append(given)
                hand_in(home, name, lesson, given)
    code, said = run()
    lower = sum(points(each[-1]) == 0 and counting(each) is each[0] for each in attempts.values() if len(each) > 1)
    assert code == 1 and said.count("would now be") == lower > 10
    nbgrader(home, "generate_feedback", folder(LESSONS[0]))
    assert len(list((home / "feedback").glob(f"*/*/{LESSONS[0]}.html"))) == len(NAMES)

    expected = {key: final(each, by_hand[key[1]].get(key[0], 0.0)) for key, each in attempts.items()}
    late = sum(counting(each).late and bool(points(counting(each))) for each in attempts.values())
    assert late > 20 and list(expected.values()).count(None) == 6 and len(set(expected.values())) > 20  # all kinds are there
    (home / "roster.csv").write_text(roster(), encoding="utf-8")
    words = ("export", home / "gradebook.db", "--roster", home / "roster.csv", "--gradescope", "--to", home / "export")
    code, said = autograde(*words)
    assert code == 0, said
    assert_exports(home / "export", expected)
    (home / "roster.csv").write_text(roster("s20"), encoding="utf-8")  # a twin with the same login
    code, said = autograde(*words[:-1], home / "again")
    assert code == 2 and "s20" in said and not (home / "again").exists()


def final(attempts: list[Given], hand: float) -> float | None:
    best = counting(attempts)
    found = points(best)
    return None if found is None else (found + hand) * (0.9 if best.late else 1.0)


def assert_exports(export, expected) -> None:
    plain = {
        name.lstrip("'") if name[1:2] in "=-" else name: name for name in {row["student"] for row in rows(export / "grades.csv")}
    }
    assert set(plain) == set(NAMES)
    grades = {(row["student"], row["lesson"]): row for row in rows(export / "grades.csv")}
    canvas = {row["SIS Login ID"]: row for row in rows(export / "canvas.csv")}
    single: dict[tuple[str, str], list[str]] = {}
    for row in rows(export / "exercises.csv"):
        single.setdefault((row["student"], row["lesson"]), []).append(row["score"])
    for name in NAMES:
        for lesson in LESSONS:
            want, row = expected.get((name, lesson)), grades[plain[name], lesson]
            if want is None:
                assert row["score"] == "" and canvas[plain[name]][lesson] == "", (name, lesson)
                continue
            assert float(row["score"]) == pytest.approx(want, abs=1e-4), (name, lesson)
            assert float(canvas[plain[name]][lesson]) == pytest.approx(want, abs=1e-4)
            form = json.loads((export / "gradescope" / name / f"{lesson}.json").read_text())
            assert form["score"] == pytest.approx(want, abs=1e-4)
            without_penalty = sum(float(score) for score in single[plain[name], lesson] if score)
            assert without_penalty - float(row["late penalty"]) == pytest.approx(want, abs=1e-4)
