"""The same numbers in other memory layouts and number types. What is no array of numbers stays as it is."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import cycle

import numpy as np


def fortran(array):
    return np.asfortranarray(array)


def backwards(array):
    """A view whose strides are all negative."""
    return np.flip(np.flip(array).copy())


def spread_out(array):
    """Every second place of an array twice as wide."""
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
    wide[..., ::2] = array
    return wide[..., ::2]


def read_only(array):
    locked = array.copy()
    locked.flags.writeable = False
    return locked


def single(array):
    return array.astype(np.float32) if array.dtype == float else array


def whole(array):
    """Whole numbers near thrice the numbers, so that few become 0."""
    return np.rint(3 * array).astype(int) if array.dtype == float else array


LAYOUTS = (fortran, backwards, spread_out)


def each_array(value, change: Callable):
    """The value with ``change`` applied to every array in it: in tuples, lists and dicts, too."""
    if isinstance(value, np.ndarray) and value.ndim:
        return change(value)
    if isinstance(value, Mapping):
        return {key: each_array(item, change) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(each_array(item, change) for item in value)
    return value


def in_layouts(args: tuple) -> list[tuple]:
    return [each_array(args, change) for change in LAYOUTS]


def every_form(args: tuple) -> list[tuple]:
    """The same arguments in every type and layout, for a check: few, and each tells something."""
    return [*in_types(args), *in_layouts(args)]


def and_read_only(draw: Callable) -> Callable:
    """The cases of ``draw``, then the first few of them once more in arrays that may not be written into."""

    def both(rng):
        cases = list(draw(rng))
        return [*cases, *(each_array(args, read_only) for args in cases[:3])]

    return both


def in_types(args: tuple) -> list[tuple]:
    """All float32, all whole numbers, and each array but the first (or the first alone) in whole numbers."""
    head, tail = args[:1], args[1:]
    return [each_array(args, single), each_array(args, whole), head + each_array(tail, whole), each_array(head, whole) + tail]


def laid_out(cases: Iterable[tuple]) -> Iterator[tuple]:
    """Each case, then the same in one more layout, by turns."""
    for args, layout in zip(cases, cycle((*LAYOUTS, read_only))):
        yield args
        yield each_array(args, layout)


def varied(cases: Iterable[tuple]) -> Iterator[tuple]:
    """Each case, in one more layout, and in one more type, by turns. For numbers that float32 and rounding may change."""
    layouts = (*LAYOUTS, read_only)
    for number, args in enumerate(cases):
        yield args
        yield each_array(args, layouts[number % 4])
        yield in_types(args)[number // 4 % 4]
