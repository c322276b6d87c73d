"""project_to_2d: right answers written differently. Each must get full marks."""

import numpy as np

norm = np.linalg.norm


def _eigenvectors(X):
    C = X - X.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(C, rowvar=False))
    return C @ vectors[:, np.argsort(values)[::-1][:2]]


def _scaled_left(X):
    C = X - X.mean(axis=0, keepdims=True)
    U, S, _ = np.linalg.svd(C, full_matrices=False)
    return (U * S)[:, :2]


def _by_dot_products(X):
    """From the n x n matrix of dot products: classical scaling."""
    n = len(X)
    J = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(J @ X @ X.T @ J)
    return vectors[:, :-3:-1] * np.sqrt(values[:-3:-1])


def _power(X):
    C = np.asarray(X, dtype=float) - np.mean(X, axis=0)
    S = C.T @ C
    found: list[np.ndarray] = []
    for _ in range(2):
        v = np.arange(1.0, len(S) + 1) ** 0.5
        for _ in range(3000):
            v = S @ v
            for other in found:
                v = v - (v @ other) * other
            v /= norm(v) or 1
        found.append(-v)
        S = S - (v @ S @ v) * np.outer(v, v)
    return C @ np.array(found).T


def _single(X):
    C = X.astype(np.float32) - X.astype(np.float32).mean(axis=0)
    return (C @ np.linalg.svd(C)[2][:2].T).tolist()


ACCEPTED = (_eigenvectors, _scaled_left, _by_dot_products, _power, _single)
