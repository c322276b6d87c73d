"""Lesson 2: neighbours, directions, and the gradients that train an embedding. EXERCISES in the lesson's order."""

from . import analogy, cbow_gradients, cross_entropy, nearest_neighbours, offset_cosine, predict_missing, project_to_2d, softmax
from .quizzes import ANSWER_HALVED, ANSWER_QUEEN, ANSWER_TOGETHER

EXERCISES = (
    softmax.EXERCISE,
    cross_entropy.EXERCISE,
    ANSWER_HALVED,
    predict_missing.EXERCISE,
    cbow_gradients.EXERCISE,
    ANSWER_TOGETHER,
    project_to_2d.EXERCISE,
    nearest_neighbours.EXERCISE,
    analogy.EXERCISE,
    ANSWER_QUEEN,
    offset_cosine.EXERCISE,
)
