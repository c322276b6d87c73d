"""Lesson 6: the heads of the real model, and a small model asked for two facts at once."""

from .model_heads import real_heads
from .two_facts import toy

EXPLORERS = (real_heads, toy)
