"""Lesson 4: the four-stage panel."""

from .four_stages import panel

EXPLORERS = (panel,)
