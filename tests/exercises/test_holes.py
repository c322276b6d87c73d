"""Wrong answers that are right on most inputs lose points, and right ones that differ in what is free lose none."""

import numpy as np
import pytest

from autograde import judge
from autograde.engine.exercise import Exercise
from autograde.exercises import everything, find
from course_utils.embedding_space import softmax

EXERCISES = {r.name: r for r in everything() if isinstance(r, Exercise) and r.lesson not in ("transformer", "decoder")}
SEEDS = (1706, 3)


def wrong_where(name, where):
    """The reference, but for arguments of which ``where(*args)`` holds: there every result is 1 too high."""

    def answer(*args):
        right = EXERCISES[name].reference(*args)
        if not where(*args):
            return right
        parts = tuple(np.logical_not(p) if np.asarray(p).dtype == bool else np.asarray(p) + 1 for p in _several(right))
        return parts if isinstance(right, tuple) else parts[0]

    return answer


def raising_where(name, where):
    def answer(*args):
        if where(*args):
            raise TypeError("not for these")
        return EXERCISES[name].reference(*args)

    return answer


def _several(result):
    return result if isinstance(result, tuple) else (result,)


def passes(name, answer):
    return all(judge(name, answer, seed).passed for seed in SEEDS)


# ---- other types and layouts


def arrays(args):
    return [arg for arg in args if isinstance(arg, np.ndarray) and arg.dtype != bool]


def some_float32(*args):
    return any(a.dtype == np.float32 for a in arrays(args))


def some_whole(*args):
    return any(a.dtype.kind == "i" for a in arrays(args))


def mixed(*args):
    return len({a.dtype.kind for a in arrays(args)}) > 1


def not_contiguous(*args):
    return any(not a.flags.c_contiguous for a in arrays(args))


def backwards(*args):
    return any(stride < 0 for a in arrays(args) for stride in a.strides)


def in_fortran_order(*args):
    return any(a.flags.f_contiguous and not a.flags.c_contiguous for a in arrays(args))


def locked(*args):
    return any(not a.flags.writeable for a in arrays(args))


NUMBERS_ONLY = {"uniform_weights", "causal_mask", "head_budget", "dot_product_samples"}  # no arrays of numbers
IDS_FIRST = {"one_hot", "embed", "cross_entropy", "predict_missing", "cbow_gradients"}  # ids are whole numbers anyway
ONE_AXIS = {"one_hot", "cosine_similarity", "softmax_jacobian"}  # vectors have no order of axes
ONE_TABLE = {"entropy", "softmax_jacobian", "softmax", "similarity_weights", "split_heads", "merge_heads", "project_to_2d"}
ONE_TABLE |= {"previous_token_score", "context_average", "analogy", "offset_cosine", "masked_softmax"}  # masks are no numbers
PROBABILITIES = {"entropy", "softmax_jacobian", "previous_token_score", "design_query"}

TYPES = [
    (name, where)
    for name in EXERCISES
    if name not in NUMBERS_ONLY
    for where in (some_float32, some_whole, mixed, backwards, in_fortran_order, not_contiguous, locked)
    if not (where is mixed and name in ONE_TABLE | IDS_FIRST | PROBABILITIES)
    if not (where is some_whole and name in IDS_FIRST)
    if not (where is some_float32 and name == "one_hot")
    if not (where is in_fortran_order and name in ONE_AXIS)
]


@pytest.mark.parametrize("name, where", TYPES, ids=lambda value: getattr(value, "__name__", value))
def test_other_types_and_layouts_are_compared_by_value(name, where):
    assert not passes(name, wrong_where(name, where))
    assert not passes(name, raising_where(name, where))


# ---- what looks like a special case and is none


def norm(x):
    return np.linalg.norm(x, axis=-1, keepdims=True)


def cosine_guarded(is_zero):
    return lambda u, v: 0.0 if is_zero(u) or is_zero(v) else float(u @ v / (norm(u) * norm(v) or 1)[0])


def matrix_guarded(is_zero):
    def answer(X, Y):
        X, Y = (np.where(is_zero(A)[:, None], 0.0, A / np.where(norm(A) > 0, norm(A), 1)) for A in (X, Y))
        return X @ Y.T

    return answer


def zero_is_closed(name, scale=False):
    """An allowed score of exactly 0 taken for a closed one."""

    def attention(Q, K, V, mask=None):
        scores = Q @ np.swapaxes(K, -1, -2) / (np.sqrt(Q.shape[-1]) if scale else 1)
        return _weighed(scores, V, mask)

    return attention


