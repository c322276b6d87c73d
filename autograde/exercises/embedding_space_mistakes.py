"""Lesson 2, neighbours and directions: what learners write instead, and the sentence that helps.

Those of the training half, from ``softmax`` to the gradients, are in ``embedding_space_training_mistakes``.
"""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import embedding_space as ref
from course_utils.word_vectors import unit_rows

from .embedding_space_cases import by_product

norm = np.linalg.norm


# ---- nearest_neighbours


def _best(scores, k, exclude):
    """The right way to pick, for mistakes that lie in the scores."""
    order = np.argsort(-np.asarray(scores, dtype=float), kind="stable")
    return order[~np.isin(order, list(exclude))][:k]


def _by_dot_product(query, E, k, exclude=()):
    return _best(E @ query, k, exclude)


def _by_distance(query, E, k, exclude=()):
    return _best(-norm(E - query, axis=1), k, exclude)


def _rows_not_divided(query, E, k, exclude=()):
    return _best(E @ query / np.sqrt(norm(E, axis=1)), k, exclude)


def _by_size_of_cosine(query, E, k, exclude=()):
    return _best(np.abs(unit_rows(E) @ unit_rows(query)), k, exclude)


def _furthest_first(query, E, k, exclude=()):
    return _best(-(unit_rows(E) @ unit_rows(query)), k, exclude)


def _best_last(query, E, k, exclude=()):
    return ref.nearest_neighbours(query, E, k, exclude)[::-1]


def _ids_in_order(query, E, k, exclude=()):
    return np.sort(ref.nearest_neighbours(query, E, k, exclude))


def _cut_before_excluding(query, E, k, exclude=()):
    return [i for i in ref.nearest_neighbours(query, E, k) if i not in exclude]


def _nothing_excluded(query, E, k, exclude=()):
    return ref.nearest_neighbours(query, E, k)


def _one_excluded(query, E, k, exclude=()):
    return ref.nearest_neighbours(query, E, k, exclude[:1])


def _first_skipped(query, E, k, exclude=()):
    return ref.nearest_neighbours(query, E, k + 1, exclude)[1:]


def _excluded_set_to_zero(query, E, k, exclude=()):
    cosines = unit_rows(E) @ unit_rows(query)
    cosines[list(exclude)] = 0.0
    return np.argsort(-cosines, kind="stable")[:k]


def _excluded_come_last(query, E, k, exclude=()):
    cosines = unit_rows(E) @ unit_rows(query)
    cosines[list(exclude)] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def _rows_deleted(query, E, k, exclude=()):
    return ref.nearest_neighbours(query, np.delete(E, list(exclude), axis=0), k) if len(exclude) < len(E) else []


def _always_k(query, E, k, exclude=()):
    ids = list(ref.nearest_neighbours(query, E, k, exclude))
    return ids + [-1] * (k - len(ids))


def _stable_then_reversed(query, E, k, exclude=()):
    order = np.argsort(np.sum(unit_rows(E) * unit_rows(query), axis=1), kind="stable")[::-1]
    return order[~np.isin(order, list(exclude))][:k]


def _unstable_sort(query, E, k, exclude=()):
    order = np.argsort(-np.sum(unit_rows(E) * unit_rows(query), axis=1), kind="heapsort")
    return order[~np.isin(order, list(exclude))][:k]


def _zero_row_is_nan(query, E, k, exclude=()):
    return _best(E @ query / (norm(E, axis=1) * norm(query)), k, exclude)


def _zero_row_left_out(query, E, k, exclude=()):
    return ref.nearest_neighbours(query, E, k, [*exclude, *np.flatnonzero(~np.any(E, axis=1))])


def _cosines_for_ids(query, E, k, exclude=()):
    return (unit_rows(E) @ unit_rows(query))[ref.nearest_neighbours(query, E, k, exclude)]


def _rows_for_ids(query, E, k, exclude=()):
    return np.asarray(E)[ref.nearest_neighbours(query, E, k, exclude)]


