"""How the judge and a sandboxed worker talk: a frame is a JSON header and the raw bytes of arrays.

    frame = length of header, length of body (two unsigned 64-bit, big-endian), header, body

The judge sends anything an exercise may have as arguments (``encode`` and ``decode``). What comes back is
written by a process that a learner controls, so ``parse`` and ``result`` believe nothing: sizes are bounded before
memory is taken, dtypes are a short list of plain ones, every type is checked, nothing is unpickled or evaluated.
"""

import json
import struct
from collections.abc import Mapping

import numpy as np

from autograde.engine.calling import Failure, Outcome, Unsupported
from autograde.engine.exercise import Rng

LENGTHS = struct.Struct(">QQ")
REQUEST = struct.Struct(">cQ")  # to the nursery: what (L, F or K) and a number
BOARD = struct.Struct("=qq")  # memory that both share: the cell and the statement that are running
MOST_HEADER = 1 << 16  # bytes of a worker's header
MOST_BODY = 1 << 24  # bytes of a worker's arrays; no right answer has a tenth of it
LONG_HEADER, LONG_BODY = MOST_HEADER >> 2, MOST_BODY >> 6  # a message that has grown so far is sent
LONGEST_TEXT = 300
PLAIN = {np.dtype(name).str for name in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")}


class ProtocolError(Exception):
    """The worker sent something that is not a message of ours."""


def frame(header: dict, blobs: list[bytes] = ()) -> bytes:
    head = json.dumps(header).encode()
    return b"".join((LENGTHS.pack(len(head), sum(map(len, blobs))), head, *blobs))


def encode(value, blobs: list[bytes]):
    """Arguments or a result as JSON; the bytes of arrays are appended to ``blobs``."""
    if value is None or isinstance(value, (bool, int, float, str)) and not isinstance(value, np.generic):
        return value
    if isinstance(value, Rng):
        return {"rng": value.seed}
    if isinstance(value, Unsupported):
        return {"strange": value.what[:LONGEST_TEXT]}
    if isinstance(value, (np.ndarray, np.generic)):
        return _encode_array(np.asarray(value), blobs, isinstance(value, np.generic))
    if isinstance(value, Mapping):
        return {"dict": [[key, encode(item, blobs)] for key, item in value.items()]}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [encode(item, blobs) for item in value]}
    raise TypeError(f"{type(value).__name__} cannot be sent to the sandbox")


def _encode_array(array, blobs: list[bytes], scalar: bool) -> dict:
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:  # long double has a layout of its own on each machine
        array = array.astype(float)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    blobs.append(array.tobytes())
    return {"array": array.dtype.str, "shape": list(array.shape), "scalar": scalar}


def decode(node, body: "Body"):
    """The arguments that ``encode`` wrote. For the worker, which may trust the judge."""
    if not isinstance(node, dict):
        return node
    [(kind, inner), *_] = node.items()
    if kind == "rng":
        return Rng(inner)
    if kind == "array":
        array = body.array(inner, node["shape"])
        return array[()] if node["scalar"] else array
    if kind == "dict":
        return {key: decode(item, body) for key, item in inner}
    return {"list": list, "tuple": tuple}[kind](decode(item, body) for item in inner)


class Body:
    """The bytes behind a header, handed out array by array."""

    def __init__(self, data: bytes):
        self.data, self.used = data, 0

    def array(self, dtype: str, shape: list[int]) -> np.ndarray:
        if dtype not in PLAIN or not isinstance(shape, list) or len(shape) > 32:
            raise ProtocolError("an array of no plain type")
        if any(type(size) is not int or not 0 <= size <= MOST_BODY for size in shape):
            raise ProtocolError("an array of no possible shape")
        count = 1
        for size in shape:
            count *= size
        length = count * np.dtype(dtype).itemsize
        if length > len(self.data) - self.used:
            raise ProtocolError("an array longer than its bytes")
        start, self.used = self.used, self.used + length
        return np.frombuffer(self.data, dtype, count, start if count else 0).reshape(shape)


def lengths(head: bytes) -> tuple[int, int]:
    """Lengths of a worker's header and body, refused where they are too large."""
    header, body = LENGTHS.unpack(head)
    if header > MOST_HEADER or body > MOST_BODY:
        raise ProtocolError("a message that is too long")
    return header, body


def parse(header: bytes) -> dict:
    try:
        message = json.loads(header)
    except (ValueError, RecursionError, MemoryError):
        raise ProtocolError("a header that is no JSON") from None
    if not isinstance(message, dict):
        raise ProtocolError("a header that is no object")
    return message


def results(message: dict, body: bytes, most: int) -> list[Outcome]:
    """The outcomes of calls as the worker tells them: one at least, and ``most`` at most."""
    nodes, inside = message.get("outcomes"), Body(body)
    if not isinstance(nodes, list) or not 0 < len(nodes) <= most:
        raise ProtocolError("outcomes of other calls than those asked for")
    outcomes = [_outcome(node, inside) for node in nodes]
    if inside.used != len(body):
        raise ProtocolError("bytes that belong to no array")
    return outcomes


def _outcome(node, body: Body) -> Outcome:
    if not isinstance(node, dict):
        raise ProtocolError("an outcome that is none")
    changed = node.get("changed")
    if not isinstance(changed, list) or len(changed) > 100 or any(type(item) is not int for item in changed):
        raise ProtocolError("positions that are no numbers")
    return Outcome(_value(node.get("value"), body), failure(node.get("failure")), tuple(changed))


def _value(node, body: Body, depth: int = 0):
    if node is None:
        return None
    if not isinstance(node, dict) or depth > 8:
        raise ProtocolError("a value of no known kind")
    if "array" in node:
        return body.array(node["array"] if isinstance(node["array"], str) else "", node.get("shape")).copy()
    if isinstance(node.get("tuple"), list):
        return tuple(_value(part, body, depth + 1) for part in node["tuple"])
    return Unsupported(text(node.get("strange")))


def failure(node) -> Failure | None:
    """kind, type, message and line as the worker tells them."""
    if node is None:
        return None
    if not isinstance(node, list) or len(node) != 4 or node[0] not in ("raised", "limit", "interrupted"):
        raise ProtocolError("a failure of no known kind")
    return Failure(*map(text, node))


def text(node) -> str:
    """A worker's text without what could act on a terminal or a page's layout, and not long."""
    if not isinstance(node, str):
        raise ProtocolError("a text that is none")
    return "".join(letter if letter.isprintable() else " " for letter in node[:LONGEST_TEXT])


def plain_value(node):
    """A variable's value for a quiz: None, a bool, a number or a short text."""
    if node is None or isinstance(node, (bool, float)) or isinstance(node, int) and abs(node) < 1 << 63:
        return node
    return text(node)
