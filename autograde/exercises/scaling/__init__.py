"""Lesson 5: how dot products grow, the scale that tames them, entropy, and what softmax lets through."""

from . import dot_product_samples, entropy, scaled_dot_product_attention, softmax_jacobian
from .quizzes import ANSWER_SPREAD, ANSWER_TWO_CURES, ANSWER_WIDTH

EXERCISES = (
    dot_product_samples.EXERCISE,
    ANSWER_SPREAD,
    scaled_dot_product_attention.EXERCISE,
    ANSWER_WIDTH,
    entropy.EXERCISE,
    softmax_jacobian.EXERCISE,
    ANSWER_TWO_CURES,
)
