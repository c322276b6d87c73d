"""nearest_neighbours: what learners write instead, and the sentence that helps."""

import numpy as np

from autograde.engine.exercise import Misconception
from course_utils import embedding_space as ref
from course_utils.word_vectors import unit_rows

norm = np.linalg.norm


def ranked(scores, k, exclude):
    """The right way to pick, for mistakes that lie in the scores."""
    order = np.argsort(-np.asarray(scores, dtype=float), kind="stable")
    return order[~np.isin(order, list(exclude))][:k]


def _by_dot_product(query, E, k, exclude=()):
    return ranked(E @ query, k, exclude)


def _by_distance(query, E, k, exclude=()):
    return ranked(-norm(E - query, axis=1), k, exclude)


def _rows_not_divided(query, E, k, exclude=()):
    return ranked(E @ query / np.sqrt(norm(E, axis=1)), k, exclude)


def _by_size_of_cosine(query, E, k, exclude=()):
    return ranked(np.abs(unit_rows(E) @ unit_rows(query)), k, exclude)


def _furthest_first(query, E, k, exclude=()):
    return ranked(-(unit_rows(E) @ unit_rows(query)), k, exclude)


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
    return ranked(E @ query / (norm(E, axis=1) * norm(query)), k, exclude)


def _zero_row_left_out(query, E, k, exclude=()):
    return ref.nearest_neighbours(query, E, k, [*exclude, *np.flatnonzero(~np.any(E, axis=1))])


def _cosines_for_ids(query, E, k, exclude=()):
    return (unit_rows(E) @ unit_rows(query))[ref.nearest_neighbours(query, E, k, exclude)]


def _rows_for_ids(query, E, k, exclude=()):
    return np.asarray(E)[ref.nearest_neighbours(query, E, k, exclude)]


MISTAKES = (
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
