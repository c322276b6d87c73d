"""The parts of the decoder's recipe that need no PyTorch: the text, the word pieces, the counts."""

import math

import pytest

from course_utils.data.recipes import decoder_ngrams as ngrams
from course_utils.data.recipes import decoder_pieces as pieces
from course_utils.data.recipes import decoder_text as text
from course_utils.datasets import load_decoder
from course_utils.minilm.tokenizer import Tokenizer

# pieces


def test_the_most_frequent_pair_is_joined_and_of_equal_ones_the_first():
    """ab 3 times, cd 3 times, cde once: (a, ##b) and (c, ##d): 3 and 4. Then (a, ##b), then (cd, ##e)."""
    vocab = pieces.vocabulary(["ab ab ab cd cd cd cde"], 3 + 5 + 5 + 3)
    assert vocab[:3] == ("[UNK]", "[CLS]", "[SEP]")
    assert vocab[3:13] == ("a", "b", "c", "d", "e", "##a", "##b", "##c", "##d", "##e")
    assert vocab[13:] == ("cd", "ab", "cde")
    assert pieces.vocabulary(["ba ab"], 8)[-1] == "ab"  # once each: in alphabetical order


def test_pairs_are_counted_as_often_as_by_counting_anew():
    lines = ["the cat sat on the mat, the rat sat on the cat", "a banana, a cabana: ananas!", "aaaa aaa aa"]
    assert pieces.vocabulary(lines, 45) == vocabulary_by_counting_anew(lines, 45)
    with pytest.raises(ValueError, match="every word is one piece"):
        pieces.vocabulary(lines, 100)


def vocabulary_by_counting_anew(lines, size):
    cut = [[w[0], *("##" + c for c in w[1:])] for line in lines for w in pieces.split_words(line)]
    vocab = list(pieces.vocabulary(lines, 0))
    while len(vocab) < size:
        pairs = [pair for word in cut for pair in zip(word, word[1:])]
        best = min(set(pairs), key=lambda pair: (-pairs.count(pair), pair))
        joined = best[0] + best[1].removeprefix("##")
        for word in cut:
            i = 0
            while i + 1 < len(word):
                if (word[i], word[i + 1]) == best:
                    word[i : i + 2] = [joined]
                i += 1
        if joined not in vocab:
            vocab.append(joined)
    return tuple(vocab)


def test_documents_become_rows_that_fit():
    vocab = pieces.vocabulary(["a b c"], 0)
    index = Tokenizer(vocab).index
    start, end, a, b = (index[t] for t in ("[CLS]", "[SEP]", "a", "b"))
    assert pieces.encoded([["a b", "b"]], vocab) == [[start, a, b, end, b, end]]
    long = " ".join("a" * 40)
    assert pieces.encoded([["b", long, long]], vocab) == [[start, b, end, *[a] * 40, end], [start, *[a] * 40, end]]
    assert pieces.encoded([[" ".join("a" * 47), "b"]], vocab) == [[start, b, end]]  # 49 with its two marks: too long


# text


SYNSETS = """\
  1 This is the head of the file
00000001 18 n 02 slurword 0 cracker 0 001 ;u 00000003 n 0000 | a person of some kind or other
00000002 13 n 01 cracker 0 000 | a thin crisp wafer made of flour; "he ate a cracker with cheese"
00000003 10 n 01 ethnic_slur 0 000 | a slur on a person or a people
00000004 18 n 01 oaf 0 000 | (offensive) a person who is slow
00000005 03 n 01 tool 0 000 | a thing to work with; "they called him a slurword all day"; "the oafs came in at noon"
00000006 18 n 01 Jane_Doe 0 001 @i 00000005 n 0000 | an author of many long books
00000007 20 n 01 genus_Rosa 0 000 | the type genus of its own family
00000008 06 n 02 axe(p) 0 ax 0 000 | a tool for cutting wood; "a 5 $ axe is cheap"; "the murder was done with an axe"
"""


def test_what_is_marked_single_or_unreadable_is_left_out(tmp_path, monkeypatch):
    for part, content in (("noun", SYNSETS), ("verb", ""), ("adj", ""), ("adv", "")):
        (tmp_path / f"data.{part}").write_text(content, encoding="latin-1")
    monkeypatch.setattr(text, "DEV", 0)
    monkeypatch.setattr(text, "HELD_OUT", 1)
    training, dev, held_out = text.documents(tmp_path)
    assert dev == [] and len(held_out) == 1
    assert sorted(line for lines in training + held_out for line in lines) == [
        "axe : a tool for cutting wood",  # not the price with $, not the murder of the written list
        "cracker : a thin crisp wafer made of flour",  # another sense of it is marked: the word stays
        "he ate a cracker with cheese",
        "tool : a thing to work with",  # not its examples: words with no other sense than a marked one
    ]
    assert text.documents(tmp_path) == (training, dev, held_out)


# counts


def test_interpolated_counts_worked_by_hand():
    """One row 0 1 2 1 of three pieces: 1 twice and 2 once follow anything; after 1 came 2; after 0 and 2 came 1.

    Unigram: (2 + 2/3) / (3 + 2) for 1: two different followers weigh like two occurrences more.
    """
    unigram = ngrams.NGrams([[0, 1, 2, 1]], 1, 3)
    assert unigram.probability([], 1) == pytest.approx((2 + 2 / 3) / 5)
    assert unigram.probability([], 0) == pytest.approx((2 / 3) / 5)
    bigram = ngrams.NGrams([[0, 1, 2, 1]], 2, 3)
    assert bigram.probability([0, 1], 2) == pytest.approx((1 + (1 + 2 / 3) / 5) / 2)
    losses = [-math.log(bigram.probability(before, after)) for before, after in (([2], 1), ([2, 1], 1))]
    assert bigram.mean_loss([[2, 1, 1]]) == pytest.approx(sum(losses) / 2)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("before", [[], [1], [0, 1], [9, 1], [9, 9]])
def test_counts_give_probabilities(order, before):
    model = ngrams.NGrams([[0, 1, 2, 1, 3], [0, 2, 2]], order, 12)
    assert sum(model.probability(before, i) for i in range(12)) == pytest.approx(1)


# what is shipped


def test_shipped_pieces_hold_every_sign_twice_and_the_special_ones():
    vocab = load_decoder().tokenizer.vocab
    assert vocab[:3] == pieces.SPECIAL and len(set(vocab)) == len(vocab) == 5000
    for sign in "abcdefghijklmnopqrstuvwxyz0123456789":
        assert sign in vocab and "##" + sign in vocab
    assert set(".,;:!?'()-") <= set(vocab)