def _weighed(scores, V, mask):
    if mask is None:
        weights = softmax(scores)
    else:
        nowhere = ~mask.any(axis=-1, keepdims=True)
        closed = np.where(nowhere, False, scores * mask == 0)
        none_left = closed.all(axis=-1, keepdims=True)
        weights = np.where(nowhere | none_left, 0, softmax(np.where(closed & ~none_left, -np.inf, scores)))
    return weights @ V, weights


def self_zero_is_closed(X, W_q, W_k, W_v, causal=False):
    scores = X @ W_q @ np.swapaxes(X @ W_k, -1, -2)
    return _weighed(scores, X @ W_v, np.tri(X.shape[-2], dtype=bool) if causal else None)


def into_zeros_like(name, like):
    """The right results, written into an array like an argument."""

    def answer(*args):
        results = tuple(np.asarray(part).astype(like(*args).dtype) for part in _several(EXERCISES[name].reference(*args)))
        return results if isinstance(EXERCISES[name].reference(*args), tuple) else results[0]

    return answer


def shifted_by_the_first(x, axis=-1):
    x = np.asarray(x, float)
    e = np.exp(x - np.take(x, [0], axis=axis))
    return e / e.sum(axis=axis, keepdims=True)


def squeezed(name):
    def answer(*args):
        parts = tuple(
            np.squeeze(p, axis=0) if p.ndim > 2 and p.shape[0] == 1 else p for p in _several(EXERCISES[name].reference(*args))
        )
        return parts if len(parts) > 1 else parts[0]

    return answer


LOOKALIKES = [
    ("cosine_similarity", "sum is 0", cosine_guarded(lambda u: u.sum() == 0)),
    ("cosine_similarity", "first is 0", cosine_guarded(lambda u: u[0] == 0)),
    ("cosine_similarity", "last is 0", cosine_guarded(lambda u: u[-1] == 0)),
    ("cosine_similarity", "largest is 0", cosine_guarded(lambda u: max(u) == 0)),
    ("cosine_similarity", "one is 0", cosine_guarded(lambda u: (u == 0).any())),
    ("cosine_matrix", "sum is 0", matrix_guarded(lambda X: X.sum(axis=1) == 0)),
    ("cosine_matrix", "first is 0", matrix_guarded(lambda X: X[:, 0] == 0)),
    ("cosine_matrix", "largest is 0", matrix_guarded(lambda X: X.max(axis=1) == 0)),
    ("cosine_matrix", "last is 0", matrix_guarded(lambda X: X[:, -1] == 0)),
    ("attention", "score of 0", zero_is_closed("attention")),
    ("scaled_dot_product_attention", "score of 0", zero_is_closed("scaled_dot_product_attention", scale=True)),
    ("self_attention", "score of 0", self_zero_is_closed),
    ("mix", "zeros_like(X)", into_zeros_like("mix", lambda weights, X: X)),
    ("mix", "zeros_like(weights)", into_zeros_like("mix", lambda weights, X: weights)),
    ("project", "zeros_like(X)", into_zeros_like("project", lambda X, *W: X)),
    ("project", "zeros_like(W_q)", into_zeros_like("project", lambda X, *W: W[0])),
    ("context_average", "zeros_like(X)", into_zeros_like("context_average", lambda X, *rest: X)),
    ("similarity_weights", "zeros_like(X)", into_zeros_like("similarity_weights", lambda X: X)),
    ("softmax", "shifted by the first", shifted_by_the_first),
    ("attention_scores", "squeezed", squeezed("attention_scores")),
    ("project", "squeezed", squeezed("project")),
    ("mix", "squeezed", squeezed("mix")),
    ("similarity_weights", "squeezed", squeezed("similarity_weights")),
    ("attention", "squeezed", squeezed("attention")),
    ("scaled_dot_product_attention", "squeezed", squeezed("scaled_dot_product_attention")),
]


@pytest.mark.parametrize("name, what, answer", LOOKALIKES, ids=lambda value: value if isinstance(value, str) else "")
def test_what_looks_like_a_special_case_is_drawn(name, what, answer):
    assert not passes(name, answer)


# ---- families


def row_like_zero(X):
    X = np.atleast_2d(X)
    return bool(((X.sum(axis=-1) == 0) & X.any(axis=-1)).any())


def equal_rows(X):
    X = np.atleast_2d(X)
    return len(np.unique(X, axis=0)) < len(X) if X.ndim == 2 else False


