"""How well the decoder of lesson 8 predicts text it never saw: beside counts of words, and beside small decoders that
lack one thing. Everything is read from the figures that its recipe measured (``course_utils/data/README.md``).

The counts predict a word from none, one or two words before it (unigram, bigram, trigram).
"""

from typing import NamedTuple

from course_utils.datasets import load_decoder, load_decoder_controls

STAGES = ("last word only", "uniform average", "one head", "four heads")  # one layer each, the same text, steps and seed
WHOLE = "four heads"
LACKING = {"no positions": "four heads, no positions", "no √d_k": "four heads, no division by the root of d_k"}
BLIND = "four layers, no mask"


class Control(NamedTuple):
    """One small decoder: its held-out loss in nats, its dev loss by steps, and what it wrote after three beginnings."""

    loss: float
    steps: tuple[int, ...]
    losses: tuple[float, ...]
    texts: dict[str, str]


def perplexities() -> dict[str, float]:
    """Of the unigram, bigram, trigram and the decoder, on the same held-out pieces, in this order."""
    return {row["model"]: row["perplexity"] for row in load_decoder().figures["held_out"]}


def learning_curve() -> tuple[list[int], list[float]]:
    """Steps of the decoder's training, and its dev loss at each."""
    curve = load_decoder().figures["curve"]
    return [row[0] for row in curve], [row[3] for row in curve]


def control(name: str) -> Control:
    """A small decoder by its name. Raises KeyError for a name that no control has."""
    found = {each["name"]: each for each in load_decoder_controls()["controls"]}[name]
    steps, losses = zip(*((row[0], row[3]) for row in found["curve"]))
    return Control(found["held_out_loss"], steps, losses, found["text"])


def stages() -> dict[str, float]:
    """The held-out loss of each stage of attention, on real text."""
    return {name: control(name).loss for name in STAGES}


def lacking() -> dict[str, float]:
    """The held-out loss with one head's parts left out, beside the whole."""
    return {"with both": control(WHOLE).loss} | {short: control(name).loss for short, name in LACKING.items()}
