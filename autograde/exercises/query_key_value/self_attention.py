"""self_attention: every word asks every word of its sentence; asked property by property."""

import math

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from course_utils import query_key_value as ref

from ..attention import properties as has
from ..attention.formula import attention_with
from ..attention.scale import Scale, at_own_scale, follows_dot_products, has_right_factor, sums_to_1
from ..inputs import attention as inputs
from ..inputs.layouts import and_read_only, in_layouts, laid_out, varied
from . import attention
from .draws import each_sentence
from .project import matrices_transposed, raw_values

# ---- what is asked


def sentence(rng, *batch, n=7, d=5, d_k=3, d_v=4):
    """A sentence and three matrices, with scores of modest size."""
    return (rng.normal(size=(*batch, n, d)), *(0.6 * rng.normal(size=s) for s in ((d, d_k), (d, d_k), (d, d_v))))


def square_sentence(rng):
    return sentence(rng, n=4, d=4, d_k=4, d_v=4)


def short_sentence(rng):
    """Two words and matrices of two by two, all whole numbers."""
    W_q, W_k = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [-1.0, 1.0]])
    return np.array([[1.0, 0.0], [1.0, 1.0]]), W_q, W_k, rng.permutation([[2.0, 0.0], [1.0, -1.0]])


def sentences(rng):
    return [short_sentence(rng), sentence(rng), square_sentence(rng), (*sentence(rng), False), *hard_sentences(rng)]


def hard_sentences(rng):
    """Words at right angles to each other, equal words and a row of zeros; wide heads and values, a width of 1, more words."""
    X, *W = sentence(rng)
    return [
        (np.eye(3)[[0, 1, 2, 1]], np.eye(3), rng.permutation(np.eye(3)), rng.normal(size=(3, 2))),
        (X[[0, 1, 1, 2]] * [[1], [1], [1], [0]], *W),
        sentence(rng, n=4, d=3, d_k=7, d_v=9),
        sentence(rng, n=3, d=1, d_k=2, d_v=2),
        sentence(rng, n=11, d=6, d_k=2, d_v=3),
    ]


def with_short_sentences(rng):
    return sentences(rng) + [sentence(rng, n=1), sentence(rng, d_v=1)]


def causal_sentences(rng):
    return [
        (*args, True)
        for args in (short_sentence(rng), sentence(rng), square_sentence(rng), sentence(rng, n=3), *single_and_square(rng))
    ]


def single_and_square(rng):
    """One word; and words whose scores are exactly 0 where they may look."""
    return [sentence(rng, n=1), (np.eye(3)[[0, 1, 2, 1]], np.eye(3), np.eye(3), rng.normal(size=(3, 2)))]


def batches_of_sentences(rng):
    return [
        sentence(rng, 2),
        sentence(rng, 4, n=4, d=4, d_k=4, d_v=4),
        (*sentence(rng, 2), True),
        (*sentence(rng, 3, 2, n=4), True),
        (*sentence(rng, 3, n=4), False),
        sentence(rng, 1),
        (*sentence(rng, 2, 1, 2, n=3), True),
    ]


def scored(size, X, W_q, W_k, W_v):
    """The same sentence with its largest score brought to ``size``, with either sign."""
    return X, size / np.abs(its_scores(X, W_q, W_k, W_v)).max() * W_q, W_k, W_v


def its_scores(X, W_q, W_k, W_v):
    return X @ W_q @ np.swapaxes(X @ W_k, -1, -2)


def huge_sentences(rng):
    return [scored(size, *sentence(rng)) for size in (1e6, -1e6)]


def huge_causal(rng):
    args = sentence(rng)
    return [(*scored(size, *args), True) for size in (100, -100, 1e6, -1e6)]


def sentence_types(rng):
    X, *W = sentence(rng)
    whole = tuple(rng.integers(-1, 2, a.shape) for a in (X, *W))
    return [
        (*(a.astype(np.float32) for a in (X, *W)), True),
        (*whole, True),
        whole,
        (X, *whole[1:]),
        (whole[0], *W, True),
        *in_layouts((X, *W, True)),
    ]


def without_causal(args):
    return (*args[:4], False)


def its_values(args):
    return args[0] @ args[3]


PROJECTED = Scale(
    vectors=lambda args: (args[0] @ args[1], args[0] @ args[2]),
    times=lambda args, c: (args[0], c * args[1], *args[2:]),
    right=lambda args: 1.0,
)


def every_kind(rng):
    """With and without the flag, given or left out; half of the sentences with scores as large as a million."""
    modest_ones = list(inputs.sentences(rng))
    huge_ones = [scored(rng.choice([-1e6, 1e6]), *args) for args in modest_ones[1::2] if its_scores(*args).any()]
    flags = ((True,), (), (False,))
    return [short_sentence(rng)] + [
        (*args, *flags[i % len(flags)]) for i, args in enumerate([*varied(modest_ones), *laid_out(huge_ones)])
    ]


