"""Each message is raised by NumPy or Python itself here, so that a reworded one is noticed."""

import numpy as np
import pytest

from autograde import judge
from autograde.engine.plain_errors import in_other_words

ROWS, PAIR = np.array([[1, 2], [3, 4], [5, 6]]), np.array([7, 8])


def halved_in_place(X):
    X /= 2


RAISING = {  # what a beginner writes: a piece of what helps
    "factors that do not fit": (lambda: ROWS @ ROWS, "each row of A needs as many numbers as B has rows; here 2 against 3"),
    "a row against a table": (lambda: PAIR @ ROWS, "here 2 against 3"),
    "@ with one number": (lambda: ROWS @ 2, "one side is a single number"),
    "lengths without keepdims": (lambda: ROWS / np.linalg.norm(ROWS, axis=1), "read from the right"),
    "an array as a condition": (lambda: bool(PAIR == 0), "no single True or False"),
    "a shape without brackets": (lambda: np.zeros(2, 3), "np.zeros((rows, columns))"),
    "in place on whole numbers": (lambda: halved_in_place(ROWS.copy()), "X = X / 2 makes a new array"),
    "arithmetic on a list": (lambda: [1, 2] - 1, "a plain list does no arithmetic"),
    "a list between a list's brackets": (lambda: [[1], [2]].__getitem__([0, 1]), "takes one place between the brackets"),
    "a float as a row number": (lambda: ROWS[1.0], "must be whole numbers"),
    "an array of floats as row numbers": (lambda: ROWS[np.array([1.0])], "must be whole numbers"),
    "a place too far": (lambda: ROWS[:, 2], "places along axis 1 are counted from 0 and end before 2; place 2 was asked for"),
    "a row for one place": (lambda: np.zeros(3).__setitem__(0, PAIR), "holds one number"),
    "round brackets": (lambda: ROWS(1), "square brackets pick"),
    "arguments left out": (lambda: (lambda ids: ids)(1, 2), "leave the line with def as it was"),
}


@pytest.mark.parametrize("kind", RAISING)
def test_said_again_in_plain_words(kind):
    call, words = RAISING[kind]
    with pytest.raises(Exception) as caught:
        call()
    assert words in in_other_words(str(caught.value))


def test_other_messages_are_left_alone():
    assert in_other_words("division by zero") == in_other_words("") == ""


def test_a_report_says_it_beside_the_error():
    message = judge("embed", lambda ids, E: E(ids)).checks[0].message
    assert message.startswith("it raised TypeError: 'numpy.ndarray' object is not callable")
    assert message.endswith("In other words: round brackets call a function; square brackets pick from an array")