NEAREST_NEIGHBOURS = (
    Misconception(
        "by-dot-product",
        _by_dot_product,
        "You ranked by dot product, so a long row counts as near. Divide by the lengths of the rows: rank by cosine.",
    ),
    Misconception(
        "by-distance",
        _by_distance,
        "You ranked by distance. A long row in the same direction lies far away and is still the nearest by cosine.",
    ),
    Misconception(
        "root-of-length",
        _rows_not_divided,
        "The rows are divided by the root of their length. A cosine divides by the length itself: "
        "np.linalg.norm has taken the root already.",
    ),
    Misconception(
        "size-of-cosine",
        _by_size_of_cosine,
        "You ranked by the size of the cosine, so a row that points the opposite way counts as near. Keep the sign.",
    ),
    Misconception(
        "furthest-first",
        _furthest_first,
        "These are the furthest rows. np.argsort sorts upwards: sort the negative cosines to have the highest first.",
    ),
    Misconception("best-last", _best_last, "The right ids, but the best comes last: the order must be by falling cosine."),
    Misconception(
        "sorted-by-id",
        _ids_in_order,
        "The right ids, in the order of their numbers. They must come by falling cosine, the best first.",
    ),
    Misconception(
        "cut-before-excluding",
        _cut_before_excluding,
        "You took the k best and then removed the excluded ones, so too few are left. Exclude first, cut to k afterwards.",
    ),
    Misconception(
        "nothing-excluded",
        _nothing_excluded,
        "Excluded ids come back: a word that was left out is still its own nearest neighbour.",
    ),
    Misconception("one-excluded", _one_excluded, "Only the first of the excluded ids was left out; `exclude` may hold several."),
    Misconception(
        "first-skipped",
        _first_skipped,
        "The best row is always skipped, as if it were the query's own. The query may be any vector: "
        "leave out exactly the ids in `exclude`.",
    ),
    Misconception(
        "excluded-set-to-zero",
        _excluded_set_to_zero,
        "Excluded rows get cosine 0, which still beats every row at more than a right angle. They must not come back at all.",
    ),
    Misconception(
        "excluded-come-last",
        _excluded_come_last,
        "Excluded rows go to the end of the ranking, and come back when k is large. Take them out of the ids.",
    ),
    Misconception(
        "rows-deleted",
        _rows_deleted,
        "You deleted the excluded rows, so all later rows moved up and their ids no longer fit E. Keep the original ids.",
    ),
    Misconception(
        "always-k",
        _always_k,
        "Where fewer than k rows are left the result is filled up. Return as many as there are, down to none.",
    ),
    Misconception(
        "ties-reversed",
        _stable_then_reversed,
        "Equal cosines come with the larger id first: sorting upwards and reversing turns the ties round "
        "too. "
        'Sort the negative cosines with kind="stable".',
    ),
    Misconception(
        "ties-in-any-order",
        _unstable_sort,
        'Among equal cosines the smaller id must come first. Only a stable sort keeps their order: kind="stable".',
    ),
    Misconception(
        "zero-row-nan",
        _zero_row_is_nan,
        "A zero vector gives 0/0, which is not a number and sorts last. Its cosine is 0 by the course's rule.",
    ),
    Misconception(
        "zero-row-left-out",
        _zero_row_left_out,
        "Zero rows are left out. They have cosine 0 with everything and take their place between positive and negative ones.",
    ),
    Misconception("cosines-for-ids", _cosines_for_ids, "You return the cosines. The result is the ids of the rows."),
    Misconception("rows-for-ids", _rows_for_ids, "You return the rows themselves. The result is their ids."),
)


# ---- analogy


def _analogy(target, exclude="abc", rows=unit_rows, among=unit_rows):
    """A wrong analogy: ``target(a, b, c)`` of three rows of ``rows(E)``, searched by dot product in ``among(E)``."""

    def answer(a, b, c, E):
        R = np.asarray(rows(E), dtype=float)
        given = {"a": a, "b": b, "c": c}
        scores = np.asarray(among(E), dtype=float) @ target(R[a], R[b], R[c])
        return int(_best(scores, 1, [given[word] for word in exclude])[0])

    return answer


def _offset(a, b, c):
    return b - a + c


def _second_best(a, b, c, E):
    unit = unit_rows(E)
    return int(ref.nearest_neighbours(unit[b] - unit[a] + unit[c], unit, 2)[1])


def _furthest(a, b, c, E):
    unit = unit_rows(E)
    return int(ref.nearest_neighbours(-(unit[b] - unit[a] + unit[c]), unit, 1, (a, b, c))[0])


def _the_vector(a, b, c, E):
    unit = unit_rows(E)
    return unit[b] - unit[a] + unit[c]


def _nearest_by_distance(a, b, c, E):
    E = np.asarray(E, dtype=float)
    return int(_best(-norm(E - (E[b] - E[a] + E[c]), axis=1), 1, (a, b, c))[0])


def _given_set_to_zero(a, b, c, E):
    unit = unit_rows(E)
    scores = unit @ (unit[b] - unit[a] + unit[c])
    scores[[a, b, c]] = 0.0
    return int(scores.argmax())


