"""Lesson 7's explorer: what it says and draws, against the real model and loops."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from course_utils import transformer
from course_utils.datasets import load_minilm
from course_utils.experiments.sentences import SENSES
from course_utils.explorers.kit.explorer import aria_label
from course_utils.explorers.transformer import layer_steps as module

PATH = module.token_path()
STATES = [
    module.Place(),
    module.Place("Apple, company", 2, 0),
    module.Place("bank, river", 7, 4),
    module.Place("bat, sport", 1, 1),
]


@pytest.mark.parametrize("name", module.SENTENCES)
def test_each_sentence_has_as_many_tokens_as_the_picture_has_rows(name):
    tokens = load_minilm().run(module.SENTENCES[name]).tokens
    assert len(tokens) == module.TOKENS and "[UNK]" not in tokens


@pytest.mark.parametrize("state", [s for s in STATES if s.layer])
def test_it_says_where_the_token_looks(state):
    run = load_minilm().run(module.SENTENCES[state.sentence])
    weights = run.weights[state.layer - 1, :, state.token - 1].mean(axis=0)
    said = aria_label(PATH.draw(state))
    shares = re.findall(r"(\S+) (\d+) %", said.split("looks at ")[1].split(" Nearest")[0])
    assert [token for token, _ in shares] == list(run.tokens)
    assert np.allclose([int(share) for _, share in shares], 100 * weights, atol=0.51)


def test_before_any_attention_no_weight_is_drawn():
    drawing = PATH.draw(module.Place(layer=0))
    assert "looks at" not in aria_label(drawing) and " %" not in drawing


@pytest.mark.parametrize("state", STATES)
def test_the_nearest_words_are_those_of_loops(state):
    minilm, sentence = load_minilm(), module.SENTENCES[state.sentence]
    vector = minilm.run(sentence).hidden[state.layer][state.token - 1]
    best = 0.0
    for senses in SENSES.values():
        for text in (each for group in senses.values() for each in group if each != sentence):
            run = minilm.run(text)
            for token, row in zip(run.tokens, run.hidden[state.layer]):
                if token.isalpha():
                    best = max(best, row @ vector / np.linalg.norm(row) / np.linalg.norm(vector))
    said = aria_label(PATH.draw(state)).split("elsewhere: ")[1]
    cosines = [float(c) for c in re.findall(r" (\d\.\d\d)[;.]", said.split("Made of")[0])]
    assert len(cosines) == module.NEAREST and cosines == sorted(cosines, reverse=True)
    assert cosines[0] == pytest.approx(best, abs=0.0051)


@pytest.mark.parametrize("state", STATES)
def test_shares_sum_to_1(state):
    said = aria_label(PATH.draw(state)).split("Made of ")[1].split(". Cosine")[0]
    numbers = [float(n.replace("−", "-")) for n in re.findall(r"−?\d\.\d\d", said)]
    assert len(numbers) == 5 and sum(numbers) == pytest.approx(1, abs=0.026)


def test_an_embedding_is_made_of_its_word_and_place_alone():
    drawing = ET.fromstring(PATH.draw(module.Place(layer=0)))
    words = [node.text for node in drawing.iter("text")]
    assert words[words.index("attention so far") + 1] == words[words.index("nets so far") + 1] == "0.00"
    assert words[words.index("cosine with its own embedding") + 1] == "1.00"


def test_it_runs_the_learners_layer():
    def even(X, params, n_heads, mask=None):
        output, weights = transformer.encoder_layer(X, params, n_heads, mask)
        return output, np.full(weights.shape, 1 / weights.shape[-1])

    own = module.token_path(encoder_layer=even)
    assert aria_label(own.draw(module.Place())).count(" 11 %") == module.TOKENS
    assert "your encoder_layer" in own.whose and "the reference" in PATH.whose
