"""Lesson 6: the width split into heads and merged again, attention by several heads, their budget, and one head's job."""

from . import head_budget, merge_heads, multi_head_attention, previous_token_score, split_heads
from .quizzes import ANSWER_BUDGET, ANSWER_RESHAPE, ANSWER_TWO_PLACES

EXERCISES = (
    ANSWER_TWO_PLACES,
    split_heads.EXERCISE,
    merge_heads.EXERCISE,
    ANSWER_RESHAPE,
    multi_head_attention.EXERCISE,
    head_budget.EXERCISE,
    ANSWER_BUDGET,
    previous_token_score.EXERCISE,
)
