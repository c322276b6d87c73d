"""Lesson 1: one-hot rows, lookup, dot products and cosines. One file per exercise; EXERCISES in the lesson's order."""

from . import cosine_matrix, cosine_similarity, dot_products, embed, one_hot
from .quizzes import ANSWER_LONGER, ANSWER_NEAR, ANSWER_ONE_HOT

EXERCISES = (
    one_hot.EXERCISE,
    embed.EXERCISE,
    ANSWER_ONE_HOT,
    dot_products.EXERCISE,
    cosine_similarity.EXERCISE,
    ANSWER_LONGER,
    cosine_matrix.EXERCISE,
    ANSWER_NEAR,
)
