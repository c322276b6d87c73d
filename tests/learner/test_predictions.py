"""Predictions: chosen once, compared in a sentence, and never in the way."""

import ipywidgets as widgets
import pytest

from autograde.learner import predictions
from autograde.learner.predictions import Prediction, predict


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    monkeypatch.setattr(predictions, "_made", {})


def test_without_a_choice_nothing_is_blocked(capsys):
    guess = predict("Nearer?", "yes", "no")
    guess.compare("no")
    asked, found = capsys.readouterr().out.splitlines()
    assert asked == "Predict: Nearer? (yes or no)" and found == "Result: no. You made no prediction this time."


@pytest.mark.parametrize(
    "choice, result, sentence",
    [("no", "no", "You predicted no, and so it is: no."), ("yes", "no", "You predicted yes. The result: no.")],
)
def test_a_choice_is_compared_with_the_result(choice, result, sentence, capsys):
    predict("Nearer?", "yes", "no", choice=choice).compare(result)
    assert capsys.readouterr().out.splitlines()[-1] == sentence


def test_numbers_are_compared_with_the_nearest_option(capsys):
    predict("How near?", 0.95, 0.75, 0.5, choice=0.95).compare(0.7549)
    assert capsys.readouterr().out.splitlines()[-1] == "You predicted 0.95. The result: 0.75, nearest to 0.75."
    predict("How near?", 0.95, 0.75, 0.5).compare(0.9)
    assert capsys.readouterr().out.splitlines()[-1] == "You predicted 0.95, and so it is: 0.90, nearest to 0.95."


def test_a_choice_is_locked_even_when_the_cell_runs_again():
    assert predict("Nearer?", "yes", "no", choice="yes").chosen == "yes"
    assert predict("Nearer?", "yes", "no", choice="no").chosen == "yes"
    assert predict("Nearer?", "yes", "no", "equal").chosen is None  # other options: another question


def test_what_is_no_option_is_named_and_not_taken(capsys):
    guess = predict("Nearer?", "yes", "no", choice="yess")
    assert guess.chosen is None and "'yess' is none of the options. Write one of 'yes' or 'no'." in capsys.readouterr().out
    with pytest.raises(ValueError, match="'perhaps' is none of the options: yes or no"):
        guess.compare("perhaps")


def test_buttons_lock_once_one_is_pressed():
    guess = Prediction("Nearer?", ("yes", "no"))
    box = predictions._buttons(guess)
    yes, no = box.children[1].children
    assert isinstance(yes, widgets.Button) and not yes.disabled
    no.click()
    assert guess.chosen == "no" and yes.disabled and no.disabled and no.icon == "check" and "Locked" in box.children[2].value
    yes.click()
    assert guess.chosen == "no"
    again = predictions._buttons(guess)  # the cell is run again
    assert all(button.disabled for button in again.children[1].children)
