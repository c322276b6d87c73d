"""Every position of an explorer, drawn once, as a table of what changes from frame to frame.

Where the positions of all controls multiplied are few, all of them are drawn. Where they are too many, buttons and
picks are still combined with one another, and sliders move one at a time from where they start.
"""

import itertools
import xml.etree.ElementTree as ET
from dataclasses import dataclass

from .controls import Action, Slider, State
from .explorer import Explorer

CROSSED = 400  # most frames for which everything is combined with everything
FIRST = 0xA1  # from here on no letter is a control sign or needs an escape, in JSON as in HTML
ALONE = 500  # frames aimed at where sliders move one at a time


@dataclass(frozen=True)
class Frames:
    """``states[i]`` has the position numbers ``at[i]``, one per control; ``stops`` are the positions themselves."""

    stops: tuple[tuple, ...]
    states: tuple[State, ...]
    at: tuple[tuple[int, ...], ...]
    crossed: bool


def frames(explorer: Explorer) -> Frames:
    """Which states the player shows, the start among them, and first for its buttons' positions."""
    controls = explorer.movable
    everything = [control.positions() for control in controls]
    crossed = _product(everything) <= CROSSED
    stops = everything if crossed else _thinned(explorer, everything)
    drawn = _all(explorer, stops) if crossed else _one_at_a_time(explorer, stops)
    states = tuple(dict.fromkeys(drawn))
    at = tuple(tuple(_nearest(stop, getattr(state, control.name)) for control, stop in zip(controls, stops)) for state in states)
    alone = sum(isinstance(control, Slider) for control in controls) < 2  # then nothing is put back when it moves
    return Frames(tuple(map(tuple, stops)), states, at, crossed or alone)


def _product(stops) -> int:
    total = 1
    for positions in stops:
        total *= len(positions)
    return total


def _thinned(explorer: Explorer, everything: list[tuple]) -> list[tuple]:
    """Sliders lose positions evenly until ``ALONE`` frames are enough; where a slider starts is always kept."""
    sliders = [i for i, control in enumerate(explorer.movable) if isinstance(control, Slider)]
    combined = _product(p for i, p in enumerate(everything) if i not in sliders)
    room = max(5, ALONE // combined // max(1, len(sliders)))
    stops = list(everything)
    for i in sliders:
        every = -(-len(everything[i]) // room)
        start = getattr(explorer.start, explorer.movable[i].name)
        stops[i] = tuple(p for k, p in enumerate(everything[i]) if k % every == 0 or p == start)
    return stops


def _all(explorer: Explorer, stops) -> list[State]:
    states = []
    for values in itertools.product(*stops):
        state = explorer.start
        for control, value in zip(explorer.movable, values):
            state = state.put(control.name, value)
        states.append(state)
    return states


def _one_at_a_time(explorer: Explorer, stops) -> list[State]:
    buttons = [(c, p) for c, p in zip(explorer.movable, stops) if not isinstance(c, Slider)]
    sliders = [(c, p) for c, p in zip(explorer.movable, stops) if isinstance(c, Slider)]
    states = []
    for values in itertools.product(*(positions for _, positions in buttons)):
        home = explorer.start
        for (control, _), value in zip(buttons, values):
            home = home.put(control.name, value)
        states.append(home)
        states += [home.put(control.name, value) for control, positions in sliders for value in positions]
    return states


def _nearest(positions: tuple, value) -> int:
    if value in positions:
        return positions.index(value)
    return min(range(len(positions)), key=lambda i: abs(positions[i] - value))


def actions(explorer: Explorer, shown: Frames) -> list[tuple[str, list[int]]]:
    """For each button that never leaves the drawn states: its label and, for every frame, the frame it leads to."""
    number = {state: i for i, state in enumerate(shown.states)}
    found = []
    for control in explorer.controls:
        if isinstance(control, Action):
            targets = [control.change(state) for state in shown.states]
            if all(target in number for target in targets):
                found.append((control.label, [number[target] for target in targets]))
    return found


def table(bodies: list[str]) -> dict:
    """Frames grouped by structure. A group has one body, and every attribute or text ("#") that varies among its
    frames as [number of its element, name, pieces]; ``orders`` are the sequences that the pieces refer to."""
    groups: dict[tuple, list[int]] = {}
    trees = [list(ET.fromstring(f"<div>{body}</div>").iter()) for body in bodies]
    for i, tree in enumerate(trees):
        groups.setdefault(tuple((node.tag, *node.attrib) for node in tree), []).append(i)
    orders: dict[str, int] = {}
    packed = [
        {"frames": members, "body": bodies[members[0]], "vary": _varying([trees[i] for i in members], orders)}
        for members in groups.values()
    ]
    return {"groups": packed, "orders": list(orders)}


def _varying(trees: list[list[ET.Element]], orders: dict[str, int]) -> list[list]:
    found = []
    for k, node in enumerate(trees[0]):
        for name in [*node.attrib, "#"]:
            values = [(tree[k].text or "") if name == "#" else tree[k].attrib[name] for tree in trees]
            if len(set(values)) > 1:
                found.append([k - 1, name, _pieces(values, orders)])
    return found


def _pieces(values: list[str], orders: dict[str, int]) -> list:
    """Values cut at spaces where all have equally many, so that a long label costs no more than the numbers in it.

    A piece is a string that all share, or [its different strings, number of an order]; in an order, one letter per
    frame says which of the strings it has. Pieces that move together share an order.
    """
    cut = [value.split(" ") for value in values]
    if len({len(words) for words in cut}) > 1:
        cut = [[value] for value in values]
    pieces = []
    for column in zip(*cut, strict=True):
        number = {word: i for i, word in enumerate(dict.fromkeys(column))}
        order = "".join(chr(FIRST + number[word]) for word in column)
        pieces.append([list(number), orders.setdefault(order, len(orders))] if len(number) > 1 else column[0])
    return pieces
