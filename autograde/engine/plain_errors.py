"""The commonest error messages of NumPy and Python, said again for someone who meets them for the first time."""

import re

_SAID = (
    (
        r"name '(\w+)' is not defined",
        "no cell that has run says what {0} is. Run the cell that defines it, or choose Kernel, Restart and Run All; "
        "if no cell does, look for a slip of spelling",
    ),
    (
        r"cannot access local variable '(\w+)'|local variable '(\w+)' referenced before assignment",
        "{0} is set somewhere in the function, but not on the way that was taken here",
    ),
    (
        r"destination is read-only|array is read-only",
        "the call writes into an argument, which belongs to whoever called: work on a copy, X = X.copy()",
    ),
    (r"'NoneType' object", "something that was used here is None: a function without return gives None"),
    (
        r"matmul: .*core dimension .*\(size (\d+) is different from (\d+)\)",
        "in A @ B each row of A needs as many numbers as B has rows; here {1} against {0}",
    ),
    (r"matmul: .* does not have enough dimensions", "@ takes an array on each side, and here one side is a single number"),
    (
        r"operands could not be broadcast together",
        "two shapes go together where, read from the right, their sizes are equal or one of them is 1",
    ),
    (
        r"truth value of an array .* is ambiguous",
        "an array has many numbers and so no single True or False; ask about one number, or add .any() or .all()",
    ),
    (r"Cannot interpret '\d+' as a data type", "the shape needs brackets of its own: np.zeros((rows, columns))"),
    (
        r"Cannot cast ufunc '\w+' output from .* to dtype\('u?int",
        "X /= 2 writes into X itself, which holds whole numbers; X = X / 2 makes a new array",
    ),
    (r"unsupported operand type\(s\) for .*'list'", "a plain list does no arithmetic; np.array(…) of it does"),
    (
        r"list indices must be integers or slices, not (?:list|tuple|numpy.ndarray)",
        "a plain list takes one place between the brackets; np.array(…) of it takes several",
    ),
    (
        r"only integers, slices .* are valid indices|arrays used as indices must be of integer",
        "what stands between the brackets must be whole numbers (int)",
    ),
    (
        r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
        "places along axis {1} are counted from 0 and end before {2}; place {0} was asked for",
    ),
    (r"setting an array element with a sequence", "one place of an array holds one number, and here it was given several"),
    (r"'numpy.ndarray' object is not callable", "round brackets call a function; square brackets pick from an array"),
    (
        r"takes \d+ positional arguments? but \d+ were given",
        "the arguments are part of the task; leave the line with def as it was",
    ),
)


def in_other_words(message: str) -> str:
    """What the message means, or "" where it needs no help.

    >>> in_other_words("'numpy.ndarray' object is not callable")
    'round brackets call a function; square brackets pick from an array'
    """
    for pattern, words in _SAID:
        found = re.search(pattern, message)
        if found:
            return words.format(*found.groups())
    return ""
