"""Lesson 4: the four-stage panel."""

from .four_stages import Panel, heads_of, panel
from .picture import WORDS

__all__ = ["EXPLORERS", "WORDS", "Panel", "heads_of", "panel"]

EXPLORERS = (panel,)
