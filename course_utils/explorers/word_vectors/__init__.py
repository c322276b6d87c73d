"""Lesson 1: two arrows beside a third, and a table of features with its cosines."""

from .feature_table import features, filled
from .two_arrows import arrows

__all__ = ["EXPLORERS", "arrows", "features", "filled"]
EXPLORERS = (arrows, features)