def _as_a_list(a, b, c, E):
    return [ref.analogy(a, b, c, E)]


def _index_among_the_rest(a, b, c, E):
    left = [i for i in range(len(E)) if i not in (a, b, c)]
    return left.index(ref.analogy(a, b, c, E))


ANALOGY = (
    Misconception(
        "nothing-excluded",
        _analogy(_offset, ""),
        "Nothing is left out, so the answer is nearly always one of the three words you started from. Exclude a, b and c.",
    ),
    Misconception(
        "only-c-excluded", _analogy(_offset, "c"), "Only c is left out; b is often nearest of all. Exclude a, b and c."
    ),
    Misconception("a-not-excluded", _analogy(_offset, "bc"), "b and c are left out and a is not. Exclude all three."),
    Misconception("b-not-excluded", _analogy(_offset, "ac"), "a and c are left out and b is not. Exclude all three."),
    Misconception("c-not-excluded", _analogy(_offset, "ab"), "a and b are left out and c is not. Exclude all three."),
    Misconception("only-b-excluded", _analogy(_offset, "b"), "Only b is left out. Exclude a, b and c."),
    Misconception(
        "given-set-to-zero",
        _given_set_to_zero,
        "The three given words get cosine 0, which still beats every row at more than a right angle. "
        "Give them −∞ or leave them out of the ids.",
    ),
    Misconception(
        "product-of-cosines",
        by_product,
        "This multiplies and divides the cosines, a method called 3CosMul. Here the vectors are added and "
        "subtracted: the nearest row to Ê[b] − Ê[a] + Ê[c].",
    ),
    Misconception(
        "second-best",
        _second_best,
        "You take the second best row, as if only the best could be one of the three words. Exclude a, b "
        "and c, then take the best.",
    ),
    Misconception("a-minus-b", _analogy(lambda a, b, c: a - b + c), "The step goes the wrong way: from a to b is Ê[b] − Ê[a]."),
    Misconception(
        "sum-of-three", _analogy(lambda a, b, c: a + b + c), "All three are added. The step from a to b is Ê[b] − Ê[a]."
    ),
    Misconception("minus-c", _analogy(lambda a, b, c: b - a - c), "The step from a to b must be added to c: + Ê[c]."),
    Misconception(
        "a-plus-c-minus-b",
        _analogy(lambda a, b, c: b + a - c),
        "a and c are exchanged: c is where the step begins, a is subtracted.",
    ),
    Misconception("without-a", _analogy(lambda a, b, c: b + c), "a is missing: the step is Ê[b] − Ê[a]."),
    Misconception("without-c", _analogy(lambda a, b, c: b - a), "c is missing: the step from a to b begins at Ê[c]."),
    Misconception(
        "raw-rows",
        _analogy(_offset, rows=lambda E: E),
        "The step is taken between raw rows, so a long row decides where it points. Bring every row to length 1 first.",
    ),
    Misconception(
        "raw-rows-and-dot-product",
        _analogy(_offset, rows=lambda E: E, among=lambda E: E),
        "Raw rows all through: long rows decide. Bring every row of E to length 1, and use only those.",
    ),
    Misconception(
        "raw-candidates",
        _analogy(_offset, among=lambda E: E),
        "The candidates are raw rows, so a long one wins by its length. Compare by cosine, with rows of length 1.",
    ),
    Misconception(
        "by-distance",
        _nearest_by_distance,
        "You take the smallest distance between raw rows. Bring the rows to length 1 and compare by cosine.",
    ),
    Misconception("furthest", _furthest, "This is the row with the lowest cosine. The highest one is wanted."),
    Misconception("the-vector", _the_vector, "You return the vector b − a + c. The result is the id of the row nearest to it."),
    Misconception("a-list", _as_a_list, "You return the id inside a list. The result is the id itself: ids[0]."),
    Misconception(
        "index-among-the-rest",
        _index_among_the_rest,
        "Your number counts only the rows that are left after excluding. The result is the row's id in E.",
    ),
)


# ---- offset_cosine


def _cosine(u, v):
    return ref.cosine_similarity(u, v)


def _one_reversed(a, b, c, d, E):
    return _cosine(E[b] - E[a], E[c] - E[d])


def _other_sides(a, b, c, d, E):
    return _cosine(E[c] - E[a], E[d] - E[b])


def _diagonals(a, b, c, d, E):
    return _cosine(E[d] - E[a], E[c] - E[b])


