"""What a learner reads below a check: the lines, and what is left out of them."""

import numpy as np
from paths import ROOT

from autograde import judge
from autograde.engine.report import OPEN, as_html, as_text, counted, lines


def rows_of(report):
    return [sentence for _, sentence in lines(report)]


def test_lines_that_wait_for_the_first_are_counted_not_listed():
    report = judge("one_hot", lambda ids, vocab_size: np.zeros((len(ids), vocab_size)))
    assert [check.called for check in report.checks] == [True, False, False, False]
    assert (OPEN, "3 more lines will follow when the first one holds") in lines(report)
    assert not any(check.name in as_text(report) + as_html(report) for check in report.checks if not check.called)


def test_an_error_is_told_once():
    def undefined(X, y):
        return X @ Y  # noqa: F821

    told = rows_of(judge("dot_products", undefined))
    assert sum("NameError" in sentence for sentence in told) == 1
    assert sum(sentence.endswith(": the same error") for sentence in told) == 3


def test_another_mistake_of_the_same_kind_is_told_again():
    told = rows_of(judge("dot_products", lambda X, y: [X[i] @ y for i in range(len(y))]))
    assert sum("IndexError" in sentence for sentence in told) == 2


def test_parts_that_are_not_numbers_are_told_in_words():
    told = as_text(judge("one_hot", lambda ids, vocab_size: ["100"] * len(ids)))
    assert (
        "it returned 1 part (a str), expected one array of shape (1, 3)" in told and "gave (a str); [[0, 1, 0]] is due." in told
    )


def test_a_quiz_says_which_option_it_was_not():
    report = judge("answer_near", "B")
    assert lines(report)[0] == ("✗", "the right option: not b")
    assert rows_of(judge("answer_near", 3)) == ["answer_near is an int; write one of 'a', 'b', 'c'."]
    assert rows_of(judge("answer_near", None)) == ["No option has been chosen yet."]


def test_points_in_the_singular():
    assert as_text(judge("answer_near", None)).startswith("answer_near: not attempted yet (1 point)")
    assert as_text(judge("embed", None)).startswith("embed: not attempted yet (5 points)")
    for letter, score in (("b", 1), ("a", 0)):
        assert as_text(judge("answer_spread", letter)).startswith(f"answer_spread: {score} of 1 point\n")
    assert [counted(value, "point") for value in (0, 0.5, 1, 2)] == ["0 points", "0.5 points", "1 point", "2 points"]


def test_arrays_are_shown_without_loose_blanks():
    report = judge("dot_products", lambda X, y: X[0] + 2 * y)
    assert report.example.endswith("X = [[4, 6]], y = [2, 3] gave [8, 12]; [26] is due")


def test_the_readme_shows_the_report_as_it_is():
    def missing_parentheses(u, v):
        return u @ v / np.linalg.norm(u) * np.linalg.norm(v)

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert as_text(judge("cosine_similarity", missing_parentheses)) in readme