def scores_of(Q, K):
    return Q @ np.swapaxes(K, -1, -2)


def largest_later(Q, K, *rest):
    s = scores_of(Q, K)
    return bool((s.max(axis=-1) - s[..., 0] > 500).any())


def all_closed(mask):
    return mask is not None and not mask.any()


def one_open(mask):
    return mask is not None and bool((mask.sum(axis=-1) == 1).all()) and mask.shape[-1] > 1


def mask_of(args, at):
    return args[at] if len(args) > at else None


def whole_rows_of(X):
    return not X.any(axis=-1).all()


def three_leads(a):
    return a.ndim == 5


FAMILIES = [
    # lesson 1
    ("one_hot", "one word", lambda ids, V: len(ids) == 1),
    ("embed", "one column", lambda ids, E: E.shape[1] == 1),
    ("dot_products", "a single row", lambda X, y: len(X) == 1),
    ("dot_products", "one dimension", lambda X, y: X.shape[1] == 1),
    ("dot_products", "a zero row", lambda X, y: whole_rows_of(X)),
    ("dot_products", "equal rows", lambda X, y: equal_rows(X)),
    ("cosine_similarity", "one dimension", lambda u, v: u.shape == (1,)),
    ("cosine_similarity", "all negative", lambda u, v: (u < 0).all()),
    ("cosine_matrix", "one dimension", lambda X, Y: X.shape[1] == 1),
    ("cosine_matrix", "one row", lambda X, Y: len(X) == 1),
    ("cosine_matrix", "equal rows", lambda X, Y: equal_rows(X)),
    # lesson 2
    ("softmax", "far larger, not first", lambda x, axis=-1: x.ndim == 1 and x[0] < x.max() - 500),
    ("softmax", "all negative", lambda x, axis=-1: (x < 0).all()),
    ("softmax", "huge with fractions", lambda x, axis=-1: bool(np.abs(x).max() > 9e5 and (x % 1).any())),
    ("softmax", "one entry along the axis", lambda x, axis=-1: x.ndim > 1 and x.shape[axis] == 1),
    ("cross_entropy", "below 0.005", lambda p, t: p[np.arange(len(p)), t].min() < 0.005),
    ("cross_entropy", "one word", lambda p, t: p.shape[1] == 1),
    ("predict_missing", "one dimension", lambda context, E, U: E.shape[1] == 1),
    ("predict_missing", "first and last id", lambda context, E, U: {0, len(E) - 1} <= set(np.ravel(context).tolist())),
    ("predict_missing", "more words than the vocabulary has", lambda context, E, U: len(context) > len(E)),
    ("cbow_gradients", "one dimension", lambda context, target, E, U: E.shape[1] == 1),
    ("cbow_gradients", "the last word as target", lambda context, target, E, U: target == len(E) - 1),
    ("project_to_2d", "more columns than rows", lambda X: X.shape[1] > X.shape[0]),
    ("project_to_2d", "equal rows", lambda X: equal_rows(X)),
    ("nearest_neighbours", "one dimension", lambda q, E, k, exclude=(): E.shape[1] == 1),
    ("nearest_neighbours", "one row", lambda q, E, k, exclude=(): len(E) == 1),
    ("nearest_neighbours", "rows that sum to zero", lambda q, E, k, exclude=(): row_like_zero(E)),
    ("nearest_neighbours", "an id excluded twice", lambda q, E, k, exclude=(): len(set(exclude)) < len(exclude)),
    ("analogy", "four rows", lambda a, b, c, E: len(E) == 4),
    ("analogy", "the last id", lambda a, b, c, E: len(E) - 1 in (a, b, c)),
    ("offset_cosine", "a = c", lambda a, b, c, d, E: a == c and b != d and a != b),
    ("offset_cosine", "b = d", lambda a, b, c, d, E: b == d and a != c and a != b),
    ("offset_cosine", "one dimension", lambda a, b, c, d, E: E.shape[1] == 1),
    ("offset_cosine", "steps that sum to zero", lambda a, b, c, d, E: row_like_zero(E[b] - E[a])),
    # lesson 3
    ("context_average", "a zero row", lambda X, p, w: not X.any(axis=1).all() and len(X) > 1),
    ("context_average", "one dimension", lambda X, p, w: X.shape[1] == 1 and len(X) > 4),
    ("context_average", "a window that ends at the last word", lambda X, p, w: len(X) > 1 and p + w == len(X) - 1),
    ("context_average", "a far too wide window", lambda X, p, w: w > 2 * len(X) and len(X) > 1),
    ("nearest_sense", "one sense", lambda v, S: len(S) == 1),
    ("nearest_sense", "one dimension", lambda v, S: S.shape[1] == 1),
    ("nearest_sense", "senses that sum to zero", lambda v, S: row_like_zero(S)),
    ("nearest_sense", "all cosines 0", lambda v, S: v.any() and not (S @ v).any()),
    ("uniform_weights", "two words, causal", lambda n, causal=False: n == 2 and causal),
    ("uniform_weights", "more than 40 words", lambda n, causal=False: n > 40),
    ("mix", "one key", lambda w, X: X.shape[-2] == 1),
    ("mix", "one dimension", lambda w, X: X.shape[-1] == 1),
    ("mix", "wider than the keys are many", lambda w, X: X.shape[-1] > 2 * X.shape[-2]),
    ("mix", "a zero row", lambda w, X: not X.any(axis=-1).all()),
    ("mix", "equal rows", lambda w, X: equal_rows(X)),
    ("mix", "three batch axes", lambda w, X: three_leads(X)),
    ("similarity_weights", "one word", lambda X: X.shape[-2] == 1),
    ("similarity_weights", "one dimension", lambda X: X.shape[-1] == 1 and np.abs(X).max() < 5),
    ("similarity_weights", "equal rows", lambda X: equal_rows(X) and np.abs(X).max() < 5),
    ("similarity_weights", "rows that sum to zero", lambda X: X.ndim == 2 and row_like_zero(X)),
    ("similarity_weights", "huge with fractions", lambda X: np.abs(X).max() > 100 and bool((X % 1).any())),
    ("similarity_weights", "three batch axes", lambda X: three_leads(X)),
    ("sense_separation", "one dimension", lambda A, B: A.shape[1] == 1),
    ("sense_separation", "rows that sum to zero", lambda A, B: row_like_zero(A) or row_like_zero(B)),
    ("sense_separation", "all rows equal", lambda A, B: len(np.unique(np.vstack([A, B]), axis=0)) == 1),
    # lesson 4
    ("project", "one token", lambda X, *W: X.shape[-2] == 1),
    ("project", "d_v larger than d_k", lambda X, *W: X.ndim == 2 and W[2].shape[1] > W[1].shape[1]),
    ("project", "one dimension", lambda X, *W: X.shape[-1] == 1),
    ("project", "three batch axes", lambda X, *W: three_leads(X)),
    ("attention_scores", "one query", lambda Q, K: Q.shape[-2] == 1 and Q.shape[-1] > 2),
    ("attention_scores", "one key", lambda Q, K: K.shape[-2] == 1),
    ("attention_scores", "one dimension", lambda Q, K: K.shape[-1] == 1),
    ("attention_scores", "a score of exactly 0", lambda Q, K: bool((scores_of(Q, K) == 0).any())),
    ("attention_scores", "equal keys", lambda Q, K: equal_rows(K)),
    ("attention_scores", "three batch axes", lambda Q, K: three_leads(Q)),
    ("causal_mask", "more than 11 words", lambda n: n > 11),
    ("causal_mask", "more than 40 words", lambda n: n > 40),
    ("design_query", "more than 5 keys", lambda K, wanted: len(K) > 5),
    # lessons 5 and 6
    ("entropy", "one outcome", lambda p, axis=-1: p.shape[axis] == 1),
    ("entropy", "below 0.005", lambda p, axis=-1: bool(((p > 0) & (p < 0.005)).any())),
    ("entropy", "equal rows", lambda p, axis=-1: p.ndim == 2 and equal_rows(p)),
    ("entropy", "more than 9 outcomes", lambda p, axis=-1: p.shape[axis] > 9),
    ("softmax_jacobian", "one outcome", lambda p: len(p) == 1),
    ("softmax_jacobian", "more than 7", lambda p: len(p) > 7),
    ("softmax_jacobian", "below 0.005", lambda p: bool(((p > 0) & (p < 0.005)).any())),
    ("softmax_jacobian", "even", lambda p: len(p) > 1 and np.ptp(p) == 0),
    ("split_heads", "three batch axes", lambda X, h: three_leads(X)),
    ("split_heads", "a batch of one", lambda X, h: X.ndim == 3 and len(X) == 1),
    ("split_heads", "more than 5 heads", lambda X, h: h > 5 and X.shape[-1] % h == 0),
    ("merge_heads", "a batch of one", lambda H: H.ndim == 4 and len(H) == 1),
    ("merge_heads", "three batch axes", lambda H: H.ndim == 6),
    ("merge_heads", "more than 5 heads", lambda H: H.shape[-3] > 5),
    ("head_budget", "one number", lambda d, h: d == 1),
    ("head_budget", "more than 96 heads", lambda d, h: h > 96),
    ("previous_token_score", "more than 5 tokens", lambda w: w.shape[-1] > 5),
    ("previous_token_score", "more than 8 tokens", lambda w: w.shape[-1] > 8),
    ("previous_token_score", "many heads", lambda w: len(w) > 5),
]


