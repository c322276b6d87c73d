"""Lesson 8: the next word, again and again, by the learner's own decoder."""

from .next_word import writer

EXPLORERS = (writer,)
