"""predict_missing: which word stands in the gap, from the words around it."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import leaves_arguments_alone
from course_utils import embedding_space as ref
from course_utils.word_vectors import unit_rows

from ..draws import integers
from ..inputs import layouts
from ..inputs.ids import families
from ..inputs.layouts import and_read_only, each_array, in_layouts, laid_out
from .draws import COLUMNS, TYPES, WORDS, real, single, tables
from .softmax import log_sum_softmax, sigmoid, single_softmax

# ---- what is asked


def plain(rng):
    return [
        (np.array([0, 1]), WORDS, COLUMNS),
        (np.array([3, 0, 4]), *tables(rng, 7, 4)),
        (rng.permutation(9)[:5], *tables(rng, 9, 3)),
        (np.array([1, 4]), *tables(rng, 5, 6)),
        (np.array([0, 6]), *tables(rng, 7, 1)),
    ]


def one(rng):
    return [(np.array([2]), WORDS, COLUMNS), (np.array([0]), *tables(rng, 6, 4)), (np.array([5]), *tables(rng, 6, 3))]


def repeats(rng):
    return [
        (np.array([0, 0, 1]), WORDS, COLUMNS),
        (np.array([4, 1, 4, 4, 2]), *tables(rng, 6, 4)),
        (np.array([2, 0, 2]), *tables(rng, 5, 3)),
        (rng.integers(0, 4, 9), *tables(rng, 4, 3)),
    ]


def square(rng):
    """As many words as numbers in a row: nothing but the meaning tells E from U, and rows from columns."""
    return [
        (np.array([0, 1]), real([[1, 2], [3, 0]]), real([[1, -1], [0, 2]])),
        (np.array([3, 1, 0]), *tables(rng, 4, 4)),
        (np.array([2, 4]), *tables(rng, 5, 5)),
    ]


def types(rng):
    E, U = tables(rng, 7, 4)
    return [
        (np.array([0, 2]), integers(rng, 3, 2), integers(rng, 2, 3)),
        (np.array([1, 6, 3]), *single(E, U)),
        (np.array([5, 2], dtype=np.int32), E, U),
        (np.array([0, 3, 3, 1]), 4 * E, 2 * U),
        (np.array([4, 6]), integers(rng, 7, 4), U),
        (np.array([4, 6]), E, integers(rng, 4, 7)),
        *in_layouts((np.array([0, 5, 3]), E, U)),
    ]


def every_kind(rng):
    """Tables of one word and many, one dimension and many, context of all families."""
    shapes = [(V, d) for V in (2, 3, 7, 1, 20) for d in (2, 1, 4)]
    cases = [(context, *tables(rng, V, d)) for V, d in shapes for context in families(rng, V)]
    return [*plain(rng)[:1], *laid_out(cases), *(each_array(case, layouts.single) for case in cases)]


def lists(rng):
    return [([0, 2], WORDS, COLUMNS), ([1], WORDS, COLUMNS), ([3, 1, 3], *tables(rng, 6, 4))]


# ---- what learners write instead


def _predict(mean, scores=lambda mean, E, U: mean @ U):
    """A wrong prediction: the softmax of ``scores`` of a wrong ``mean`` of the context's rows."""

    def answer(context, E, U):
        E, U = np.asarray(E, dtype=float), np.asarray(U, dtype=float)
        return ref.softmax(scores(mean(E[list(context)], list(context), E), E, U))

    return answer


def _mean(rows, context, E):
    return rows.mean(axis=0)


def _each_word_once(rows, context, E):
    return E[sorted(set(context))].mean(axis=0)


def _as_row_of_one(context, E, U):
    return ref.predict_missing(context, E, U)[None, :]


def _mean_of_predictions(context, E, U):
    return ref.softmax(E[list(context)] @ U).mean(axis=0)


def _one_per_context_word(context, E, U):
    return ref.softmax(E[list(context)] @ U)


def _no_softmax(context, E, U):
    return np.mean(E[list(context)], axis=0) @ U


def _log_probabilities(context, E, U):
    return np.log(ref.predict_missing(context, E, U))


def _not_the_context(context, E, U):
    p = ref.predict_missing(context, E, U)
    p[list(context)] = 0.0
    return p / p.sum()


def _sigmoids(context, E, U):
    return sigmoid(np.mean(E[list(context)], axis=0) @ U)


def _most_likely_id(context, E, U):
    return ref.predict_missing(context, E, U).argmax()


