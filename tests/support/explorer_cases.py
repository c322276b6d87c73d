"""Every explorer of every lesson, and positions to look at it in: what the explorers' tests run over."""

import functools
import importlib
import pkgutil
import random
import xml.etree.ElementTree as ET

from course_utils import explorers
from course_utils.explorers.kit.labels import Box, text_width


def lessons() -> list[str]:
    """Modules of ``course_utils.explorers`` that hold a lesson's explorers."""
    return sorted(
        module.name
        for module in pkgutil.iter_modules(explorers.__path__)
        if hasattr(importlib.import_module(f"{explorers.__name__}.{module.name}"), "EXPLORERS")
    )


@functools.cache
def constructors() -> dict:
    """ "lesson.explorer" -> what makes it."""
    found = {}
    for lesson in lessons():
        module = importlib.import_module(f"{explorers.__name__}.{lesson}")
        found.update({f"{lesson}.{make.__name__}": make for make in module.EXPLORERS})
    return found


@functools.cache
def made(name: str):
    """One explorer, made once: some need a second or more to read or to train what they show."""
    return constructors()[name]()


def source(name: str) -> str:
    """The text of a cell that shows the explorer."""
    lesson, maker = name.split(".")
    return f"from {explorers.__name__} import {lesson}\n{lesson}.{maker}()"


def positions(explorer, many: int = 0):
    """Every position that one control can take from the start, and ``many`` at random."""
    for control in explorer.movable:
        for value in control.positions():
            yield explorer.start.put(control.name, value)
    draws = random.Random(7)
    for _ in range(many):
        state = explorer.start
        for control in explorer.movable:
            state = state.put(control.name, draws.choice(control.positions()))
        yield state


def sample(explorer, most: int) -> list:
    """At most so many different positions: half of them with one control moved, half with all moved at random."""
    single, mixed = list(positions(explorer)), list(positions(explorer, many=most // 2))[-(most // 2) :]
    some = random.Random(11).sample(single, min(len(single), most // 2))
    return list(dict.fromkeys([explorer.start, *some, *mixed]))


def text_boxes(drawing: str):
    """Each text of a drawing with the box that it is thought to take, by estimated widths."""
    for node in ET.fromstring(drawing).iter("text"):
        if node.text:
            width, anchor = text_width(node.text, node.get("class", "")), node.get("text-anchor", "start")
            x = float(node.get("x")) + {"start": 0.5, "middle": 0, "end": -0.5}[anchor] * width
            yield node.text, Box(x, float(node.get("y")) - 4.5, width / 2, 5.5)
