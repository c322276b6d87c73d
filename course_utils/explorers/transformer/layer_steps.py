"""One token's way through the model: where it looks, whom its vector is near, and what the vector is made of."""

import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from course_utils import transformer as reference
from course_utils.datasets import load_minilm
from course_utils.experiments.residual_stream import contributions, shares
from course_utils.experiments.sentences import SENSES
from course_utils.explorers.kit.controls import Choice, Pick, Slider, State
from course_utils.explorers.kit.explorer import Explorer
from course_utils.explorers.kit.learner_function import LearnerFunction
from course_utils.explorers.kit.precompute import precompute
from course_utils.explorers.kit.svg import bar, num, picture, text
from course_utils.word_vectors import cosine_matrix

SENTENCES = {  # each has nine tokens, so that every picture has the same parts
    "apple, eaten": "I ate an apple after lunch.",
    "Apple, company": "Apple released a new iPhone today.",
    "bank, money": "The bank raised its interest rates.",
    "bank, river": "She sat on the river bank.",
    "bat, animal": "A bat flew out at dusk.",
    "bat, sport": "He swung the bat too late.",
}
TOKENS, LAYERS, NEAREST = 9, 4, 5
LOOKS_AT, NEAR_AT, MADE_AT = 10, 330, 690  # the left edges of the three columns
TOP, ROW = 92, 36
HEIGHT = 440


@dataclass(frozen=True)
class Place(State):
    """A sentence, one of its tokens counted from 1, and a layer: 0 is before any attention."""

    sentence: str = "apple, eaten"
    token: int = 5
    layer: int = 3


class Path(NamedTuple):
    """One sentence's hidden states (L + 1, n, d), weights as means over heads (L, n, n), and shares of every token."""

    tokens: tuple[str, ...]
    hidden: np.ndarray
    weights: np.ndarray
    shares: list[list[dict[str, float]]]  # by layer, by token


def token_path(encoder_layer=None) -> Explorer:
    """Pick a token and step through the layers."""
    layer = LearnerFunction(encoder_layer, reference.encoder_layer)
    path = precompute(lambda name: _path(SENTENCES[name], layer), [(name,) for name in SENTENCES])

    def draw(state: Place) -> str:
        return _picture(state, path(state.sentence))

    controls = (
        Choice("layer", "Layer", tuple(range(LAYERS + 1)), ("0: embeddings", "1", "2", "3", "4")),
        Slider("token", "Token", 1, TOKENS, 1),
        Pick("sentence", "Sentence", tuple(SENTENCES)),
    )
    return Explorer("One token's way through the model", Place(), controls, draw, HEIGHT, (layer,))


def _path(sentence: str, layer) -> Path:
    minilm = load_minilm()
    tokens = minilm.tokenizer(sentence)
    ids, model = minilm.tokenizer.ids(tokens), minilm.model
    hidden, weights = [reference.embed_tokens(ids, model["embeddings"])], []
    for params in model["layers"]:
        output, looks = layer(hidden[-1], params, model["n_heads"])
        hidden.append(output)
        weights.append(looks.mean(axis=0))
    made = [contributions(ids, model | {"layers": model["layers"][:number]}) for number in range(LAYERS + 1)]
    by_token = [[_grouped(shares(terms, i)) for i in range(len(tokens))] for terms in made]
    return Path(tuple(tokens), np.stack(hidden), np.stack(weights), by_token)


def _grouped(parts: dict[str, float]) -> dict[str, float]:
    """Terms of one kind together: what the layers' attentions added, and their nets."""
    kinds = {"its word": ("word",), "its position": ("position",), "type and shifts": ("type", "beta")}
    groups = {name: sum(parts[part] for part in members) for name, members in kinds.items()}
    for name, start in (("attention so far", "attention"), ("nets so far", "net")):
        groups[name] = sum(share for part, share in parts.items() if part.startswith(start))
    return groups


@functools.cache
def _library() -> tuple[list[tuple[str, int, tuple[str, ...]]], np.ndarray]:
    """Every word of lesson 3's 108 sentences: (sentence, place, tokens) of each, and its hidden states (L + 1, N, d)."""
    places, states = [], []
    for senses in SENSES.values():
        for sentence in (each for group in senses.values() for each in group):
            run = load_minilm().run(sentence)
            words = [i for i, token in enumerate(run.tokens) if token.isalpha()]
            places += [(sentence, i, run.tokens) for i in words]
            states.append(run.hidden[:, words].astype(np.float32))
    return places, np.concatenate(states, axis=1)