# ---- what learners write instead


def _with(attend=ref.attention, pick=(0, 1, 2), mask=ref.causal_mask, project=ref.project):
    """Self-attention with one part replaced; ``pick`` says which projection serves as Q, K and V."""

    def wrong(X, W_q, W_k, W_v, causal=False):
        parts = project(X, W_q, W_k, W_v)
        return attend(*(parts[i] for i in pick), mask(X.shape[-2]) if causal else None)

    return wrong


def _of_width(X, W_q, W_k, W_v, causal=False):
    mask = ref.causal_mask(X.shape[-2]) if causal else None
    return attention_with(lambda *_: np.sqrt(X.shape[-1]))(*ref.project(X, W_q, W_k, W_v), mask)


def _flag_turned(X, W_q, W_k, W_v, causal=False):
    return ref.self_attention(X, W_q, W_k, W_v, not causal)


def _always_causal(X, W_q, W_k, W_v, causal=False):
    return ref.self_attention(X, W_q, W_k, W_v, True)


def _mask_of_batch(X, W_q, W_k, W_v, causal=False):
    """len(X) is the number of words in one sentence, and the number of sentences in a batch."""
    mask = ref.causal_mask(len(X)) if causal else None
    Q, K, V = ref.project(X, W_q, W_k, W_v)
    return ref.attention(Q, K, V, mask)


def _in_place(X, W_q, W_k, W_v, causal=False):
    result = ref.self_attention(X, W_q, W_k, W_v, causal)
    X -= X
    return result


_AS_IN_ATTENTION = (
    "divided-by-root-d-k",
    "divided-by-d-k",
    "divided-by-root-d-v",
    "divided-by-root-n-k",
    "times-root-d-k",
    "divided-by-8",
    "keys-not-transposed",
    "all-axes-reversed",
    "weights-transposed",
    "output-and-weights-swapped",
    "output-only",
    "weights-only",
    "scores-returned",
    "no-softmax",
    "not-normalised",
    "softmax-twice",
    "softmax-overflows",
    "one-maximum-for-all",
    "softmax-over-queries",
    "softmax-over-everything",
    "softmax-over-each-table",
    "softmax-over-the-first-axis",
    "sums-without-keepdims",
    "mask-after-softmax",
    "masked-scores-are-zero",
    "mask-added",
    "filled-with-20",
    "mixed-before-masking",
    "infinity-into-whole-numbers",
    "batch-crossed",
    "uniform",
)


def _same_as_in_attention():
    named = {mistake.id: mistake for mistake in attention.MISTAKES}
    return (named[id] for id in _AS_IN_ATTENTION)


MISTAKES = (
    *(Misconception(m.id, _with(attend=m.function), m.explanation) for m in _same_as_in_attention()),
    Misconception(
        "divided-by-root-d",
        _of_width,
        "You divided the scores by √d, the width of an embedding. Here they are not scaled at all; lesson "
        "5 tells which width counts.",
    ),
    Misconception(
        "causal-ignored",
        _with(mask=lambda n: None),
        "causal=True changes nothing in your result. Then the mask is causal_mask(n).",
    ),
    Misconception(
        "always-causal", _always_causal, "You hide the future even where causal is False. Without causal the mask is None."
    ),
    Misconception("flag-turned", _flag_turned, "causal works the wrong way round: True hides the future, False hides nothing."),
    Misconception(
        "future-only",
        _with(mask=lambda n: np.triu(np.ones((n, n), bool))),
        "causal=True hides the past in your result. A word may look at itself and at what came before: key ≤ query.",
    ),
    Misconception(
        "not-itself",
        _with(mask=lambda n: np.tri(n, k=-1, dtype=bool)),
        "With causal=True a word cannot look at itself in your result. The diagonal is open: key ≤ query.",
    ),
    Misconception(
        "one-too-far",
        _with(mask=lambda n: np.tri(n, k=1, dtype=bool)),
        "With causal=True each word still sees one word of the future. The diagonal is the last that is open: key ≤ query.",
    ),
    Misconception(
        "mask-of-the-batch", _mask_of_batch, "len(X) counts sentences when X is a batch. The number of words is X.shape[-2]."
    ),
    Misconception(
        "queries-and-keys-swapped",
        _with(pick=(1, 0, 2)),
        "Q and K have changed places: the keys ask. attention(Q, K, V) takes the queries first.",
    ),
    Misconception(
        "queries-as-keys",
        _with(pick=(0, 0, 2)),
        "W_q made both queries and keys, so scores are symmetric again. Keys come from W_k.",
    ),
    Misconception(
        "keys-as-queries",
        _with(pick=(1, 1, 2)),
        "W_k made both queries and keys, so scores are symmetric again. Queries come from W_q.",
    ),
    Misconception("keys-as-values", _with(pick=(0, 1, 1)), "You mixed the keys. What is taken away are the values, X @ W_v."),
    Misconception(
        "queries-as-values", _with(pick=(0, 1, 0)), "You mixed the queries. What is taken away are the values, X @ W_v."
    ),
    Misconception(
        "values-as-keys",
        _with(pick=(0, 2, 2)),
        "Your scores compare queries with values. They compare queries with keys, X @ W_k.",
    ),
    Misconception(
        "no-projection",
        _with(project=lambda X, W_q, W_k, W_v: (X, X, X @ W_v)),
        "Your scores compare X with itself, as in lesson 3. Compare X @ W_q with X @ W_k.",
    ),
    Misconception(
        "raw-values", _with(project=raw_values), "You mixed the rows of X. What is taken away are the values, X @ W_v."
    ),
    Misconception(
        "weights-of-projection-transposed",
        _with(project=matrices_transposed),
        "You projected with X @ W.T. A token is a row: X @ W.",
    ),
    Misconception("changes-its-input", _in_place, "The call writes into X, and whoever called needs it again."),
)


