"""Lesson 2's explorers: printed numbers against NumPy, and whose functions draw."""

import re

import numpy as np
import pytest
from explorer_cases import positions

from course_utils import embedding_space as ref
from course_utils.datasets import load_glove
from course_utils.experiments import cbow, corpus
from course_utils.explorers import embedding_space as explore
from course_utils.explorers.embedding_space import analogy_builder as builder


def numbers(words):
    return [float(found.replace("−", "-")) for found in re.findall(r"[−]?\d+\.\d\d", words)]


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


@pytest.fixture(scope="module")
def training():
    return cbow.train(cbow.blanks(corpus.sentences(2000)), steps=100)


def test_the_snapshots_print_numpys_numbers_at_every_position(training):
    explorer = explore.snapshots(training)
    groups = {word: group for group, words in corpus.GROUPS.items() for word in words}
    index = [training.words.index(word) for word in groups]
    for state in positions(explorer, many=40):
        at = training.steps.index(state.step)
        rows = unit(training.snapshots[at][index])
        cosines = rows @ rows.T - 5 * np.eye(len(rows))
        names = np.array(list(groups.values()))
        share = np.mean(names[cosines.argmax(axis=1)] == names)
        here = list(groups).index(state.word)
        best = np.argsort(-cosines[here])[:5]

        said = explorer.describe(state)
        assert f"{100 * share:.0f} % of 65 words" in said
        assert numbers(said) == pytest.approx([*cosines[here, best], training.held_out[at]], abs=0.0051)
        assert re.findall(r"(\w+) [−\d.]+(?:,|\. Loss)", said.split(": ")[1]) == [list(groups)[i] for i in best]


def test_points_move_between_snapshots_because_their_rows_do(training):
    """One plane for all frames: a row that stays lets its point stay, whatever the others do."""
    snapshots = training.snapshots.copy()
    snapshots[:, training.words.index("dog")] = snapshots[0, training.words.index("dog")]
    still = explore.snapshots(
        cbow.Training(
            training.words, training.E, training.U, training.losses, training.steps, snapshots, training.held_out, "your"
        )
    )
    spots = {
        re.search(r"translate\([^)]*\)", still.draw(state)).group() for state in positions(still) if state.word == "dog"
    }  # dog is the first point that is drawn
    assert len(spots) == 1


def test_the_analogy_builder_agrees_with_numpy():
    explorer, glove = explore.analogies(), load_glove()
    words = list(dict.fromkeys([*glove.words[: builder.FREQUENT], *builder.FIRST, *builder.SECOND, *builder.THIRD]))
    rows = unit(glove[words].astype(float))
    for state in [*positions(explorer)][::4]:
        a, b, c = (words.index(word) for word in (state.a, state.b, state.c))
        target = rows[b] - rows[a] + rows[c]
        cosines = rows @ target / np.linalg.norm(target)
        best = np.argsort(-cosines)
        answer = next(i for i in best if i not in (a, b, c))
        steps = unit(rows[b] - rows[a]) @ unit(rows[answer] - rows[c])

        said = explorer.describe(state)
        assert said.startswith(f"{state.a} is to {state.b} as {state.c} is to {words[answer]}.")
        assert numbers(said) == pytest.approx([*cosines[best[:5]], steps], abs=0.0051)
        assert said.count("(left out)") == sum(i in (a, b, c) for i in best[:5])
        assert explorer.draw(state).count(">left out<") == said.count("(left out)")


def test_a_learners_functions_draw():
    def nobody(query, E, k, exclude=()):
        return ref.nearest_neighbours(-query, E, k, exclude)  # the furthest

    explorer = explore.analogies(nearest_neighbours=nobody)
    assert "Computed by the reference analogy and your nearest_neighbours." in explorer.body(explorer.start)
    assert "king 0.84" not in explorer.describe(explorer.start)
