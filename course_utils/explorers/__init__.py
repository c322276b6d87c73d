"""Explorers: pictures with sliders, one module per lesson.

In a notebook one line shows one, and a learner's function draws it as soon as its check passes::

    from course_utils.explorers import word_vectors as explore
    explore.arrows(cosine_similarity=yours("cosine_similarity", cosine_similarity))

To write one, give ``Explorer`` five things (``word_vectors/two_arrows.py`` is the model to follow):

* a **state**: a frozen dataclass on ``State``, one field per control;
* its **controls**: ``Slider``, ``Choice`` (buttons), ``Pick`` (many options along a slider), ``Typed`` (free text),
  ``Switch``, ``Action``;
* **functions**: ``LearnerFunction(given, reference)`` for each function of the exercise; call it like the function itself;
* **draw(state)**: pure, under a millisecond, an SVG string from the pieces in ``svg``, ``plane`` and ``labels``,
  with an ``aria-label`` that carries the numbers shown;
* the **height** of the drawing.

A lesson's module lists its constructors in ``EXPLORERS``; each can be called without arguments, and that is how the
tests find it. An ``Explorer`` is a record; ``kit/show.py`` shows it: as widgets (``live.py``) or as a page without
Python (``player.py``). ``host("player")`` or the environment variable ``COURSE_EXPLORERS=player`` chooses.
"""

from .kit.controls import Action, Choice, Pick, Slider, State, Switch, Typed
from .kit.explorer import Explorer
from .kit.learner_function import CannotDraw, LearnerFunction
from .kit.show import host, register

register()

__all__ = ["Action", "LearnerFunction", "Choice", "Explorer", "Pick", "Slider", "State", "Switch", "Typed", "CannotDraw", "host"]
