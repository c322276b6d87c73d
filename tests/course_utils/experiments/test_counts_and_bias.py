"""Counts of words that stand together, and the direction between he and she, against loops and small cases."""

import numpy as np
import pytest

from course_utils.datasets import WordVectors, load_glove
from course_utils.embedding_space import analogy, nearest_neighbours, offset_cosine
from course_utils.experiments import bias, cbow, corpus, counts, relations, senses


def test_counts_are_those_of_a_loop():
    texts = corpus.sentences(200, seed=3)
    rows, columns, window = ["dog", "the", "of"], ["the", "road", "fur"], 2
    wanted = np.zeros((3, 3), int)
    for words in texts:
        for i, word in enumerate(words):
            for j, other in enumerate(words):
                if i != j and abs(i - j) <= window and word in rows and other in columns:
                    wanted[rows.index(word), columns.index(other)] += 1
    assert np.array_equal(counts.together(texts, rows, columns, window), wanted) and wanted.sum() > 50


def test_in_the_small_language_a_dog_barks_and_a_cat_purrs():
    (barks, never), (never_too, purrs) = counts.together(corpus.sentences(10_000), ["dog", "cat"], ["barked", "purred"])
    assert barks > 20 < purrs and never == never_too == 0


def test_taking_a_direction_out_leaves_nothing_along_it_and_the_rest_as_it_was():
    along, E = np.array([0.6, 0.8, 0.0]), np.random.default_rng(0).normal(size=(5, 3))
    left = bias.without(E, along)
    assert np.allclose(left @ along, 0) and np.allclose(left - E, np.outer((left - E) @ along, along))
    assert np.allclose(bias.without(left, along), left)


def test_leaning_is_the_cosine_with_he_minus_she():
    glove = WordVectors(("he", "she", "a", "b"), np.array([[2.0, 0], [0, 1], [3, 3], [-1, 1]]))
    assert list(bias.leaning(("a", "b"), glove)) == ["b", "a"]  # the most she-like first
    assert bias.leaning(("a", "b"), glove)["b"] == pytest.approx(-1) and bias.leaning(("a",), glove)["a"] == pytest.approx(0)


def test_what_lesson_2_says_of_bias():
    """Nurse leans to she, engineer to he, secretary to he; neighbours stay when the direction is out."""
    leaning = bias.leaning(bias.OCCUPATIONS, load_glove())
    assert leaning["nurse"] < -0.2 < 0.1 < leaning["engineer"] and leaning["secretary"] > 0.1
    assert bias.neighbours_alike(load_glove(), True) > 0.9


@pytest.mark.parametrize(
    "question, said",
    [
        ("man woman king", "king"),
        ("man woma king", "GloVe's cut has no row for woma. Write three words"),
        ("man woman", "2 words were found. Write three words"),
    ],
)
def test_any_three_words_may_be_asked(question, said, capsys):
    relations.ask(question, load_glove(), nearest_neighbours)
    told = capsys.readouterr().out
    assert said in told
    if question == "man woman king":  # what the lesson says: king itself is nearest
        assert told.splitlines()[1].split()[0] == "king" and "left out" in told.splitlines()[1]


def test_the_steps_of_wrong_pairs_share_no_country():
    pairs = [("a", "x"), ("b", "y"), ("c", "z")]
    glove = WordVectors(tuple("abcxyz"), np.arange(6.0)[:, None] ** 2)
    asked = []
    found = relations.parallel_steps(pairs, lambda *ids: asked.append(ids[:4]) or 1.0, glove)
    assert len(found["right"]) == 3 and len(found["wrong"]) == 1
    assert asked == [(1, 4, 0, 3), (2, 5, 0, 3), (2, 4, 0, 3), (2, 5, 1, 4)]


def test_what_lesson_2_says_of_steps():
    found = relations.parallel_steps(relations.twenty_capitals(), offset_cosine, load_glove())
    assert len(found["right"]) == 190 and len(found["wrong"]) == 171
    assert 0.5 < np.mean(found["right"]) < 0.75 and np.mean(found["wrong"]) > 0.3


def test_what_the_text_never_says_the_vectors_do_not_know(capsys):
    text = cbow.blanks(corpus.sentences(10_000, seed=0, pairing=False))
    kinds, own, solved = relations.capitals_told_right(cbow.train(text, steps=1000), nearest_neighbours, analogy)
    assert kinds > 0.9 and max(own, solved) < 0.3


def test_the_most_misleading_words_stand_beyond_a_narrow_window():
    """What lesson 3 says of the average of two words on each side."""
    far = senses.misleading_distances()
    assert len(far) == 18 and sum(distance <= 2 for distance in far) <= 2 and min(far) >= 1
