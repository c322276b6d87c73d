"""Makes ``tokens.json``: how the tokenizers package cuts odd texts with the shipped vocabulary.

pip install tokenizers==0.23.3
python make_tokens.py          # run in this folder
"""

import json
from pathlib import Path

import numpy as np
import tokenizers
from tokenizers import models, normalizers, pre_tokenizers

HERE = Path(__file__).parent
TEXTS = (
    "",
    " ",
    "a",
    "Apple released a new iPhone.",
    "I ate an apple after lunch.",
    "unaffable electroencephalography antidisestablishmentarianism",  # pieces
    "don't stop-it, (really)! 3.14 = π? $5 + 5% ~ ^ | ` <b> @me #tag _x_",  # punctuation of both kinds
    "Crème brûlée naïve Ångström ÀÉÎÕÜ İstanbul ﬁne",  # accents, a dotted capital, a ligature
    "日本語 and 漢字kanji混ぜ",
    "안녕하세요 שלום مرحبا привет Ελλάδα ΣΊΣΥΦΟΣ",  # ideographs and other alphabets
    "tab\tnew\nline\r\nnon\u00a0breaking\u2003em\u3000ideographic\u2028line\u0085next",  # white space
    "zero\u200bwidth\u200djoiner\ufeffmark soft\u00adhyphen nul\x00bell\x07 bad\ufffdchar",  # what cannot be seen
    "emoji 🙂👩‍👩‍👧 flag 🇫🇷 heart ❤️",
    "a" * 100,
    "a" * 101,
    "ab" * 60,
    "¿Qué? «oui» „ja“ …—–",
    "x\u0301\u0302\u0303",
    "\u0301",
    "K\u212aelvin \u2126 ½ ² Ⅷ",
    "##ing ## #",
    "mid\u00b7dot a/b\\c e\u2019s",
)


def main():
    vocab = np.load(HERE.parents[1] / "course_utils/data/minilm_4l_8000_int8.npz")["vocab"].tolist()
    model = models.WordPiece({token: i for i, token in enumerate(vocab)}, unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    cut = [[text, tokenizer.encode(text).tokens] for text in TEXTS]
    lines = ",\n  ".join(json.dumps(pair) for pair in cut)
    (HERE / "tokens.json").write_text(f'{{"made by": "tokenizers {tokenizers.__version__}", "texts": [\n  {lines}\n]}}\n')


if __name__ == "__main__":
    main()
