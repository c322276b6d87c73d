"""The cosine of two vectors in plain Python, for right answers that loop."""

import math


def cosine(u, v):
    length = math.sqrt(sum(float(a) ** 2 for a in u)) * math.sqrt(sum(float(b) ** 2 for b in v))
    return sum(float(a) * float(b) for a, b in zip(u, v)) / length if length else 0.0
