"""Lesson 6's explorers: what they say and draw against loops over the real model, and against models made by hand."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from contrast import THEMES, contrast, mixed

from course_utils.datasets import load_minilm
from course_utils.experiments.heads import parsed_sentences
from course_utils.experiments.ladder.sentences import KINDS, VOCABULARY, sentences, words_of
from course_utils.explorers.kit.explorer import aria_label
from course_utils.explorers.multi_head import model_heads as explore
from course_utils.explorers.multi_head import two_facts as multi_head_toy

REAL = explore.real_heads()
STATES = [
    explore.HeadChoice(),
    explore.HeadChoice("apple", 1, 2, 2),
    explore.HeadChoice("doctor", 4, 10, 6),
    explore.HeadChoice("bank", 3, 12, 9),
    explore.HeadChoice("lunch", 2, 10, 1),
]


def run_of(state):
    run = load_minilm().run(explore.SENTENCES[state.sentence])
    return run.tokens, run.weights[state.layer - 1, state.head - 1]


# ---- the real model's heads


@pytest.mark.parametrize("name", explore.SENTENCES)
def test_each_sentence_has_as_many_tokens_as_the_picture_has_rows(name):
    tokens = load_minilm().run(explore.SENTENCES[name]).tokens
    assert len(tokens) == explore.TOKENS and "[UNK]" not in tokens


@pytest.mark.parametrize("state", STATES)
def test_it_says_where_the_word_looks(state):
    tokens, weights = run_of(state)
    said = aria_label(REAL.draw(state))
    assert said.startswith(f"Layer {state.layer}, head {state.head}. {tokens[state.word - 1]} looks at ")
    shares = re.findall(r"(\S+) (\d+) %", said.split(" looks at ")[1])
    assert [token for token, _ in shares] == list(tokens)
    for (_, share), weight in zip(shares, weights[state.word - 1], strict=True):
        assert abs(int(share) - 100 * weight) <= 0.5 + 1e-9


@pytest.mark.parametrize("state", STATES)
def test_cells_and_lines_are_drawn_by_weight(state):
    _, weights = run_of(state)
    drawing = ET.fromstring(REAL.draw(state))
    cells = [float(r.get("opacity")) for r in drawing.iter("rect") if r.get("class") == "f2" and r.get("width") == "30"]
    assert np.allclose(np.reshape(cells, weights.shape), 0.05 + 0.95 * weights, atol=0.006)
    thick = [float(path.get("stroke-width")) for path in drawing.iter("path") if path.get("class") == "s2 no"]
    assert np.allclose(thick, 0.5 + 12 * weights[state.word - 1], atol=0.06)
    frame = next(r for r in drawing.iter("rect") if r.get("class") == "sf no")
    assert float(frame.get("y")) == explore.TOP + explore.CELL * (state.word - 1)


def patterns_by_loops(layer, head):
    """Means over the sentences' means, a token at a time: the word before, the word after, the word itself, [CLS]."""
    found = []
    for sentence in parsed_sentences(24, np.random.default_rng(6)):
        w = load_minilm().run(sentence.text).weights[layer - 1, head - 1]
        words = range(1, len(w) - 1)  # between [CLS] and [SEP]
        found.append(
            [
                np.mean([w[i, i - 1] for i in words if i - 1 in words]),
                np.mean([w[i, i + 1] for i in words if i + 1 in words]),
                np.mean([w[i, i] for i in words]),
                np.mean([w[i, 0] for i in words]),
            ]
        )
    return np.mean(found, axis=0)


@pytest.mark.parametrize("state", STATES[:3])
def test_its_scores_over_many_sentences_are_those_of_loops(state):
    said = aria_label(REAL.draw(state)).split("Over many sentences")[1]
    numbers = [float(number) for number in re.findall(r"(\d\.\d\d)", said)]
    assert np.allclose(numbers, patterns_by_loops(state.layer, state.head), atol=0.0051)


def test_it_runs_the_learners_function():
    own = explore.real_heads(previous_token_score=lambda weights: np.full(len(weights), 0.25))
    assert "the word before 0.25, the word after 0.00" in aria_label(own.draw(explore.HeadChoice()))
    assert "your" in own.whose and "reference" in REAL.whose


# ---- two facts at once


class ByHand:
    """A model of h heads: head i gives half its weight to word i and half to the last; it always says the same two words."""

    def __init__(self, n_heads, *says):
        self.n_heads, self.says = n_heads, says

    def predict(self, ids):
        weights = np.zeros((len(ids), self.n_heads, ids.shape[1]))
        for head in range(self.n_heads):
            weights[:, head, head] += 0.5
            weights[:, head, -1] += 0.5
        probabilities = np.full((len(ids), 2, len(VOCABULARY)), 0.001)
        for blank, word in enumerate(self.says):
            probabilities[:, blank, VOCABULARY.index(word)] = 0.75
        return probabilities, weights


ASKED = sentences(multi_head_toy.SHOWN, np.random.default_rng(60), KINDS.index("two facts"))


@pytest.mark.parametrize("number", [1, 4])
@pytest.mark.parametrize("n_heads", multi_head_toy.NUMBERS)
def test_it_says_what_a_model_made_by_hand_does(number, n_heads):
    words, answers = (words_of(ids[number - 1]).split() for ids in (ASKED.ids, ASKED.answers))
    toy = multi_head_toy.toy({n: ByHand(n, answers[0], "red") for n in multi_head_toy.NUMBERS})
    drawing = toy.draw(multi_head_toy.TwoFacts(n_heads, number))
    said = aria_label(drawing)
    assert said.startswith(
        f"{n_heads} head{'s' * (n_heads > 1)}. {' '.join(words)}: said {answers[0]} red, right is {' '.join(answers)}."
    )
    looks = re.findall(r"head (\d) ([^;]*)", said.split("looks: ")[1])
    assert [int(i) for i, _ in looks] == list(range(1, n_heads + 1))
    for i, row in looks:
        assert f"{words[int(i) - 1]} 50 %" in row and f"{words[-1]} 50 %" in row and row.count(" 50 %") == 2
    shown = [node.text for node in ET.fromstring(drawing).iter("text")]
    assert f"Where “{words[-1]}” looks: 1 of 2 answers right" in shown and f"wrong: {answers[1]}" in shown
    assert shown.count("0.75") == 2 and shown.count("50 %") == 2 * n_heads
    assert sum("(no head" in (word or "") for word in shown) == multi_head_toy.MOST - n_heads


def test_its_own_models_tell_the_story():
    right = {n: [] for n in multi_head_toy.NUMBERS}
    toy = multi_head_toy.toy()
    for n in right:
        for number in range(1, multi_head_toy.SHOWN + 1):
            said, wanted = re.search(
                r"said (.*), right is (.*)\. Where", aria_label(toy.draw(multi_head_toy.TwoFacts(n, number)))
            ).groups()
            right[n].append([a == b for a, b in zip(said.split(), wanted.split())])
    assert np.all(right[2]) and np.all(right[4])
    first, second = np.mean(right[1], axis=0)
    assert first == 1 and second < 0.5


@pytest.mark.parametrize("theme", THEMES)
def test_the_number_in_the_strongest_cell_is_readable(theme):
    colours = THEMES[theme]
    cell = mixed(colours["c2"], colours["bg"], multi_head_toy.FAINT + multi_head_toy.STRONG)
    assert contrast(colours["fg"], cell) >= 4.5
