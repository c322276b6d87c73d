"""WordPiece against the tokenizers package (stored: data/make_tokens.py), and its edges."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import DATA

from course_utils.datasets import load_minilm
from course_utils.experiments import sentences
from course_utils.minilm.tokenizer import Tokenizer, split_words

STORED = json.loads((DATA / "tokens.json").read_text())["texts"]
SMALL = Tokenizer(("[UNK]", "[CLS]", "[SEP]", "un", "unseen", "##seen", "##s", "!"))


@pytest.fixture(scope="module")
def tokenizer():
    return load_minilm().tokenizer


@pytest.mark.parametrize("text, tokens", STORED, ids=[ascii(text[:20]) for text, _ in STORED])
def test_cuts_as_the_original_does(tokenizer, text, tokens):
    assert tokenizer(text) == ["[CLS]", *tokens, "[SEP]"]


def test_the_longest_piece_wins():
    assert SMALL("unseens") == ["[CLS]", "unseen", "##s", "[SEP]"]  # not un + ##seen + ##s


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("seen", ["[UNK]"]),  # only the continuation ##seen is known
        ("unx", ["[UNK]"]),  # a rest that no piece fits makes the whole word unknown
        ("un!x!", ["un", "!", "[UNK]", "!"]),  # and that word alone
        ("[CLS]", ["[UNK]"] * 3),  # special tokens cannot be typed
        ("##seen", ["[UNK]"] * 3),  # nor can pieces
    ],
)
def test_unknown_words(text, tokens):
    assert SMALL(text) == ["[CLS]", *tokens, "[SEP]"]


def test_a_word_of_a_million_letters_is_cheap(tokenizer):
    assert tokenizer("a" * 1_000_000) == ["[CLS]", "[UNK]", "[SEP]"]


def test_ids_point_into_the_vocabulary(tokenizer):
    ids = tokenizer.ids(["[CLS]", "apple", "no such token"])
    assert [tokenizer.vocab[i] for i in ids] == ["[CLS]", "apple", "[UNK]"]


@pytest.mark.parametrize("text", [None, 3, b"apple", ["apple"]])
def test_anything_but_a_string_is_named(tokenizer, text):
    with pytest.raises(TypeError, match=type(text).__name__):
        tokenizer(text)


@given(st.text(st.characters(codec=None), max_size=60))  # lone surrogates and unassigned characters too
def test_no_string_fails(text):
    tokenizer = load_minilm().tokenizer
    tokens = tokenizer(text)
    assert tokens[0] == "[CLS]" and tokens[-1] == "[SEP]"
    assert set(tokens) <= set(tokenizer.index)
    assert len(tokenizer.ids(tokens)) == len(tokens)


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_ascii_is_never_unknown_and_can_be_put_together_again(text):
    pieces = load_minilm().tokenizer(text)[1:-1]
    assert "".join(p[2:] if p.startswith("##") and len(p) > 2 else p for p in pieces) == "".join(split_words(text))


def test_every_word_of_the_sentences_is_found_whole(tokenizer):
    for word, senses in sentences.SENSES.items():
        for text in (text for texts in senses.values() for text in texts):
            assert sentences.occurrences(word, tokenizer(text)), text
