"""What an instructor reads: the class page."""

import re
from html.parser import HTMLParser

from autograde.classreport.csv_files import grades_csv
from autograde.classreport.page import page
from autograde.classreport.tally import tallied
from autograde.classreport.write import write_reports
from autograde.engine.exercise import Diagnosis, Status
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


def test_the_tally_by_hand():
    """Scores 8, 5 and 1 of 8 are known: mean 14/3, median 5, in the tenths 10, 7 and 2."""
    tally = tallied(CLASS)["word_vectors"]
    assert (tally.mean, tally.median, tally.points) == (14 / 3, 5.0, 8.0)
    assert tally.distribution() == [0, 1, 0, 0, 0, 0, 1, 0, 0, 1]
    assert dict(tally.statuses) == {"scored": 3, "not gradable": 2, "not submitted": 1}
    embed, one_hot = tally.exercises["embed"], tally.exercises["one_hot"]
    assert (embed.passed, embed.seen, embed.gained) == (3, 4, 12.0) and (one_hot.passed, one_hot.seen) == (1, 3)
    assert tally.mistakes["one_hot", "ids-from-one", "You did <ids-from-one> & more."] == 2
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
    text = page(tallied(CLASS))
    parsed = Page(text)
    assert parsed.tags == [] and parsed.loads == [] and parsed.captions == 3
    assert "<script" not in text and "http" not in text
    assert "needs &lt;pandas&gt;" in text and "You did &lt;ids-from-one&gt; &amp; more." in text
    assert "3 of 4" in text and "75%" in text and "all answers" in text
    assert text == page(tallied(CLASS))


def test_misconceptions_come_by_frequency():
    assert re.findall(r"<strong>([\w-]+)</strong>", page(tallied(CLASS))) == ["ids-from-one", "first-rows"]


def test_the_histogram_says_its_numbers():
    assert "10–20 %: 1" in page(tallied(CLASS)) and "90–100 %: 1" in page(tallied(CLASS))


def test_a_class_without_any_result():
    assert "There are no results yet." in page({})
    assert Page(page(tallied([result("lee", missing("embed"))]))).tags == []


def test_report_writes_everything_beside_the_results(tmp_path):
    for each in CLASS:
        results.write(tmp_path / each.student / "word_vectors.json", each)
    results.write(tmp_path / "bob" / "word_vectors.lower.json", CLASS[0])  # waits for confirmation: not reported
    (tmp_path / "roster.csv").write_text("Student,ID,SIS Login ID\nJames,11,007\n", encoding="utf-8")
    written = write_reports(tmp_path, tmp_path / "roster.csv")
    assert sorted(path.name for path in (tmp_path / "report").iterdir()) == [
        "canvas.csv",
        "class.html",
        "exercises.csv",
        "grades.csv",
    ]
    data = (tmp_path / "report" / "grades.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf") and data.decode("utf-8-sig") == grades_csv(
        of_results(sorted(CLASS, key=lambda r: r.student))
    )
    assert written.paths == tuple(
        tmp_path / "report" / name for name in ("class.html", "grades.csv", "exercises.csv", "canvas.csv")
    )
