"""A small real transformer: the first four of six layers of all-MiniLM-L6-v2, on the course's own references.

8,000 of its 30,522 tokens, weights in int8; what was cut and what that costs: ``data/README.md``. Four layers
of six are not the published model: its sentence vectors cannot be had from here.
"""

import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from course_utils.transformer import encode_layers

from .tokenizer import Tokenizer

_HEADS = 12
_MATRICES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "o": "attention.output.dense",
    "1": "intermediate.dense",
    "2": "output.dense",
}
_NORMS = {"1": "attention.output.LayerNorm", "2": "output.LayerNorm"}


class Run(NamedTuple):
    """One text's way through the model. hidden[0] are the embeddings, weights[0] the first layer's."""

    tokens: tuple[str, ...]
    hidden: np.ndarray  # (L + 1, n, d)
    weights: np.ndarray  # (L, h, n, n)


class StoredRun(NamedTuple):
    """What PyTorch computed for one sentence: from the shipped weights, and from the published ones."""

    sentence: str
    tokens: tuple[str, ...]
    hidden: np.ndarray  # (5, n, 384), shipped weights
    weights: np.ndarray  # (4, 12, n, n), shipped weights
    published_hidden: np.ndarray  # (n, 384), fourth layer
    published_weights: np.ndarray  # (4, 12, n, n)


class StoredOutput(NamedTuple):
    """What PyTorch computed for one sentence from the shipped weights, at the last layer."""

    sentence: str
    tokens: tuple[str, ...]
    hidden: np.ndarray  # (n, 384)


@dataclass(frozen=True, eq=False, repr=False)
class MiniLM:
    """The tokenizer and ``model``, the dict that ``transformer.encode`` takes.

    >>> from course_utils.datasets import load_minilm
    >>> load_minilm().run("A bat flew.").tokens
    ('[CLS]', 'a', 'bat', 'flew', '.', '[SEP]')
    """

    tokenizer: Tokenizer
    model: dict

    def __repr__(self):
        return f"MiniLM({len(self.model['layers'])} layers, {len(self.tokenizer.vocab):,} tokens)"

    def run(self, text: str) -> Run:
        """Tokens, hidden states and attention weights of a text. Raises ValueError beyond 128 tokens."""
        return _run(self, text)


@functools.lru_cache(maxsize=256)  # about 0.4 MB each: a slider never waits for a text that was seen before
def _run(minilm: MiniLM, text: str) -> Run:
    tokens = minilm.tokenizer(text)
    hidden, weights = encode_layers(minilm.tokenizer.ids(tokens), minilm.model)
    hidden.setflags(write=False)  # shared by every caller
    weights.setflags(write=False)
    return Run(tuple(tokens), hidden, weights)


def from_arrays(arrays) -> MiniLM:
    """The model of the arrays in ``minilm_4l_8000_int8.npz``: ``vocab``, and the published names of the weights."""
    weights = {name.removesuffix("|q"): _restored(arrays, name) for name in arrays if name != "vocab" and not name.endswith("|s")}
    layers: list[dict[str, np.ndarray]] = []
    while f"encoder.layer.{len(layers)}.output.dense.weight" in weights:
        layers.append(_layer(weights, f"encoder.layer.{len(layers)}."))
    model = {"embeddings": _embeddings(weights), "layers": layers, "n_heads": _HEADS}
    return MiniLM(Tokenizer(tuple(arrays["vocab"].tolist())), model)


def _restored(arrays, name):
    """Numbers from int8 with one scale per row, or from float16: as float64, so that no product has to convert."""
    numbers = arrays[name].astype(float)
    if name.endswith("|q"):
        numbers *= arrays[name.removesuffix("|q") + "|s"]
    numbers.setflags(write=False)
    return numbers


def _embeddings(weights):
    tables = {
        name: weights[f"embeddings.{full}_embeddings.weight"]
        for name, full in (("word", "word"), ("position", "position"), ("type", "token_type"))
    }
    return tables | {"gamma": weights["embeddings.LayerNorm.weight"], "beta": weights["embeddings.LayerNorm.bias"]}


def _layer(weights, prefix):
    """The published names and (out, in) matrices turned into the course's, used as ``X @ W``."""
    params = {}
    for ours, theirs in _MATRICES.items():
        params[f"W_{ours}"] = weights[f"{prefix}{theirs}.weight"].T
        params[f"b_{ours}"] = weights[f"{prefix}{theirs}.bias"]
    for ours, theirs in _NORMS.items():
        params[f"gamma_{ours}"] = weights[f"{prefix}{theirs}.weight"]
        params[f"beta_{ours}"] = weights[f"{prefix}{theirs}.bias"]
    return params
