"""The ladder: its sentences by their own rules, its gradients by finite differences, its training by what it learns."""

from collections import Counter
from itertools import chain

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from course_utils.datasets import load_definitions
from course_utils.experiments.ladder import sentences as text
from course_utils.experiments.ladder.english import windows
from course_utils.experiments.ladder.models import Average, Heads, Ladder, LastWord, RawDotProduct, _sum_by_word
from course_utils.experiments.ladder.training import GRID, STAGES, Adam, data, fit, is_right, train

MODELS = {
    **{name: (make(), 0) for name, make in STAGES.items()},
    "unscaled dot product": (RawDotProduct(scaled=False), 0),
    "unscaled heads": (Heads(2, scaled=False), 0),
    "last word, hidden layer": (LastWord(), 5),
    "heads, hidden layer": (Heads(2), 5),
}


@pytest.mark.parametrize("name", MODELS)
def test_gradients_against_finite_differences(name):
    stage, hidden = MODELS[name]
    rng, step = np.random.default_rng(1), 1e-6
    model = Ladder(stage, n_words=7, length=5, d=8, hidden=hidden, seed=2)
    ids, answers = rng.integers(7, size=(4, 5)), rng.integers(7, size=(4, 2))
    _, grads = model.gradients(ids, answers)
    assert grads.keys() == model.params.keys()
    for key, array in model.params.items():
        for place in rng.choice(array.size, size=min(6, array.size), replace=False):
            losses = []
            for change in (step, -2 * step):  # a step up, then as far down from there
                array.flat[place] += change
                losses.append(model.gradients(ids, answers)[0])
            array.flat[place] += step
            assert grads[key].flat[place] == pytest.approx((losses[0] - losses[1]) / (2 * step), abs=1e-7), key


def test_sum_by_word_is_what_add_at_does():
    ids, rows = np.random.default_rng(3).integers(6, size=(4, 5)), np.random.default_rng(4).normal(size=(4, 5, 3))
    expected = np.zeros((8, 3))  # words 6 and 7 do not occur
    np.add.at(expected, ids, rows)
    np.testing.assert_allclose(_sum_by_word(ids, rows, 8), expected, strict=True)


@pytest.mark.parametrize("stage", STAGES)
def test_predictions_are_probabilities_and_weights(stage):
    model = Ladder(STAGES[stage](), n_words=7, length=5, d=8)
    probs, weights = model.predict(np.random.default_rng(5).integers(7, size=(3, 5)))
    assert probs.shape == (3, 2, 7)
    np.testing.assert_allclose(probs.sum(axis=-1), 1)
    assert weights.shape[0] == 3 and weights.shape[2] == 5
    np.testing.assert_allclose(weights.sum(axis=-1), 1)


def test_one_head_and_four_have_the_same_number_of_parameters():
    sizes = {name: Ladder(make(), len(text.VOCABULARY), text.LENGTH).n_params for name, make in STAGES.items()}
    assert sizes["one head"] == sizes["four heads"]
    assert sizes["one head"] - sizes["raw dot product"] == 4 * 32 * 32


def test_the_average_looks_nowhere_in_particular():
    _, weights = Ladder(Average(), n_words=7, length=5, d=8).predict(np.zeros((2, 5), dtype=int))
    np.testing.assert_allclose(weights, 0.2)


# ---- sentences


def read(kind, count=300):
    """Sentences of one kind as lists of words: [(words, answer words)]."""
    made = text.sentences(count, np.random.default_rng(6), kind)
    assert (made.kinds == kind).all() and made.ids.shape == (count, 10) and made.answers.shape == (count, 2)
    return [(text.words_of(ids).split(), text.words_of(answer).split()) for ids, answer in zip(made.ids, made.answers)]


def beside(words):
    """The word that follows each of the four keys."""
    assert words[8] == "and"
    return dict(zip(words[0:8:2], words[1:8:2], strict=True))


def test_the_last_word_settles_the_first_kind():
    answers = {}
    for words, answer in read(0):
        assert answers.setdefault(words[-1], answer) == answer
    assert len(answers) == len(text.PHRASES)


def test_the_topic_settles_the_second_kind_wherever_it_stands():
    places = set()
    for words, answer in read(1):
        assert words[-2:] == ["is", "really"]
        (topic,) = set(words) & set(text.TOPICS)
        assert answer == [text.TOPICS[topic], "."]
        places.add(words.index(topic))
    assert places == set(range(8))


def test_recall_asks_for_what_stood_beside_the_last_word():
    for words, answer in read(2):
        assert answer == [beside(words)[words[-1]], "."]


def test_direction_asks_beside_what_the_last_word_beats():
    beaten = {triad[i]: triad[i - 2] for triad in text.BEATS for i in range(3)}
    assert beaten["rock"] == "scissors" and beaten["paper"] == "rock" and beaten["fire"] == "plant"
    for words, answer in read(3):
        pairs, asks = beside(words), words[-1]
        assert answer == [pairs[beaten[asks]], "."]
        assert beaten[beaten[asks]] in pairs  # what beats the last word stands there too: the trap


