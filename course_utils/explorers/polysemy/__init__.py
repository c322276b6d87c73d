"""Lesson 3: the uses of a word, from one static vector into the layers of a real model."""

from .word_uses import uses

EXPLORERS = (uses,)
