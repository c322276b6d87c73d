"""project_to_2d: what is asked."""

import numpy as np

from ...inputs.layouts import each_array, in_layouts, laid_out, single
from ..draws import draw, real


def cloud(rng, n, d, centre):
    """n points about ``centre``, whose spreads along their principal directions stand well apart."""

    def make(rng):
        turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
        return (rng.normal(size=(n, d)) * np.geomspace(4, 0.4, d) @ turn,)

    def distinct(X):
        first, second, third, *_ = (*np.linalg.svd(X - X.mean(axis=0), compute_uv=False), 0.0)
        return first > 1.4 * second > 0.4 and second > 1.4 * third

    (X,) = draw(rng, make, distinct)
    return X - X.mean(axis=0) + centre


def plain(rng):
    """Clouds that are centred already."""
    cross = real([[3, 0, 0], [-3, 0, 0], [0, 1, 1], [0, -1, -1]])
    return [(cross[:, [1, 0, 2]],), (cloud(rng, 9, 4, 0.0),), (cloud(rng, 6, 3, 0.0),), (cloud(rng, 5, 5, 0.0),)]


def off_centre(rng):
    return [
        (real([[5, 9, 1], [7, 9, 1], [6, 10, 1], [6, 8, 9]]),),
        (cloud(rng, 8, 4, 6 * rng.normal(size=4)),),
        (cloud(rng, 6, 6, [9, 0, 0, 0, 0, -7]),),
    ]


def shapes(rng):
    """Three points, two columns, points on a line, more columns than points."""
    equal = real([[0, 0, 1], [4, 0, 1], [4, 0, 1], [1, 2, 1]])
    return [*shapes_by_hand(), (equal,), (cloud(rng, 3, 5, 1.0),), (cloud(rng, 8, 2, -1.0),), (cloud(rng, 5, 11, 0.5),)]


def types(rng):
    return [
        (np.array([[1, 4, 0], [3, -2, 1], [-4, 0, 2], [2, 2, 2]]),),
        (cloud(rng, 7, 4, 1.0).astype(np.float32),),
        (cloud(rng, 10, 3, 0.0),),
        *in_layouts((cloud(rng, 6, 4, 0.5),)),
    ]


def every_kind(rng):
    """Clouds of three points and many, two columns and many, near the centre and far from it, small and large."""
    shapes = [(n, d) for n in (3, 4, 5, 9, 20) for d in (2, 3, 4, 7)]
    cases = [(size * cloud(rng, n, d, centre),) for n, d in shapes for centre in (0.0, 3.0) for size in (0.5, 1.0, 20.0)]
    return [*shapes_by_hand(), *laid_out(cases), *(each_array(case, single) for case in cases)]


def shapes_by_hand():
    return [(real([[0, 0], [4, 0], [1, 2]]),), (real([[2, 0], [2, 0], [-4, 1]]),), (np.array([[1, 4], [3, -2], [-4, 0]]),)]
