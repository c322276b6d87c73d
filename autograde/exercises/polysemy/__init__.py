"""Lesson 3: one vector, two meanings. One file per exercise; EXERCISES in the lesson's order."""

from . import context_average, mix, nearest_sense, sense_separation, similarity_weights, uniform_weights
from .quizzes import ANSWER_AVERAGE, ANSWER_ITSELF, ANSWER_STATIC

EXERCISES = (
    ANSWER_STATIC,
    context_average.EXERCISE,
    nearest_sense.EXERCISE,
    uniform_weights.EXERCISE,
    mix.EXERCISE,
    ANSWER_AVERAGE,
    similarity_weights.EXERCISE,
    ANSWER_ITSELF,
    sense_separation.EXERCISE,
)
