"""What explorers find before anybody moves them: all of it where time allows, trouble left to the draw."""

import time

import numpy as np
import pytest

from course_utils import embedding_space as reference
from course_utils.explorers import CannotDraw, LearnerFunction
from course_utils.explorers import embedding_space as explore
from course_utils.explorers.embedding_space import analogy_builder as builder
from course_utils.explorers.kit.learner_function import rows_of
from course_utils.explorers.kit.precompute import precompute


def test_each_position_is_found_once_and_before_it_is_asked_for():
    asked = []
    square = precompute(lambda x: asked.append(x) or x * x, [(2,), (3,)])
    assert asked == [2, 3]
    assert [square(2), square(3), square(4), square(4)] == [4, 9, 16, 16] and asked == [2, 3, 4]


def test_a_slow_function_does_not_hold_up_the_explorer():
    asked = []

    def slow(x):
        asked.append(x)
        time.sleep(0.02)

    precompute(slow, [(x,) for x in range(1000)], seconds=0.05)
    assert 1 <= len(asked) <= 4


def test_trouble_waits_for_the_draw():
    def odd(x):
        if x % 2 == 0:
            raise CannotDraw("an even number")
        return x

    kept = precompute(odd, [(1,), (2,), (3,)])
    assert kept(3) == 3
    for _ in range(2):
        with pytest.raises(CannotDraw, match="an even number"):
            kept(2)


def test_searching_a_shortlist_finds_what_searching_every_word_finds():
    words = builder.frequent_words()
    for question, short in list(builder.shortlists().items())[::7]:
        a, b, c = words.ids(list(question))
        target = words.E[b] - words.E[a] + words.E[c]
        best = [words.words[i] for i in reference.nearest_neighbours(target, words.E, builder.SHOWN)]
        assert best == [short.words[i] for i in reference.nearest_neighbours(target, short.E, builder.SHOWN)]
        answer = words.words[reference.analogy(a, b, c, words.E)]
        assert answer == short.words[reference.analogy(*short.ids(list(question)), short.E)]


@pytest.mark.parametrize("ids", [[0, 3], [-1], [1.5]])
def test_what_is_no_row_is_named(ids):
    function = LearnerFunction(lambda E: ids, reference.nearest_neighbours)
    with pytest.raises(CannotDraw, match="Your nearest_neighbours gave back .*, which is no row: they run from 0 to 2"):
        rows_of(function, np.array(ids), 3)


def test_a_wrong_answer_is_a_sentence_in_the_picture():
    explorer = explore.analogies(analogy=lambda a, b, c, E: len(E))
    assert "Your analogy gave back 4" in explorer.body(explorer.start) and "<svg" not in explorer.body(explorer.start)
