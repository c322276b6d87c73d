"""A beginning is typed, and the model goes on: what comes next, drawn word after word, and where each head looked."""

import functools
import itertools
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from course_utils import decoder as reference
from course_utils import transformer
from course_utils.datasets import load_decoder
from course_utils.explorers.kit.controls import Action, Pick, Slider, State, Typed
from course_utils.explorers.kit.explorer import Explorer
from course_utils.explorers.kit.learner_function import CannotDraw, LearnerFunction, rows_of
from course_utils.explorers.kit.precompute import precompute
from course_utils.query_key_value import causal_mask

from .writing import HEIGHT, Text, drawn

BEGINNINGS = ("The weather today is really", "dog : a small", "he was not able to")
WORDS = 8  # most that are written
ALL = 0  # as top_k: every piece may be drawn
KEPT = (1, 3, 10, 100, ALL)


@dataclass(frozen=True)
class Writing(State):
    """A beginning, and for each word that was written the (temperature, top_k) under which it was drawn.

    ``others`` counts how often all were drawn anew, by other chances.
    """

    beginning: str = BEGINNINGS[0]
    written: tuple[tuple[float, int], ...] = ()
    temperature: float = 0.75
    top_k: int = 10
    others: int = 0

    @property
    def words(self) -> int:
        return len(self.written)

    def put(self, name, value):
        if name == "beginning":
            return replace(self, beginning=value, written=())
        if name == "words":
            more = ((self.temperature, self.top_k),) * (value - len(self.written))
            return replace(self, written=self.written[:value] + more)
        return super().put(name, value)


class Functions(NamedTuple):
    """What the learner wrote, or the references."""

    decode: LearnerFunction
    next_distribution: LearnerFunction
    draw: LearnerFunction
    encoder_layer: LearnerFunction


def writer(decode=None, next_distribution=None, draw=None, encoder_layer=None) -> Explorer:
    """Type a beginning, and let the model go on, word by word."""
    functions = Functions(
        LearnerFunction(decode, reference.decode),
        LearnerFunction(next_distribution, reference.next_distribution),
        LearnerFunction(draw, reference.draw),
        LearnerFunction(encoder_layer, transformer.encoder_layer),
    )
    read = functools.lru_cache(maxsize=256)(lambda ids: _read(ids, functions))

    @functools.lru_cache(maxsize=512)
    def ids_of(beginning: str, written: tuple, others: int) -> tuple[int, ...]:
        """The beginning's ids, and those of the words written so far."""
        if not written:
            return _begun(beginning)
        before = ids_of(beginning, written[:-1], others)
        chances = np.random.default_rng([others, len(written)])
        temperature, top_k = written[-1]
        probs = _probs(read(before)[0], temperature, top_k, functions)
        (drawn_id,) = rows_of(functions.draw, [functions.draw(probs, chances)], len(probs))
        return (*before, drawn_id)

    def text_of(beginning: str, written: tuple, others: int) -> Text:
        ids = ids_of(beginning, written, others)
        return Text(len(_begun(beginning)), ids, *read(ids))

    start = Writing()
    ready = precompute(
        text_of, [(b, start.put("words", n).written, 0) for n, b in itertools.product(range(WORDS + 1), BEGINNINGS)]
    )

    def picture(state: Writing) -> str:
        text = ready(state.beginning, state.written, state.others)
        return drawn(text, _probs(text.logits, state.temperature, state.top_k, functions), state.temperature, state.top_k)

    return Explorer("The next word", start, CONTROLS, picture, HEIGHT, functions)


def _on(state):
    """One piece more, as long as there is room."""
    return state.put("words", min(state.words + 1, WORDS))


def _anew(state):
    """As many pieces, drawn by other chances."""
    return state.put("others", state.others + 1)


CONTROLS = (
    Typed("beginning", "Beginning", BEGINNINGS),
    Pick("words", "Pieces written", tuple(range(WORDS + 1)), play=True),
    Slider("temperature", "Temperature", 0.25, 2.0, 0.25),
    Pick("top_k", "Drawn from the best", KEPT, tuple(str(k) if k else "all" for k in KEPT)),
    Action("Next piece", _on),
    Action("Write it anew", _anew),
)


def _begun(beginning: str) -> tuple[int, ...]:
    """Ids of a beginning. Raises CannotDraw with a sentence where the model cannot read it, or has no room to go on."""
    model = load_decoder()
    try:
        ids = model.ids(beginning)
    except ValueError as trouble:
        raise CannotDraw(f"T{str(trouble)[1:]}.") from None
    room = len(model.model["embeddings"]["position"]) - WORDS
    if len(ids) > room:
        raise CannotDraw(f"This beginning has {len(ids)} pieces, but {room} leave room for {WORDS} more: shorten it.")
    return tuple(ids.tolist())


def _probs(logits: np.ndarray, temperature: float, top_k: int, functions: Functions) -> np.ndarray:
    return functions.next_distribution(logits, temperature, top_k or None)


def _read(ids: tuple[int, ...], functions: Functions) -> tuple[np.ndarray, np.ndarray]:
    """Logits of what comes next (V,), and the weights that the last token gave, (L, h, n)."""
    model, looks = load_decoder().model, []
    hidden = reference.decode_layers(ids, model | {"layers": []})[0][0]
    for params in model["layers"]:
        hidden, weights = functions.encoder_layer(hidden, params, model["n_heads"], causal_mask(len(ids)))
        looks.append(weights[:, -1])
    return functions.decode(np.array(ids), model)[-1], np.stack(looks)
