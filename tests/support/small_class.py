"""A lesson of three exercises, and a class that hands it in: right, wrong, partly right and odd."""

import math

import numpy as np

from autograde import judge
from autograde.engine.exercise import PUBLIC_SEED
from autograde.exercises import find

NAMES = ("cosine_similarity", "embed", "answer_longer")
SCRIPT = """\
# %%
import sys
import warnings

import numpy as np

from autograde import check

# %% answer: cosine_similarity
def cosine_similarity(u, v):
    ### BEGIN SOLUTION
    length = np.linalg.norm(u) * np.linalg.norm(v)
    return u @ v / length if length else 0.0
    ### END SOLUTION


# %% check: cosine_similarity
check("cosine_similarity", cosine_similarity)

# %% answer: embed
def embed(ids, E):
    ### BEGIN SOLUTION
    return E[ids]
    ### END SOLUTION


# %% check: embed
check("embed", embed)

# %% answer: answer_longer
answer_longer = None
### BEGIN SOLUTION
answer_longer = "b"
### END SOLUTION

# %% check: answer_longer
check("answer_longer", answer_longer)

# %% [markdown] own words: why_cosine 2
# Why the cosine?
#
# ### BEGIN MARK SCHEME
# Length is not meaning.
# ### END MARK SCHEME
"""

COSINE = """def cosine_similarity(u, v):
    length = np.linalg.norm(u) * np.linalg.norm(v)
    return u @ v / length if length else 0.0
"""
EMBED = "def embed(ids, E):\n    return E[ids]\n"
RIGHT = 'answer_longer = "b"'


def memorised() -> str:
    """An answer that is right on the inputs of the visible run and on no other."""
    seen = []
    judge("embed", lambda ids, E: seen.append(np.asarray(E).tobytes()) or E[ids], seed=PUBLIC_SEED)
    return f"SEEN = {set(seen)!r}\ndef embed(ids, E):\n    return E[ids] if E.tobytes() in SEEN else E[:1]\n"


# student: the three answers (None: left as released), and their points out of 6, 5 and 1; None: the drawn cases decide
CLASS = {
    "blank": (None, None, None, (0, 0, 0)),
    "perfect": (COSINE, EMBED, RIGHT, (6, 5, 1)),
    "dot_product": ("def cosine_similarity(u, v):\n    return u @ v\n", EMBED, 'answer_longer = "a"', (0, 5, 0)),
    # 0 / 0 for a zero vector, with NumPy's warning: the zero vector's point is lost and no other
    "no_zero_case": (
        "def cosine_similarity(u, v):\n    return u @ v / (np.linalg.norm(u) * np.linalg.norm(v))\n",
        "def embed(ids, E):\n    return np.eye(len(E))[ids] @ E\n",  # another right way
        RIGHT,
        (5, 5, 1),
    ),
    "sign_lost": (COSINE.replace("u @ v /", "abs(u @ v) /"), None, "answer_longer = None", (None, 0, 0)),
    "no_lists": (None, "def embed(ids, E):\n    return E[ids.tolist()]\n", RIGHT, (0, 4, 1)),
    "warns": (
        COSINE.replace(":\n", ":\n    print('called'); warnings.warn('careful'); print('!', file=sys.stderr)\n"),
        EMBED,
        RIGHT,
        (6, 5, 1),
    ),
    "float32": (
        "def cosine_similarity(u, v):\n    u, v = np.float32(u), np.float32(v)\n"
        "    length = np.linalg.norm(u) * np.linalg.norm(v)\n    return u @ v / length if length else np.float32(0)\n",
        "def embed(ids, E):\n    return np.float32(E)[ids]\n",
        RIGHT,
        (6, 5, 1),
    ),
    "raises": (COSINE.replace("return", "return undefined #"), "raise SystemError", "answer_longer = [", (0, 0, 0)),
    "memorised": (None, memorised(), None, (0, 0, 0)),
}


def points(student: str, seed: int) -> tuple[float, ...]:
    """The student's points for the three answers under a seed."""
    cosine, *_, given = CLASS[student]
    return tuple(_cosine_points(cosine, seed) if each is None else each for each in given)


def _cosine_points(source: str, seed: int) -> float:
    """Of the checks whose every drawn case the function gets right, by a cosine in plain loops."""
    space: dict = {"np": np}
    exec(source, space)
    return sum(
        check.points
        for check in find("cosine_similarity").checks
        if all(
            math.isclose(space["cosine_similarity"](u, v), _cosine(u, v), rel_tol=1e-4, abs_tol=1e-6)
            for u, v in check.cases(np.random.default_rng(seed))
        )
    )


def _cosine(u, v) -> float:
    u, v = [float(x) for x in u], [float(x) for x in v]
    length = math.sqrt(sum(x * x for x in u) * sum(x * x for x in v))
    return sum(a * b for a, b in zip(u, v)) / length if length else 0.0
