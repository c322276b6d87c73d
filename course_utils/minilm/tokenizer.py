"""WordPiece for an uncased BERT vocabulary: any string in, tokens and ids out.

The steps are those of BERT's own tokenizer (Devlin et al. 2019): clean, lower case, strip accents, cut at
spaces and punctuation, then the longest piece first (Wu et al. 2016, section 4.1). It does not know special
tokens in the text: "[CLS]" typed by a user is three plain tokens, a bracket first.
"""

import unicodedata
from dataclasses import dataclass, field

import numpy as np

LONGEST_WORD = 100  # characters; BERT calls a longer word unknown
# CJK ideographs, each of which BERT makes a word of its own
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


@dataclass(frozen=True, eq=False, repr=False)
class Tokenizer:
    """A vocabulary with "[CLS]", "[SEP]" and "[UNK]"; a piece that starts with ## continues a word.

    >>> tokenizer = Tokenizer(("[UNK]", "[CLS]", "[SEP]", "un", "##seen", "!"))
    >>> tokenizer("Unseen!")
    ['[CLS]', 'un', '##seen', '!', '[SEP]']
    """

    vocab: tuple[str, ...]
    index: dict[str, int] = field(default_factory=dict)

    def __post_init__(self):
        self.index.update({token: i for i, token in enumerate(self.vocab)})

    def __repr__(self):
        return f"Tokenizer({len(self.vocab):,} tokens)"

    def __call__(self, text: str) -> list[str]:
        """Tokens of a text, from [CLS] to [SEP]. Raises TypeError if it is not a string."""
        if not isinstance(text, str):
            raise TypeError(f"the tokenizer reads a string such as 'I ate an apple.', not {type(text).__name__}")
        return ["[CLS]", *(piece for word in split_words(text) for piece in self.pieces(word)), "[SEP]"]

    def ids(self, tokens: list[str]) -> np.ndarray:
        """Rows of the embedding table, (n,); a token that the vocabulary does not hold is [UNK]."""
        return np.array([self.index.get(token, self.index["[UNK]"]) for token in tokens], dtype=int)

    def pieces(self, word: str) -> list[str]:
        """One word cut into pieces of the vocabulary, the longest first; ["[UNK]"] where that is impossible."""
        if len(word) > LONGEST_WORD:
            return ["[UNK]"]
        found, start = [], 0
        while start < len(word):
            piece = self._longest_piece(word, start)
            if piece is None:
                return ["[UNK]"]
            found.append(piece)
            start += len(piece.removeprefix("##")) if start else len(piece)
        return found

    def _longest_piece(self, word, start):
        mark = "##" if start else ""
        candidates = (mark + word[start:end] for end in range(len(word), start, -1))
        return next((piece for piece in candidates if piece in self.index), None)


def split_words(text: str) -> list[str]:
    """Lower-case words and single punctuation marks, accents stripped.

    >>> split_words("Café: open!")
    ['cafe', ':', 'open', '!']
    """
    decomposed = unicodedata.normalize("NFD", "".join(map(_cleaned, text)))
    bare = "".join(c for c in decomposed if unicodedata.category(c) != "Mn").lower()
    return "".join(f" {c} " if _is_punctuation(c) else c for c in bare).split()


def _cleaned(c):
    """A space for any white space, nothing for what cannot be seen, room around an ideograph."""
    if c in "\t\n\r" or unicodedata.category(c) == "Zs":
        return " "
    if c == "\ufffd" or unicodedata.category(c).startswith("C"):
        return ""
    return f" {c} " if any(low <= ord(c) <= high for low, high in _IDEOGRAPHS) else c


def _is_punctuation(c):
    """Unicode punctuation, and every ASCII sign that is no letter, digit or space ($, +, ~ …)."""
    return unicodedata.category(c).startswith("P") or (c.isascii() and c.isprintable() and not c.isalnum() and c != " ")
