"""How the judge and a sandboxed worker talk: a frame is a JSON header and the raw bytes of arrays.

    frame = length of header, length of body (two unsigned 64-bit, big-endian), header, body

The judge sends anything an exercise may have as arguments (``encode`` and ``decode``). What comes back is
written by a process that a learner controls: the judge's ``host.replies`` checks it.
"""

import json
import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograde.engine.calling import LARGEST, Unsupported, looked_at, with_strides
from autograde.engine.exercise import Rng

LENGTHS = struct.Struct(">QQ")
REQUEST = struct.Struct(">cQ")  # to the fork server: what (M, F or K) and a number
PROGRESS = struct.Struct("=qq")  # the record that both share: the cell and the statement that are running
MOST_HEADER = 1 << 16  # bytes of a worker's header
MOST_BODY = 1 << 23  # bytes of a worker's arrays; no right answer has a quarter of it
MOST_ENTRIES = 1 << 20  # of one array
LONG_HEADER, LONG_BODY = MOST_HEADER >> 2, MOST_BODY >> 5  # a message that has grown so far is sent
LONGEST_TEXT = 300
PLAIN = {np.dtype(name).str for name in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")}


class ProtocolError(Exception):
    """The worker sent something that is not a message of ours."""


@dataclass(frozen=True)
class CourseModules:
    """What cells may import of ``course_utils``; whatever else they ask for is a stub that does nothing.

    shown: the file of each module by its full name. withheld: modules that answer what is graded.
    """

    shown: Mapping[str, str] = field(default_factory=dict)
    withheld: tuple[str, ...] = ()


def frame(header: dict, blobs: Sequence[bytes] = ()) -> bytes:
    head = json.dumps(header).encode()
    return b"".join((LENGTHS.pack(len(head), sum(map(len, blobs))), head, *blobs))


def encode(value: Any, blobs: list[bytes]) -> Any:
    """Arguments or a result as JSON; the bytes of arrays are appended to ``blobs``."""
    if value is None or isinstance(value, (bool, int, float, str)) and not isinstance(value, np.generic):
        return value
    if isinstance(value, Rng):
        return {"rng": value.seed}
    if isinstance(value, Unsupported):
        return {"unsupported": value.what[:LONGEST_TEXT]}
    if isinstance(value, (np.ndarray, np.generic)):
        return _encode_array(np.asarray(value), blobs, isinstance(value, np.generic))
    if isinstance(value, Mapping):
        return {"dict": [[key, encode(item, blobs)] for key, item in value.items()]}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [encode(item, blobs) for item in value]}
    raise TypeError(f"{type(value).__name__} cannot be sent to the sandbox")


def _encode_array(array: np.ndarray, blobs: list[bytes], scalar: bool) -> dict:
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:  # long double has a layout of its own on each machine
        array = array.astype(float)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    blobs.append(array.tobytes())
    node = {"array": array.dtype.str, "shape": list(array.shape), "scalar": scalar}
    if not array.flags.c_contiguous:
        node["strides"] = list(array.strides)
    return node if scalar or array.flags.writeable else node | {"read_only": True}


def decode(node: Any, body: "Body") -> Any:
    """The arguments that ``encode`` wrote. For the worker, which may trust the judge."""
    if not isinstance(node, dict):
        return node
    [(kind, inner), *_] = node.items()
    if kind == "rng":
        return Rng(inner)
    if kind == "array":
        array = body.array(inner, node["shape"])
        return array[()] if node["scalar"] else _laid_out(array, node)
    if kind == "dict":
        return {key: decode(item, body) for key, item in inner}
    return {"list": list, "tuple": tuple}[kind](decode(item, body) for item in inner)


def _laid_out(array: np.ndarray, node: dict) -> np.ndarray:
    """The array with the strides and the writeability that it had on the judge's side."""
    strides = node.get("strides")
    if strides:
        before = -sum((size - 1) * stride for size, stride in zip(array.shape, strides) if stride < 0)
        array = with_strides(array, strides, before)
    else:
        array = array.copy()
    array.flags.writeable = not node.get("read_only")
    return array


class Body:
    """The bytes behind a header, handed out array by array."""

    def __init__(self, data: bytes, most_entries: int = LARGEST):
        self.data, self.used, self.most_entries = data, 0, most_entries

    def array(self, dtype: Any, shape: Any) -> np.ndarray:
        """Raises ProtocolError for what is no array of a plain type, of a size to be looked at, with bytes of its own."""
        if not isinstance(dtype, str) or dtype not in PLAIN:
            raise ProtocolError("an array of no plain type")
        if not isinstance(shape, list) or any(type(size) is not int or size < 0 for size in shape):
            raise ProtocolError("an array of no possible shape")
        if not looked_at(shape, self.most_entries):
            raise ProtocolError("an array too large to look at")
        count = math.prod(shape)
        length = count * np.dtype(dtype).itemsize
        if length > len(self.data) - self.used:
            raise ProtocolError("an array longer than its bytes")
        start, self.used = self.used, self.used + length
        return np.frombuffer(self.data, dtype, count, start if count else 0).reshape(shape)
