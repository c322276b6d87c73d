"""What safety costs: CPU time of a submission in the sandbox and in a bare fork that does the same unprotected.

Both fork from a parent that has NumPy, matplotlib and IPython imported, run the same cells and make the same calls:
those that the judge makes of right answers to five exercises of lesson 1, in as many messages. Prints milliseconds of
CPU time per submission, all processes counted, and the ratio. The two take turns, and the best turn of each counts,
since other work on the machine can only add.
"""

import contextlib
import gc
import os
import pickle
import resource
import subprocess
import sys
import time
from pathlib import Path

TURNS, SUBMISSIONS = 4, 40
CELLS = [
    "import numpy as np\nimport matplotlib.pyplot as plt\nfrom autograde import check, hint, yours",
    "def one_hot(ids, vocab_size):\n    rows = np.zeros((len(ids), vocab_size))\n"
    "    rows[np.arange(len(ids)), ids] = 1.0\n    return rows",
    "check('one_hot', one_hot)",
    "def embed(ids, E):\n    return np.asarray(E)[np.asarray(ids)]",
    "check('embed', embed)",
    "def dot_products(X, y):\n    return X @ y",
    "check('dot_products', dot_products)",
    "def cosine_similarity(u, v):\n    lengths = np.linalg.norm(u) * np.linalg.norm(v)\n"
    "    return float(u @ v / lengths) if lengths else 0.0",
    "check('cosine_similarity', cosine_similarity)",
    "def cosine_matrix(X, Y):\n    return np.array([[cosine_similarity(x, y) for y in Y] for x in X])",
    "check('cosine_matrix', cosine_matrix)",
    *(f"X_{i} = np.arange(12.0).reshape(3, 4) + {i}\nprint(X_{i} @ X_{i}.T)" for i in range(20)),
]
NAMES = ("one_hot", "embed", "dot_products", "cosine_similarity", "cosine_matrix")
BARE = "--bare"


def questions() -> list[tuple[str, list[tuple]]]:
    """What the judge asks: the name of an answer, and the arguments of the calls of one message."""
    from autograde import judge
    from autograde.engine.calling import LocalAnswer
    from course_utils import word_vectors

    asked = []

    class Heard(LocalAnswer):
        def calls(self, cases):
            asked.append((self.function.__name__, cases))
            return super().calls(cases)

    for name in NAMES:
        assert judge(name, Heard(getattr(word_vectors, name))).passed
    return asked


def bare(asked) -> float:
    """Seconds of CPU time for all submissions, each in a plain fork."""
    import IPython.core.inputtransformer2  # noqa: F401
    import matplotlib.pyplot  # noqa: F401

    stub = type(sys)("autograde")
    stub.check, stub.hint, stub.yours = (lambda *_: 0.0), print, print
    sys.modules["autograde"] = stub
    gc.collect()
    gc.freeze()
    before = _used()
    for _ in range(SUBMISSIONS):
        process = os.fork()
        if process == 0:
            _run(asked)
        os.waitpid(process, 0)
    return _used() - before


def _bare_elsewhere(asked) -> float:
    """In a process that has no more imported than the sandbox's: what is there makes a fork dearer."""
    run = subprocess.run([sys.executable, __file__, BARE], input=pickle.dumps(asked), capture_output=True, check=True)
    return float(run.stdout)


def _run(asked) -> None:
    sys.stdout = open(os.devnull, "w")
    names = {}
    for cell in CELLS:
        exec(compile(cell, "<cell>", "exec"), names)
    for name, cases in asked:
        for arguments in cases:
            with contextlib.suppress(Exception):  # some inputs must be refused
                names[name](*arguments)
    os._exit(0)


def _used() -> float:
    return sum(
        usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def sandboxed(asked) -> float:
    from autograde.sandbox.host.sandbox import Sandbox

    with Sandbox() as sandbox:
        before = _used() + _family(sandbox.client.process.pid)
        for _ in range(SUBMISSIONS):
            with sandbox.open(CELLS, NAMES) as submission:
                answers = {name: submission.answer(name) for name in NAMES}
                for name, cases in asked:
                    assert len(answers[name].calls(cases)) == len(cases)
        return _used() + _family(sandbox.client.process.pid) - before


def _family(process: int) -> float:
    """CPU time of a process and of the children it has reaped."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    if BARE in sys.argv:
        print(bare(pickle.load(sys.stdin.buffer)))
        return
    began, asked = time.perf_counter(), questions()
    turns = [(_bare_elsewhere(asked), sandboxed(asked)) for _ in range(TURNS)]
    plain, safe = (min(turn) / SUBMISSIONS for turn in zip(*turns))
    calls = sum(len(cases) for _, cases in asked)
    print(
        f"{len(CELLS)} cells, {calls} calls in {len(asked)} messages; {TURNS} turns of {SUBMISSIONS} submissions, "
        f"{time.perf_counter() - began:.0f} s in all"
    )
    print(f"bare fork  {1000 * plain:6.2f} ms of CPU time a submission")
    print(f"sandboxed  {1000 * safe:6.2f} ms of CPU time a submission, {safe / plain:.2f} times as much")


if __name__ == "__main__":
    main()
