"""generate: the likeliest next token, again and again."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import leaves_arguments_alone
from course_utils import decoder as ref

from .draws import ids, model

# ---- what is asked


def one(rng):
    return [(np.array([1, 0]), 1, model(rng, 1, 2, 4, 4, 3, 4)), *((ids(rng, m), 1, model(rng)) for m in (3, 5, 1))]


def several(rng):
    return [lively(rng, 2, 2, 1), *(lively(rng, m, n) for m, n in ((2, 5), (3, 4), (1, 6)))]


def lively(rng, m, n, n_layers=2):
    """A model that goes on with other ids each time: many random ones say a single one over and over."""
    while True:
        begun, drawn = ids(rng, m), model(rng, n_layers)
        new = ref.generate(begun, n, drawn)[m:]
        if len(set(new.tolist())) >= min(n, 3) and (m == 1 or (new[:2] != _by_the_last_alone(begun, drawn)).any()):
            return begun, n, drawn


def _by_the_last_alone(begun, model):
    """Two more ids, each from the one before it, without the text."""
    first = int(ref.decode(begun[-1:], model)[-1].argmax())
    return [first, int(ref.decode([first], model)[-1].argmax())]


def edges(rng):
    """As many as there are positions; a single token; none more; ids as a list."""
    return [
        (ids(rng, 3), 5, model(rng)),
        (ids(rng, 1), 7, model(rng)),
        (ids(rng, 4), 0, model(rng)),
        (ids(rng, 3).tolist(), 3, model(rng)),
    ]


def ties(rng):
    """Of pieces with equal rows and biases neither is likelier."""
    found = []
    for _ in range(4):
        same = model(rng, 1)
        E, b = same["embeddings"]["word"], same["bias"]
        best = int(ref.decode([1, 2], same)[-1].argmax())
        other = (best + 4) % len(E)
        E[other], b[other] = E[best], b[best]
        found.append((np.array([1, 2]), 2, same))
    return found


# ---- what learners write instead


def generate_with(choose=lambda logits: int(np.argmax(logits[-1])), read=lambda ids: ids, give=lambda ids, m: np.array(ids)):
    """The right loop; hand over one part to get it wrong there."""

    def answer(ids, n, model):
        ids, m = [int(i) for i in ids], len(ids)
        for _ in range(n):
            ids.append(choose(ref.decode(read(ids), model)))
        return give(ids, m)

    return answer


def _never_reads_what_it_wrote(ids, n, model):
    logits = ref.decode(ids, model)[-1]
    return np.concatenate([np.asarray(ids), np.full(n, logits.argmax())])


def _best_n_at_once(ids, n, model):
    logits = ref.decode(ids, model)[-1]
    return np.concatenate([np.asarray(ids), np.argsort(-logits, kind="stable")[:n]])


def _last_two(ids):
    return ids[-1:]


def _later_of_equal_ones(logits):
    return len(logits[-1]) - 1 - int(np.argmax(logits[-1][::-1]))


def _in_front(ids, n, model):
    ids = [int(i) for i in ids]
    for _ in range(n):
        ids.insert(0, int(np.argmax(ref.decode(ids, model)[-1])))
    return np.array(ids)


def _into_its_argument(ids, n, model):
    if not isinstance(ids, list):
        result = ref.generate(ids, n, model)
        ids[...] = result[-len(ids) :]
        return result
    for _ in range(n):
        ids.append(int(np.argmax(ref.decode(ids, model)[-1])))
    return np.array(ids)


MISTAKES = (
    Misconception(
        "never-reads-what-it-wrote",
        _never_reads_what_it_wrote,
        "The same prediction was used each time. Append the new id, then decode the longer text.",
    ),
    Misconception(
        "n-best-at-once",
        _best_n_at_once,
        "These are the n likeliest ids for one place. Each new one must be read before the next is predicted.",
    ),
    Misconception(
        "first-row",
        generate_with(lambda logits: int(np.argmax(logits[0]))),
        "The first token's row was used. What comes next stands in the last one: decode(ids, model)[-1].",
    ),
    Misconception(
        "likeliest-of-all-rows",
        generate_with(lambda logits: int(np.argmax(logits) % logits.shape[1])),
        "argmax went over all rows. What comes next stands in the last one: decode(ids, model)[-1].",
    ),
    Misconception(
        "least-likely",
        generate_with(lambda logits: int(np.argmin(logits[-1]))),
        "The least likely was taken: argmax, not argmin.",
    ),
    Misconception(
        "reads-the-last-token-only",
        generate_with(read=_last_two),
        "Only the last token was read. The model needs the whole text: decode(ids, model).",
    ),
    Misconception(
        "new-ones-only",
        generate_with(give=lambda ids, m: np.array(ids[m:], dtype=int)),
        "Only the new ids were returned. The beginning belongs to the text: (m + n,).",
    ),
    Misconception(
        "one-too-many",
        lambda ids, n, model: (
            generate_with()(ids, n + 1, model)
            if len(ids) + n < len(model["embeddings"]["position"])
            else generate_with()(ids, n, model)
        ),
        "One id too many was written: n new ones are asked for.",
    ),
    Misconception(
        "one-too-few",
        lambda ids, n, model: generate_with()(ids, max(n - 1, 0), model),
        "One id too few was written: n new ones are asked for.",
    ),
    Misconception("in-front", _in_front, "New ids were put in front. They follow what is there: append."),
    Misconception(
        "later-of-equal-ones",
        generate_with(_later_of_equal_ones),
        "Of equally likely ids the larger was taken. The smaller is asked for, which is what argmax gives.",
    ),
    Misconception(
        "changes-its-argument", _into_its_argument, "The new ids were written into the caller's ids. Work on a copy: list(ids)."
    ),
)


# ---- right answers written differently


def _recursive(ids, n, model):
    if n == 0:
        return np.asarray(ids)
    return _recursive([*ids, int(np.argmax(ref.decode(ids, model)[-1]))], n - 1, model)


def _concatenating(ids, n, model):
    ids = np.array(ids)
    for _ in range(n):
        ids = np.append(ids, np.argmax(ref.decode(ids, model)[-1]))
    return ids.astype(np.int32)


def _filled_in(ids, n, model):
    text = np.zeros(len(ids) + n, dtype=int)
    text[: len(ids)] = ids
    for t in range(len(ids), len(text)):
        scores = ref.decode(text[:t], model)[-1]
        text[t] = min(np.flatnonzero(scores == scores.max()))
    return text.tolist()


EXERCISE = Exercise(
    name="generate",
    lesson="decoder",
    reference=ref.generate,
    kind="int",
    checks=(
        Check("the likeliest next one, after what is there", 2, one),
        Check("each new one is read by those that follow", 3, several),
        Check("up to the last position, from one token, none at all, ids as a list", 1, edges, side=True),
        Check("of equally likely ones the smaller id", 1, ties, side=True),
        leaves_arguments_alone(several),
    ),
    misconceptions=MISTAKES,
    accepted=(_recursive, _concatenating, _filled_in),
    hints=(
        "n times: decode what is there, take the likeliest of the last row, append it.",
        "Start with ids = list(ids), so that the caller's stay as they were; decode(ids, model)[-1] are the scores.",
        "for _ in range(n): ids.append(int(np.argmax(decode(ids, model)[-1]))); return np.array(ids).",
    ),
)
