"""Lesson 4: the four-stage panel."""

from .four_stages import Panel, heads_of, panel

__all__ = ["EXPLORERS", "Panel", "heads_of", "panel"]

EXPLORERS = (panel,)