def test_two_facts_ask_beside_friend_and_rival():
    for words, answer in read(4):
        pairs = beside(words)
        assert answer == [pairs[text.FRIEND[words[-1]]], pairs[text.RIVAL[words[-1]]]]


def test_friends_and_rivals_are_mutual_and_different():
    for relation in (text.FRIEND, text.RIVAL):
        assert all(relation[relation[name]] == name != relation[name] for name in relation)
    assert all(text.FRIEND[name] != text.RIVAL[name] for name in text.FRIEND)


def test_all_kinds_equally_often():
    kinds = text.sentences(5000, np.random.default_rng(7)).kinds
    assert (abs(np.bincount(kinds, minlength=5) - 1000) < 6 * np.sqrt(800)).all()  # six standard deviations


# ---- training


def test_adam_first_step_is_the_rate_against_the_sign():
    """m̂ = g and v̂ = g² at the first step, so the step is rate · g / |g| (Kingma and Ba 2014, algorithm 1)."""
    params = {"w": np.array([1.0, -2.0])}
    Adam(params).step({"w": np.array([0.3, -40.0])}, rate=0.1)
    np.testing.assert_allclose(params["w"], [0.9, -1.9], atol=1 / GRID)


def test_the_average_learns_what_the_last_word_cannot():
    training, test = data(0, 4000, 500)
    results = [train(stage, training, test, steps=150) for stage in (LastWord(), Average())]
    assert results[0].by_kind[0] > 0.95 and results[1].by_kind[0] > 0.95  # both know what follows the last word
    assert results[0].by_kind[1] < 0.35  # one in eight by chance
    assert results[1].by_kind[1] > 0.9
    assert results[1].losses[-1] < results[1].losses[0] / 2
    assert results[1].accuracy == pytest.approx(is_right(results[1].model, test).mean())


def test_training_prints_the_same_bar_every_time(capsys):
    training, test = data(0, 200, 50)
    shown = []
    for _ in range(2):
        train(Heads(2), training, test, steps=45, label="two heads")
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert shown[0].startswith("two heads       " + 20 * "▪" + " 0.")


def test_training_without_a_label_is_silent(capsys):
    train(Average(), *data(0, 200, 50), steps=2)
    assert capsys.readouterr().out == ""


def test_fit_trains_the_model_it_is_given_and_leaves_the_line_open(capsys):
    training, _ = data(0, 200, 50)
    model = Ladder(LastWord(), len(text.VOCABULARY), text.LENGTH)
    before = model.gradients(training.ids, training.answers)[0]
    losses = fit(model, training, steps=60, label="last word")
    assert model.gradients(training.ids, training.answers)[0] < before / 2
    assert losses.shape == (60,)
    assert capsys.readouterr().out == "last word       " + 20 * "▪"


def test_fit_runs_on_one_thread():
    seen = []

    class Watched(Ladder):
        def gradients(self, ids, answers):
            seen.extend(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")
            return super().gradients(ids, answers)

    with threadpool_limits(limits=2, user_api="blas"):
        fit(Watched(LastWord(), len(text.VOCABULARY), text.LENGTH), data(0, 200, 50)[0], steps=1)
    assert set(seen) == {1}


# ---- real text


class AnotherProcessor(Ladder):
    """Adds in another order, so that its gradients differ in the last digits."""

    def gradients(self, ids, answers):
        loss, grads = super().gradients(ids, answers)
        noise = np.random.default_rng(len(ids))
        return loss, {name: array * (1 + 2e-16 * noise.choice([-1, 0, 1], array.shape)) for name, array in grads.items()}


def test_another_processor_trains_the_same_numbers():
    """Weights without √d_k are the sensitive case: a difference of 1e-16 grew to 0.01 within 400 steps."""
    training, _ = data(seed=0, training=2_000, test=10)
    params = []
    for kind in (Ladder, AnotherProcessor):
        model = kind(Heads(1, scaled=False), len(text.VOCABULARY), text.LENGTH, d=16, spread=1.0)
        fit(model, training, steps=60)
        params.append(model.params)
    assert all(np.array_equal(params[0][name], params[1][name]) for name in params[0])


def test_windows_are_twelve_words_in_a_row_of_a_definition():
    """Numbers are ranks by frequency: 0 for the most frequent word of the definitions, 49 for all rare ones."""
    training, held_out = windows(n_words=50)
    definitions = load_definitions()
    rank = {word: i for i, (word, _) in enumerate(Counter(chain(*definitions)).most_common(49))}
    expected = sorted(
        tuple(rank.get(word, 49) for word in words[i : i + 12]) for words in definitions for i in range(len(words) - 11)
    )
    found = [np.hstack([part.ids, part.answers]) for part in (training, held_out)]
    assert sorted(map(tuple, np.concatenate(found).tolist())) == expected
    assert 0.05 < len(held_out) / len(expected) < 0.15


def test_windows_are_the_same_every_time():
    for part, again in zip(windows(n_words=50), windows(n_words=50)):
        assert (part.ids == again.ids).all() and (part.answers == again.answers).all()