@pytest.mark.parametrize("name, what, where", FAMILIES, ids=lambda value: value if isinstance(value, str) else "")
def test_every_hard_family_is_compared(name, what, where):
    assert not passes(name, wrong_where(name, where))


QKV = [
    ("one query", lambda Q, K, V, mask=None: Q.shape[-2] == 1),
    ("one key", lambda Q, K, V, mask=None: K.shape[-2] == 1),
    ("one key and a mask", lambda Q, K, V, mask=None: K.shape[-2] == 1 and mask is not None),
    ("d_k of one", lambda Q, K, V, mask=None: K.shape[-1] == 1 and np.abs(Q).max() < 50),
    ("d_v of one", lambda Q, K, V, mask=None: V.shape[-1] == 1),
    ("d_v larger than d_k", lambda Q, K, V, mask=None: V.shape[-1] > K.shape[-1] > 2),
    ("d_k larger than 5", lambda Q, K, V, mask=None: K.shape[-1] > 5),
    ("equal keys", lambda Q, K, V, mask=None: K.ndim == 2 and equal_rows(K) and np.abs(Q).max() < 50),
    ("a zero query", lambda Q, K, V, mask=None: not Q.any(axis=-1).all()),
    ("a score of exactly 0", lambda Q, K, V, mask=None: mask is None and bool((scores_of(Q, K) == 0).any())),
    ("a masked score of 0", lambda Q, K, V, mask=None: mask is not None and bool((mask & (scores_of(Q, K) == 0)).any())),
    ("a batch of one", lambda Q, K, V, mask=None: Q.ndim == 3 and len(Q) == 1),
    ("three batch axes", lambda Q, K, V, mask=None: three_leads(Q)),
    ("all closed", lambda Q, K, V, mask=None: all_closed(mask)),
    ("one open key", lambda Q, K, V, mask=None: one_open(mask)),
    ("all open", lambda Q, K, V, mask=None: mask is not None and bool(mask.all())),
    ("a huge score behind the first", lambda Q, K, V, mask=None: largest_later(Q, K)),
    ("a fully masked row in a batch", lambda Q, K, V, mask=None: Q.ndim > 2 and mask is not None and not mask.any(-1).all()),
]


