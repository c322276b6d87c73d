"""Makes ``decoder_outputs.npz``: what PyTorch computes from the shipped weights for twenty beginnings.

    pip install torch==2.13.0 numpy && PYTHONPATH=../../.. python decoder_outputs.py

Of each beginning the ids, the logits of 32 pieces at every position (the same 32, drawn once) and all logits at the
last one. All of it would be thirty times as large and test nothing more.
"""

from pathlib import Path

import numpy as np
import torch

from course_utils.data.recipes.decoder import restored
from course_utils.data.recipes.decoder_torch import Plan
from course_utils.datasets import load_decoder

OUT = Path(__file__).parent.parent / "decoder_outputs.npz"
BEGINNINGS = (
    "the weather today is really",
    "a small",
    "dog :",
    "king : a",
    "the doctor gave the patient",
    "he was",
    "she could not",
    "to make",
    "not able to",
    "a person who",
    "the bank of the river",
    "apple : fruit with red or yellow or green skin",
    "water is",
    "they went to the",
    "in the middle of the",
    "music : an artistic form of",
    "violin : a stringed instrument",
    "run : move fast by using one's feet, with one foot off the ground at any given time",
    "it is hard to say (or to know) what the others will think of it; he never said a word, and nobody asked him why",
    "xylophone 1984?",
)


@torch.no_grad()
def main():
    decoder = load_decoder()
    model = restored(Plan(len(decoder.tokenizer.vocab)))
    pieces = np.sort(np.random.default_rng(0).choice(len(decoder.tokenizer.vocab), 32, replace=False))
    arrays = {"beginnings": np.array(BEGINNINGS), "pieces": pieces}
    arrays["versions"] = np.array([f"torch {torch.__version__}", f"numpy {np.__version__}"])
    for i, beginning in enumerate(BEGINNINGS):
        ids = decoder.ids(beginning)
        logits = model(torch.from_numpy(ids)[None])[0].numpy()
        arrays |= {f"ids_{i}": ids.astype(np.int32), f"some_{i}": logits[:, pieces], f"last_{i}": logits[-1]}
    with OUT.open("wb") as f:
        np.savez_compressed(f, allow_pickle=False, **arrays)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
