"""Lesson 8: a model that writes. One file per exercise; EXERCISES in the lesson's order."""

from . import decode, decode_step, draw, generate, induction_score, next_distribution, next_token_loss
from .quizzes import ANSWER_CACHE, ANSWER_LEAK, ANSWER_SETTINGS

EXERCISES = (
    decode.EXERCISE,
    next_token_loss.EXERCISE,
    ANSWER_LEAK,
    next_distribution.EXERCISE,
    draw.EXERCISE,
    generate.EXERCISE,
    ANSWER_SETTINGS,
    decode_step.EXERCISE,
    ANSWER_CACHE,
    induction_score.EXERCISE,
)
