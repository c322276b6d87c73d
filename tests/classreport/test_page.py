"""What an instructor reads: the class page."""

import json
import re
from html import escape, unescape
from html.parser import HTMLParser

import numpy as np

from autograde import judge
from autograde.classreport.csv_files import grades_csv
from autograde.classreport.learner_page import learner_page
from autograde.classreport.page import ClassResults, as_json, page
from autograde.classreport.similar import alike
from autograde.classreport.tally import errors_of, tallied
from autograde.classreport.write import write_reports
from autograde.engine.exercise import CheckResult, Diagnosis, Status
from autograde.grading import results
from autograde.grading.marks import of_results
from autograde.grading.records import AnswerResult
from autograde.grading.records import result as record


def answer(name, score, points=4.0, diagnosis=None, reason=""):
    mistake = Diagnosis(diagnosis, f"You did <{diagnosis}> & more.") if diagnosis else None
    status = Status.NOT_GRADABLE if score is None else Status.SCORED
    return AnswerResult(name, status, score, points, diagnosis=mistake, reason=reason)


def missing(name):
    return AnswerResult(name, Status.NOT_SUBMITTED, None, 4.0)


def result(student, *answers, lesson="word_vectors"):
    return record(student, lesson, answers, seed=1, sha256="0", sandbox=("seccomp",))


CLASS = [
    result("007", answer("embed", 4.0), answer("one_hot", 4.0)),
    result("Ünal, Zoë", answer("embed", 4.0), answer("one_hot", 1.0, diagnosis="ids-from-one")),
    result("bob", answer("embed", 0.0, diagnosis="first-rows"), answer("one_hot", 1.0, diagnosis="ids-from-one")),
    result("eve", answer("embed", 4.0), answer("one_hot", None, reason="needs <pandas>")),
    result("kim", answer("embed", None, reason="web page"), answer("one_hot", None, reason="web page")),
    result("lee", missing("embed"), missing("one_hot")),
]


def page_of(results):
    return page(ClassResults(tallied(results)))


def test_the_tally_by_hand():
    """Scores 8, 5 and 1 of 8 are known: mean 14/3, median 5, in the tenths 10, 7 and 2."""
    tally = tallied(CLASS)["word_vectors"]
    assert (tally.mean, tally.median, tally.points) == (14 / 3, 5.0, 8.0)
    assert tally.distribution() == [0, 1, 0, 0, 0, 0, 1, 0, 0, 1]
    assert dict(tally.statuses) == {"scored": 3, "not gradable": 2, "not submitted": 1}
    embed, one_hot = tally.exercises["embed"], tally.exercises["one_hot"]
    assert (embed.passed, embed.seen, embed.gained) == (3, 4, 12.0) and (one_hot.passed, one_hot.seen) == (1, 3)
    mistake = one_hot.mistakes["ids-from-one"]
    assert (mistake.count, mistake.words) == (2, "You did <ids-from-one> & more.")
    assert tally.needs_help == [("bob", 1.0)] and tally.not_begun == ["lee"]
    assert tally.open == [("eve", "one_hot", "needs <pandas>"), ("kim", "", "web page")]


