"""Training on anybody's gradients, the texts it reads, analogies and subwords."""

import doctest

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from course_utils import datasets
from course_utils import embedding_space as ref
from course_utils.experiments import analogies, cbow, corpus, subwords


@pytest.mark.parametrize("module", [cbow, corpus, subwords])
def test_examples_in_the_docstrings(module):
    found = doctest.testmod(module)
    assert found.failed == 0 and found.attempted > 0


# ---- the template language


def test_sentences_are_repeatable_and_seeds_differ():
    assert corpus.sentences(50, seed=3) == corpus.sentences(50, seed=3) != corpus.sentences(50, seed=4)


def test_every_slot_is_filled_and_every_word_of_a_group_turns_up():
    found = {word for sentence in corpus.sentences(4000) for word in sentence}
    assert not any(set("{}|") & set(word) for word in found)
    assert {word for words in corpus.GROUPS.values() for word in words} <= found


def test_words_that_belong_together_stay_together():
    for sentence in corpus.sentences(4000):
        text = " ".join(sentence)
        if "is the capital of" in text:
            assert corpus.LANDS[sentence[0]][0] == sentence[-1]
        if "said that" in text:
            assert (sentence[1] in corpus.PAIRS) == (sentence[4] == "he") == (sentence[6] == "his")
        if "crown" in text:
            assert sentence[1] in corpus.ROYAL


@pytest.mark.parametrize("pairing", [True, False])
def test_without_the_pairing_templates_no_sentence_joins_a_capital_with_its_country(pairing):
    """What remains speaks of capitals and of countries, one at a time, and never of a language."""
    lands = {word: capital for capital, (country, language) in corpus.LANDS.items() for word in (capital, country, language)}
    met = [[word for word in sentence if word in lands] for sentence in corpus.sentences(4000, pairing=pairing)]
    assert any(len(words) > 1 for words in met) == pairing
    both = {*corpus.GROUPS["capitals"], *corpus.GROUPS["countries"]}
    assert {word for words in met for word in words} == ({*lands} if pairing else both)


# ---- blanks


def test_blanks_by_hand():
    """Windows stay in their sentence, rare words vanish before windows are cut, a lonely word has no blank."""
    found = cbow.blanks([["a", "b", "a", "x"], ["a"], ["b", "a"]], window=1, least=2)
    assert found.words == ("a", "b")
    assert found.contexts == ((1,), (0, 0), (1,), (0,), (1,))
    assert found.targets == (0, 1, 0, 1, 0)


def test_thinning_leaves_out_frequent_words_and_keeps_rare_ones():
    """ "the" makes up 3/4 of the text and is kept with probability sqrt(0.001 / 0.75), about 1 in 27."""
    text = [["the"] * 9 + [f"a{i}", f"b{i}", f"c{i}"] for i in range(500)]
    targets = [kept.words[target] for kept in [cbow.blanks(text, thin=1e-3)] for target in kept.targets]
    assert targets.count("the") == pytest.approx(4500 / 27.4, rel=0.3)
    assert len(targets) - targets.count("the") == 1500


# ---- training


@pytest.fixture(scope="module")
def blanks():
    return cbow.blanks(corpus.sentences(3000))


def test_the_given_function_does_the_training(blanks):
    """A gradient of zero must leave the rows as random as they were; the reference must not."""

    def nothing(context, target, E, U):
        loss, dE, dU = ref.cbow_gradients(context, target, E, U)
        return loss, 0 * dE, 0 * dU

    still = cbow.train(blanks, cbow_gradients=nothing, steps=20)
    moved = cbow.train(blanks, steps=20)
    assert np.array_equal(still.E, still.snapshots[0]) and not np.allclose(moved.E, moved.snapshots[0])
    assert (still.whose, moved.whose) == ("your", "the reference")
    assert moved.held_out[-1] < moved.held_out[0] == pytest.approx(np.log(len(blanks.words)))


