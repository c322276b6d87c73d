"""Lesson 2: a training as a film in the plane, and analogies built from three words."""

from .embedding_space_analogies import analogies
from .embedding_space_film import film

EXPLORERS = (film, analogies)