class Page(HTMLParser):
    """Collects what the page would load, and that every element is closed in order."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.tags, self.captions = [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.loads += [value for name, value in attributes if name in ("src", "href") and not value.startswith("#")]
        if tag not in ("meta", "br", "rect"):
            self.tags.append(tag)

    def handle_endtag(self, tag):
        if tag == "rect":
            return
        assert self.tags.pop() == tag
        self.captions += tag == "caption"


def test_the_page_is_whole_static_and_escaped():
    text = page_of(CLASS)
    parsed = Page(text)
    assert parsed.tags == [] and parsed.loads == [] and parsed.captions == 3
    assert "<script" not in text and "http" not in text
    assert "needs &lt;pandas&gt;" in text and "You did &lt;ids-from-one&gt; &amp; more." in text
    assert "3 of 4" in text and "75%" in text and "all answers" in text
    assert text == page_of(CLASS)


def test_misconceptions_come_by_exercise_and_frequency():
    rare = [result("zed", answer("embed", 0.0), answer("one_hot", 0.0, diagnosis="aaa-rare"))]
    assert re.findall(r"<strong>([\w-]+)</strong>", page_of([*CLASS, *rare])) == ["first-rows", "ids-from-one", "aaa-rare"]


def wrong(student, source, name="embed"):
    """A result of one real answer."""
    namespace = {"np": np}
    exec(source, namespace)
    return result(student, AnswerResult.of(judge(name, namespace[name], seed=5)))


ERRORS = [
    wrong("a", "def embed(ids, E):\n    return EE[ids]"),
    wrong("b", "def embed(ids, E):\n    return E[ids, undefined_name]"),
    wrong("c", "def embed(ids, E):\n    raise KeyError('x')"),
    wrong("d", "def embed(ids, E):\n    return E[np.asarray(ids) - 1]"),
    wrong("e", "def embed(ids, E):\n    return E[np.asarray(ids)]"),
]


def test_errors_are_counted_by_kind_and_exercise():
    """Two NameErrors and a KeyError stand on the page; a time-out is one too."""
    tally = tallied(ERRORS)["word_vectors"].exercises["embed"]
    assert dict(tally.errors) == {"NameError": 2, "KeyError": 1}
    assert "1 KeyError, 2 NameError" in page_of(ERRORS)
    slow = CheckResult("the rows", 0.0, 5.0, "it took longer than 2 seconds")
    assert errors_of(AnswerResult("embed", Status.SCORED, 0.0, 5.0, (slow,))) == {"time-out"}


def test_checks_are_counted_where_they_were_looked_at():
    """Of five answers one passes the first check; the side properties of the four others were not looked at."""
    checks = tallied(ERRORS)["word_vectors"].exercises["embed"].checks
    first, *others = checks.values()
    assert (first.passed, first.called) == (1, 5) and min(each.called for each in others) == 1
    assert f"{next(iter(checks))}</td><td" in page_of(ERRORS)


def test_the_smallest_input_of_a_mistake_is_shown_without_a_name():
    mistake = next(iter(tallied(ERRORS)["word_vectors"].exercises["embed"].mistakes.values()))
    assert mistake.example and mistake.count == 1 and mistake.example.split("\n")[0] in unescape(page_of(ERRORS))


def test_every_table_has_heads_for_rows_and_columns():
    for table in re.findall(r"<table>.*?</table>", page_of([*CLASS, *ERRORS]), flags=re.DOTALL):
        assert "<caption>" in table and 'scope="col"' in table
        assert all('<th scope="row">' in row for row in re.findall(r"<tr>(?!<th scope=.col).*?</tr>", table, flags=re.DOTALL))


def test_the_json_says_what_the_page_says():
    content = json.loads(as_json(ClassResults(tallied(CLASS))))["lessons"]["word_vectors"]
    assert content["statuses"] == {"scored": 3, "not gradable": 2, "not submitted": 1} and content["scores"] == [8.0, 5.0, 1.0]
    assert content["exercises"]["one_hot"]["mistakes"]["ids-from-one"]["count"] == 2 and content["seeds"] == [1]


LONG = """def embed(ids, E):
    {0} = np.zeros((len(ids), len(E[0])))
    for {1}, number in enumerate(ids):  # {0}
        {0}[{1}] = E[number]
    return {0}
"""
SECOND = """def one_hot(ids, vocab_size):
    {0} = np.zeros((len(ids), vocab_size))
    for {1} in range(len(ids)):
        {0}[{1}, ids[{1}]] = 1
    return {0}
"""


def test_code_that_two_share_and_nobody_else_has_is_a_hint():
    """Other names for the same lines are the same; what everybody writes is no hint."""

    def notebook(*cells):
        return json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells]}).encode()

    files = [
        ("ada", notebook(LONG.format("rows", "i"), SECOND.format("out", "k"))),
        ("bob", notebook(LONG.format("result", "at"), SECOND.format("table", "n"))),
        ("eve", notebook("def embed(ids, E):\n    return E[ids]", SECOND.format("a", "b").replace("= 1", "= 1.0"))),
    ]
    assert alike(files, "word_vectors") == [("ada", "bob", 2)]
    many = [(f"s{number}", files[0][1]) for number in range(4)]
    assert alike([*files, *many], "word_vectors") == []


def test_a_learners_own_page():
    """Points, the mistake by name, one hint; the cases are hidden, so nothing that is due stands there."""
    text = learner_page(ERRORS[3])
    parsed = Page(text)
    assert parsed.tags == [] and parsed.loads == [] and "http" not in text
    [answer] = ERRORS[3].answers
    assert escape(answer.diagnosis.explanation, quote=False) in text.replace("&#39;", "'") and " is due" not in text
    assert "of 5 points" in text and "A hint:" in text
    whole = learner_page(ERRORS[4])  # nothing to say of an answer that has everything: it stands in the table alone
    assert "5 of 5 points" in whole and "<section" not in whole and 'href="#' not in whole


def test_the_histogram_says_its_numbers():
    assert "10–20 %: 1" in page_of(CLASS) and "90–100 %: 1" in page_of(CLASS)


def test_a_class_without_any_result():
    assert "There are no results yet." in page_of([])
    assert Page(page_of([result("lee", missing("embed"))])).tags == []


def test_report_writes_everything_beside_the_results(tmp_path):
    for each in CLASS:
        results.write(tmp_path / each.student / "word_vectors.json", each)
    results.write(tmp_path / "bob" / "word_vectors.lower.json", CLASS[0])  # waits for confirmation: not reported
    (tmp_path / "roster.csv").write_text("Student,ID,SIS Login ID\nJames,11,007\n", encoding="utf-8")
    written = write_reports(tmp_path, tmp_path / "roster.csv")
    assert sorted(path.name for path in (tmp_path / "report").iterdir()) == [
        "canvas.csv",
        "class.html",
        "class.json",
        "exercises.csv",
        "grades.csv",
        "learners",
    ]
    data = (tmp_path / "report" / "grades.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf") and data.decode("utf-8-sig") == grades_csv(
        of_results(sorted(CLASS, key=lambda r: r.student))
    )
    assert len(written.paths) == 5 + len(CLASS) and all(path.is_file() for path in written.paths)
