"""cbow_gradients: what learners write instead, and the sentence that helps."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import embedding_space as ref


def _gradients(**changes):
    """A wrong gradient: the parts of the right one, with some of them changed.

    Each change gets a dict with context (list), target, E, U, m, mean, p, error, share = U @ error / m.
    """

    def answer(context, target, E, U):
        E, U = np.asarray(E, dtype=float), np.asarray(U, dtype=float)
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
    E, U = np.asarray(E, dtype=float), np.asarray(U, dtype=float)
    context = list(context)
    p = ref.softmax(E[target] @ U)
    error = p - np.eye(len(p))[context].mean(axis=0)
    dE = np.zeros_like(E)
    dE[target] = U @ error
    return -np.log(p[context]).mean(), dE, np.outer(E[target], error)


MISTAKES = (
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