def test_small_products_run_on_one_thread(blanks):
    """On a busy machine two threads of BLAS wait for one another most of the time."""
    seen = []

    def gradients(*args):
        seen.append([pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"])
        return ref.cbow_gradients(*args)

    with threadpool_limits(limits=2, user_api="blas"):
        cbow.train(blanks, cbow_gradients=gradients, steps=1, batch=1)
        assert seen == [[1] * len(seen[0])] and seen[0]
        assert all(pool["num_threads"] == 2 for pool in threadpool_info() if pool["user_api"] == "blas")


def test_one_step_by_hand():
    """Adagrad from its floor: the step is rate · g / sqrt(floor + g²), g the sum of the batch's gradients."""
    rng = np.random.default_rng(0)
    E, U = rng.normal(size=(4, 3)), rng.normal(size=(3, 4))
    examples = [((0, 1), 2), ((3,), 0)]
    sums = [sum(parts) for parts in zip(*(ref.cbow_gradients(np.array(c), t, E, U)[1:] for c, t in examples))]
    tables = cbow.Tables(E.copy(), U.copy())
    loss = tables.learn(examples, ref.cbow_gradients, rate=0.3, sampled=False)
    assert loss == pytest.approx(np.mean([ref.cbow_gradients(np.array(c), t, E, U)[0] for c, t in examples]))
    for table, before, gradient in ((tables.E, E, sums[0]), (tables.U, U, sums[1])):
        np.testing.assert_allclose(table, before - 0.3 * gradient / np.sqrt(cbow.FLOOR + gradient**2))


def test_sampled_words_compete_among_themselves():
    """With every word in the batch, a sampled step is a full step; words outside it stay where they are."""
    rng = np.random.default_rng(1)
    E, U, examples = rng.normal(size=(6, 3)), rng.normal(size=(3, 6)), [((5, 1), 3), ((1,), 5)]
    few = [1, 3, 5]
    alone, among = cbow.Tables(E[few].copy(), U[:, few].copy()), cbow.Tables(E.copy(), U.copy())
    alone.learn([((2, 0), 1), ((0,), 2)], ref.cbow_gradients, 0.1, sampled=False)
    among.learn(examples, ref.cbow_gradients, 0.1, sampled=True)
    np.testing.assert_allclose(among.E[few], alone.E)
    np.testing.assert_allclose(among.U[:, few], alone.U)
    assert np.array_equal(among.E[[0, 2, 4]], E[[0, 2, 4]])


def test_lists_for_gradients_train_as_well(blanks):
    def lists(context, target, E, U):
        loss, dE, dU = ref.cbow_gradients(context, target, E, U)
        return [float(loss), dE.tolist(), dU.tolist()]

    np.testing.assert_allclose(cbow.train(blanks, cbow_gradients=lists, steps=3).E, cbow.train(blanks, steps=3).E)


def test_a_function_that_is_too_slow_is_relieved(blanks, monkeypatch, capsys):
    monkeypatch.setattr(cbow, "PATIENCE", 0.0)
    calls = []

    def slow(*args):
        calls.append(args)
        return ref.cbow_gradients(*args)

    training = cbow.train(blanks, cbow_gradients=slow, steps=30, batch=2)
    assert len(calls) == 2 * cbow.TRIAL and training.whose == "the reference"
    assert capsys.readouterr().out.count("right, but too slow for 60 blanks: the reference goes on") == 1
    np.testing.assert_allclose(training.E, cbow.train(blanks, steps=30, batch=2).E)


def test_groups_form_and_snapshots_are_kept_at_every_promised_step(blanks, capsys):
    training = cbow.train(blanks, steps=300, label="training")
    assert training.steps == tuple(step for step in cbow.SNAPSHOT_STEPS if step <= 300)
    assert training.snapshots.shape == (len(training.steps), len(training.words), 16)
    assert np.array_equal(training.snapshots[-1], training.E) and len(training.held_out) == len(training.steps)
    assert cbow.own_group(training.words, training.snapshots[0]) < 0.3 < 0.7 < cbow.own_group(training.words, training.E)
    assert capsys.readouterr().out.count("▪") == cbow.MARKS
    assert training.vectors["dog"] == pytest.approx(training.E[training.words.index("dog")])


def test_own_group_by_hand():
    """b's nearest is a, of the other group; a and c are each other's nearest."""
    E = np.array([[1, 0.0], [1, 0.5], [1, -0.1], [-1, 0.3]])
    groups = {"one": ("a", "c", "missing"), "two": ("b", "d")}
    assert cbow.own_group(("a", "b", "c", "d"), E, groups) == pytest.approx(3 / 4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_groups_form_whatever_the_seed(seed):
    """At the lesson's own setting at least 0.85 of the words have their nearest neighbour in their own group."""
    training = cbow.train(cbow.blanks(corpus.sentences(seed=seed)), seed=seed)
    assert cbow.own_group(training.words, training.E) >= 0.85


def test_what_the_text_never_says_the_vectors_cannot_know():
    """Without the pairing templates capitals and countries still fall into two groups; who belongs to whom is lost."""
    kinds = {kind: corpus.GROUPS[kind] for kind in ("capitals", "countries")}
    asked = [q for q in analogies.questions() if q.a in corpus.LANDS and q.c in corpus.LANDS]
    assert len(asked) == 8 * 7
    solved = {}
    for pairing in (True, False):
        training = cbow.train(cbow.blanks(corpus.sentences(pairing=pairing)), steps=500)
        assert cbow.own_group(training.words, training.E, kinds) > 0.9
        solved[pairing] = analogies.score(asked, analogies.solve(asked, training.vectors))["all"]
    assert solved[False] < 0.3 < 0.6 < solved[True]  # by chance: one country in seven


# ---- analogies and subwords


def test_questions_are_many_of_many_kinds_and_glove_knows_their_words():
    asked, glove = analogies.questions(), datasets.load_glove()
    assert len(asked) >= 300 and len({q.kind for q in asked}) >= 6 and len(set(asked)) == len(asked)
    assert all(word in glove for q in asked for word in (q.a, q.b, q.c, q.d))
    assert all(len({q.a, q.b, q.c, q.d}) == 4 for q in asked)


def test_many_at_once_agree_with_one_by_one():
    glove = datasets.load_glove()
    asked = analogies.questions()[::60]
    one_by_one = [glove.words[ref.analogy(*map(int, glove.ids([q.a, q.b, q.c])), glove.E)] for q in asked]
    assert analogies.solve(asked, glove, batch=5) == one_by_one
    open_to_all = analogies.solve(asked, glove, exclude=False)
    assert any(answer in (q.a, q.b, q.c) for q, answer in zip(asked, open_to_all))


def test_scores_by_hand():
    asked = [analogies.Question("x", *"abcd"), analogies.Question("x", *"abce"), analogies.Question("y", *"abcf")]
    assert analogies.score(asked, ["d", "d", "f"]) == {"x": 0.5, "y": 1.0, "all": pytest.approx(2 / 3)}


def test_a_word_from_its_pieces_by_hand():
    """A word whose pieces one known word alone has gets that word's row; a word of no known piece the mean."""
    E = np.array([[2.0, 0.0], [0.0, 2.0]])
    pieces = subwords.Subwords(["walking", "jumped"], E)
    assert pieces["walking"] == pytest.approx(E[0]) and pieces["jumped"] == pytest.approx(E[1])
    assert pieces["walker"] == pytest.approx(E[0])  # shares only pieces of walking
    assert pieces["xyz"] == pytest.approx([1.0, 1.0])
