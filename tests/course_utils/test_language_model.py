"""The shipped language model: the course's decoder against PyTorch, its figures, its text."""

import math

import numpy as np
import pytest

from course_utils import decoder
from course_utils.datasets import data_file, load_decoder, load_decoder_controls
from course_utils.language_model import joined


@pytest.fixture(scope="module")
def shipped():
    return load_decoder()


def test_decode_agrees_with_what_pytorch_computed(shipped):
    with data_file("decoder_outputs.npz").open("rb") as f, np.load(f) as stored:
        pieces, beginnings = stored["pieces"], stored["beginnings"].tolist()
        assert len(beginnings) == 20
        for i, beginning in enumerate(beginnings):
            ids = shipped.ids(beginning)
            assert ids.tolist() == stored[f"ids_{i}"].tolist()
            logits = decoder.decode(ids, shipped.model)
            np.testing.assert_allclose(logits[:, pieces], stored[f"some_{i}"], rtol=1e-3, atol=1e-3)
            np.testing.assert_allclose(logits[-1], stored[f"last_{i}"], rtol=1e-3, atol=1e-3)


def test_the_file_is_small_and_the_model_as_described(shipped):
    assert len(data_file("decoder_int8.npz").read_bytes()) <= 3_000_000
    model, plan = shipped.model, shipped.figures["plan"]
    V, d = model["embeddings"]["word"].shape
    assert (V, d, len(model["layers"]), model["n_heads"]) == (plan["vocab"], plan["width"], plan["layers"], plan["heads"])
    arrays = [*model["embeddings"].values(), model["bias"], *(a for layer in model["layers"] for a in layer.values())]
    assert sum(a.size for a in arrays) == shipped.figures["parameters"]
    assert all(a.dtype == float and np.isfinite(a).all() and not a.flags.writeable for a in arrays)


def test_counts_of_more_pieces_predict_better_and_the_decoder_best(shipped):
    losses = {row["model"]: row["loss"] for row in shipped.figures["held_out"]}
    assert list(losses) == ["unigram", "bigram", "trigram", "decoder"]
    assert losses["unigram"] > losses["bigram"] > losses["trigram"] > losses["decoder"]
    for row in shipped.figures["held_out"]:
        assert row["perplexity"] == pytest.approx(math.exp(row["loss"]), rel=1e-3)


def test_special_pieces_are_all_but_never_predicted(shipped):
    """[UNK] and [CLS] never came next in training."""
    never = shipped.tokenizer.ids(["[UNK]", "[CLS]"])
    for beginning in ("the weather today is really", "dog :", "to make"):
        logits = decoder.decode(shipped.ids(beginning), shipped.model)[-1]
        assert decoder.next_distribution(logits)[never].max() < 1e-4


def test_cached_steps_write_what_generate_writes(shipped):
    model, ids = shipped.model, shipped.ids("a small").tolist()
    E, d = model["embeddings"], model["embeddings"]["word"].shape[1]
    caches, written = [(np.zeros((0, d)),) * 2 for _ in model["layers"]], list(ids)
    for t in range(len(ids) + 9):
        x = decoder.layer_norm(E["word"][written[t]] + E["position"][t], E["gamma"], E["beta"])
        for layer, params in enumerate(model["layers"]):
            x, *caches[layer] = decoder.decode_step(x, *caches[layer], params, model["n_heads"])
        if t + 1 >= len(ids):
            written.append(int((E["word"] @ x + model["bias"]).argmax()))
    assert written == decoder.generate(ids, 10, model).tolist()


def test_a_beginning_comes_back_as_text(shipped):
    ids = shipped.ids("The dog's life, (well-known) : 3 years.")
    assert shipped.tokenizer.vocab[ids[0]] == "[CLS]"
    assert shipped.text(ids) == "the dog's life, (well-known) : 3 years."
    assert shipped.text([*ids, shipped.tokenizer.index["[SEP]"], shipped.tokenizer.index["cat"]]).endswith("years.\ncat")
    assert shipped.text(shipped.ids("")) == ""  # a text may begin with nothing


def test_any_word_of_letters_has_its_pieces(shipped):
    ids = shipped.ids("zyxwvutsrq qqqq 0123456789 café")
    assert shipped.text(ids) == "zyxwvutsrq qqqq 0123456789 cafe"


def test_a_sign_that_it_was_never_shown_is_named(shipped):
    with pytest.raises(ValueError, match="something else is in 'a § sign'"):
        shipped.ids("a § sign")


def test_pieces_are_joined():
    assert joined("a non ##sense , don ' t : ( so ) . [SEP] [SEP]".split()) == "a nonsense, don't : (so)."
    assert joined(["well", "-", "known", "[SEP]", "next"]) == "well-known\nnext"


def test_the_shipped_data_are_shared_and_not_read_twice(shipped):
    assert load_decoder() is shipped
    assert repr(shipped) == "LanguageModel(4 layers, 5,000 pieces)"


def test_controls_say_what_each_lacks():
    controls = {control["name"]: control for control in load_decoder_controls()["controls"]}
    losses = {name: control["held_out_loss"] for name, control in controls.items()}
    assert losses["last word only"] > losses["four heads"]
    assert losses["uniform average"] > losses["four heads"]
    assert losses["four layers, no mask"] < 1  # it reads what it should predict
    assert all(control["text"] for control in controls.values())
