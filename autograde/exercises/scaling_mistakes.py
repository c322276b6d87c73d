"""Lesson 5: wrong answers with a name. What lessons 4 and 5 share about attention is in ``attention_mistakes``."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import scaling as ref
from course_utils.embedding_space import softmax
from course_utils.query_key_value import attention_scores

from .attention.formula import attention_with, one, root_d_k
from .attention.mistakes import shared_mistakes
from .query_key_value.attention import MISTAKES as UNSCALED

# ---- dot_product_samples


def _two_tables(formula):
    """formula(X, Y) of two tables of standard-normal numbers."""
    return lambda n, d, rng: formula(rng.standard_normal((n, d)), rng.standard_normal((n, d)))


def _drawn_by(draw):
    """The right formula on other numbers: draw(rng, shape)."""
    return lambda n, d, rng: (draw(rng, (n, d)) * draw(rng, (n, d))).sum(axis=1)


def _unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def _own_seed(n, d, rng):
    return ref.dot_product_samples(n, d, np.random.default_rng(0))


def _shared_partner(n, d, rng):
    return rng.standard_normal((n, d)) @ rng.standard_normal(d)


def _with_itself(n, d, rng):
    X = rng.standard_normal((n, d))
    return (X * X).sum(axis=1)


DOT_PRODUCT_SAMPLES = (
    Misconception(
        "not-from-rng",
        _own_seed,
        "Not all randomness comes from rng. Draw with rng.standard_normal; leave out np.random.randn, seeds "
        "and generators of your own.",
    ),
    Misconception(
        "one-partner-for-all",
        _shared_partner,
        "All n vectors meet the same partner. Each pair needs two vectors of its own: draw two tables.",
    ),
    Misconception(
        "vector-with-itself",
        _with_itself,
        "Each vector meets itself: that is its squared length, never negative. Draw a second table.",
    ),
    Misconception(
        "no-products",
        lambda n, d, rng: np.sqrt(d) * rng.standard_normal(n),
        "These are normal numbers with the right variance. A dot product adds products of two numbers, which "
        "shows at d = 1: multiply two tables entry by entry.",
    ),
    Misconception(
        "from-0-to-1",
        _drawn_by(lambda rng, shape: rng.random(shape)),
        "rng.random draws evenly from 0 to 1, so nothing is negative. Standard normal: rng.standard_normal.",
    ),
    Misconception(
        "from-minus-1-to-1",
        _drawn_by(lambda rng, shape: rng.uniform(-1, 1, shape)),
        "Numbers drawn evenly from −1 to 1 have variance 1/3. Standard normal: rng.standard_normal.",
    ),
    Misconception(
        "signs-only",
        _drawn_by(lambda rng, shape: rng.choice([-1.0, 1.0], shape)),
        "These entries are −1 or 1 only. Standard normal: rng.standard_normal.",
    ),
    Misconception(
        "around-1",
        _drawn_by(lambda rng, shape: rng.normal(1, 1, shape)),
        "Your entries have mean 1. Standard normal means mean 0 and variance 1: rng.standard_normal.",
    ),
    Misconception(
        "mean-for-sum",
        _two_tables(lambda X, Y: (X * Y).mean(axis=1)),
        "You took the mean of the products. A dot product is their sum.",
    ),
    Misconception(
        "scaled-already",
        _two_tables(lambda X, Y: (X * Y).sum(axis=1) / np.sqrt(X.shape[1])),
        "You divided by √d already. Here the plain dot products are wanted, to see how they grow.",
    ),
    Misconception(
        "unit-vectors",
        _two_tables(lambda X, Y: (_unit(X) * _unit(Y)).sum(axis=1)),
        "You made the vectors one long: these are cosines. Leave the vectors as they were drawn.",
    ),
    Misconception(
        "sizes-only",
        _two_tables(lambda X, Y: np.abs((X * Y).sum(axis=1))),
        "The sign is lost. A dot product of independent vectors is negative half of the time.",
    ),
    Misconception(
        "added-to-one-number",
        _two_tables(lambda X, Y: (X * Y).sum()),
        "All products went into one number. Add along each row: axis=1.",
    ),
    Misconception(
        "added-down",
        _two_tables(lambda X, Y: (X * Y).sum(axis=0)),
        "You added down the columns: d numbers. Add along each row, axis=1: n numbers.",
    ),
    Misconception(
        "not-added", _two_tables(lambda X, Y: X * Y), "The products are there but not added. Add along each row: axis=1."
    ),
    Misconception(
        "all-with-all",
        _two_tables(lambda X, Y: X @ Y.T),
        "X @ Y.T meets every row with every row: n · n numbers. Each row meets its partner only.",
    ),
    Misconception(
        "as-a-column",
        _two_tables(lambda X, Y: (X * Y).sum(axis=1, keepdims=True)),
        "Your numbers stand in a column of shape (n, 1). The result is a vector: (n,).",
    ),
)


# ---- scaled_dot_product_attention


def _divided(id, divisor, text):
    return Misconception(id, attention_with(divisor), text)


def _spread(Q, K, V):
    return attention_scores(Q, K).std()


def _lengths(Q, K):
    lengths = [np.linalg.norm(part, axis=-1, keepdims=True) for part in (Q, K)]
    return attention_scores(Q / lengths[0], K / lengths[1])


def _scales_weights(Q, K, V, mask=None):
    return attention_with(pack=lambda o, w, s: (o / root_d_k(Q, K, V), w / root_d_k(Q, K, V)))(Q, K, V, mask)


def _scales_output(Q, K, V, mask=None):
    output, weights = attention_with()(Q, K, V, mask)
    return output / root_d_k(Q, K, V), weights


def _queries_scaled_first(mistake):
    """A mistake of lesson 4's attention, at this lesson's scale."""
    return Misconception(
        mistake.id, lambda Q, K, V, mask=None: mistake.function(Q / root_d_k(Q, K, V), K, V, mask), mistake.explanation
    )


_AS_IN_LESSON_4 = ("sums-without-keepdims", "loudest-only", "uniform", "sigmoids", "mask-not-broadcast", "batch-crossed")

SCALED_ATTENTION = (
    _divided(
        "not-scaled",
        one,
        "The scores are not scaled. Divide them by √d_k, the root of a query's width. (Subtracting it changes "
        "nothing: softmax does not see what is taken off every score.)",
    ),
    _divided(
        "divided-by-d-k",
        lambda Q, K, V: Q.shape[-1],
        "You divided by d_k, or by √d_k twice. The spread of the scores grows as √d_k: divide by that, once.",
    ),
    _divided(
        "divided-by-half-d-k",
        lambda Q, K, V: Q.shape[-1] ** 1 / 2,
        "Python reads d_k ** 1 / 2 as (d_k ** 1) / 2. Write d_k ** 0.5, or np.sqrt(d_k).",
    ),
    _divided(
        "divided-by-root-d-v",
        lambda Q, K, V: np.sqrt(V.shape[-1]),
        "You divided by √d_v, the width of the values. Scores come from queries and keys: √d_k.",
    ),
    _divided(
        "divided-by-root-n-k",
        lambda Q, K, V: np.sqrt(K.shape[-2]),
        "You divided by the root of the number of keys. A score adds up d_k products, however many keys there are: Q.shape[-1].",
    ),
    _divided(
        "divided-by-root-n-q",
        lambda Q, K, V: np.sqrt(Q.shape[-2]),
        "You divided by the root of the number of queries. d_k is a query's width: Q.shape[-1].",
    ),
    _divided(
        "divided-by-root-of-length",
        lambda Q, K, V: np.sqrt(len(Q)),
        "len(Q) is the number of queries, or of sentences in a batch. d_k is a query's width: Q.shape[-1].",
    ),
    _divided(
        "width-from-axis-1",
        lambda Q, K, V: np.sqrt(Q.shape[1]),
        "Q.shape[1] is the width of one sentence's queries, but the number of queries in a batch. Count from the "
        "end: Q.shape[-1].",
    ),
    _divided(
        "divided-by-root-of-size",
        lambda Q, K, V: np.sqrt(Q.size),
        "Q.size counts all the numbers of all queries. One query's width is Q.shape[-1].",
    ),
    _divided(
        "times-root-d-k",
        lambda Q, K, V: 1 / root_d_k(Q, K, V),
        "You multiplied by √d_k, which spreads the scores further. Divide.",
    ),
    _divided(
        "divided-by-8",
        lambda Q, K, V: 8.0,
        "You divided by 8, which is √64 of the 2017 paper's heads. Take the width of the queries at hand.",
    ),
    _divided(
        "divided-by-log-d-k",
        lambda Q, K, V: np.log(Q.shape[-1] + 1),
        "You divided by a logarithm of d_k. The spread of the scores grows as √d_k.",
    ),
    _divided(
        "divided-by-fourth-root",
        lambda Q, K, V: Q.shape[-1] ** 0.25,
        "You divided by the fourth root of d_k. That is right for Q and K each; the scores need √d_k.",
    ),
    _divided(
        "divided-by-cube-root",
        lambda Q, K, V: np.cbrt(Q.shape[-1]),
        "You divided by the cube root of d_k. The spread of the scores grows as the square root.",
    ),
    _divided(
        "divided-by-whole-root",
        lambda Q, K, V: int(np.sqrt(Q.shape[-1])),
        "You rounded √d_k down to a whole number. Leave it as it is.",
    ),
    _divided(
        "negative-scores",
        lambda Q, K, V: -root_d_k(Q, K, V),
        "Your scores have the opposite sign: the best key gets the least weight.",
    ),
    _divided(
        "divided-by-measured-spread",
        _spread,
        "You divided by the spread of these very scores. Then a query's weights depend on all others, and a "
        "certain query cannot be certain. √d_k is fixed.",
    ),
    Misconception(
        "cosines",
        attention_with(scores=_lengths),
        "You divided by the lengths of queries and keys: cosines. Lengths must count; divide by √d_k only.",
    ),
    Misconception(
        "weights-scaled",
        _scales_weights,
        "You divided the weights by √d_k, after softmax, so they no longer sum to 1. Divide the scores.",
    ),
    Misconception("output-scaled", _scales_output, "You divided the output by √d_k. Divide the scores, before softmax."),
    Misconception(
        "squeezed",
        attention_with(root_d_k, pack=lambda o, w, s: (np.squeeze(o), np.squeeze(w))),
        "np.squeeze takes away every axis of length 1: a single query's, too. Leave the shapes as they are.",
    ),
    *shared_mistakes(root_d_k),
    *(_queries_scaled_first(mistake) for mistake in UNSCALED if mistake.id in _AS_IN_LESSON_4),
)


# ---- entropy


def _terms(p):
    return p * np.log(np.where(p > 0, p, 1))


def _summed(formula):
    """A sum along the axis of formula(p, ln p), with ln 0 taken as 0."""
    return lambda p, axis=-1: formula(p, np.log(np.where(p > 0, p, 1))).sum(axis=axis)


def _zeros_in_place(p, axis=-1):
    p[p == 0] = 1
    return -(p * np.log(p)).sum(axis=axis)


def _zero_is_nan(p, axis=-1):
    return -(p * np.log(p)).sum(axis=axis)


ENTROPY = (
    Misconception(
        "sign-lost",
        lambda p, axis=-1: -ref.entropy(p, axis),
        "Logarithms of probabilities are negative, so the sum is too. Put a minus sign before it.",
    ),
    Misconception(
        "in-bits",
        lambda p, axis=-1: ref.entropy(p, axis) / np.log(2),
        "This is in bits (log2). In nats it is the natural logarithm: np.log.",
    ),
    Misconception(
        "in-tens",
        lambda p, axis=-1: ref.entropy(p, axis) / np.log(10),
        "This is with log10. In nats it is the natural logarithm: np.log.",
    ),
    Misconception(
        "mean-for-sum", lambda p, axis=-1: -_terms(p).mean(axis=axis), "You took the mean of the terms. Entropy is their sum."
    ),
    Misconception("not-summed", lambda p, axis=-1: -_terms(p), "The terms are not added yet. Sum them along the axis."),
    Misconception(
        "logarithms-only",
        _summed(lambda p, logs: -logs),
        "You added the logarithms alone. Each counts as often as it occurs: multiply by p first.",
    ),
    Misconception(
        "perplexity",
        lambda p, axis=-1: np.exp(ref.entropy(p, axis)),
        "This is exp of the entropy: how many equal choices it is worth. Leave out np.exp.",
    ),
    Misconception(
        "share-of-the-largest",
        lambda p, axis=-1: ref.entropy(p, axis) / np.log(np.shape(p)[axis]),
        "You divided by ln n, the most there can be. The entropy itself is wanted.",
    ),
    Misconception(
        "two-outcomes",
        lambda p, axis=-1: -(_terms(p) + _terms(1 - p)).sum(axis=axis),
        "You added the terms of 1 − p. Every outcome has a p of its own; its opposite is the others.",
    ),
    Misconception(
        "squares",
        _summed(lambda p, logs: p - p * p),
        "This is 1 − Σ p², another measure of how even p is. Entropy takes logarithms.",
    ),
    Misconception(
        "softmax-first",
        lambda p, axis=-1: ref.entropy(softmax(p, axis=axis), axis),
        "You took softmax of p. It holds probabilities already, not scores.",
    ),
    Misconception(
        "axis-ignored",
        lambda p, axis=-1: ref.entropy(p, -1),
        "Your result takes the last axis whatever axis says. Hand it on: sum(axis=axis).",
    ),
    Misconception(
        "always-first-axis",
        lambda p, axis=-1: ref.entropy(p, 0),
        "Your result takes axis 0 whatever axis says. Hand it on: sum(axis=axis).",
    ),
    Misconception(
        "everything-summed",
        lambda p, axis=-1: ref.entropy(np.ravel(p)),
        "All rows went into one sum. Each has an entropy of its own: sum(axis=axis).",
    ),
    Misconception(
        "axis-kept",
        lambda p, axis=-1: np.expand_dims(ref.entropy(p, axis), axis),
        "The summed axis is still there, with length 1. Leave out keepdims.",
    ),
    Misconception(
        "zero-is-nan",
        _zero_is_nan,
        "0 · ln 0 is computed as 0 · −∞, which is NaN. Where p is 0 take the logarithm of 1 instead: np.where(p > 0, p, 1).",
    ),
    Misconception(
        "padded-logarithm",
        lambda p, axis=-1: -(p * np.log(p + 1e-3)).sum(axis=axis),
        "The number added inside the logarithm is large enough to show. Take np.where(p > 0, p, 1).",
    ),
    Misconception(
        "changes-its-argument",
        _zeros_in_place,
        "p[p == 0] = … writes into the caller's array. Make a new one: np.where(p > 0, p, 1).",
    ),
)


# ---- softmax_jacobian


def _in_place(p):
    result = np.diag(p) - np.outer(p, p)
    p -= p
    return result


SOFTMAX_JACOBIAN = (
    Misconception(
        "diagonal-only",
        lambda p: np.diag(p * (1 - p)),
        "The entries beside the diagonal are missing: when one weight rises the others fall, by p_i p_j.",
    ),
    Misconception(
        "sigmoid-slopes",
        lambda p: p * (1 - p),
        "These are n slopes, each weight by its own score. Every weight depends on every score: (n, n).",
    ),
    Misconception(
        "outer-only", lambda p: -np.outer(p, p), "diag(p) is missing: a weight rises with its own score, by p_i (1 − p_i)."
    ),
    Misconception(
        "probabilities-only", lambda p: np.diag(p), "− p pᵀ is missing: softmax divides by a sum in which every score has a part."
    ),
    Misconception(
        "sign-turned",
        lambda p: np.outer(p, p) - np.diag(p),
        "The sign is turned: a weight rises with its own score. diag(p) − p pᵀ.",
    ),
    Misconception(
        "outer-added",
        lambda p: np.diag(p) + np.outer(p, p),
        "p pᵀ was added. It is taken off, and every row sums to 0: nothing is gained by raising all scores.",
    ),
    Misconception(
        "identity-for-diagonal",
        lambda p: np.eye(len(p)) - np.outer(p, p),
        "You took the identity for diag(p). On the diagonal stand p_i − p_i².",
    ),
    Misconception(
        "slope-of-log-softmax",
        lambda p: np.eye(len(p)) - p,
        "This is the Jacobian of ln p. That of p itself has each row multiplied by p_i: diag(p) − p pᵀ.",
    ),
    Misconception(
        "slope-of-log-softmax-turned",
        lambda p: (np.eye(len(p)) - p).T,
        "This is the Jacobian of ln p, transposed. That of p itself is diag(p) − p pᵀ.",
    ),
    Misconception(
        "inner-for-outer",
        lambda p: np.diag(p) - p @ p,
        "p @ p is one number, and .T changes nothing in a vector. p pᵀ is a table: np.outer(p, p).",
    ),
    Misconception(
        "squares-in-rows",
        lambda p: np.diag(p) - p * p,
        "p * p is a row of squares, the same for each row of the table. p pᵀ is np.outer(p, p).",
    ),
    Misconception("rows-of-p", lambda p: np.diag(p) - p, "You took p off every row. Row i loses p_i times p: np.outer(p, p)."),
    Misconception(
        "softmax-first", lambda p: ref.softmax_jacobian(softmax(p)), "You took softmax of p. It holds the weights already."
    ),
    Misconception(
        "sizes-only",
        lambda p: np.abs(ref.softmax_jacobian(p)),
        "The signs are lost. Beside the diagonal the entries are negative.",
    ),
    Misconception("changes-its-argument", _in_place, "The call writes into p, and whoever called needs it again."),
)
