"""Lesson 2, the training half: what learners write instead, and the sentence that helps."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import embedding_space as ref
from course_utils.word_vectors import unit_rows


def _floats(*arrays):
    return (np.asarray(array, dtype=float) for array in arrays)


# ---- softmax


def _no_maximum(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


def _maximum_of_all(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=axis, keepdims=True)


def _minimum_subtracted(x, axis=-1):
    e = np.exp(x - np.min(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _mean_subtracted(x, axis=-1):
    e = np.exp(x - np.mean(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _largest_size_subtracted(x, axis=-1):
    e = np.exp(x - np.max(np.abs(x), axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _clipped(x, axis=-1):
    e = np.exp(np.clip(x, -500, 500))
    return e / e.sum(axis=axis, keepdims=True)


def _divided_by_maximum(x, axis=-1):
    return ref.softmax(x / np.abs(x).max(axis=axis, keepdims=True), axis)


def _always_last(x, axis=-1):
    return ref.softmax(x)


def _always_first(x, axis=-1):
    return ref.softmax(x, 0)


def _over_everything(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / e.sum()


def _the_other_axis(x, axis=-1):
    return ref.softmax(x, 0 if axis in (-1, x.ndim - 1) else -1)


def _no_keepdims(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis)


def _no_exponential(x, axis=-1):
    return x / x.sum(axis=axis, keepdims=True)


def _negative_scores(x, axis=-1):
    return ref.softmax(-np.asarray(x, dtype=float), axis)


def _powers_of_two(x, axis=-1):
    return ref.softmax(np.log(2.0) * x, axis)


def _exponentials_only(x, axis=-1):
    return np.exp(x)


def _divided_by_largest(x, axis=-1):
    return np.exp(x - x.max(axis=axis, keepdims=True))


def _divided_by_mean(x, axis=-1):
    return ref.softmax(x, axis) * x.shape[axis]


def _divided_by_norm(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / np.linalg.norm(e, axis=axis, keepdims=True)


def _logarithms(x, axis=-1):
    x = x - x.max(axis=axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


def _sigmoid(x, axis=-1):
    return 0.5 * (1 + np.tanh(np.asarray(x, dtype=float) / 2))


def _winner_takes_all(x, axis=-1):
    return (x == x.max(axis=axis, keepdims=True)).astype(float)


SOFTMAX = (
    Misconception(
        "no-maximum",
        _no_maximum,
        "np.exp(710) is infinite and np.exp(-746) is 0. Subtract the maximum along the axis first: the "
        "result is the same, and nothing overflows.",
    ),
    Misconception(
        "maximum-of-all",
        _maximum_of_all,
        "You subtract one maximum for the whole array, so rows far below it become 0/0. Each row needs its "
        "own: x.max(axis=axis, keepdims=True).",
    ),
    Misconception(
        "minimum-subtracted",
        _minimum_subtracted,
        "You subtract the minimum, which makes the exponents larger. Subtract the maximum, so that none is above 0.",
    ),
    Misconception(
        "mean-subtracted", _mean_subtracted, "You subtract the mean; a score far above it still overflows. Subtract the maximum."
    ),
    Misconception(
        "largest-size-subtracted",
        _largest_size_subtracted,
        "You subtract the largest size. Where all scores are negative that pushes them further down until "
        "all are 0. Subtract the maximum, sign and all.",
    ),
    Misconception(
        "clipped", _clipped, "Clipping makes different large scores equal. Subtracting the maximum keeps all differences."
    ),
    Misconception(
        "divided-by-maximum",
        _divided_by_maximum,
        "You divide the scores by their largest size, which changes the result. Subtract the maximum "
        "instead: that changes nothing.",
    ),
    Misconception("always-last-axis", _always_last, "`axis` is not used: it is always the last one."),
    Misconception(
        "always-first-axis",
        _always_first,
        "This is softmax over axis 0 whatever `axis` says: the columns sum to 1 where the rows should.",
    ),
    Misconception(
        "over-everything",
        _over_everything,
        "All entries together sum to 1. Each slice along `axis` must: e.sum(axis=axis, keepdims=True).",
    ),
    Misconception(
        "the-other-axis", _the_other_axis, "The sums run along the other axis: what should sum to 1 are the entries along `axis`."
    ),
    Misconception(
        "no-keepdims",
        _no_keepdims,
        "Without keepdims=True the sums lie along the wrong axis when NumPy divides: a square array comes "
        "out silently wrong, others raise.",
    ),
    Misconception(
        "no-exponential",
        _no_exponential,
        "The scores are divided by their sum without np.exp: negative scores give negative weights.",
    ),
    Misconception(
        "negative-scores",
        _negative_scores,
        "The largest score gets the smallest weight: there is a minus too many in the exponent.",
    ),
    Misconception("powers-of-two", _powers_of_two, "These are powers of 2. softmax uses e: np.exp."),
    Misconception("not-divided", _exponentials_only, "The exponentials are not divided by their sum, so they do not sum to 1."),
    Misconception(
        "divided-by-largest",
        _divided_by_largest,
        "The largest result is 1: after the maximum is subtracted, the exponentials must still be divided by their sum.",
    ),
    Misconception("divided-by-mean", _divided_by_mean, "You divide by the mean of the exponentials. Divide by their sum."),
    Misconception(
        "divided-by-length",
        _divided_by_norm,
        "You divide by the length of the vector, so the squares sum to 1. Divide by the sum.",
    ),
    Misconception("logarithms", _logarithms, "These are the logarithms of the probabilities: take np.exp of them."),
    Misconception(
        "sigmoid", _sigmoid, "This is the sigmoid of each score by itself. softmax compares scores: they share one sum."
    ),
    Misconception(
        "winner-takes-all",
        _winner_takes_all,
        "The largest score takes all. softmax gives every score its share: np.exp(x) over the sum.",
    ),
)


# ---- cross_entropy


def _chosen(probs, targets):
    return np.asarray(probs, dtype=float)[np.arange(len(probs)), targets]


def _sum(probs, targets):
    return -np.log(_chosen(probs, targets)).sum()


def _log2(probs, targets):
    return -np.log2(_chosen(probs, targets)).mean()


def _log10(probs, targets):
    return -np.log10(_chosen(probs, targets)).mean()


def _no_minus(probs, targets):
    return np.log(_chosen(probs, targets)).mean()


def _one_minus(probs, targets):
    return (1 - _chosen(probs, targets)).mean()


def _log_of_mean(probs, targets):
    return -np.log(_chosen(probs, targets).mean())


def _mean_of_all_logs(probs, targets):
    return -np.log(np.maximum(probs, 1e-12)).mean()


def _divided_by_all(probs, targets):
    return -np.log(_chosen(probs, targets)).sum() / np.size(probs)


def _every_row_with_every_target(probs, targets):
    return -np.log(np.maximum(np.asarray(probs, dtype=float)[:, targets], 1e-12)).mean()


def _target_as_row(probs, targets):
    return -np.log(np.maximum(_chosen(np.transpose(probs), targets), 1e-12)).mean()


def _most_likely(probs, targets):
    return -np.log(np.max(probs, axis=1)).mean()


def _weighted(probs, targets):
    p = _chosen(probs, targets)
    return -(p * np.log(p)).mean()


def _entropy(probs, targets):
    return -(probs * np.log(np.maximum(probs, 1e-12))).sum(axis=1).mean()


def _one_hot_times_log(probs, targets):
    return -(np.eye(np.shape(probs)[1])[targets] * np.log(probs)).sum() / len(probs)


def _both_sides(probs, targets):
    hot = np.eye(np.shape(probs)[1])[targets]
    p = np.clip(probs, 1e-12, 1 - 1e-12)
    return -(hot * np.log(p) + (1 - hot) * np.log(1 - p)).sum() / len(probs)


def _softmax_again(probs, targets):
    return ref.cross_entropy(ref.softmax(probs), targets)


def _clipped_low(probs, targets):
    return -np.log(np.maximum(_chosen(probs, targets), 1e-4)).mean()


def _large_epsilon(probs, targets):
    return -np.log(_chosen(probs, targets) + 1e-3).mean()


def _per_row(probs, targets):
    return -np.log(_chosen(probs, targets))


def _perplexity(probs, targets):
    return np.exp(ref.cross_entropy(probs, targets))


def _first_row_only(probs, targets):
    return -np.log(_chosen(probs, targets)[0])


CROSS_ENTROPY = (
    Misconception("sum", _sum, "The rows are summed. Take their mean, so that the number of rows plays no part."),
    Misconception("log2", _log2, "This is counted in bits, with log₂. The course uses the natural logarithm: np.log."),
    Misconception("log10", _log10, "This is log₁₀. The course uses the natural logarithm: np.log."),
    Misconception("no-minus", _no_minus, "The minus is missing: the logarithm of a probability is negative, the loss is not."),
    Misconception("one-minus", _one_minus, "This is 1 − p. Cross-entropy is −ln p: it grows without limit as p nears 0."),
    Misconception("log-of-mean", _log_of_mean, "You take the logarithm of the mean. Take the mean of the logarithms."),
    Misconception(
        "mean-of-all-logs", _mean_of_all_logs, "All probabilities are averaged. Only the one of each row's target counts."
    ),
    Misconception(
        "divided-by-all",
        _divided_by_all,
        "The sum is divided by the number of all entries, n·V. Divide by the number of rows, n.",
    ),
    Misconception(
        "every-row-every-target",
        _every_row_with_every_target,
        "probs[:, targets] takes every target from every row. One per row: probs[np.arange(n), targets].",
    ),
    Misconception(
        "target-as-row", _target_as_row, "Rows and columns are exchanged: the row is the example, the column the target."
    ),
    Misconception(
        "most-likely", _most_likely, "You use each row's largest probability. The target's counts, however unlikely it was."
    ),
    Misconception(
        "weighted-by-p", _weighted, "Each logarithm is multiplied by its probability. The target's −ln p counts in full."
    ),
    Misconception("entropy", _entropy, "This is the entropy of each row, which does not look at the targets."),
    Misconception(
        "zero-times-infinity",
        _one_hot_times_log,
        "A zero elsewhere in the row gives 0 · ln 0, which is not a number. Pick the target's probability "
        "first, then take the logarithm.",
    ),
    Misconception(
        "both-sides", _both_sides, "You also charge −ln(1 − p) for the wrong words. Only the right word's probability counts."
    ),
    Misconception("softmax-again", _softmax_again, "probs are probabilities already: a second softmax flattens them."),
    Misconception(
        "clipped",
        _clipped_low,
        "Small probabilities are cut off at a floor that is too high: p may be as small as 10⁻⁶, and its price is −ln p in full.",
    ),
    Misconception(
        "large-epsilon",
        _large_epsilon,
        "The number added inside the logarithm is too large: it changes the loss of small probabilities.",
    ),
    Misconception("one-per-row", _per_row, "This is one loss per row. The result is their mean, a single number."),
    Misconception("perplexity", _perplexity, "This is the perplexity, e to the loss. The loss itself is wanted."),
    Misconception("first-row-only", _first_row_only, "Only the first row counts here: take the mean over all rows."),
)


# ---- predict_missing


def _predict(mean, scores=lambda mean, E, U: mean @ U):
    """A wrong prediction: the softmax of ``scores`` of a wrong ``mean`` of the context's rows."""

    def answer(context, E, U):
        E, U = _floats(E, U)
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
    return _sigmoid(np.mean(E[list(context)], axis=0) @ U)