def _sums(a, b, c, d, E):
    return _cosine(E[b] + E[a], E[d] + E[c])


def _of_unit_rows(a, b, c, d, E):
    return ref.offset_cosine(a, b, c, d, unit_rows(E))


def _dot_of_offsets(a, b, c, d, E):
    return (E[b] - E[a]) @ (E[d] - E[c])


def _one_length(a, b, c, d, E):
    E = np.asarray(E, dtype=float)
    length = norm(E[b] - E[a])
    return (E[b] - E[a]) @ (E[d] - E[c]) / length if length else 0.0


def _rows_lengths(a, b, c, d, E):
    return (E[b] - E[a]) @ (E[d] - E[c]) / (norm(E[b]) * norm(E[d]))


def _size_only(a, b, c, d, E):
    return abs(ref.offset_cosine(a, b, c, d, E))


def _squared(a, b, c, d, E):
    return ref.offset_cosine(a, b, c, d, E) ** 2


def _angle(a, b, c, d, E):
    return np.arccos(np.clip(ref.offset_cosine(a, b, c, d, E), -1, 1))


def _distance(a, b, c, d, E):
    return 1 - ref.offset_cosine(a, b, c, d, E)


def _between_offsets(a, b, c, d, E):
    return norm((E[b] - E[a]) - (E[d] - E[c]))


def _zero_offset_is_nan(a, b, c, d, E):
    u, v = E[b] - E[a], E[d] - E[c]
    return u @ v / (norm(u) * norm(v))


def _zero_offset_is_one(a, b, c, d, E):
    zero = not np.any(E[b] - E[a]) or not np.any(E[d] - E[c])
    return 1.0 if zero else ref.offset_cosine(a, b, c, d, E)


OFFSET_COSINE = (
    Misconception(
        "one-reversed",
        _one_reversed,
        "One step goes forwards and the other backwards, so parallel steps give −1. Take b − a and d − c.",
    ),
    Misconception(
        "other-sides",
        _other_sides,
        "These are the other two sides of the parallelogram, a to c and b to d. The steps are a to b and c to d.",
    ),
    Misconception("diagonals", _diagonals, "These are the steps a to d and b to c. The steps are a to b and c to d."),
    Misconception("sums", _sums, "You add the two rows. A step from one to the other is their difference."),
    Misconception(
        "unit-rows",
        _of_unit_rows,
        "The rows are brought to length 1 before the difference. Here E is taken as it is: only the cosine divides by lengths.",
    ),
    Misconception(
        "no-lengths", _dot_of_offsets, "This is the dot product of the steps. Divide by the lengths of both to have a cosine."
    ),
    Misconception("one-length", _one_length, "You divided by the length of one step only. A cosine divides by both."),
    Misconception(
        "lengths-of-rows",
        _rows_lengths,
        "You divided by the lengths of the rows. The lengths that count are those of the two differences.",
    ),
    Misconception("size-only", _size_only, "The sign is gone: steps in opposite directions have a cosine of −1."),
    Misconception("squared", _squared, "This is the square of the cosine, which loses its sign."),
    Misconception("angle", _angle, "This is the angle in radians. The result is its cosine."),
    Misconception("distance", _distance, "This is 1 minus the cosine, a distance. The cosine itself is wanted."),
    Misconception(
        "difference-of-steps",
        _between_offsets,
        "This is how far apart the two steps are, and their lengths count in it. Compare their directions by cosine.",
    ),
    Misconception(
        "zero-step-nan", _zero_offset_is_nan, "A zero step gives 0/0. A cosine with a zero vector is 0.0 by the course's rule."
    ),
    Misconception(
        "zero-step-is-one", _zero_offset_is_one, "A zero step has no direction and is parallel to nothing: its cosine is 0.0."
    ),
)


# ---- project_to_2d


def _centred(X):
    return X - np.mean(X, axis=0)


def _directions(C):
    return np.linalg.svd(np.asarray(C, dtype=float), full_matrices=True)[2]


def _not_centred(X):
    return X @ _directions(X)[:2].T


def _centred_for_directions_only(X):
    return X @ _directions(_centred(X))[:2].T


def _one_mean_for_all(X):
    C = X - np.mean(X)
    return C @ _directions(C)[:2].T


def _rows_centred(X):
    C = X - np.mean(X, axis=1, keepdims=True)
    return C @ _directions(C)[:2].T


def _whitened(X):
    return np.linalg.svd(_centred(X), full_matrices=False)[0][:, :2]


