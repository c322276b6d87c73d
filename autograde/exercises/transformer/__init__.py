"""Lesson 7: an encoder layer, and a real model that runs on it. One file per exercise; EXERCISES in the lesson's order."""

from . import embed_tokens, encode, encoder_layer, feed_forward, layer_norm, sinusoidal_positions
from .quizzes import ANSWER_BIAS, ANSWER_ORDER, ANSWER_PARAMETERS

EXERCISES = (
    ANSWER_ORDER,
    sinusoidal_positions.EXERCISE,
    layer_norm.EXERCISE,
    embed_tokens.EXERCISE,
    feed_forward.EXERCISE,
    ANSWER_PARAMETERS,
    encoder_layer.EXERCISE,
    ANSWER_BIAS,
    encode.EXERCISE,
)
