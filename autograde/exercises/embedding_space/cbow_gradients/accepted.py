"""cbow_gradients: right answers written differently. Each must get full marks."""

import math

import numpy as np

from ..predict_missing import plain_softmax
from ..softmax import log_sum_softmax


def _loop(context, target, E, U):
    V, d = E.shape
    mean = [sum(E[w][j] for w in context) / len(context) for j in range(d)]
    p = plain_softmax(np.array([sum(mean[j] * U[j][v] for j in range(d)) for v in range(V)]))
    error = [p[v] - (v == target) for v in range(V)]
    dE = [[0.0] * d for _ in range(V)]
    for w in context:
        for j in range(d):
            dE[w][j] += sum(U[j][v] * error[v] for v in range(V)) / len(context)
    return [-math.log(p[target]), dE, [[mean[j] * error[v] for v in range(V)] for j in range(d)]]


def _counts(context, target, E, U):
    counts = np.bincount(np.asarray(context), minlength=len(E)) / len(context)
    mean = counts @ E
    p = log_sum_softmax(mean @ U)
    error = p - (np.arange(len(p)) == target)
    return -np.log(p[target]), counts[:, None] * (U @ error), mean[:, None] * error


def _one_hot(context, target, E, U):
    picks = np.eye(len(E))[np.asarray(context)]
    mean = picks.mean(axis=0) @ E
    p = log_sum_softmax(mean @ U)
    error = (p - np.eye(len(p))[target])[None]
    shares = np.repeat(error @ U.T, len(context), axis=0) / len(context)
    return np.float64(-np.log(p[target])), picks.T @ shares, mean[None].T @ error


def _numerical(context, target, E, U):
    """Central differences: slow, and right to many digits."""
    E, U, h = np.array(E, dtype=float), np.array(U, dtype=float), 1e-5

    def loss():
        return -np.log(log_sum_softmax(E[list(context)].mean(axis=0) @ U)[target])

    gradients = []
    for table in (E, U):
        slope = np.zeros_like(table)
        for at in np.ndindex(table.shape):
            kept = table[at]
            table[at] = kept + h
            above = loss()
            table[at] = kept - h
            slope[at] = (above - loss()) / (2 * h)
            table[at] = kept
        gradients.append(slope)
    return (loss(), *gradients)


def _single(context, target, E, U):
    loss, dE, dU = _counts(context, target, E.astype(np.float32), U.astype(np.float32))
    return [float(loss), dE.astype(np.float32), dU.astype(np.float32)]


ACCEPTED = (_loop, _counts, _one_hot, _numerical, _single)