def _unit_variance(X):
    plane = ref.project_to_2d(X)
    return plane / plane.std(axis=0)


def _over_root_n(X):
    return ref.project_to_2d(X) / np.sqrt(len(X))


def _standardised(X):
    C = _centred(X) / np.maximum(np.std(X, axis=0), 1e-12)
    return C @ _directions(C)[:2].T


def _smallest_two(X):
    C = _centred(X)
    return C @ np.linalg.eigh(np.cov(C.T))[1][:, :2]


def _second_first(X):
    return ref.project_to_2d(X)[:, ::-1]


def _last_two_of_all(X):
    C = _centred(X)
    return C @ _directions(C)[-2:].T


def _first_two_columns(X):
    return np.array(X, dtype=float)[:, :2]


def _first_two_columns_centred(X):
    return _centred(X)[:, :2]


def _widest_columns(X):
    C = _centred(X)
    return C[:, np.argsort(-C.var(axis=0), kind="stable")[:2]]


def _directions_by_column(X):
    C = _centred(X)
    return C @ _directions(C)[:, :2]


def _directions_for_points(X):
    return _directions(_centred(X))[:2]


def _columns_for_rows(X):
    C = np.asarray(X, dtype=float).T
    C = C - C.mean(axis=0)
    return C @ _directions(C)[:2].T


def _one_component(X):
    return ref.project_to_2d(X)[:, :1]


def _rows_of_length_one(X):
    return ref.project_to_2d(unit_rows(X))


def _sizes(X):
    return np.abs(ref.project_to_2d(X))


PROJECT_TO_2D = (
    Misconception(
        "not-centred",
        _not_centred,
        "The rows are not centred, so the first direction points at their mean instead of along their "
        "spread. Subtract X.mean(axis=0).",
    ),
    Misconception(
        "projected-uncentred",
        _centred_for_directions_only,
        "The directions are right, but the raw rows are projected: project the centred ones.",
    ),
    Misconception(
        "one-mean", _one_mean_for_all, "You subtract one mean of all numbers. Each column has its own: X.mean(axis=0)."
    ),
    Misconception("rows-centred", _rows_centred, "You subtract the mean of each row. The mean of each column is wanted: axis=0."),
    Misconception(
        "whitened",
        _whitened,
        "These are the columns of U alone, all of length 1, so the wide direction looks as narrow as the "
        "other. Multiply by the singular values.",
    ),
    Misconception(
        "unit-variance",
        _unit_variance,
        "Both columns are brought to variance 1. Keep their spread: the picture should show which is larger.",
    ),
    Misconception(
        "over-root-n",
        _over_root_n,
        "The coordinates are divided by √n. The rows themselves are projected, without a further factor.",
    ),
    Misconception(
        "standardised",
        _standardised,
        "The columns of X are divided by their standard deviation first. The rows are only centred.",
    ),
    Misconception(
        "smallest-two",
        _smallest_two,
        "These are the directions of smallest variance: np.linalg.eigh sorts upwards, so take the last two, the last one first.",
    ),
    Misconception("second-first", _second_first, "The two columns are exchanged: the larger variance comes first."),
    Misconception("last-two", _last_two_of_all, "These are the last two directions. np.linalg.svd has the largest first."),
    Misconception(
        "first-columns",
        _first_two_columns,
        "These are the first two columns of X. The directions of largest spread are seldom columns.",
    ),
    Misconception(
        "first-columns-centred",
        _first_two_columns_centred,
        "These are the first two columns, centred. The directions of largest spread are seldom columns.",
    ),
    Misconception(
        "widest-columns",
        _widest_columns,
        "These are the two columns with the largest variance. A direction may run across all columns: use an SVD.",
    ),
    Misconception(
        "directions-by-column",
        _directions_by_column,
        "NumPy's third SVD result has the directions as rows: take Vt[:2].T, not Vt[:, :2].",
    ),
    Misconception(
        "directions-for-points",
        _directions_for_points,
        "You return the two directions. The result is where each row lies along them: centred @ directions.T.",
    ),
    Misconception(
        "columns-for-rows",
        _columns_for_rows,
        "Columns are treated as points. Each row of X is a point: the result has one row per row of X.",
    ),
    Misconception("one-component", _one_component, "Only one coordinate per row: a plane needs two."),
    Misconception(
        "unit-rows", _rows_of_length_one, "The rows are brought to length 1 first. They are taken as they are, only centred."
    ),
    Misconception(
        "signs-lost", _sizes, "All coordinates are positive. The sign of a whole column is free, not that of each number."
    ),
)
