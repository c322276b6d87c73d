"""Lesson 1: two arrows beside a third, and a table of features with its cosines."""

from .feature_table import features
from .two_arrows import arrows

EXPLORERS = (arrows, features)
