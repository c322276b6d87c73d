"""Lesson 4: a word asks (query), is found (key), and hands something over (value)."""

from . import attention, attention_scores, causal_mask, design_query, masked_softmax, project, self_attention
from .quizzes import ANSWER_LOOKS_AT, ANSWER_REST, ANSWER_SYMMETRIC

EXERCISES = (
    attention_scores.EXERCISE,
    masked_softmax.EXERCISE,
    attention.EXERCISE,
    ANSWER_REST,
    design_query.EXERCISE,
    ANSWER_LOOKS_AT,
    project.EXERCISE,
    ANSWER_SYMMETRIC,
    causal_mask.EXERCISE,
    self_attention.EXERCISE,
)
