"""The small language model of lesson 8: its word pieces, its weights, and how well it predicts.

The references of ``course_utils.decoder`` run it; how it was trained: ``data/README.md``.
"""

import re
from dataclasses import dataclass

import numpy as np

from .minilm.tokenizer import Tokenizer

_HEADS = 4


@dataclass(frozen=True, eq=False, repr=False)
class LanguageModel:
    """The tokenizer, ``model``, the dict that ``decoder.decode`` takes, and ``figures``, what its recipe measured.

    "[CLS]" stands before every text, "[SEP]" after every line of it.

    >>> from course_utils.datasets import load_decoder
    >>> decoder = load_decoder()
    >>> decoder.text(decoder.ids("The weather today"))
    'the weather today'
    """

    tokenizer: Tokenizer
    model: dict
    figures: dict

    def __repr__(self):
        return f"LanguageModel({len(self.model['layers'])} layers, {len(self.tokenizer.vocab):,} pieces)"

    def ids(self, text: str) -> np.ndarray:
        """The ids of a beginning, [CLS] first and no [SEP], (n,). Raises ValueError for a sign it was never shown."""
        tokens = self.tokenizer(text)[:-1]
        if "[UNK]" in tokens:
            raise ValueError(f"the model knows letters, digits and .,;:!?'()- but something else is in {text!r}: leave it out")
        return self.tokenizer.ids(tokens)

    def text(self, ids) -> str:
        """The text of ids, pieces joined to words; [SEP] ends a line."""
        return joined([self.tokenizer.vocab[i] for i in ids])


def joined(tokens: list[str]) -> str:
    """Pieces as text: what the tokenizer cut apart put together, up to capitals.

    >>> joined(["[CLS]", "a", "do", "##g", "'", "s", "life", ",", "well", "-", "known", "[SEP]"])
    "a dog's life, well-known"
    """
    text = " ".join(tokens).replace(" ##", "").replace("[CLS]", "").replace("[SEP]", "\n")
    text = re.sub(r" ([,.;!?)])", r"\1", text).replace("( ", "(")
    text = re.sub(r" ?(['-]) ?", r"\1", text)
    return "\n".join(line.strip() for line in text.strip().split("\n"))


def from_arrays(arrays, figures) -> LanguageModel:
    """The model of the arrays in ``decoder_int8.npz``: ``vocab``, and the course's own names of the weights.

    Numbers are float64: what a learner's own function is given elsewhere, and no product has to convert.
    """
    weights = {name.removesuffix("|q"): _restored(arrays, name) for name in arrays if name != "vocab" and not name.endswith("|s")}
    layers: list[dict] = []
    while f"layers.{len(layers)}.W_q" in weights:
        prefix = f"layers.{len(layers)}."
        layers.append({name.removeprefix(prefix): value for name, value in weights.items() if name.startswith(prefix)})
    embeddings = {name: weights[name] for name in ("word", "position", "gamma", "beta")}
    model = {"embeddings": embeddings, "layers": layers, "n_heads": _HEADS, "bias": weights["bias"]}
    return LanguageModel(Tokenizer(tuple(arrays["vocab"].tolist())), model, figures)


def _restored(arrays, name):
    """Numbers from int8 with one scale per row, or from float16."""
    numbers = arrays[name].astype(float)
    if name.endswith("|q"):
        numbers *= arrays[name.removesuffix("|q") + "|s"][:, None]
    numbers.setflags(write=False)  # shared by every caller
    return numbers
