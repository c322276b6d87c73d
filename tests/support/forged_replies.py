"""Replies that a worker might forge, made from what a right answer would have sent; and an answer that sends them."""

import math

import numpy as np

from autograde.engine.calling import Answer, Failure, LocalAnswer, Outcome, fresh, plain
from autograde.sandbox.host.replies import lengths, parse, results
from autograde.sandbox.wire import LENGTHS, PLAIN, ProtocolError, encode, frame

SPECIAL = [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e308, 5e-324, 2.0**63, 0.5]
IMPOSSIBLE_SIZES = [1 << 40, -1, True, 1.0, "3", None, 10**400]
ODD = [
    None,
    True,
    0,
    10**400,
    1.5,
    "text",
    "\x1b[31m\n\0\ud800",
    [],
    {},
    [[]],
    {"array": "|O", "shape": [1]},
    {"rng": 3},
    "x" * 4000,
]


class Forger(Answer):
    """An answer whose every reply is forged by ``rng``, as the judge would hear it from a worker."""

    def __init__(self, reference, rng: np.random.Generator):
        self.reference, self.rng = LocalAnswer(reference), rng
        self.sent = self.refused = 0
        self.faithful = rng.random()  # so that some come far: most replies right, one forged

    def call(self, args: tuple) -> Outcome:
        return self.calls([args])[0]

    def calls(self, cases):
        self.sent += 1
        blobs: list[bytes] = []
        message = frame(self.message(cases, blobs), blobs)
        try:
            header, _ = lengths(message[: LENGTHS.size])
            end = LENGTHS.size + header
            return results(parse(message[LENGTHS.size : end]), message[end:], cases)
        except ProtocolError as error:
            self.refused += 1
            return [Outcome(failure=Failure("limit", "message", str(error)))]

    def message(self, cases, blobs):
        outcomes = [self.outcome(args, blobs) for args in cases]
        if self.impossible():
            outcomes = self.pick([outcomes * 2, outcomes[:0], outcomes[:1], None, *ODD])
        if self.impossible():
            blobs.append(bytes(self.rng.integers(0, 256, 9, dtype=np.uint8)))
        return {"id": 1, "outcomes": outcomes}

    def outcome(self, args, blobs):
        if self.rng.random() < self.faithful:
            right = self.reference.call(args)
            failure = right.failure and [right.failure.kind, right.failure.type, right.failure.message, right.failure.line]
            return {"value": encode(right.value, blobs), "failure": failure, "changed": list(right.changed)}
        failure = self.failure() if self.rng.random() < 0.1 else None
        value = None if failure else self.value(self.reference.function, args, blobs)
        changed = self.pick([[], [], [0], list(range(len(args)))])
        if self.impossible():
            changed = self.pick([[len(args)], [-1], [10**400], *ODD])
        node = {"value": value, "failure": failure, "changed": changed}
        return self.pick(ODD) if self.impossible() else node

    def failure(self):
        kind = self.pick(["raised"] * 8 + ["limit", "interrupted"])
        names = ["ValueError", "NotImplementedError", "MemoryError", "", "x" * 400]
        node = [kind, self.pick(names), self.pick(["operands could not be broadcast", ""]), "line 1"]
        return self.pick([["crashed", "", "", ""], *ODD]) if self.impossible() else node

    def value(self, reference, args, blobs):
        try:
            right = plain(reference(*fresh(args)))
        except Exception:
            right = np.zeros(2)
        parts = list(right) if isinstance(right, tuple) else [right]
        nodes = [self.array(np.asarray(part), blobs) for part in parts]
        change = self.rng.random()
        if change < 0.1:
            nodes = self.pick([nodes[:-1], nodes * 2, nodes * 33, [None, *nodes], [{"unsupported": "a dict"}, *nodes]])
        if self.impossible():
            return self.pick([{"tuple": [{"tuple": nodes}]}, *ODD])
        return {"tuple": nodes} if len(nodes) != 1 or change > 0.9 else nodes[0]

    def array(self, array, blobs):
        """The right array with other values, another shape or another type; sometimes with a lie about them."""
        shape, dtype = self.shape(array.shape), self.pick([array.dtype.str] * 3 + sorted(PLAIN))
        count = math.prod(shape) if all(type(size) is int and size >= 0 for size in shape) else 1 << 30
        if count > 4_000 or self.impossible():
            lie = self.pick(sorted(PLAIN) + [">f8", "O", None, "c16"])
            return {"array": lie, "shape": shape, "scalar": False}
        values = (
            self.rng.choice(SPECIAL, count)
            if self.rng.random() < 0.3
            else np.resize(array, count)
            if array.size
            else np.zeros(count)
        )
        with np.errstate(all="ignore"):
            blobs.append(np.asarray(values).astype(dtype).tobytes())
        return {"array": np.dtype(dtype).str, "shape": shape, "scalar": False}

    def shape(self, shape):
        shape, kind = list(shape), self.rng.integers(0, 9)
        if kind == 0:
            shape.insert(self.rng.integers(0, len(shape) + 1), self.size())
        elif kind == 1 and shape:
            shape[self.rng.integers(0, len(shape))] = self.size()
        elif kind == 2:
            shape = shape[::-1]
        elif kind == 3:
            shape = shape[1:]
        elif kind == 4:
            shape = self.pick([[], [0], [0, 0], [1] * 15, [1 << 20, 0], [0, 1 << 19]])
        if self.impossible():
            shape = self.pick([[1] * 17, [1] * 40, [1] * 70, [4_000_000, 0], [0, *[1 << 20] * 3]])
        return shape

    def size(self):
        return self.pick(IMPOSSIBLE_SIZES) if self.impossible() else self.pick([0, 1, 2, 3, 5, 64, 65])

    def impossible(self):
        """Seldom, since the judge gives up an answer after two replies that it refuses."""
        return self.rng.random() < 0.003

    def pick(self, choices):
        return choices[self.rng.integers(0, len(choices))]
