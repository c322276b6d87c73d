"""The data that the course ships: real vectors, real text, a real model. Nothing is downloaded.

Sources, licences and how each file was made: ``course_utils/data/README.md``.
"""

import difflib
import functools
import gzip
import json
from dataclasses import dataclass, field
from importlib import resources

import numpy as np

from . import language_model
from .language_model import LanguageModel
from .minilm.model import MiniLM, StoredOutput, StoredRun, from_arrays


class UnknownWord(KeyError):
    """A word that the vectors do not hold. Its text names the nearest words that they do."""

    def __str__(self):
        return self.args[0]


@dataclass(frozen=True, repr=False)
class WordVectors:
    """Words, most frequent first, and one float32 row for each.

    >>> glove = load_glove()
    >>> glove["dog"].shape
    (100,)
    """

    words: tuple[str, ...]
    E: np.ndarray  # (V, d)
    index: dict[str, int] = field(default_factory=dict)

    def __post_init__(self):
        self.index.update({word: i for i, word in enumerate(self.words)})
        self.E.setflags(write=False)  # shared by every caller

    def __repr__(self):
        return f"WordVectors({len(self.words):,} words, {self.E.shape[1]} numbers each)"

    def __len__(self):
        return len(self.words)

    def __contains__(self, word):
        return word in self.index

    def __getitem__(self, word) -> np.ndarray:
        """The row of one word, (d,), or of a list of words, (n, d). Raises UnknownWord."""
        return self.E[self.ids(word)]

    def ids(self, word):
        """The id of one word, or an array (n,) of the ids of a list of words. Raises UnknownWord."""
        if isinstance(word, str):
            return self._id(word)
        return np.array([self._id(w) for w in word], dtype=int)

    def _id(self, word) -> int:
        if word not in self.index:
            raise UnknownWord(self._advice(word))
        return self.index[word]

    def _advice(self, word) -> str:
        if not isinstance(word, str):
            return f"a word must be a string such as 'dog', but {word!r} was given"
        if word.lower() in self.index:
            return f"these vectors are for lower-case words: write {word.lower()!r}, not {word!r}"
        near = difflib.get_close_matches(word.lower(), self.words, n=3, cutoff=0.7)
        hint = f"near words that are there: {', '.join(near)}" if near else "no word that is there is spelt like it"
        return f"there is no vector for {word!r} among {len(self.words):,} words; {hint}"


@functools.cache
def load_glove(width: int = 100) -> WordVectors:
    """GloVe 6B (Pennington, Socher and Manning 2014), the most frequent plain words.

    width 100: 20,010 words, without single letters. width 50: 10,012 words, with "a", "i" and punctuation.
    Raises ValueError for another width.
    """
    files = {100: "glove_6b_100d_20k_int8.npz", 50: "glove_6b_50d_10k_int8.npz"}
    if width not in files:
        raise ValueError(f"there are GloVe vectors of width 100 and 50, not {width!r}")
    with data_file(files[width]).open("rb") as f, np.load(f) as z:
        return WordVectors(tuple(z["words"].tolist()), z["q"].astype(np.float32) * z["scale"][:, None])


@functools.cache
def load_definitions() -> tuple[tuple[str, ...], ...]:
    """13,805 dictionary definitions of WordNet 3.0, each a tuple of lower-case words."""
    with data_file("wordnet_glosses.txt.gz").open("rb") as f, gzip.open(f, "rt", encoding="utf-8") as text:
        return tuple(tuple(line.split()) for line in text)


@functools.cache
def load_minilm() -> MiniLM:
    """The first four of six layers of all-MiniLM-L6-v2, 8,000 of its 30,522 tokens, weights cut to int8.

    Loads in a third of a second at the first call, and at once after it. ``load_minilm().run(text)`` gives
    tokens, hidden (5, n, 384) and weights (4, 12, n, n).
    """
    with data_file("minilm_4l_8000_int8.npz").open("rb") as f, np.load(f) as z:
        return from_arrays(z)


def load_minilm_outputs() -> tuple[StoredRun, ...]:
    """What PyTorch and transformers computed for three sentences, to compare an encoder with."""
    with data_file("minilm_outputs.npz").open("rb") as f, np.load(f) as z:
        return tuple(
            StoredRun(
                sentence,
                tuple(z[f"tokens_{i}"].tolist()),
                z[f"shipped_hidden_{i}"],
                z[f"shipped_weights_{i}"],
                z[f"published_last_{i}"],
                z[f"published_weights_{i}"],
            )
            for i, sentence in enumerate(z["sentences"].tolist())
        )


def load_minilm_last_layers() -> tuple[StoredOutput, ...]:
    """What PyTorch computed from the shipped weights for twenty sentences: the last layer's hidden states, (n, 384) each."""
    with data_file("minilm_outputs.npz").open("rb") as f, np.load(f) as z:
        more = [
            StoredOutput(sentence, tuple(z[f"more_tokens_{i}"].tolist()), z[f"more_last_{i}"])
            for i, sentence in enumerate(z["more_sentences"].tolist())
        ]
    return (*(StoredOutput(run.sentence, run.tokens, run.hidden[-1]) for run in load_minilm_outputs()), *more)


@functools.cache
def load_decoder() -> LanguageModel:
    """A language model of two million parameters, trained on WordNet's definitions and examples, in int8.

    ``load_decoder().model`` is the dict that ``decoder.decode`` takes; ``.figures`` holds its perplexity beside
    unigram, bigram and trigram, its learning curve and its sizes.
    """
    with data_file("decoder_int8.npz").open("rb") as f, np.load(f) as z:
        return language_model.from_arrays(z, _json("decoder_figures.json"))


@functools.cache
def load_decoder_controls() -> dict:
    """What small decoders reach where one thing is missing (heads, positions, scale, mask): losses, curves, texts."""
    return _json("decoder_controls.json")


def _json(name):
    return json.loads(data_file(name).read_text(encoding="utf-8"))


def data_file(name: str):
    """A file of ``course_utils/data``, wherever the package is installed."""
    return resources.files("course_utils") / "data" / name