@pytest.mark.parametrize("name", ["attention", "scaled_dot_product_attention"])
@pytest.mark.parametrize("what, where", QKV, ids=lambda value: value if isinstance(value, str) else "")
def test_every_hard_family_of_attention_is_compared(name, what, where):
    assert not passes(name, wrong_where(name, where))
    assert not passes(name, nan_output_where(name, where))


def nan_output_where(name, where):
    """Right weights, and an output that is not a number."""

    def answer(*args):
        output, weights = EXERCISES[name].reference(*args)
        return (output * np.nan if where(*args) else output), weights

    return answer


SENTENCES = [
    ("one word", lambda X, W_q, W_k, W_v, causal=False: X.shape[-2] == 1),
    ("one word, causal", lambda X, W_q, W_k, W_v, causal=False: X.shape[-2] == 1 and causal),
    ("d_k larger than 5", lambda X, W_q, W_k, W_v, causal=False: W_k.shape[1] > 5),
    ("d_v larger than d", lambda X, W_q, W_k, W_v, causal=False: W_v.shape[1] > X.shape[-1]),
    ("d of one", lambda X, W_q, W_k, W_v, causal=False: X.shape[-1] == 1),
    ("a batch of one", lambda X, W_q, W_k, W_v, causal=False: X.ndim == 3 and len(X) == 1),
    ("three batch axes", lambda X, W_q, W_k, W_v, causal=False: three_leads(X)),
    ("equal words", lambda X, W_q, W_k, W_v, causal=False: X.ndim == 2 and equal_rows(X)),
    ("a zero row", lambda X, W_q, W_k, W_v, causal=False: not X.any(axis=-1).all()),
    ("more than 7 words", lambda X, W_q, W_k, W_v, causal=False: X.shape[-2] > 7),
]


