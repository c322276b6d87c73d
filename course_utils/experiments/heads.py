"""What single heads of the real model do, measured: patterns of place, and relations of grammar.

Grammar is asked as in Clark et al. 2019 ("What does BERT look at?", section 4): a head finds a relation when the word
it gives the most weight to, special tokens, full stop and the word itself left out, is the right one. The rival is the
best fixed distance ("two words to the right"). Both are chosen on one half of the sentences and judged on the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

DETERMINERS = "the a this every".split()
ADJECTIVES = "old young small tall red quiet happy strange heavy bright".split()
NOUNS = (
    "dog cat horse teacher farmer doctor king woman boy soldier writer student bird cow driver nurse lawyer artist baker judge"
).split()
VERBS = "saw chased watched helped followed found liked painted carried called".split()
PREPOSITIONS = "in near behind by".split()
PLACES = "garden house river bridge church market school park hill forest".split()
RELATIONS = (
    "determiner → its noun",
    "adjective → its noun",
    "object → its verb",
    "subject → its verb",
    "verb → its object",
    "verb → its subject",
)
FARTHEST = 9  # distances that the rival may choose from, to either side


@dataclass(frozen=True)
class Parsed:
    """A sentence and its links: links[relation] holds pairs (from, to) of places among the words."""

    words: tuple[str, ...]
    links: dict[str, tuple[tuple[int, int], ...]]

    @property
    def text(self) -> str:
        return " ".join(self.words) + "."


def parsed_sentences(count: int, rng) -> list[Parsed]:
    """Sentences of the course's own little grammar, with 0 to 2 adjectives and phrases that come between.

    >>> parsed_sentences(1, np.random.default_rng(0))[0].links["subject → its verb"]
    ((6, 7),)
    """
    return [_parsed(rng) for _ in range(count)]


def _parsed(rng) -> Parsed:
    words: list[str] = []
    links: dict[str, list[tuple[int, int]]] = {relation: [] for relation in RELATIONS}
    subject = _noun_phrase(words, links, NOUNS, rng)
    _perhaps_a_place(words, links, rng)
    words.append(_one(VERBS, rng))
    verb = len(words) - 1
    object_ = _noun_phrase(words, links, NOUNS, rng)
    _perhaps_a_place(words, links, rng)
    for relation, pair in (
        ("object → its verb", (object_, verb)),
        ("subject → its verb", (subject, verb)),
        ("verb → its object", (verb, object_)),
        ("verb → its subject", (verb, subject)),
    ):
        links[relation].append(pair)
    return Parsed(tuple(words), {relation: tuple(pairs) for relation, pairs in links.items()})


def _perhaps_a_place(words: list[str], links, rng) -> None:
    """ "in the garden", every second time: what comes between a word and the one it belongs to."""
    if rng.random() < 0.5:
        words.append(_one(PREPOSITIONS, rng))
        _noun_phrase(words, links, PLACES, rng)


def _noun_phrase(words: list[str], links, nouns, rng) -> int:
    """Appends determiner, adjectives and noun; returns the noun's place."""
    adjectives = int(rng.integers(3))
    noun = len(words) + 1 + adjectives
    links["determiner → its noun"].append((len(words), noun))
    links["adjective → its noun"] += [(place, noun) for place in range(len(words) + 1, noun)]
    words += [_one(DETERMINERS, rng), *rng.permutation(ADJECTIVES)[:adjectives].tolist(), _one(nouns, rng)]
    return noun


def _one(words, rng):
    return words[rng.integers(len(words))]


@dataclass(frozen=True)
class Finding:
    """How well one relation is found on sentences not chosen on. head is (layer, head), both counted from 1."""

    relation: str
    head: tuple[int, int]
    by_head: float
    distance: int
    by_distance: float
    by_mean_head: float


def grammar(sentences: Sequence[Parsed], minilm) -> list[Finding]:
    """One Finding for each relation. minilm: as ``load_minilm`` gives it."""
    chosen = [_looked_at(minilm.run(sentence.text).weights, len(sentence.words)) for sentence in sentences]
    half = len(sentences) // 2
    return [_finding(relation, sentences, chosen, half) for relation in RELATIONS]


def _looked_at(weights, n_words: int):
    """(L, h, n, n) with its special tokens → (L, h, n_words): the word that each word looks at most, itself left out."""
    inner = weights[..., 1 : n_words + 1, 1 : n_words + 1].copy()
    inner[..., np.arange(n_words), np.arange(n_words)] = -1
    return inner.argmax(axis=-1)


def _finding(relation: str, sentences, chosen, half: int) -> Finding:
    hits = [_hits(relation, s, c) for s, c in zip(sentences, chosen)]
    steps = [np.array([to - start for start, to in s.links[relation]], dtype=int) for s in sentences]
    train, test = np.concatenate(hits[:half], axis=-1).mean(axis=-1), np.concatenate(hits[half:], axis=-1).mean(axis=-1)
    layer, head = np.unravel_index(train.argmax(), train.shape)
    before, after = np.concatenate(steps[:half]), np.concatenate(steps[half:])
    distance = max((d for d in range(-FARTHEST, FARTHEST + 1) if d), key=lambda d: (before == d).mean())
    return Finding(
        relation,
        (int(layer) + 1, int(head) + 1),
        float(test[layer, head]),
        distance,
        float((after == distance).mean()),
        float(test.mean()),
    )


def _hits(relation: str, sentence: Parsed, chosen):
    """(L, h, pairs): whether each head's choice is the right word."""
    starts, ends = np.array(sentence.links[relation], dtype=int).reshape(-1, 2).T
    return chosen[..., starts] == ends


def attention_sink(texts: Sequence[str], minilm) -> float:
    """The mean share of all words' weight that rests on [CLS], which carries no content of the sentence."""
    shares = [minilm.run(text).weights[..., 1:-1, 0].mean() for text in texts]
    return float(np.mean(shares))


def previous_word(texts: Sequence[str], minilm, score) -> np.ndarray:
    """(L, h): the mean over texts of score(weights (h, n, n)), asked between the special tokens."""
    return np.mean([[score(layer[:, 1:-1, 1:-1]) for layer in minilm.run(text).weights] for text in texts], axis=0)
