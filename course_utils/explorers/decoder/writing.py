"""The picture of a text that grows: its words, the ten likeliest next pieces, and where each head looked."""

from typing import NamedTuple

import numpy as np

from course_utils.datasets import load_decoder
from course_utils.explorers.kit.labels import text_width
from course_utils.explorers.kit.svg import bar, line, num, picture, px, text

SHOWN = 10
HEIGHT = 494
BARS_AT, NAME, WIDE = 10, 108, 190  # the left column: names, then bars
HEADS_AT, STEP, CHART = 478, 126, 110  # the right one: a small chart for each head
TOP, ROW, HIGH, DEEP = 160, 28, 46, 82
ENDS = (0.05, 0.1, 0.25, 0.5, 1.0)  # where the axis of probabilities may end


class Text(NamedTuple):
    """ids (n,), of which ``begun`` are the beginning's; logits (V,) of what comes next; the last token's weights (L, h, n)."""

    begun: int
    ids: tuple[int, ...]
    logits: np.ndarray
    looks: np.ndarray


def drawn(written: Text, probs: np.ndarray, temperature: float, top_k: int) -> str:
    """probs (V,): of the next piece, as temperature and top_k have made it."""
    names = [_shown(load_decoder().tokenizer.vocab[i]) for i in written.ids]
    best = [int(i) for i in np.argsort(-written.logits, kind="stable")[:SHOWN]]
    chances = {_shown(load_decoder().tokenizer.vocab[i]): float(probs[i]) for i in best}
    begun, more = _told(written)
    rest = 1 - sum(chances.values())
    parts = [
        text(BARS_AT, 24, "You began", "m"),
        text(BARS_AT + 110, 24, _end_of(begun, 850) or "(nothing)"),
        text(BARS_AT, 50, "It went on", "m"),
        text(BARS_AT + 110, 50, _end_of(more, 850, "b") or "(nothing yet)", "b"),
        text(BARS_AT, 74, _pieces(names[1 : written.begun]), "m sm"),
        *_bars(chances, rest, temperature, top_k),
        *_heads(names, written.looks),
    ]
    return picture(HEIGHT, _label(begun, more, chances, rest, names, written.looks, temperature, top_k), parts)


def _shown(piece: str) -> str:
    """A piece as a reader sees it."""
    named = {"[SEP]": "(line\N{NO-BREAK SPACE}ends)", "[CLS]": "(start)"}
    return named.get(piece, "…" + piece[2:] if piece.startswith("##") else piece)


def _told(written: Text) -> tuple[str, str]:
    """What was begun, and what was added to it; a slash where a line ended."""
    decoder = load_decoder()
    begun, whole = decoder.text(written.ids[: written.begun]), decoder.text(written.ids)
    if decoder.tokenizer.vocab[written.ids[-1]] == "[SEP]":
        whole += "\n"
    return begun, whole[len(begun) :].strip(" ").replace("\n", " / ").strip()


def _pieces(names: list[str]) -> str:
    """How the beginning is cut, where a word of it is not among the model's pieces."""
    cut = " ".join(names)
    many = f"{len(load_decoder().tokenizer.vocab):,}"
    if "…" not in cut:
        return f"Each word of the beginning is one of the model's {many} pieces."
    lead = f"Not every word is one of its {many} pieces. It reads: "
    return lead + _end_of(cut, 940 - text_width(lead, "m sm"), "m sm")


def _end_of(words: str, room: float, cls: str = "") -> str:
    """The last words that fit, after "…" where some are left out."""
    kept = words.split(" ")
    while len(kept) > 1 and text_width(" ".join(["…", *kept]), cls) > room:
        kept = kept[1:]
    return words if len(kept) == len(words.split(" ")) else " ".join(["…", *kept])


def _short(name: str, room: float, cls: str = "") -> str:
    while text_width(name, cls) > room:
        name = name.rstrip("…")[:-1] + "…"
    return name


def _percent(p: float) -> str:
    return f"{num(100 * p, 1)} %"


# ---- the next piece


