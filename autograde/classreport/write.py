"""Everything that a class's results and marks give, as files. Whatever is wrong with a roster is said before any is written."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from autograde.engine.report import number
from autograde.grading import attempts, hand_marks
from autograde.grading.errors import GradingError
from autograde.grading.hand_marks import Question
from autograde.grading.marks import Mark, of_results
from autograde.grading.results import everything, write_bytes

from .csv_files import exercises_csv, for_roster, grades_csv
from .gradescope import results_json
from .learner_page import learner_page
from .page import ClassResults, as_json, page, style, template, title
from .roster import read_roster
from .similar import alike
from .tally import tallied


@dataclass(frozen=True)
class Written:
    """notices: what had to be guessed, and who is missing. damaged: a sentence for each result file that is none."""

    paths: tuple[Path, ...]
    notices: tuple[str, ...]
    damaged: tuple[str, ...] = ()


def write_reports(out: Path, roster: Path | None = None, marks: Sequence[Mark] | None = None) -> Written:
    """Writes the class page, a page for each learner and the CSV files into ``out/report/``. Raises GradingError, in words.

    marks: those of a gradebook (default: the grader's own alone).
    """
    damaged: list[str] = []
    again: list[str] = []  # the same sentences, when the files are read once more
    found = ClassResults(tallied(everything(out, damaged)), last_graded(out), _alike(out), marks)
    texts, notices = _csv_texts(of_results(everything(out, again)) if marks is None else marks, roster, by_exercise=False)
    texts = {"class.html": page(found), "class.json": as_json(found), **texts}
    for result in everything(out, again):
        if result.student != Path(result.student).name:
            raise GradingError(f"a result in {out} names the student {result.student!a}, which is no name of a folder")
        texts[f"learners/{result.student}/{result.lesson}.html"] = learner_page(result)
    return Written(_write_all(out / "report", texts), tuple(notices), tuple(damaged))


def last_graded(out: Path) -> str:
    """The day of the last line of events.log, in UTC; "" where there is none."""
    try:
        last = (out / "events.log").read_bytes().rstrip().rpartition(b"\n")[2]
        return f"{datetime.fromtimestamp(json.loads(last)['time'], UTC):%Y-%m-%d}"
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return ""


def _alike(out: Path) -> dict[str, list[tuple[str, str, int]]]:
    """lesson -> pairs of students whose code is alike."""
    results = [(result.student, result.lesson, result) for result in everything(out, [])]
    found = {}
    for lesson in {lesson for _, lesson, _ in results}:
        files = [
            (student, data)
            for student, of, result in results
            if of == lesson and (data := attempts.kept(out / student / f"{lesson}.json", result))
        ]
        found[lesson] = alike(files, lesson)
    return found


def write_export(
    folder: Path, marks: Sequence[Mark], roster: Path | None = None, by_exercise: bool = False, gradescope: bool = False
) -> Written:
    """Writes the marks as CSV files, and as Gradescope's, into a folder. Raises GradingError, in words."""
    texts, notices = _csv_texts(marks, roster, by_exercise)
    for mark in marks if gradescope else ():
        if mark.student != Path(mark.student).name:
            raise GradingError(f"{mark.student!a} cannot be the name of a file: rename the student in the gradebook")
        texts[f"gradescope/{mark.student}/{mark.lesson}.json"] = results_json(mark)
    waiting = sum(mark.waiting for mark in marks)
    notices += [f"{waiting} answers in words wait for a mark and count 0 until then"] if waiting else []
    return Written(_write_all(folder, texts), tuple(notices))


def write_sheets(folder: Path, questions: Sequence[Question]) -> tuple[Path, ...]:
    """A page to read and a CSV file to mark in, for each question in words. Raises GradingError."""
    texts = {}
    for question in questions:
        words = {"title": title, "number": number, "style": style()}
        texts[f"{question.lesson}-{question.name}.html"] = template("sheet.html.j2").render(question=question, **words) + "\n"
        texts[f"{question.lesson}-{question.name}.csv"] = hand_marks.as_csv(question)
    return _write_all(folder, texts)


def _csv_texts(marks: Sequence[Mark], roster: Path | None, by_exercise: bool) -> tuple[dict[str, str], list[str]]:
    """File name -> content, and what is to be said about the roster."""
    texts, notices = {"grades.csv": grades_csv(marks), "exercises.csv": exercises_csv(marks)}, []
    if roster:
        known = read_roster(roster)
        text, told = for_roster(marks, known, by_exercise)
        texts["canvas.csv" if known.is_canvas else "moodle.csv"] = text
        notices = [*known.notices, *told]
    return texts, notices


def _write_all(folder: Path, texts: dict[str, str]) -> tuple[Path, ...]:
    """Raises GradingError where the disk does not take them; each file is whole or as it was."""
    try:
        for name, text in texts.items():  # Excel would garble names that are not English without a byte order mark
            encoding = "utf-8-sig" if name.endswith(".csv") else "utf-8"
            write_bytes(folder / name, text.encode(encoding, "backslashreplace"))
    except OSError as error:
        raise GradingError(f"{folder} cannot be written ({error.strerror})") from None
    return tuple(folder / name for name in texts)
