"""Five kinds of sentence, each made so that its next word needs one thing more than the kind before it.

1. The last word is enough:      "… people still thank" → you
2. All words count, not who stands where:      "… weather … that today is really" → sunny
3. Recall:      "dog garden cat kitchen fox barn pig yard and cat" → kitchen
4. A relation with a direction:      "rock red paper blue fire green water white and scissors" → blue, the
   colour beside what scissors beat; what beats scissors stands there too, as a trap
5. Two facts at once:      "carl barn dora cellar emma yard hugo garden and anna" → barn cellar: where her
   friend is, then where her rival is

Each has ten words and an answer of two, the second being "." for kinds 1 to 4. They are built, not found: what
they show is what one step of attention can and cannot do, and nothing about how often English needs it.
"""

from dataclasses import dataclass

import numpy as np

LENGTH = 10
KINDS = ("last word", "bag of words", "recall", "direction", "two facts")

FILLERS = "today we think that maybe all people here now again still often".split()
PHRASES = dict(thank="you", happy="birthday", new="york", good="morning", ice="cream", once="upon", far="away", of="course")
TOPICS = dict(
    weather="sunny", soup="salty", movie="boring", exam="difficult", music="loud", coffee="hot", street="busy", puppy="cute"
)
ANIMALS = "dog cat fox hen cow pig".split()
PLACES = "kitchen garden barn yard forest cellar".split()
BEATS = (("rock", "scissors", "paper"), ("fire", "plant", "water"))  # each beats the next, the last beats the first
COLOURS = "red blue green white black".split()
FRIEND = dict(anna="carl", ben="dora", carl="anna", dora="ben", emma="gina", finn="hugo", gina="emma", hugo="finn")
RIVAL = dict(anna="dora", ben="carl", carl="ben", dora="anna", emma="hugo", finn="gina", gina="finn", hugo="emma")

VOCABULARY = sorted(
    {
        "is",
        "really",
        "and",
        ".",
        *FILLERS,
        *PHRASES,
        *PHRASES.values(),
        *TOPICS,
        *TOPICS.values(),
        *ANIMALS,
        *PLACES,
        *BEATS[0],
        *BEATS[1],
        *COLOURS,
        *FRIEND,
    }
)
_ID = {word: i for i, word in enumerate(VOCABULARY)}


@dataclass(frozen=True)
class Sentences:
    """ids (N, 10): the words as places in VOCABULARY; answers (N, 2): the two that follow; kinds (N,): 0 … 4."""

    ids: np.ndarray
    answers: np.ndarray
    kinds: np.ndarray

    def __len__(self):
        return len(self.ids)


def sentences(count, rng, kind=None):
    """``count`` sentences drawn by a generator, of all five kinds equally often, or of one (0 … 4).

    >>> asked = sentences(1, np.random.default_rng(1), kind=2)
    >>> decode(asked.ids[0]), decode(asked.answers[0])
    ('dog yard cow barn fox cellar cat forest and cow', 'barn .')
    """
    kinds = rng.integers(len(KINDS), size=count) if kind is None else np.full(count, kind)
    made = [_MAKERS[k](rng) for k in kinds]
    return Sentences(ids_of(words for words, _ in made), ids_of((*answer, ".")[:2] for _, answer in made), kinds)


def ids_of(rows):
    """Lists of words → their places in VOCABULARY, (rows, words). Raises KeyError for a word that is not in it.

    >>> decode(ids_of([["dog", "garden"]])[0])
    'dog garden'
    """
    return np.array([[_ID[word] for word in row] for row in rows])


def decode(ids):
    """Places in VOCABULARY → the words, joined by blanks."""
    return " ".join(VOCABULARY[i] for i in ids)


def _last_word(rng):
    word = _one(PHRASES, rng)
    return [*_some(FILLERS, LENGTH - 1, rng), word], [PHRASES[word]]


def _bag_of_words(rng):
    words = [*_some(FILLERS, LENGTH - 2, rng), "is", "really"]
    topic = _one(TOPICS, rng)
    words[rng.integers(LENGTH - 2)] = topic
    return words, [TOPICS[topic]]


def _recall(rng):
    animals = _shuffled(ANIMALS, rng)[:4]
    return _pairs(animals, PLACES, ask=animals[:1], about=animals[0], rng=rng)


def _direction(rng):
    which, turn = rng.integers(2), rng.integers(3)
    asks, loser, winner = (BEATS[which] * 2)[turn : turn + 3]
    others = _shuffled(BEATS[1 - which], rng)[:2]
    return _pairs([loser, winner, *others], COLOURS, ask=[loser], about=asks, rng=rng)


def _two_facts(rng):
    name = _one(FRIEND, rng)
    pair = [FRIEND[name], RIVAL[name]]
    others = _shuffled([other for other in FRIEND if other not in (name, *pair)], rng)[:2]
    return _pairs([*pair, *others], PLACES, ask=pair, about=name, rng=rng)


_MAKERS = (_last_word, _bag_of_words, _recall, _direction, _two_facts)


def _pairs(keys, values, ask, about, rng):
    """ "key value" four times in any order, then "and" and the word asked about; the answer: the values of ``ask``."""
    value_of = dict(zip(keys, _shuffled(values, rng)))
    words = [word for key in _shuffled(keys, rng) for word in (key, value_of[key])]
    return [*words, "and", about], [value_of[key] for key in ask]


def _one(words, rng):
    return list(words)[rng.integers(len(words))]


def _some(words, count, rng):
    return [words[i] for i in rng.integers(len(words), size=count)]


def _shuffled(words, rng):
    return [words[i] for i in rng.permutation(len(words))]