MISTAKES = (
    Misconception(
        "sum-for-mean",
        _predict(lambda rows, context, E: rows.sum(axis=0)),
        "The rows are summed. Take their mean, so that a long context does not shout louder than a short one.",
    ),
    Misconception(
        "each-word-once",
        _predict(_each_word_once),
        "A word that stands twice in the context counts once here. It counts twice: average one row per id in `context`.",
    ),
    Misconception(
        "maximum-for-mean",
        _predict(lambda rows, context, E: rows.max(axis=0)),
        "You take the largest number of each column. Take the mean of the rows.",
    ),
    Misconception(
        "first-word-only",
        _predict(lambda rows, context, E: rows[0]),
        "Only the first word of the context is used. Average all of them.",
    ),
    Misconception(
        "last-word-only",
        _predict(lambda rows, context, E: rows[-1]),
        "Only the last word of the context is used. Average all of them.",
    ),
    Misconception(
        "mean-of-all-words",
        _predict(lambda rows, context, E: E.mean(axis=0)),
        "This averages every word of the vocabulary. Only the rows of the context count: E[context].",
    ),
    Misconception(
        "divided-by-vocabulary",
        _predict(lambda rows, context, E: rows.sum(axis=0) / len(E)),
        "The sum is divided by the size of the vocabulary. Divide by the number of context words, m.",
    ),
    Misconception(
        "unit-rows",
        _predict(lambda rows, context, E: unit_rows(rows).mean(axis=0)),
        "The rows are brought to length 1 first. Take them as they are.",
    ),
    Misconception(
        "root-of-m",
        _predict(lambda rows, context, E: rows.sum(axis=0) / np.sqrt(len(rows))),
        "The sum is divided by √m. Divide by m: the mean.",
    ),
    Misconception(
        "rows-of-U",
        _predict(_mean, lambda mean, E, U: U @ mean if len(E) == len(U) else mean @ U),
        "The scores are U @ mean. A column of U belongs to a word, so they are mean @ U; with a square U nothing warns you.",
    ),
    Misconception(
        "E-for-both",
        _predict(_mean, lambda mean, E, U: E @ mean),
        "The scores are taken with the rows of E. U holds the words as they are predicted: mean @ U.",
    ),
    Misconception(
        "U-for-both",
        _predict(lambda rows, context, E: context, lambda context, E, U: U[:, context].mean(axis=1) @ U),
        "The context's vectors are taken from U. Words that are read come from E: E[context].",
    ),
    Misconception(
        "scaled-scores",
        _predict(_mean, lambda mean, E, U: mean @ U / np.sqrt(len(U))),
        "The scores are divided by √d. Nothing is scaled here.",
    ),
    Misconception(
        "mean-of-predictions",
        _mean_of_predictions,
        "You predict from each context word and average the predictions. Average the rows first, then predict once.",
    ),
    Misconception(
        "one-per-context-word",
        _one_per_context_word,
        "This is one prediction per context word. Average the context's rows first, axis=0.",
    ),
    Misconception("no-softmax", _no_softmax, "These are the scores. softmax turns them into probabilities."),
    Misconception(
        "log-probabilities", _log_probabilities, "These are logarithms of probabilities. The probabilities are wanted."
    ),
    Misconception(
        "context-ruled-out",
        _not_the_context,
        "You rule out the words of the context. They keep their probability: a word may well come twice.",
    ),
    Misconception("sigmoid", _sigmoids, "Each score went through a sigmoid by itself. softmax makes them share one sum of 1."),
    Misconception(
        "most-likely-id",
        _most_likely_id,
        "You return the most likely word. The result is a probability for every word, of shape (V,).",
    ),
    Misconception("a-row-of-one", _as_row_of_one, "The result has shape (1, V). One prediction is one vector: (V,)."),
)


# ---- right answers written differently


def plain_softmax(scores):
    e = np.exp(scores)
    return e / e.sum()


def _loop(context, E, U):
    total = np.zeros(E.shape[1])
    for word in context:
        total += E[word]
    scores = [sum(total[j] / len(context) * U[j, v] for j in range(U.shape[0])) for v in range(U.shape[1])]
    return list(plain_softmax(np.array(scores)))


def _counts(context, E, U):
    weights = np.bincount(np.asarray(context), minlength=len(E)) / len(context)
    return log_sum_softmax(weights @ E @ U)


def _einsum(context, E, U):
    return log_sum_softmax(np.einsum("md,dv->v", E[np.array(context)], U) / len(context))


def _scores_first(context, E, U):
    return plain_softmax((np.take(E, context, axis=0) @ U).mean(axis=0))


def _single(context, E, U):
    return single_softmax(np.mean(E[list(context)].astype(np.float32), axis=0) @ U.astype(np.float32))


ACCEPTED = (_loop, _counts, _einsum, _scores_first, _single)


# ---- the exercise

EXERCISE = Exercise(
    name="predict_missing",
    lesson="embedding_space",
    reference=ref.predict_missing,
    checks=(
        Check("softmax of the context's mean times U", 2, plain),
        Check("a context of one word", 1, one, side=True),
        Check("a word that stands twice counts twice", 1, repeats, side=True),
        Check("rows of E and columns of U, where d = V", 1, square),
        Check("the context may be a plain list", 1, lists, side=True),
        Check(TYPES, 1, types, side=True),
        leaves_arguments_alone(and_read_only(plain)),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "Three steps: look up the rows of the context, average them, score every word.",
        "E[context] has one row per context word; .mean(axis=0) leaves one vector of width d.",
        "That vector times U gives one score per word: softmax(E[context].mean(axis=0) @ U).",
    ),
)