@functools.lru_cache(maxsize=512)
def _nearest(sentence: str, token: int, layer: int, vector: bytes) -> list[tuple[str, str, str, float]]:
    """(words before, word, words after, cosine) of the nearest words of other sentences at the same layer."""
    places, states = _library()
    cosines = cosine_matrix(np.frombuffer(vector)[None], states[layer])[0]
    found = []
    for i in np.argsort(-cosines, kind="stable"):
        other, at, tokens = places[i]
        if other != sentence:
            found.append(
                (" ".join(tokens[max(1, at - 2) : at]), tokens[at], " ".join(tokens[at + 1 : at + 2]), float(cosines[i]))
            )
        if len(found) == NEAREST:
            break
    return found


# ---- the picture


def _picture(state: Place, path: Path) -> str:
    at, word = state.token - 1, path.tokens[state.token - 1]
    vector = path.hidden[state.layer, at]
    near = _nearest(SENTENCES[state.sentence], at, state.layer, vector.astype(float).tobytes())
    made = path.shares[state.layer][at]
    looks = path.weights[state.layer - 1, at] if state.layer else None
    start = float(cosine_matrix(vector[None], path.hidden[:1, at])[0, 0])
    return picture(
        HEIGHT,
        _label(state, path.tokens, looks, near, made, start),
        [*_looks(path.tokens, looks, at, state.layer), *_near(near, state.layer), *_made(made, start, word)],
    )


def _label(state, tokens, looks, near, made, start) -> str:
    told = "" if looks is None else f" It looks at {', '.join(f'{t} {100 * w:.0f} %' for t, w in zip(tokens, looks))}."
    return (
        f"{tokens[state.token - 1]} in “{SENTENCES[state.sentence]}” after layer {state.layer}.{told} Nearest words elsewhere: "
        f"{'; '.join(f'{before} {word} {after} {num(cosine)}' for before, word, after, cosine in near)}. "
        f"Made of {', '.join(f'{name} {num(share)}' for name, share in made.items())}. "
        f"Cosine with its own embedding {num(start)}."
    )


def _looks(tokens, looks, at: int, layer: int) -> list[str]:
    head = f"In layer {layer} “{tokens[at]}” looks at" if layer else "Before any attention"
    parts = [text(LOOKS_AT, 24, head, "h"), text(LOOKS_AT, 52, "mean weight of 12 heads" if layer else "no weights yet", "m")]
    for i, token in enumerate(tokens):
        y, weight = TOP + ROW * i, float(looks[i]) if looks is not None else 0.0
        parts += [
            text(LOOKS_AT + 74, y, token, "b" if i == at else "", "end"),
            bar(LOOKS_AT + 86, y - 13, 140, 16, weight, "2"),
            text(LOOKS_AT + 280, y, f"{100 * weight:.0f} %" if looks is not None else "", "num", "end"),
        ]
    return parts


def _near(near, layer: int) -> list[str]:
    parts = [text(NEAR_AT, 24, "Nearest words of other sentences", "h"), text(NEAR_AT, 52, f"by cosine, at layer {layer}", "m")]
    for i, (before, word, after, cosine) in enumerate(near):
        y = TOP + 56 * i
        parts += [
            text(NEAR_AT, y, word, "b"),
            text(NEAR_AT + 300, y, num(cosine), "num", "end"),
            text(NEAR_AT, y + 20, f"… {before} {word} {after} …".replace("  ", " "), "m sm"),
        ]
    return parts


def _made(made, start: float, word: str) -> list[str]:
    parts = [text(MADE_AT, 24, "What its vector is made of", "h"), text(MADE_AT, 52, "shares along the vector, 1 in all", "m")]
    for i, (name, share) in enumerate(made.items()):
        y = TOP + 56 * i
        parts += [
            text(MADE_AT, y, name),
            bar(MADE_AT, y + 8, 200, 16, share, "1"),
            text(MADE_AT + 260, y + 21, num(share), "num", "end"),
        ]
    y = TOP + 56 * len(made) + 14
    return [*parts, text(MADE_AT, y, "cosine with its own embedding", "m"), text(MADE_AT + 260, y, num(start), "num", "end")]
