"""Lesson 8's explorer: what it says, against the model itself, loops and counts; what may be typed; whose code ran."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from explorer_cases import text_boxes

from course_utils import decoder, transformer
from course_utils.datasets import load_decoder
from course_utils.explorers.decoder import next_word as module
from course_utils.explorers.kit.explorer import aria_label
from course_utils.explorers.kit.frames import frames
from course_utils.explorers.kit.live import Live
from course_utils.explorers.kit.svg import WIDTH

WRITER = module.writer()
START = WRITER.start
LONG = "The xylophone's keys (made of wood, or of brass) were struck with small hammers by an old man, who"
STATES = [
    START,
    START.put("words", 5).put("temperature", 2.0).put("top_k", module.ALL),
    START.put("beginning", "dog : a small").put("words", 3).put("top_k", 3),
    START.put("beginning", LONG).put("words", 8),
]


def ids_of(state):
    """The text that the state stands for, written in a plain loop."""
    model = load_decoder()
    ids = model.ids(state.beginning).tolist()
    for number, (temperature, top_k) in enumerate(state.written, start=1):
        scores = decoder.decode(ids, model.model)[-1] / temperature
        scores[np.argsort(-scores, kind="stable")[top_k or len(scores) :]] = -np.inf
        p = np.exp(scores - scores.max())
        point = np.random.default_rng([state.others, number]).random() * p.sum()
        total, piece = 0.0, -1
        while total <= point:
            piece += 1
            total += p[piece]
        ids.append(piece)
    return ids


def percents(words):
    return [float(p) for p in re.findall(r"(\d+\.\d) %", words)]


@pytest.mark.parametrize("state", STATES)
def test_the_ten_likeliest_are_those_of_a_sorted_list(state):
    logits = decoder.decode(ids_of(state), load_decoder().model)[-1]
    order = np.argsort(-logits, kind="stable")
    p = np.exp((logits - logits.max()) / state.temperature)
    p[order[state.top_k or len(p) :]] = 0
    p /= p.sum()
    said = aria_label(WRITER.draw(state)).split("Next may come ")[1].split(" looked most")[0]
    shown = [100 * p[i] for i in order[:10]]
    assert percents(said) == pytest.approx([*shown, max(100 - sum(shown), 0)], abs=0.051)
    vocab = load_decoder().tokenizer.vocab
    assert re.findall(r"“([^”]+)”", said)[0] in (vocab[order[0]], "…" + vocab[order[0]][2:], "(line\N{NO-BREAK SPACE}ends)")


@pytest.mark.parametrize("state", STATES)
def test_what_was_written_is_what_a_plain_loop_writes(state):
    model, ids = load_decoder(), ids_of(state)
    said = aria_label(WRITER.draw(state)).replace("\N{NO-BREAK SPACE}", " ")
    begun = re.search(r"You began: (.*)\. It went on: (.*)\. Temperature", said)
    whole = f"{begun[1]}{begun[2]}".replace("(nothing yet)", "")
    assert re.sub(r"[ /\n]", "", whole) == re.sub(r"[ /\n]", "", model.text(ids))


@pytest.mark.parametrize("state", STATES)
def test_each_heads_most_looked_at_token_is_named_with_its_weight(state):
    _, weights = decoder.decode_layers(ids_of(state), load_decoder().model)
    said = aria_label(WRITER.draw(state)).split("head by head, at ")[1]
    shares = [int(share) for share in re.findall(r" (\d+) %", said)]
    assert shares == pytest.approx([100 * weights[layer][head, -1].max() for layer in range(4) for head in range(4)], abs=0.51)


def test_a_bar_of_a_chart_is_as_high_as_its_weight():
    _, weights = decoder.decode_layers(ids_of(START), load_decoder().model)
    paths = [node.get("d") for node in ET.fromstring(WRITER.draw(START)).iter("path") if node.get("d")]
    assert len(paths) == 16
    for path, looks in zip(paths, np.concatenate([w[:, -1] for w in weights])):
        heights = [-float(h) / 46 for h in re.findall(r"v(-?[\d.]+)", path)]
        assert heights == pytest.approx([w for w in looks if w >= 0.01], abs=0.0012)


def test_what_may_not_be_drawn_is_said_to_be_left_out():
    words = [text for text, _ in text_boxes(WRITER.draw(START.put("top_k", 3)))]
    assert words.count("left out") == 7 and "left out" not in [t for t, _ in text_boxes(WRITER.draw(START.put("top_k", 10)))]


def test_words_keep_the_settings_under_which_they_were_drawn():
    written = START.put("words", 4)
    assert written.put("temperature", 2.0).written == written.written
    assert written.put("words", 2).put("words", 4) == written
    assert written.put("temperature", 2.0).put("words", 5).written[3:] == ((0.75, 10), (2.0, 10))
    assert written.put("beginning", "a") == START.put("beginning", "a")


def test_the_buttons_write_on_to_the_last_word_and_anew():
    on, anew = (control.change for control in WRITER.controls[-2:])
    state = START
    for _ in range(module.WORDS + 2):
        state = on(state)
    assert state.words == module.WORDS
    texts = {aria_label(WRITER.draw(replace(state, others=k))) for k in range(4)}
    assert anew(state) == replace(state, others=1) and len(texts) > 1


@pytest.mark.parametrize(
    "typed, sentence",
    [
        ("a § sign", "something else is in &#x27;a § sign&#x27;: leave it out."),
        ("word " * 50, "This beginning has 51 pieces, but 39 leave room for 8 more: shorten it."),
    ],
)
def test_what_it_cannot_read_is_one_sentence(typed, sentence):
    live = Live(WRITER)
    field = next(widget for control, widget in live.moved.items() if control.name == "beginning")
    field.value = typed
    assert sentence in live.picture.value and "<svg" not in live.picture.value
    field.value = "the king of"
    assert "You began: the\N{NO-BREAK SPACE}king\N{NO-BREAK SPACE}of." in live.picture.value


@pytest.mark.parametrize("typed", ["", LONG, "xylophone " * 3, "a-b'c (d) 12.5%"[:-1], "w" * 38])
def test_whatever_is_typed_keeps_words_inside_and_apart(typed):
    state = START.put("beginning", typed).put("words", 8)
    drawing = WRITER.draw(state)
    assert len(drawing.encode()) <= 15_000
    boxes = [box for _, box in text_boxes(drawing)]
    for i, a in enumerate(boxes):
        assert a.x - a.half_width >= 0 and a.x + a.half_width <= WIDTH
        for b in boxes[i + 1 :]:
            assert abs(a.x - b.x) >= a.half_width + b.half_width or abs(a.y - b.y) >= a.half_height + b.half_height


def test_words_that_are_cut_are_shown_in_pieces():
    pieces = load_decoder().tokenizer.pieces("xylophone")
    assert len(pieces) > 1
    assert f"It reads: {' '.join(pieces).replace('##', '…')}<" in WRITER.draw(START.put("beginning", "xylophone"))
    assert "Each word of the beginning is one of the model's 5,000 pieces." in WRITER.draw(START.put("beginning", "the king of"))


def test_it_runs_the_learners_functions():
    def only_first(logits, temperature=1.0, top_k=None):
        probs = np.zeros(len(logits))
        probs[load_decoder().tokenizer.index["dog"]] = 1
        return probs

    def even(X, params, n_heads, mask=None):
        output, weights = transformer.encoder_layer(X, params, n_heads, mask)
        return output, mask / mask.sum(axis=-1, keepdims=True) * np.ones_like(weights)

    own = module.writer(next_distribution=only_first, encoder_layer=even)
    said = aria_label(own.draw(START.put("words", 2))).replace("\N{NO-BREAK SPACE}", " ")
    assert "It went on: dog dog." in said and said.count(" 10 %") == 16  # ten tokens, looked at alike
    assert "your next_distribution" in own.whose and "your encoder_layer" in own.whose and "the reference decode" in own.whose
    late = module.writer(draw=lambda probs, rng: len(probs))
    assert "Your draw gave back 5000, which is no row" in late.body(START.put("words", 1))


def test_the_page_without_python_has_every_step_of_each_beginning():
    shown = frames(WRITER).states
    assert {(s.beginning, s.words, s.top_k) for s in shown} == {
        (b, n, k) for b in module.BEGINNINGS for n in range(module.WORDS + 1) for k in module.KEPT
    }
    assert all(step == (START.temperature, START.top_k) for s in shown for step in s.written)  # a text stays where it was