# ---- right answers written differently


def _projected_first(attend):
    def self_attention(X, W_q, W_k, W_v, causal=False):
        return attend(X @ W_q, X @ W_k, X @ W_v, np.tri(X.shape[-2], dtype=bool) if causal else None)

    return self_attention


def _values_last(X, W_q, W_k, W_v, causal=False):
    """(weights X) W_v instead of weights (X W_v), and X (W_q W_kᵀ) Xᵀ for the scores: the same in another order."""
    scores = X @ (W_q @ W_k.T) @ np.swapaxes(X, -1, -2)
    if causal:
        scores = np.where(np.tri(X.shape[-2], dtype=bool), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return (weights @ X) @ W_v, weights


def _word_by_word(X, W_q, W_k, W_v, causal=False):
    if X.ndim > 2:
        both = [_word_by_word(x, W_q, W_k, W_v, causal) for x in X]
        return np.array([b[0] for b in both]), np.array([b[1] for b in both])
    weights = np.zeros((len(X), len(X)))
    for i, x in enumerate(X):
        last = i + 1 if causal else len(X)
        scores = [(x @ W_q) @ (y @ W_k) for y in X[:last]]
        e = [math.exp(s - max(scores)) for s in scores]
        weights[i, :last] = [v / sum(e) for v in e]
    return weights @ (X @ W_v), weights


ACCEPTED = (*(_projected_first(function) for function in attention.ACCEPTED), _values_last, _word_by_word)


# ---- the exercise

EXERCISE = Exercise(
    name="self_attention",
    lesson="query_key_value",
    reference=ref.self_attention,
    checks=(
        Check(
            "weights: exponentials of the dot products of projected queries and keys",
            2,
            sentences,
            follows_dot_products(PROJECTED),
        ),
        Check("the scores are taken as they are, not scaled", 1, sentences, has_right_factor(PROJECTED)),
        Check("each word's weights sum to 1", 1, with_short_sentences, sums_to_1, side=True),
        Check("output: the projected values mixed with these weights", 2, with_short_sentences, has.mixes_values(its_values)),
        Check(
            "causal=True hides the words that come later",
            2,
            causal_sentences,
            has.cuts_weights(its_values, without_causal),
            side=True,
        ),
        Check(
            "a batch is answered sentence by sentence", 1, batches_of_sentences, has.same_item_by_item(each_sentence), side=True
        ),
        Check(
            "scores as large as 1,000,000",
            1,
            huge_sentences,
            at_own_scale(has.survives(its_values, lambda args: (args[0], args[1] / 1e6, *args[2:])), PROJECTED),
            side=True,
        ),
        Check(
            "later words stay hidden however large their scores",
            1,
            huge_causal,
            at_own_scale(has.hides_at_any_size(its_values, without_causal), PROJECTED),
            side=True,
        ),
        Check("float32, whole numbers and views", 1, sentence_types, has.same_in_any_type, side=True),
        has.touches_nothing(and_read_only(lambda rng: sentences(rng) + causal_sentences(rng))),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "You have written every part: project, causal_mask, attention.",
        "Q, K, V = project(X, W_q, W_k, W_v). The mask is causal_mask(n) when causal is True, else None.",
        "n is the number of words: X.shape[-2], also in a batch. return attention(Q, K, V, mask).",
    ),
)
