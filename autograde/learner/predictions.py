"""A prediction before a result: the learner chooses, the choice is locked, then the result is set against it.

In one cell ``guess = predict("Is dog nearer to cat than to car?", "nearer", "farther", "equally near")``; in the next,
below the experiment, ``guess.compare(found)``. Where no buttons can be shown (a terminal, a page without a kernel)
``predict(..., choice="nearer")`` does the same, and without any choice all cells run on.
"""

from collections.abc import Callable
from html import escape

from .shown import Shown, say, shell, show

_made: dict[str, "Prediction"] = {}  # by question, so that running a cell again does not open a locked choice


class Prediction:
    """A question, its options, and which of them was chosen: once and for all."""

    def __init__(self, question: str, options: tuple):
        self.question, self.options = question, options
        self.chosen = None
        self.listeners: list[Callable] = []

    def choose(self, option) -> None:
        """Take an option; a second choice changes nothing."""
        if self.chosen is None:
            self.chosen = option
        for listener in self.listeners:
            listener()

    def compare(self, result) -> None:
        """Say what was predicted and what came out.

        result: one of the options, or a number where all options are numbers: the nearest of them then counts.
        """
        if result not in self.options and not all(isinstance(option, (int, float)) for option in self.options):
            raise ValueError(f"{result!r} is none of the options: {_listed(self.options)}")
        nearest = result if result in self.options else min(self.options, key=lambda option: abs(option - result))
        found = f"{result}" if result in self.options else f"{result:.2f}, nearest to {nearest}"
        if self.chosen is None:
            say(f"Result: {found}. You made no prediction this time.")
        elif self.chosen == nearest:
            say(f"You predicted {self.chosen}, and so it is: {found}.")
        else:
            say(f"You predicted {self.chosen}. The result: {found}.")

    def __repr__(self):
        return f"Prediction: {self.chosen if self.chosen is not None else 'none yet'}"


def predict(question: str, *options, choice=None) -> Prediction:
    """Ask; the learner answers with a button, or with ``choice`` where there are none.

    options: two to five texts or numbers. The same question asked again keeps the answer it was given.
    """
    known = _made.get(question)
    prediction = known if known is not None and known.options == options else Prediction(question, options)
    _made[question] = prediction
    if choice is not None and choice not in options:
        say(f"{choice!r} is none of the options. Write one of {_listed(tuple(map(repr, options)))}.")
    elif choice is not None:
        prediction.choose(choice)
    _show(prediction)
    return prediction


def _show(prediction: Prediction) -> None:
    words = f"Predict: {prediction.question} ({_listed(prediction.options)})"
    if shell() is None:
        show(Shown(words, ""))
        return
    from IPython.display import display

    from course_utils.explorers.kit import beside  # here, so that grading needs no widgets

    asked = f"{escape(prediction.question)} ({escape(_listed(prediction.options))})"
    still = f'<div class="atg"><p><strong>Predict.</strong> {asked}</p></div>'
    for output in beside.bundles(still, words, _buttons(prediction)):
        display(output, raw=True)


def _buttons(prediction: Prediction):
    import ipywidgets as widgets

    asked = widgets.HTML(f'<div class="atg"><strong>Predict.</strong> {escape(prediction.question)}</div>')
    said = widgets.HTML()
    buttons = [widgets.Button(description=str(option), layout=widgets.Layout(width="auto")) for option in prediction.options]

    def follow() -> None:
        if prediction.chosen is not None:
            said.value = f'<p role="status">Locked: <strong>{escape(str(prediction.chosen))}</strong>. Now run on.</p>'
            for button, option in zip(buttons, prediction.options):
                button.disabled = True
                button.icon = "check" if option == prediction.chosen else ""

    for button, option in zip(buttons, prediction.options):
        button.on_click(lambda _, option=option: prediction.choose(option))
    prediction.listeners[:] = [follow]
    follow()
    return widgets.VBox([asked, widgets.HBox(buttons, layout=widgets.Layout(flex_flow="row wrap")), said])


def _listed(options: tuple) -> str:
    *most, last = map(str, options)
    return f"{', '.join(most)} or {last}" if most else last
