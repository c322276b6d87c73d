"""What single heads do: hand-made weights where the right head and distance are known, and loops over random ones."""

import re
from typing import NamedTuple

import numpy as np
import pytest

from course_utils import datasets
from course_utils.experiments import heads
from course_utils.multi_head import previous_token_score


class Run(NamedTuple):
    tokens: list
    hidden: None
    weights: np.ndarray


class Model:
    """Stands for the real model: weights (L, h, n, n) made by a function of the words, [CLS], full stop and [SEP] added."""

    def __init__(self, weights):
        self.weights = weights

    def run(self, text):
        words = text.rstrip(".").split()
        return Run(["[CLS]", *words, ".", "[SEP]"], None, self.weights(words))


# ---- the sentences


def links_of(words):
    """The same links found by reading the words from left to right, as a reader would."""
    found, nouns, waiting = {relation: [] for relation in heads.RELATIONS}, [], []
    for place, word in enumerate(words):
        if word in heads.DETERMINERS or word in heads.ADJECTIVES:
            waiting.append(place)
        elif word in heads.NOUNS + heads.PLACES:
            for start in waiting:
                kind = "determiner" if words[start] in heads.DETERMINERS else "adjective"
                found[f"{kind} → its noun"].append((start, place))
            waiting = []
            nouns += [place] if word in heads.NOUNS else []
    (verb,) = [place for place, word in enumerate(words) if word in heads.VERBS]
    subject, object_ = nouns
    for start, end in (("object", "verb"), ("subject", "verb"), ("verb", "object"), ("verb", "subject")):
        at = {"subject": subject, "object": object_, "verb": verb}
        found[f"{start} → its {end}"].append((at[start], at[end]))
    return {relation: tuple(pairs) for relation, pairs in found.items()}


def test_links_are_those_that_reading_finds():
    made = heads.parsed_sentences(300, np.random.default_rng(3))
    noun = rf"(?:{'|'.join(heads.DETERMINERS)})( {'| '.join(heads.ADJECTIVES)})* "
    assert all(sentence.links == links_of(sentence.words) for sentence in made)
    assert all(re.match(noun, sentence.text) and sentence.text.endswith(".") for sentence in made)
    assert len({sentence.text for sentence in made}) > 290  # the grammar does not run dry


def test_the_same_seed_gives_the_same_sentences():
    one, other = (heads.parsed_sentences(5, np.random.default_rng(8)) for _ in range(2))
    assert one == other != heads.parsed_sentences(5, np.random.default_rng(9))


def test_every_word_is_one_token_of_the_real_model():
    minilm = datasets.load_minilm()
    for words in (heads.DETERMINERS, heads.ADJECTIVES, heads.NOUNS, heads.VERBS, heads.PREPOSITIONS, heads.PLACES):
        assert list(minilm.run(" ".join(words) + ".").tokens[1:-2]) == words


# ---- grammar


def by_hand(*pairs):
    """Sentences of five words with one pair, which stands for every relation."""
    return [heads.Parsed(tuple("abcde"), {relation: (pair,) for relation in heads.RELATIONS}) for pair in pairs]


def looking_at(*targets):
    """(1, h, 8, 8): head i looks at word targets[i], whoever looks; yet most at itself, at [CLS] and at the full stop."""
    weights = np.full((1, len(targets), 8, 8), 0.01)
    for head, target in enumerate(targets):
        weights[0, head, :, target + 1] = 0.1
        weights[0, head] += 0.2 * np.eye(8)
        weights[0, head, :, [0, 6, 7]] = 0.5
    return weights


def test_the_right_head_and_distance_by_hand():
    # three of four chosen on, and three of four judged on, go two to the right; the head that looks at word 3 is right
    # wherever the pair ends there
    sentences = by_hand((1, 3), (1, 3), (1, 3), (4, 3), (1, 3), (0, 2), (2, 3), (0, 2))
    model = Model(lambda words: looking_at(0, 2, 3))
    for finding in heads.grammar(sentences, model):
        assert finding.head == (1, 3)
        assert finding.by_head == 2 / 4  # of the second half: (1, 3) and (2, 3)
        assert (finding.distance, finding.by_distance) == (2, 3 / 4)
        assert finding.by_mean_head == pytest.approx((0 + 2 + 2) / 12)


def test_the_word_itself_is_left_out():
    model = Model(lambda words: looking_at(1))  # where word 1 looks, it finds the largest of the rest: word 0
    (finding, *_) = heads.grammar(by_hand((1, 0), (1, 0)), model)
    assert finding.by_head == 1


def grammar_by_loops(sentences, model, relation):
    """(head, share, distance, share, mean share): pair by pair."""
    hits, steps = {}, []
    half = len(sentences) // 2
    for number, sentence in enumerate(sentences):
        weights = model.run(sentence.text).weights
        for start, end in sentence.links[relation]:
            steps.append((number < half, end - start))
            for layer in range(weights.shape[0]):
                for head in range(weights.shape[1]):
                    row = weights[layer, head, start + 1]
                    others = [j for j in range(len(sentence.words)) if j != start]
                    best = max(others, key=lambda j: row[j + 1])
                    hits.setdefault((layer, head), []).append((number < half, best == end))

    def share(pairs, first):
        chosen = [hit for early, hit in pairs if early == first]
        return sum(chosen) / len(chosen)

    head = max(hits, key=lambda at: share(hits[at], True))
    apart = [d for d in range(-9, 10) if d]
    distance = max(apart, key=lambda d: share([(early, step == d) for early, step in steps], True))
    return (
        (head[0] + 1, head[1] + 1),
        share(hits[head], False),
        distance,
        share([(early, step == distance) for early, step in steps], False),
        sum(share(pairs, False) for pairs in hits.values()) / len(hits),
    )


def test_grammar_is_that_of_loops():
    sentences = heads.parsed_sentences(30, np.random.default_rng(4))
    rng = np.random.default_rng(5)
    tables = {s.text: rng.dirichlet(np.ones(len(s.words) + 3), size=(2, 3, len(s.words) + 3)) for s in sentences}
    model = Model(lambda words: tables[" ".join(words) + "."])
    for finding in heads.grammar(sentences, model):
        head, share, distance, by_distance, mean = grammar_by_loops(sentences, model, finding.relation)
        assert (finding.head, finding.distance) == (head, distance)
        assert (finding.by_head, finding.by_distance) == (share, by_distance)
        assert finding.by_mean_head == pytest.approx(mean)


# ---- places


def test_attention_sink_counts_words_only():
    weights = np.zeros((1, 2, 5, 5))
    weights[0, :, 1:4, 0] = [[0.5, 0.25, 0.0], [1.0, 0.5, 0.75]]  # what two words and the full stop give to [CLS]
    weights[0, :, [0, 4], 0] = 9.0  # [CLS] and [SEP] themselves do not count
    assert heads.attention_sink(["a b."], Model(lambda words: weights)) == 0.5


def test_previous_word_asks_between_the_special_tokens_and_takes_the_mean_over_texts():
    rng = np.random.default_rng(6)
    tables = {
        text: rng.dirichlet(np.ones(len(text.split()) + 3), size=(2, 3, len(text.split()) + 3)) for text in ("a b c.", "d e.")
    }
    found = heads.previous_word(list(tables), Model(lambda words: tables[" ".join(words) + "."]), previous_token_score)
    for layer, head in np.ndindex(2, 3):
        means = [np.mean([table[layer, head, i, i - 1] for i in range(2, len(table[0, 0]) - 1)]) for table in tables.values()]
        assert found[layer, head] == pytest.approx(np.mean(means))
