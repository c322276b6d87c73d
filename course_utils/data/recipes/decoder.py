"""Makes ``decoder_int8.npz`` and ``decoder_figures.json``: the language model of lesson 8, from text to int8.

    apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb unpacked
    pip install torch==2.13.0 numpy
    PYTHONPATH=../../.. python decoder.py unpacked/usr/share/wordnet      # forty minutes on a quiet core

The vocabulary comes out the same; weights and figures differ by rounding, which another processor does otherwise.
``decoder_figures.json`` holds the figures of the file as shipped: after int8.
"""

import json
import math
import platform
import sys
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch

from course_utils.data.recipes.decoder_ngrams import NGrams
from course_utils.data.recipes.decoder_pieces import encoded, vocabulary
from course_utils.data.recipes.decoder_text import documents
from course_utils.data.recipes.decoder_torch import Decoder, Plan, mean_loss, train

DATA = Path(__file__).parent.parent
VOCAB, STEPS = 5000, 12000


def main(folder):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    parts = documents(folder)
    vocab = vocabulary([line for lines in parts[0] for line in lines], VOCAB)
    training, dev, held_out = (encoded(part, vocab) for part in parts)
    model, start = Decoder(Plan(VOCAB)), time.time()
    curve = train(model, training, dev, STEPS, saved=lambda model, rows: store(model, vocab))
    minutes = (time.time() - start) / 60
    write(model, vocab, parts, (training, dev, held_out), curve, minutes)


def write(model, vocab, parts, rows, curve, minutes):
    """The weights' file, and the figures of those weights."""
    training, dev, held_out = rows
    trained_loss = mean_loss(model, held_out)
    store(model, vocab)
    model = restored(model.plan)
    figures = {
        "versions": {"torch": torch.__version__, "numpy": np.__version__, "python": platform.python_version()},
        "plan": asdict(model.plan),
        "parameters": sum(p.numel() for p in model.parameters()),
        "text": {name: amounts(part, ids) for name, part, ids in zip(("training", "dev", "held_out"), parts, rows)},
        "training": {"steps": curve[-1][0], "pieces": curve[-1][1], "minutes": round(minutes, 1)},
        "curve": [[step, seen, round(loss, 4), round(dev_loss, 4)] for step, seen, loss, dev_loss in curve],
        "held_out": [
            line(name, NGrams(training, order, len(vocab)).mean_loss(held_out))
            for order, name in ((1, "unigram"), (2, "bigram"), (3, "trigram"))
        ]
        + [line("decoder", mean_loss(model, held_out))],
        "held_out_loss_before_int8": round(trained_loss, 4),
    }
    (DATA / "decoder_figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def amounts(documents, rows):
    lines = [line for lines in documents for line in lines]
    return {
        "synsets": len(documents),
        "lines": len(lines),
        "words": sum(len(line.split()) for line in lines),
        "pieces": sum(len(ids) - 1 for ids in rows),
    }


def line(name, loss):
    return {"model": name, "loss": round(loss, 4), "perplexity": round(math.exp(loss), 2)}


def store(model, vocab):
    """Tables and matrices as int8 with one float16 scale per row, the rest as float16."""
    arrays = {"vocab": np.array(vocab)}
    for name, values in model.state_dict().items():
        values = values.numpy()
        if values.ndim == 1:
            arrays[name] = values.astype(np.float16)
            continue
        scale = (np.abs(values).max(axis=1) / 127).astype(np.float16)
        arrays[f"{name}|q"] = np.clip(np.round(values / scale[:, None].astype(np.float32)), -127, 127).astype(np.int8)
        arrays[f"{name}|s"] = scale
    with (DATA / "decoder_int8.npz").open("wb") as f:
        np.savez_compressed(f, allow_pickle=False, **arrays)


def restored(plan):
    """The shipped weights in PyTorch: what the course's own loader gives, in float32."""
    model = Decoder(plan)
    with np.load(DATA / "decoder_int8.npz") as stored:
        numbers = {
            name.removesuffix("|q"): stored[name].astype(np.float32)
            for name in stored
            if name not in ("vocab",) and "|s" not in name
        }
        for name in numbers:
            if f"{name}|s" in stored:
                numbers[name] *= stored[f"{name}|s"].astype(np.float32)[:, None]
    model.load_state_dict({name: torch.from_numpy(values) for name, values in numbers.items()})
    return model.eval()


if __name__ == "__main__":
    main(sys.argv[1])
