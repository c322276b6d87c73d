"""The shipped data is what its sources published, and a missing word is told in words."""

import hashlib

import numpy as np
import pytest

from course_utils import datasets
from course_utils.word_vectors import cosine_matrix, cosine_similarity

SHA256 = {
    "glove_6b_100d_20k_int8.npz": "7cbfc85723c13c1afd27bf400be0b5f76ddd122431fb0b8dddf3a0946a76a820",
    "glove_6b_50d_10k_int8.npz": "d637c78aecf71c65fd96c6fced74d9302e0f5b2fd82f42654ce77246f11b4fd2",
    "minilm_4l_8000_int8.npz": "6fde3c3779c8c85dc70a7943f672cf404dc302a231aa968916055e9cf775810d",
    "wordnet_glosses.txt.gz": "c3ebf808d85cebffa4df7aebb025f537ab3eea0ba504866dcd18716b3c84203a",
}


@pytest.mark.parametrize("name", SHA256)
def test_files_are_the_ones_that_were_measured(name):
    assert hashlib.sha256(datasets.data_file(name).read_bytes()).hexdigest() == SHA256[name]


def test_glove_agrees_with_published_values():
    glove, small = datasets.load_glove(), datasets.load_glove(50)
    assert len(glove) == 20_010 and glove.E.shape == (20_010, 100) and glove.E.dtype == np.float32
    # published in public notebooks for the unrounded vectors; int8 storage costs about a thousandth
    king, man, woman, queen = glove[["king", "man", "woman", "queen"]]
    assert cosine_similarity(king, queen) == pytest.approx(0.7508, abs=2e-3)
    assert cosine_similarity(*small[["king", "queen"]]) == pytest.approx(0.7839, abs=4e-3)
    assert cosine_similarity(*small[["doctor", "nurse"]]) == pytest.approx(0.7977, abs=4e-3)
    assert small["the"][:3] == pytest.approx([0.418, 0.24968, -0.41242], abs=0.02)


def test_quiz_answer_near_speaks_of_a_measured_value():
    glove = datasets.load_glove()
    assert cosine_matrix(glove[["good"]], glove[["bad"]])[0, 0] == pytest.approx(0.8, abs=0.05)


def test_words_and_rows_by_word_and_by_list():
    glove = datasets.load_glove()
    assert glove.ids("the") == 0 and glove.words[0] == "the"
    assert glove[["the", "dog"]].shape == (2, 100)
    assert np.array_equal(glove[["the", "dog"]][1], glove["dog"])
    assert "dog" in glove and "Dog" not in glove
    assert repr(glove) == "WordVectors(20,010 words, 100 numbers each)"


def test_rows_are_shared_and_cannot_be_written_by_mistake():
    with pytest.raises(ValueError):
        datasets.load_glove().E[0, 0] = 1.0


@pytest.mark.parametrize(
    "word, told",
    [
        ("elefant", "elephant"),  # misspelt: near words are named
        ("Dog", "write 'dog'"),  # a capital letter
        ("zzzxqj", "no word that is there is spelt like it"),
        (7, "a word must be a string"),
    ],
)
def test_a_missing_word_is_told_in_words(word, told):
    with pytest.raises(datasets.UnknownWord, match=told) as error:
        datasets.load_glove()._id(word)
    assert "\\n" not in str(error.value)


def test_another_width_is_refused():
    with pytest.raises(ValueError, match="50, not 300"):
        datasets.load_glove(300)


def test_definitions():
    definitions = datasets.load_definitions()
    assert len(definitions) == 13_805
    assert sum(map(len, definitions)) == 200_018
    assert all(word.isalpha() and word.islower() for line in definitions[:200] for word in line)