def _bars(chances: dict[str, float], rest: float, temperature: float, top_k: int) -> list[str]:
    end = next(e for e in ENDS if e >= min(max(chances.values()), 1.0))
    left, bottom = BARS_AT + NAME, TOP + ROW * SHOWN
    cut = f"the best {top_k}" if top_k else "all pieces"
    parts = [
        text(BARS_AT, 106, "What may come next", "h"),
        text(BARS_AT, 128, f"ten likeliest; temperature {num(temperature)}, drawn from {cut}", "m"),
    ]
    for i, (name, p) in enumerate(chances.items()):
        y = TOP + ROW * i
        out = bool(top_k) and i >= top_k
        parts += [
            text(left - 10, y, _short(name, NAME - 12), "", "end"),
            bar(left, y - 13, WIDE, 16, p / end, "2"),
            text(left + WIDE + 74, y, "left out" if out else _percent(p), "num", "end"),
        ]
    return [
        *parts,
        text(left, bottom - 2, "0", "m sm"),
        text(left + WIDE, bottom - 2, f"{100 * end:.0f} %", "m sm", "end"),
        text(left + WIDE / 2, bottom - 2, "probability", "m sm", "middle"),
        text(BARS_AT, bottom + 28, f"all other pieces together: {_percent(max(rest, 0.0))}", "m"),
    ]


# ---- the heads


def _heads(names: list[str], looks: np.ndarray) -> list[str]:
    """One small chart for each layer (row) and head (column); a bar for each token, in their order."""
    parts = [
        text(HEADS_AT - 58, 106, f"Where “{_short(names[-1], 130, 'h')}” looked: a chart for each head", "h"),
        text(HEADS_AT - 58, 128, f"{len(names)} bars, one a token in their order; a full bar is weight 1", "m"),
    ]
    parts += [text(HEADS_AT + STEP * head, 152, f"head {head + 1}", "m sm") for head in range(looks.shape[1])]
    for layer, row in enumerate(looks):
        y = TOP + DEEP * layer
        parts.append(text(HEADS_AT - 10, y + HIGH, f"layer {layer + 1}", "m sm", "end"))
        for head, weights in enumerate(row):
            parts += _chart(HEADS_AT + STEP * head, y, names, weights)
    return parts


def _chart(x: float, y: float, names: list[str], weights: np.ndarray) -> list[str]:
    step, most = CHART / len(weights), int(weights.argmax())
    bars = "".join(f"M{px(x + step * (i + 0.5))} {y + HIGH}v{px(-HIGH * w)}" for i, w in enumerate(weights) if w >= 0.01)
    share = f" {100 * weights[most]:.0f} %"
    name = _short(names[most], CHART + 8 - text_width(share, "sm"), "sm")
    return [
        line(x, y + HIGH, x + CHART, y + HIGH),
        f'<path class="s2 no" d="{bars}" stroke-width="{px(0.7 * step)}"/>',
        text(x, y + HIGH + 17, f"{name}{share}", "sm num"),
    ]


def _label(begun, more, chances, rest, names, looks, temperature, top_k) -> str:
    """Equally many spaces in each label, for the player keeps what lies between them only once: see ``kit/frames.py``."""
    likeliest = ", ".join(f"“{name}” {_percent(p)}" for name, p in chances.items())
    looked = "; ".join(
        f"layer {layer + 1}: " + ", ".join(f"{names[int(weights.argmax())]} {100 * weights.max():.0f} %" for weights in row)
        for layer, row in enumerate(looks)
    )
    return (
        f"You began: {_together(begun or '(nothing)')}. It went on: {_together(more or '(nothing yet)')}. Temperature "
        f"{num(temperature)}, drawn from {_together(f'the best {top_k}' if top_k else 'all')}. Next may come {likeliest}; "
        f"all others {_percent(max(rest, 0.0))}. “{names[-1]}” looked most, head by head, at {looked}."
    )


def _together(words: str) -> str:
    return words.replace(" ", "\N{NO-BREAK SPACE}")
