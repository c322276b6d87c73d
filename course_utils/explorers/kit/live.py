"""Explorers as widgets that talk to Python, so that a learner's own function draws on free input.

Only ``observe`` into one ``HTML`` of fixed height: ``interact`` and ``Output`` can hang a run without a browser, and
JupyterLab takes the arrow keys from ``Dropdown`` and ``RadioButtons``.
"""

import ipywidgets as widgets

from . import beside
from .controls import Action, Choice, Pick, Slider, Switch, Typed
from .explorer import Explorer
from .palette import style

PLAY_MS = 700  # between two positions
_STALE = "Python was started again, so this picture stands still. Run this cell again to move it."


class Live:
    """One shown explorer: its widgets, and the state they stand for."""

    def __init__(self, explorer: Explorer):
        self.explorer = explorer
        self.state = explorer.start
        self.syncing = False
        self.picture = widgets.HTML(layout=widgets.Layout(max_width="980px", min_width="0"))
        self.moved = {control: self._widget(control) for control in explorer.movable}
        buttons = [self._button(control) for control in explorer.controls if isinstance(control, Action)]
        self.plays = {control: self._play(control) for control in explorer.movable if isinstance(control, Pick) and control.play}
        for control, widget in self.moved.items():
            widget.observe(lambda change, control=control: self._moved(control, change["new"]), "value")
        row = widgets.Box(
            [*self.moved.values(), *self.plays.values(), *buttons], layout=widgets.Layout(flex_flow="row wrap", max_width="980px")
        )
        sheet = widgets.HTML(f"<style>{style()}</style>", layout=widgets.Layout(display="none"))
        stale = widgets.HTML(f'<p class="stale" role="status">{_STALE}</p>')
        self.box = widgets.VBox([sheet, stale, row, self.picture], layout=widgets.Layout(max_width="100%"))
        self._show()

    def _widget(self, control):
        value, wide = getattr(self.state, control.name), {"description_width": "150px"}
        if isinstance(control, Slider):
            kind = widgets.IntSlider if control.whole else widgets.FloatSlider
            label = f"{control.label} ({control.unit.strip()})" if control.unit else control.label
            return kind(
                value=value,
                min=control.low,
                max=control.high,
                step=control.step,
                description=label,
                readout_format=f".{control.digits}f" if not control.whole else "d",
                style=wide,
                layout=widgets.Layout(width="470px"),
            )
        if isinstance(control, Switch):
            return widgets.Checkbox(value=value, description=control.label, indent=False)
        if isinstance(control, Typed):
            layout = widgets.Layout(width="470px", max_width="100%")
            return widgets.Text(value=value, description=control.label, continuous_update=False, style=wide, layout=layout)
        options = [(control.readout(option), option) for option in control.options]
        if isinstance(control, Choice):
            return widgets.ToggleButtons(
                options=options,
                value=value,
                description=control.label,
                style={**wide, "button_width": "auto"},
                layout=widgets.Layout(width="100%"),
            )
        assert isinstance(control, Pick), control
        return widgets.SelectionSlider(
            options=options, value=value, description=control.label, style=wide, layout=widgets.Layout(width="470px")
        )

    def _play(self, control: Pick):
        """A button that goes on to the next option, and to the next, until the last."""
        here = control.options.index(getattr(self.state, control.name))
        play = widgets.Play(value=here, min=0, max=len(control.options) - 1, interval=PLAY_MS, show_repeat=False)
        play.observe(lambda change: self._moved(control, control.options[change["new"]]), "value")
        return play

    def _button(self, control: Action):
        button = widgets.Button(description=control.label, layout=widgets.Layout(width="auto"))
        button.on_click(lambda _: self._go(control.change(self.state)))
        return button

    def _moved(self, control, value) -> None:
        if not self.syncing:
            self._go(self.state.put(control.name, control.snap(value)))

    def _go(self, state) -> None:
        """Take a new state: every other control follows it, and the picture is drawn once."""
        self.state, self.syncing = state, True
        try:
            for control, widget in self.moved.items():
                widget.value = getattr(state, control.name)
            for control, play in self.plays.items():
                play.value = control.options.index(getattr(state, control.name))
        finally:
            self.syncing = False
        self._show()

    def _show(self) -> None:
        self.picture.value = f'<div class="explorer">{self.explorer.body(self.state)}</div>'


def bundles(explorer: Explorer) -> tuple[dict, dict]:
    """The still picture, for readers that have no kernel, and the widget."""
    return beside.bundles(explorer.image(explorer.start), explorer.summary, Live(explorer).box)
