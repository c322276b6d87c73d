"""Lesson 7: one token's way through the layers of the real model."""

from .layer_steps import token_path

EXPLORERS = (token_path,)
