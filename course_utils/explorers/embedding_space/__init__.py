"""Lesson 2: a training run step by step, and analogies in real vectors."""

from .analogy_builder import analogies
from .training_snapshots import snapshots

EXPLORERS = (snapshots, analogies)
