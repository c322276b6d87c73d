"""Lesson 1: two arrows beside a third, and a table of features with its cosines."""

from .word_vectors_arrows import arrows
from .word_vectors_features import features

EXPLORERS = (arrows, features)
