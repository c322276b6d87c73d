"""What lesson 8 measures, against loops, hand-worked cases and the files themselves."""

import json
import math

import numpy as np
import pytest

from course_utils import decoder as reference
from course_utils import transformer
from course_utils.datasets import data_file, load_decoder
from course_utils.experiments import asked, cache_work, held_out, repeats, word_order
from course_utils.multi_head import split_heads


@pytest.fixture(scope="module")
def shipped():
    return load_decoder()


def logits_of(model):
    return lambda ids: reference.decode(ids, model)


# ---- held-out figures


def test_figures_are_those_of_the_files():
    raw = json.loads(data_file("decoder_figures.json").read_text())
    assert held_out.perplexities() == {row["model"]: row["perplexity"] for row in raw["held_out"]}
    steps, losses = held_out.learning_curve()
    assert [steps[-1], losses[-1]] == [raw["curve"][-1][0], raw["curve"][-1][3]] and len(steps) == len(raw["curve"])
    controls = json.loads(data_file("decoder_controls.json").read_text())["controls"]
    for each in controls:
        found = held_out.control(each["name"])
        assert found.loss == each["held_out_loss"] and found.losses[-1] == each["curve"][-1][3] and found.texts == each["text"]


def test_each_stage_of_attention_predicts_real_text_better():
    losses = list(held_out.stages().values())
    assert len(losses) == 4 and losses == sorted(losses, reverse=True)


def test_without_a_mask_the_loss_is_next_to_nothing_and_the_text_nothing_new():
    blind = held_out.control(held_out.BLIND)
    assert blind.loss < 0.05 * held_out.control(held_out.WHOLE).loss
    for beginning, text in blind.texts.items():
        assert set(text.split()) <= set(beginning.split())  # it says again what it was given


def test_what_is_lacking_stands_beside_the_whole():
    assert list(held_out.lacking()) == ["with both", "no positions", "no √d_k"]
    with pytest.raises(KeyError):
        held_out.control("five heads")


# ---- the cache


class Counted(np.ndarray):
    """An array that counts the multiplications of every product of matrices it takes part in."""

    total = 0

    def __array_ufunc__(self, ufunc, method, *inputs, **settings):
        plain = [np.asarray(x) for x in inputs]
        result = getattr(ufunc, method)(*plain, **{k: v for k, v in settings.items() if k != "out"})
        if ufunc is np.matmul:
            Counted.total += np.size(result) * plain[0].shape[-1]
        return np.asarray(result).view(Counted)


@pytest.fixture
def counted(shipped, monkeypatch):
    """The shipped model with arrays that count, also once they were cut into heads."""
    for module in (transformer, reference):
        monkeypatch.setattr(module, "split_heads", lambda X, n_heads: split_heads(X, n_heads).view(Counted))
    monkeypatch.setattr(Counted, "total", 0)
    model = shipped.model
    turned = [{name: value.view(Counted) for name, value in params.items()} for params in (model["embeddings"], *model["layers"])]
    return model | {"embeddings": turned[0], "layers": turned[1:], "bias": model["bias"].view(Counted)}


@pytest.mark.parametrize("n", [1, 7])
def test_a_whole_pass_takes_as_many_multiplications_as_are_counted_while_it_runs(counted, shipped, n):
    reference.decode(np.arange(n) + 50, counted)
    assert Counted.total == cache_work.whole(n, shipped.model)


@pytest.mark.parametrize("n", [1, 7])
def test_a_step_takes_as_many_multiplications_as_are_counted_while_it_runs(counted, shipped, n):
    d = counted["embeddings"]["word"].shape[1]
    x, kept = np.ones(d).view(Counted), np.ones((n - 1, d)).view(Counted)
    for params in counted["layers"]:
        x, _, _ = reference.decode_step(x, kept, kept, params, counted["n_heads"])
    x @ counted["embeddings"]["word"].T
    assert Counted.total == cache_work.step(n, shipped.model)


def test_the_gain_grows_with_length_from_none(shipped):
    gains = [cache_work.gain(n, shipped.model) for n in (1, 2, 10, 47)]
    assert gains[0] == 1 and gains == sorted(gains)
    by_hand = (cache_work.whole(1, shipped.model) + cache_work.whole(2, shipped.model)) / (
        cache_work.step(1, shipped.model) + cache_work.step(2, shipped.model)
    )
    assert gains[1] == pytest.approx(by_hand)


# ---- the repeat test


def test_texts_are_given_twice_and_others_differ(shipped):
    pairs = repeats.random_texts(shipped, np.random.default_rng(0), words=6, texts=5)
    for twice, other in pairs:
        assert len(twice) == len(other) == 13 and twice[0] == other[0] == shipped.ids("")[0]
        assert (twice[1:7] == twice[7:]).all() and (other[:7] == twice[:7]).all()
        assert len(set(other.tolist())) == 13  # no word of the others was there before


