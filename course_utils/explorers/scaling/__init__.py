"""Lesson 5: a width and a divisor, and what they do to scores, weights and gradients."""

from .divisors import race

EXPLORERS = (race,)
