"""Random faults in a file's bytes."""


def mutate(data, rng):
    """A few random faults: bytes flipped, removed, doubled, moved, or tokens that JSON cares about put in."""
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at, size = rng.randrange(len(data) + 1), rng.choice((1, 1, 2, 8, 64, 500))
        kind = rng.randrange(6)
        if kind == 0:
            data[at : at + 1] = bytes([rng.randrange(256)])
        elif kind == 1:
            del data[at : at + size]
        elif kind == 2:
            data[at:at] = data[at : at + size]
        elif kind == 3:
            data[at:at] = rng.choice(
                (
                    b'"',
                    b"\\",
                    b"[",
                    b"{",
                    b"]",
                    b"}",
                    b"null",
                    b"\0",
                    b"\\ud800",
                    b"1e9999",
                    b"NaN",
                    b"<<<<<<< HEAD\n",
                    b"\xff\xfe",
                    b'"cells": ',
                    b'"source": ',
                    b'"outputs": [',
                )
            )
        elif kind == 4:
            start = rng.randrange(len(data) + 1)
            data[at:at] = data[start : start + size]
        else:
            del data[at:]
    return bytes(data)
