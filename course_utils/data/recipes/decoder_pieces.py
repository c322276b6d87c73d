"""Makes a WordPiece vocabulary and rows of ids from text.

Frequent pairs of pieces are joined, one after another (Sennrich et al. 2016), equally frequent ones in alphabetical
order, so that the same text gives the same vocabulary. The course's own tokenizer reads it, longest piece first.
Every sign of the text is a piece, at the start of a word and inside: no word of such signs is ever unknown.
"""

import functools
import heapq
from collections import Counter, defaultdict

from course_utils.minilm.tokenizer import Tokenizer, split_words

SPECIAL = ("[UNK]", "[CLS]", "[SEP]")
CONTEXT = 48
Pair = tuple[str, str]


def vocabulary(lines, size):
    """``size`` pieces: the special ones, single signs, then joined pieces in the order in which they were joined."""
    words = Counter(word for line in lines for word in split_words(line))
    pieces = {word: [word[0], *("##" + sign for sign in word[1:])] for word in sorted(words)}
    signs = sorted({sign for word in words for sign in word})
    vocab = dict.fromkeys([*SPECIAL, *signs, *("##" + sign for sign in signs if sign.isalnum())])
    pairs: Counter[Pair] = Counter()
    where: defaultdict[Pair, set[str]] = defaultdict(set)  # the words that hold a pair
    for word in pieces:
        _count(pairs, where, word, pieces[word], words[word])
    heap = [(-n, pair) for pair, n in pairs.items()]
    heapq.heapify(heap)
    while len(vocab) < size:
        n, pair = heapq.heappop(heap)
        if -n != pairs[pair]:
            continue  # counted before another pair was joined; the present count is in the heap as well
        if n == 0:
            raise ValueError(f"every word is one piece by now, and there are {len(vocab)}: ask for no more, or give more text")
        vocab[_joined(pair)] = None
        changed = set()
        for word in where[pair]:
            changed |= _count(pairs, where, word, pieces[word], -words[word])
            pieces[word] = _join(pieces[word], pair)
            changed |= _count(pairs, where, word, pieces[word], words[word])
        for other in changed:
            heapq.heappush(heap, (-pairs[other], other))
    return tuple(vocab)


def _count(pairs, where, word, pieces, times):
    """Adds a word's pairs of pieces ``times`` times, and says which they are."""
    found = list(zip(pieces, pieces[1:]))
    for pair in found:
        pairs[pair] += times
        where[pair].add(word)
    return set(found)


def _join(pieces, pair):
    out: list[str] = []
    for piece in pieces:
        if out and (out[-1], piece) == pair:
            out[-1] = _joined(pair)
        else:
            out.append(piece)
    return out


def _joined(pair):
    return pair[0] + pair[1].removeprefix("##")


def encoded(documents, vocab):
    """Rows of ids, "[CLS] line [SEP] line [SEP]", at most CONTEXT long: one or more a document.

    A line that is too long by itself is left out.
    """
    tokenizer = Tokenizer(vocab)
    word_ids = functools.cache(lambda word: [tokenizer.index[piece] for piece in tokenizer.pieces(word)])
    start, end = tokenizer.index["[CLS]"], tokenizer.index["[SEP]"]
    rows = []
    for lines in documents:
        row = [start]
        for line in lines:
            ids = [i for word in split_words(line) for i in word_ids(word)] + [end]
            if len(row) > 1 and len(row) + len(ids) > CONTEXT:
                rows.append(row)
                row = [start]
            if len(row) + len(ids) <= CONTEXT:
                row = row + ids
        if len(row) > 1:
            rows.append(row)
    return rows