def test_one_that_copies_is_surprised_the_first_time_only(shipped):
    """It says at t what followed the last time the same id was there; else all V are alike."""
    V = len(shipped.tokenizer.vocab)

    def copying(ids):
        logits = np.zeros((len(ids), V))
        for t in range(len(ids)):
            before = [s for s in range(t) if ids[s] == ids[t]]
            if before:
                logits[t, ids[before[-1] + 1]] = 50
        return logits

    pairs = repeats.random_texts(shipped, np.random.default_rng(0), words=6, texts=3)
    found = repeats.surprise(pairs, copying, reference.next_token_loss)
    assert found.first == pytest.approx(math.log(V)) and found.others == pytest.approx(math.log(V))
    assert found.again == pytest.approx(math.log(V) / 6)  # the first of six follows a word that was never followed by it


def test_scores_of_heads_are_means_over_texts_without_the_first_row():
    def weights_of(ids):
        n = len(ids)
        copying = np.zeros((n, n))
        half = (n - 1) // 2
        for i in range(half - 1):
            copying[1 + half + i, 1 + i + 1] = 1 if ids[1] == 7 else 0.5
        return [np.stack([copying, np.full((n, n), 1 / n)])]

    texts = [np.array([0, 7, 8, 9, 7, 8, 9]), np.array([0, 1, 2, 3, 1, 2, 3])]
    found = repeats.mean_scores(texts, weights_of, reference.induction_score)
    assert found.shape == (1, 2) and found[0].tolist() == pytest.approx([0.75, 1 / 7])


def test_a_head_that_looks_at_all_alike_has_the_even_score():
    even = np.tril(np.ones((8, 8))) / np.arange(1, 9)[:, None]
    assert reference.induction_score(even[None])[0] == pytest.approx(repeats.even_score(4))


# ---- order


def test_shuffling_keeps_the_ends_and_moves_something():
    ids = np.arange(5)
    for seed in range(20):
        found = word_order.shuffled(ids, np.random.default_rng(seed))
        assert found[[0, -1]].tolist() == [0, 4] and sorted(found) == [0, 1, 2, 3, 4] and (found != ids).any()


def test_two_guesses_differ_by_none_or_by_all():
    sure, other = np.array([100.0, 0, 0]), np.array([0, 100.0, 0])
    assert word_order.moved(sure, sure) == 0 and word_order.moved(sure, other) == pytest.approx(1)
    assert word_order.moved(np.zeros(2), np.log([3.0, 1])) == pytest.approx(0.25)  # (1/2, 1/2) and (3/4, 1/4)


def test_only_one_layer_without_positions_is_blind_to_order(shipped):
    model = shipped.model
    bare = word_order.without_positions(model)
    found = [
        word_order.noticed(logits_of(m), shipped, np.random.default_rng(0))
        for m in (model, bare, word_order.first_layer(model), word_order.first_layer(bare))
    ]
    assert found[3] < 1e-9 and min(found[:3]) > 0.01
    assert model["embeddings"]["position"].any() and len(model["layers"]) == 4  # the shipped model is left as it was


# ---- what it knows


def test_answers_are_ranked_as_a_sorted_list_has_them(shipped):
    (found,) = asked.answers([("in the middle of", "the")], logits_of(shipped.model), shipped)
    p = np.exp(reference.decode(shipped.ids("in the middle of"), shipped.model)[-1])
    p /= p.sum()
    order = sorted(range(len(p)), key=lambda i: -p[i])
    the = shipped.tokenizer.index["the"]
    assert found.rank == order.index(the) + 1 and found.p == pytest.approx(p[the])
    assert found.said == shipped.tokenizer.vocab[order[0]]


def test_every_right_word_is_one_piece_and_another_is_refused(shipped):
    for questions in asked.QUESTIONS.values():
        assert len(asked.answers(questions, logits_of(shipped.model), shipped)) == len(questions)
    with pytest.raises(ValueError, match="'xylophones' is . pieces, but one is asked for"):
        asked.answers([("dog :", "xylophones")], logits_of(shipped.model), shipped)


def test_it_has_the_form_and_not_the_world(shipped):
    """What the lesson says of it."""
    ranks = {
        kind: asked.median_rank(asked.answers(questions, logits_of(shipped.model), shipped))
        for kind, questions in asked.QUESTIONS.items()
    }
    assert ranks["the form of a dictionary"] == 1 and min(ranks["the world"], ranks["what was said before"]) > 10
