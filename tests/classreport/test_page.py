"""What an instructor reads and imports: the class page and the CSV files."""

import csv
import io
import re
from html.parser import HTMLParser

import pytest

from autograde.classreport.csv_files import for_roster, grades_csv
from autograde.classreport.page import page
from autograde.classreport.roster import read_roster
from autograde.classreport.tally import tallied
from autograde.classreport.write import write_reports
from autograde.engine.exercise import Diagnosis, Status
from autograde.grading import results
from autograde.grading.errors import GradingError
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


def rows_of(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def test_no_score_is_an_empty_field_never_a_zero():
    table = {row[0]: row for row in rows_of(grades_csv(CLASS))}
    assert table["007"][3:] == ["8", "8"] and table["bob"][3] == "1"
    assert table["eve"][2:4] == ["not gradable", ""] and table["lee"][2:4] == ["not submitted", ""]


CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Old quiz (12)\r\n    Points Possible,,,,,10\r\n"
    '"Bond, James",11,007,007,A,3\r\n"Ünal, Zoë",12,008,"Ünal, Zoë",A,\r\n"Nobody",13,009,nobody,B,\r\n'
)


def test_canvas_gets_its_own_columns_back(tmp_path):
    (tmp_path / "roster.csv").write_text(CANVAS, encoding="utf-8")
    text, told = for_roster(CLASS, read_roster(tmp_path / "roster.csv"))
    assert rows_of(text) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "word_vectors"],
        ["    Points Possible", "", "", "", "", "8"],
        ["Bond, James", "11", "007", "007", "A", "8"],
        ["Ünal, Zoë", "12", "008", "Ünal, Zoë", "A", "5"],
        ["Nobody", "13", "009", "nobody", "B", ""],
    ]
    assert "students matched by the column 'SIS Login ID'" in told
    assert "in the results, not in the roster: bob" in told and "in the roster, without a result: nobody" in told


MOODLE = "First name;Surname;ID number;Email address\nJames;Bond;007;j@x.org\nZoë;Ünal;Ünal, Zoë;z@x.org\n"


@pytest.mark.parametrize(
    "encoding, notices",
    [
        ("utf-8", 0),
        ("utf-8-sig", 0),
        ("utf-16", 0),
        ("cp1252", 1),  # Excel's own: the names are shown before anybody trusts them
    ],
)
def test_moodle_in_every_encoding_with_semicolons(tmp_path, encoding, notices):
    (tmp_path / "roster.csv").write_bytes(MOODLE.encode(encoding))
    roster = read_roster(tmp_path / "roster.csv")
    text, _ = for_roster(CLASS, roster)
    assert rows_of(text)[1:] == [["James", "Bond", "007", "j@x.org", "8"], ["Zoë", "Ünal", "Ünal, Zoë", "z@x.org", "5"]]
    assert rows_of(text)[0][-1] == "word_vectors (8)"
    assert len(roster.notices) == notices and all("Zoë;Ünal" in notice for notice in roster.notices)


@pytest.mark.parametrize("data", [b"", b"one line only\n", b"\x81\x8d\xff"])
def test_a_roster_that_is_none_is_refused_in_words(tmp_path, data):
    (tmp_path / "roster.csv").write_bytes(data)
    with pytest.raises(GradingError, match="the roster"):
        read_roster(tmp_path / "roster.csv")
    with pytest.raises(GradingError, match="cannot be read"):
        read_roster(tmp_path / "other.csv")


def test_report_writes_everything_beside_the_results(tmp_path):
    for each in CLASS:
        results.write(tmp_path / each.student / "word_vectors.json", each)
    results.write(tmp_path / "bob" / "word_vectors.lower.json", CLASS[0])  # waits for confirmation: not reported
    (tmp_path / "roster.csv").write_text(CANVAS, encoding="utf-8")
    written = write_reports(tmp_path, tmp_path / "roster.csv")
    assert sorted(path.name for path in (tmp_path / "report").iterdir()) == ["canvas.csv", "class.html", "grades.csv"]
    data = (tmp_path / "report" / "grades.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf") and data.decode("utf-8-sig") == grades_csv(sorted(CLASS, key=lambda r: r.student))
    assert written.paths == tuple(tmp_path / "report" / name for name in ("class.html", "grades.csv", "canvas.csv"))