def _most_likely_id(context, E, U):
    return ref.predict_missing(context, E, U).argmax()


PREDICT_MISSING = (
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


# ---- cbow_gradients


def _gradients(**changes):
    """A wrong gradient: the parts of the right one, with some of them changed.

    Each change gets a dict with context (list), target, E, U, m, mean, p, error, share = U @ error / m.
    """

    def answer(context, target, E, U):
        E, U = _floats(E, U)
        s = {"context": list(context), "target": target, "E": E, "U": U, "m": len(context)}
        s["mean"] = changes.get("mean", lambda s: s["E"][s["context"]].mean(axis=0))(s)
        s["p"] = ref.softmax(s["mean"] @ U)
        s["error"] = changes.get("error", lambda s: s["p"] - np.eye(len(s["p"]))[s["target"]])(s)
        s["share"] = changes.get("share", lambda s: s["U"] @ s["error"] / s["m"])(s)
        loss = changes.get("loss", lambda s: -np.log(s["p"][s["target"]]))(s)
        dE = changes.get("dE", _scattered)(s)
        dU = changes.get("dU", lambda s: np.outer(s["mean"], s["error"]))(s)
        return changes.get("result", lambda s, *parts: parts)(s, loss, dE, dU)

    return answer


def _scattered(s):
    dE = np.zeros_like(s["E"])
    np.add.at(dE, s["context"], s["share"])
    return dE


def _counted_once(s):
    dE = np.zeros_like(s["E"])
    dE[s["context"]] += s["share"]
    return dE


def _share_by_different_words(s):
    dE = np.zeros_like(s["E"])
    words = sorted(set(s["context"]))
    dE[words] = s["U"] @ s["error"] / len(words)
    return dE


def _tables_of_the_same_type(context, target, E, U):
    _, dE, dU = ref.cbow_gradients(context, target, E, U)
    p = ref.predict_missing(context, E, U)
    table = np.zeros_like(E)
    table += dE  # raises where E holds whole numbers
    return -np.log(p[target]), table, dU


def _into_target_row(s):
    dE = np.zeros_like(s["E"])
    dE[s["target"]] = s["share"] * s["m"]
    return dE


def _into_all_rows(s):
    return np.tile(s["share"], (len(s["E"]), 1))


def _first_row_only_dE(s):
    dE = np.zeros_like(s["E"])
    dE[s["context"][0]] = s["share"] * s["m"]
    return dE


def _target_column_only(s):
    dU = np.zeros_like(s["U"])
    dU[:, s["target"]] = s["mean"] * s["error"][s["target"]]
    return dU


def _without_target(s):
    error = s["p"].copy()
    error[s["target"]] = 0.0
    return error


def _centre_and_context_swapped(context, target, E, U):
    """Predicts each context word from the target: skip-gram."""
    E, U = _floats(E, U)
    context = list(context)
    p = ref.softmax(E[target] @ U)
    error = p - np.eye(len(p))[context].mean(axis=0)
    dE = np.zeros_like(E)
    dE[target] = U @ error
    return -np.log(p[context]).mean(), dE, np.outer(E[target], error)


CBOW_GRADIENTS = (
    Misconception(
        "no-one-over-m",
        _gradients(share=lambda s: s["U"] @ s["error"]),
        "Each context word gets the whole of U @ error. The mean divides by m, so each gets one m-th of it.",
    ),
    Misconception(
        "repeated-once",
        _gradients(dE=_counted_once),
        "A word that stands twice in the context gets one share. dE[context] += … writes a repeated row "
        "only once: np.add.at(dE, context, …) adds each.",
    ),
    Misconception(
        "m-of-different-words",
        _gradients(dE=_share_by_different_words),
        "The share is divided by the number of different words. m counts every position, repeats too.",
    ),
    Misconception(
        "zeros-like-E",
        _tables_of_the_same_type,
        "np.zeros_like(E) takes over the type of E: where E holds whole numbers, fractions cannot be added. "
        "np.zeros(E.shape) is always of floats.",
    ),
    Misconception(
        "error-reversed",
        _gradients(error=lambda s: np.eye(len(s["p"]))[s["target"]] - s["p"]),
        "The error is one_hot − p, so every gradient has the wrong sign and training would climb. It is p − one_hot(target).",
    ),
    Misconception(
        "probabilities-for-error",
        _gradients(error=lambda s: s["p"]),
        "The gradient of the scores is p with 1 subtracted at the target; here nothing is subtracted.",
    ),
    Misconception(
        "target-error-zero",
        _gradients(error=_without_target),
        "The target's own error is set to 0. It is p[target] − 1, the only negative one: that is what "
        "pulls the right word closer.",
    ),
    Misconception(
        "target-only",
        _gradients(error=lambda s: -np.eye(len(s["p"]))[s["target"]]),
        "Only the target's column gets an error. Every other word was given p too much, and is pushed away by it.",
    ),
    Misconception(
        "target-column-only",
        _gradients(dU=_target_column_only),
        "dU has only the target's column. Softmax ties all words together: every column of U gets mean · error.",
    ),
    Misconception(
        "into-target-row",
        _gradients(dE=_into_target_row),
        "dE puts the gradient into the target's row. It belongs to the rows that were read: those of the context.",
    ),
    Misconception(
        "into-all-rows",
        _gradients(dE=_into_all_rows),
        "Every row of dE gets a share. Words outside the context took no part: their rows are zero.",
    ),
    Misconception(
        "first-context-word",
        _gradients(dE=_first_row_only_dE),
        "Only the first word of the context gets a gradient. Every one of them does.",
    ),
    Misconception(
        "sum-for-mean",
        _gradients(mean=lambda s: s["E"][s["context"]].sum(axis=0), share=lambda s: s["U"] @ s["error"]),
        "The context is summed, not averaged: predict_missing uses the mean, and so must its gradient.",
    ),
    Misconception(
        "dU-from-sum",
        _gradients(dU=lambda s: np.outer(s["mean"] * s["m"], s["error"])),
        "dU uses the sum of the context's rows. It is the mean that meets U: np.outer(mean, error).",
    ),
    Misconception(
        "dU-divided-by-m",
        _gradients(dU=lambda s: np.outer(s["mean"], s["error"]) / s["m"]),
        "dU is divided by m once more. The mean already holds that division.",
    ),
    Misconception(
        "dU-transposed",
        _gradients(dU=lambda s: np.outer(s["error"], s["mean"])),
        "dU has shape (V, d). A gradient has the shape of its matrix: U is (d, V), so np.outer(mean, error).",
    ),
    Misconception(
        "dE-and-dU-exchanged",
        _gradients(result=lambda s, loss, dE, dU: (loss, dU, dE)),
        "The two gradients come in the wrong order: loss, dE, dU.",
    ),
    Misconception(
        "log2-loss",
        _gradients(loss=lambda s: -np.log2(s["p"][s["target"]])),
        "The loss is counted in bits. The course uses the natural logarithm: np.log.",
    ),
    Misconception(
        "loss-no-minus",
        _gradients(loss=lambda s: np.log(s["p"][s["target"]])),
        "The loss is −ln p[target]: the minus is missing.",
    ),
    Misconception(
        "loss-one-minus-p", _gradients(loss=lambda s: 1 - s["p"][s["target"]]), "The loss is −ln p[target], not 1 − p[target]."
    ),
    Misconception(
        "probability-for-loss",
        _gradients(loss=lambda s: s["p"][s["target"]]),
        "The first result is the probability. The loss is −ln of it.",
    ),
    Misconception(
        "updated-tables",
        _gradients(result=lambda s, loss, dE, dU: (loss, s["E"] - dE, s["U"] - dU)),
        "You return E and U after a step. The results are the gradients; the training loop takes the step.",
    ),
    Misconception(
        "skip-gram",
        _centre_and_context_swapped,
        "The context is predicted from the target: that is skip-gram. Here the target is predicted from its context.",
    ),
    Misconception(
        "only-context-rows",
        _gradients(dE=lambda s: np.tile(s["share"], (s["m"], 1))),
        "dE has one row per context word. A gradient has the shape of its matrix: all V rows, zeros where nothing was read.",
    ),
)
