"""Makes ``decoder_controls.json``: what small decoders reach where one thing is missing, same text, steps and seed.

    pip install torch==2.13.0 numpy && PYTHONPATH=../../.. python decoder_controls.py unpacked/usr/share/wordnet

One layer each: each token sees itself only, a uniform average of what came before, one head, four heads; four heads
without positions, and without the division by the root of d_k. Then the four layers of the shipped model without the
mask: its loss, and the text that it writes.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path

import torch

from course_utils.data.recipes.decoder_pieces import encoded, vocabulary
from course_utils.data.recipes.decoder_text import documents
from course_utils.data.recipes.decoder_torch import Decoder, Plan, mean_loss, train
from course_utils.language_model import joined
from course_utils.minilm.tokenizer import Tokenizer

OUT = Path(__file__).parent.parent / "decoder_controls.json"
STEPS = {1: 500, 4: 800}  # by layers: all controls that are compared with each other get the same
VOCAB = 5000
BEGINNINGS = ("a small", "dog :", "the weather today is really")

ONE_LAYER = Plan(VOCAB, layers=1)
CONTROLS = {
    "last word only": replace(ONE_LAYER, looks="last"),
    "uniform average": replace(ONE_LAYER, looks="average"),
    "one head": replace(ONE_LAYER, heads=1),
    "four heads": ONE_LAYER,
    "four heads, no positions": replace(ONE_LAYER, positions=False),
    "four heads, no division by the root of d_k": replace(ONE_LAYER, scaled=False),
    "four layers, no mask": replace(ONE_LAYER, layers=4, looks="all"),
}


def main(folder):
    torch.set_num_threads(1)
    training, dev, held_out = documents(folder)
    vocab = vocabulary([line for lines in training for line in lines], VOCAB)
    rows = [encoded(part, vocab) for part in (training, dev, held_out)]
    found = {"vocabulary": VOCAB, "width": ONE_LAYER.width, "torch": torch.__version__, "controls": []}
    for name, plan in CONTROLS.items():
        print(name, flush=True)
        found["controls"].append(control(name, plan, vocab, *rows))
        OUT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def control(name, plan, vocab, training, dev, held_out):
    torch.manual_seed(0)
    model = Decoder(plan)
    curve = train(model, training, dev, STEPS[plan.layers], every=100)
    return {
        "name": name,
        "layers": plan.layers,
        "heads": plan.heads,
        "steps": STEPS[plan.layers],
        "held_out_loss": round(mean_loss(model, held_out), 4),
        "curve": [[step, seen, round(loss, 4), round(dev_loss, 4)] for step, seen, loss, dev_loss in curve],
        "text": {beginning: written(model, beginning, vocab) for beginning in BEGINNINGS},
    }


@torch.no_grad()
def written(model, beginning, vocab, n=16):
    """The beginning and the likeliest next piece, n times."""
    model.eval()
    tokenizer = Tokenizer(vocab)
    ids = tokenizer.ids(tokenizer(beginning)[:-1]).tolist()
    for _ in range(n):
        ids.append(int(model(torch.tensor([ids]))[0, -1].argmax()))
    return joined([vocab[i] for i in ids])


if __name__ == "__main__":
    main(sys.argv[1])
