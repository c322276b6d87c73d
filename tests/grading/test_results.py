"""Result files: a record in, the same record out, and words for whatever a disk or a person made of them."""

import json
import random
from dataclasses import replace

import pytest
from commands import all_results, autograde, grade
from mutate_bytes import mutate
from small_submissions import LESSON, all_right, hand_in, notebook

from autograde import judge
from autograde.engine.exercise import Quiz, Report, Status
from autograde.engine.judge import not_gradable
from autograde.exercises import in_lesson
from autograde.grading import results
from autograde.grading.records import AnswerResult, result, unknown


def reports_of_every_kind():
    """Of every exercise the reference, a mistake and the stub; of every quiz its options; what nobody could judge."""
    for record in in_lesson(LESSON):
        yield judge(record, None)
        yield not_gradable(record, 'the "grader" failed <ü>')
        if isinstance(record, Quiz):
            yield from (judge(record, letter) for letter in record.options)
        else:
            yield from (judge(record, function) for function in (record.reference, record.misconceptions[0].function, abs))
            yield judge(record, lambda *args: 7.25)


def written_and_read(tmp_path, record):
    path = tmp_path / "ada" / f"{LESSON}.json"
    results.write(path, record)
    return results.read(path)


def test_a_report_comes_back_as_it_was(tmp_path):
    reports = list(reports_of_every_kind())
    record = result("ada", LESSON, map(AnswerResult.of, reports), seed=3, sha256="0", notices=("ü",), sandbox=("seccomp",))
    again = written_and_read(tmp_path, record)
    assert again == record and list(again.answers) == [AnswerResult.of(report) for report in reports]
    assert [answer.report for answer in again.answers] == [replace(report, example="") for report in reports]  # a hidden input
    kinds = {(report.status, bool(report.diagnosis), bool(report.example), bool(report.reason)) for report in reports}
    assert len(kinds) >= 5 and any(not check.called for report in reports for check in report.checks)  # all were there


def test_several_mistakes_that_look_alike_come_back(tmp_path):
    report = judge("embed", lambda ids, E: E)
    twins = tuple(replace(report.diagnosis, id=name) for name in ("one", "other"))
    undecided = replace(report, diagnosis=None, undecided=twins, example="E = [[1]] gave [[2]]")
    again = written_and_read(tmp_path, result("ada", LESSON, [AnswerResult.of(undecided)], seed=1, sha256="0"))
    assert again.answers[0] == AnswerResult.of(undecided) and again.answers[0].example == undecided.example
    content = json.loads((tmp_path / "ada" / f"{LESSON}.json").read_text())["answers"][0]
    assert content["reason"].startswith("several mistakes would look just like this")


def test_the_texts_of_a_status_are_those_of_the_contract():
    assert [str(status) for status in Status] == ["scored", "not attempted", "not gradable", "not submitted"]


WHOLE = json.loads(results.as_json(result("ada", LESSON, unknown(in_lesson(LESSON), "why"), seed=1, sha256="0")))
DAMAGED = {  # what stands in the file: a piece of the sentence
    "nothing": (b"", "damaged"),
    "cut": (json.dumps(WHOLE).encode()[:200], "damaged"),
    "no UTF-8": (b"\xff\xfe\x00", "damaged"),
    "only answers": (b'{"answers": []}', "'score' is missing"),
    "a list": (b"[]", "found list where dict was expected"),
    "too deep": (b"[" * 200_000, "nested too deeply"),
    "a score that is text": (json.dumps(WHOLE | {"score": "7"}).encode(), "'7' is not a number"),
    "a score that is no number": (json.dumps(WHOLE | {"score": float("nan")}).encode(), "nan is not a number"),
    "a status that there is not": (json.dumps(WHOLE | {"status": "lost"}).encode(), "'lost' is not a valid Status"),
    "answers that are none": (json.dumps(WHOLE | {"answers": [1]}).encode(), "damaged"),
    "a number for a student": (json.dumps(WHOLE | {"student": 7}).encode(), "found int where str was expected"),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_file_is_told_in_words(tmp_path, kind):
    data, words = DAMAGED[kind]
    path = tmp_path / f"{LESSON}.json"
    path.write_bytes(data)
    with pytest.raises(results.DamagedResult, match="delete it and grade again") as told:
        results.read(path)
    assert words in str(told.value) and str(path) in str(told.value)


def test_mutated_files_are_read_or_told(tmp_path):
    rng, path, told = random.Random(8), tmp_path / f"{LESSON}.json", 0
    for _ in range(300):
        path.write_bytes(mutate(json.dumps(WHOLE).encode(), rng))
        try:
            results.read(path)
        except results.DamagedResult:
            told += 1
    assert told > 50


def test_a_damaged_file_is_graded_anew_and_the_rest_of_the_class_is_reported(tmp_path):
    submitted, out = tmp_path / "submitted", tmp_path / ("a long name of a folder " * 8) / "out"  # what is damaged is told whole
    for student in ("ada", "bob"):
        hand_in(submitted, student, notebook(all_right()))
    grade(submitted, out)
    good = all_results(out)
    (out / "ada" / f"{LESSON}.json").write_text('{"answers": []}')
    code, said = autograde("report", out)
    assert code == 1 and said.count("is damaged") == 1 and "bob" in (out / "report" / "grades.csv").read_text()
    code, said = grade(submitted, out)
    assert code == 0 and said.count("is damaged") == 1 and all_results(out) == good


def test_a_report_is_no_result(tmp_path):
    """Of a learner nobody, a folder named as the class page's."""
    hand_in(tmp_path / "submitted", "report", notebook({}))
    grade(tmp_path / "submitted", tmp_path / "out")
    for _ in range(2):
        assert autograde("report", tmp_path / "out")[0] == 0
    assert [each.student for each in all_results(tmp_path / "out")] == ["report"]


def test_reports_of_unknown_exercises_have_no_score():
    assert AnswerResult.of(Report("f", Status.NOT_GRADABLE, ())).score is None