@pytest.mark.parametrize("what, where", SENTENCES, ids=lambda value: value if isinstance(value, str) else "")
def test_every_hard_family_of_self_attention_is_compared(what, where):
    assert not passes("self_attention", wrong_where("self_attention", where))
    assert not passes("self_attention", nan_output_where("self_attention", where))


def of_heads(condition):
    return lambda X, W_q, W_k, W_v, W_o, h, mask=None: condition(X, h, mask)


HEADS = [
    ("one head", of_heads(lambda X, h, mask: h == 1)),
    ("one head and a mask", of_heads(lambda X, h, mask: h == 1 and mask is not None)),
    ("heads of width 1", of_heads(lambda X, h, mask: h == X.shape[-1])),
    ("one token", of_heads(lambda X, h, mask: X.shape[-2] == 1)),
    ("a batch of one", of_heads(lambda X, h, mask: X.ndim == 3 and len(X) == 1)),
    ("all closed", of_heads(lambda X, h, mask: all_closed(mask))),
    ("one open key", of_heads(lambda X, h, mask: one_open(mask))),
    ("a zero row", of_heads(lambda X, h, mask: not X.any(axis=-1).all())),
    ("equal tokens", of_heads(lambda X, h, mask: X.ndim == 2 and equal_rows(X))),
    ("a fully masked row in a batch", of_heads(lambda X, h, mask: X.ndim > 2 and mask is not None and not mask.any(-1).all())),
    ("more than 7 tokens", of_heads(lambda X, h, mask: X.shape[-2] > 7)),
    ("more than 5 heads", of_heads(lambda X, h, mask: h > 5)),
]


@pytest.mark.parametrize("what, where", HEADS, ids=lambda value: value if isinstance(value, str) else "")
def test_every_hard_family_of_multi_head_attention_is_compared(what, where):
    name = "multi_head_attention"
    assert not passes(name, wrong_where(name, where))
    assert not passes(name, nan_output_where(name, where))
    assert not passes(name, output_changed(lambda output: 0 * output + (what == "all closed"), where))
    assert not passes(name, output_changed(lambda output: output[..., :1, :1], where)) or what == "one token"


def output_changed(change, where):
    def answer(*args):
        output, weights = EXERCISES["multi_head_attention"].reference(*args)
        return (change(output) if where(*args) else output), weights

    return answer


# ---- arguments stay as they were


def sorts_its_ids(ids, vocab_size):
    rows = find("one_hot").reference(ids, vocab_size)
    ids.sort()
    return rows


def opens_rows(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    result = find("multi_head_attention").reference(X, W_q, W_k, W_v, W_o, n_heads, mask)
    if mask is not None:
        mask[~mask.any(axis=-1)] = True
    return result


@pytest.mark.parametrize("name, answer", [("one_hot", sorts_its_ids), ("multi_head_attention", opens_rows)])
def test_arguments_that_are_written_into(name, answer):
    assert not passes(name, answer)


# ---- what is free


class TooWide(ValueError):
    pass


def own_error(X, n_heads):
    if X.shape[-1] % n_heads:
        raise TooWide("this does not go")
    return find("split_heads").reference(X, n_heads)


class NotThere(IndexError):
    pass


def own_index_error(ids, vocab_size):
    if max(ids) >= vocab_size:
        raise NotThere(max(ids))
    return find("one_hot").reference(ids, vocab_size)


def rounded(name, digits=6):
    def answer(*args):
        parts = tuple(np.round(part, digits) for part in _several(find(name).reference(*args)))
        return parts if len(parts) > 1 else parts[0]

    return answer


FREE = [("split_heads", own_error), ("one_hot", own_index_error)]
FREE += [
    (name, rounded(name)) for name in ("attention", "scaled_dot_product_attention", "self_attention", "multi_head_attention")
]


@pytest.mark.parametrize("name, answer", FREE, ids=lambda value: value if isinstance(value, str) else value.__name__)
@pytest.mark.parametrize("seed", range(4))
def test_what_the_contract_leaves_free_costs_nothing(name, answer, seed):
    report = judge(name, answer, seed)
    assert report.passed, [(check.name, check.message) for check in report.checks if check.message]


def test_a_type_error_is_not_told_as_an_assertion():
    def answer(X, n_heads):
        if X.shape[-1] % n_heads:
            raise TypeError("no")
        return find("split_heads").reference(X, n_heads)

    report = judge("split_heads", answer)
    assert not report.passed and (report.diagnosis is None or report.diagnosis.id != "assert-for-error")
