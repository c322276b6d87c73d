"""Makes a class: submissions with right, wrong, mangled and blank answers to one lesson, the same for a seed.

    python tests/make_class.py FOLDER [--lesson word_vectors] [--students 10000] [--seed 1]

The learner's notebook is made by the course's own builder; right answers are the ``accepted`` ones of the
exercises, wrong ones their misconceptions, both as source text, so that nothing but NumPy is needed to run them.
"""

import argparse
import builtins
import copy
import functools
import inspect
import json
import random
import re
import textwrap
from pathlib import Path

from paths import ROOT

from autograde.engine.exercise import Quiz
from autograde.exercises import folder, in_lesson
from autograde.exercises.cosine import cosine
from autograde.release.learner_copy import learner_copy
from autograde.release.script import to_notebook

KINDS = {"right": 50, "mixed": 30, "blank": 8, "mangled": 10, "nothing": 2}  # in a hundred
IMPORTS = "import math\n\nimport numpy as np\n\nfrom autograde import check\n"


def script(lesson: str) -> str:
    """A percent script with an answer and a check for every exercise of the lesson, and little else."""
    parts = ["# %% [markdown]\n# # A lesson\n", f"# %%\n{IMPORTS}"]
    for record in in_lesson(lesson):
        parts.append(f"# %% answer: {record.name}\n{_solved(record)}")
        parts.append(f'# %% check: {record.name}\ncheck("{record.name}", {record.name})\n')
    parts.append("# %% [markdown] own words: why_so 2\n# Why?\n#\n# ### BEGIN MARK SCHEME\n# Because.\n# ### END MARK SCHEME\n")
    return "\n".join(parts)


def _solved(record) -> str:
    if isinstance(record, Quiz):
        return f'{record.name} = None\n### BEGIN SOLUTION\n{record.name} = "{record.right}"\n### END SOLUTION\n'
    parameters = inspect.signature(record.reference)
    head = f"def {record.name}({', '.join(parameters.parameters)}):"
    return f"{head}\n    ### BEGIN SOLUTION\n    raise NotImplementedError\n    ### END SOLUTION\n"


@functools.cache
def learner(lesson: str):
    """What a learner of this lesson is given: a notebook node."""
    return learner_copy(to_notebook(script(lesson), lesson), ROOT)


@functools.cache
def handed_out(lesson: str):
    """The real thing: the lesson's notebook with all its prose and demonstrations."""
    return json.loads((ROOT / "notebooks" / folder(lesson) / f"{lesson}.ipynb").read_text(encoding="utf-8"))


def filled(lesson: str, answers: dict[str, str], template=learner) -> dict:
    """The learner's notebook with the sources of some answers written in."""
    document = json.loads(json.dumps(template(lesson)))
    for cell in document["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id", "").removesuffix("-answer")
        if name in answers and cell["metadata"]["nbgrader"]["solution"]:
            cell["source"] = answers[name]
    return document


def right(record) -> list[str]:
    """Sources of right answers."""
    if isinstance(record, Quiz):
        return [f'{record.name} = "{record.right}"']
    return _sources(record.name, record.accepted)


def wrong(record) -> list[str]:
    if isinstance(record, Quiz):
        return [f'{record.name} = "{letter}"' for letter in record.options if letter != record.right]
    return _sources(record.name, [misconception.function for misconception in record.misconceptions])


def _sources(name: str, functions) -> list[str]:
    return [text for function in functions if (text := source_as(name, function)) is not None]


def source_as(name: str, function) -> str | None:
    """The function's source under another name, with the helpers of its lesson; None where it needs more."""
    if not inspect.isfunction(function) or function.__name__ == "<lambda>" or function.__closure__:
        return None
    helpers, waiting, lesson = {}, [function], _lesson(function)
    while waiting:
        user = waiting.pop()
        module = inspect.getmodule(user)
        for needed in sorted(_global_names(user)):  # the order of a set is another in each run
            thing = getattr(module, needed, None)
            if needed in helpers or needed in ("np", "math") or hasattr(builtins, needed):
                continue
            if inspect.isfunction(thing) and (_lesson(thing) == lesson or thing is cosine):
                helpers[needed] = inspect.getsource(thing)
                waiting.append(thing)
                continue
            constant = re.search(rf"^{needed} = [\w.]+(?:\(.*\))?", inspect.getsource(module), re.MULTILINE)
            if constant is None:
                return None
            helpers[needed] = constant.group()
    text = textwrap.dedent(inspect.getsource(function))
    helpers.pop(function.__name__, None)
    renamed = re.sub(rf"\b{function.__name__}\b", name, text)
    return "\n\n".join([*helpers.values(), renamed]).rstrip()


def _lesson(function) -> list[str]:
    """["autograde", "exercises", its lesson]: an exercise may be a file or a folder."""
    return function.__module__.split(".")[:3]


def _global_names(function) -> set[str]:
    found, codes = set(), [function.__code__]
    while codes:
        code = codes.pop()
        codes += [constant for constant in code.co_consts if inspect.iscode(constant)]
        module = inspect.getmodule(function)
        found |= {name for name in code.co_names if hasattr(module, name)}
    return found


# ---- what front ends do to a notebook, each to its bytes


def _cut_off(data, rng):
    return data[: rng.randrange(100, len(data) - 100)]


def _conflict(data, rng):
    lines = data.split(b"\n")
    lines.insert(rng.randrange(2, len(lines) - 2), b"<<<<<<< HEAD")
    return b"\n".join(lines)


def _tags_gone(data, rng):
    document = json.loads(data)
    for cell in document["cells"]:
        cell["metadata"] = {}
    return json.dumps(document).encode()


def _windows(data, rng):
    return b"\xef\xbb\xbf" + data.replace(b"\\n", b"\\r\\n").replace(b"\n", b"\r\n")


def _raw_cells(data, rng):
    return data.replace(b'"cell_type": "code"', b'"cell_type": "raw"')


def _old_format(data, rng):
    cells = json.loads(data)["cells"]
    for cell in cells:
        cell["input"] = cell.pop("source")
    return json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}).encode()


def _doubled(data, rng):
    document = json.loads(data)
    document["cells"] = [each for cell in document["cells"] for each in (cell, copy.deepcopy(cell))]
    return json.dumps(document).encode()


MANGLERS = (
    _cut_off,
    _conflict,
    _tags_gone,
    _windows,
    _raw_cells,
    _old_format,
    _doubled,
    lambda data, rng: b"",
    lambda data, rng: b"<!DOCTYPE html><html></html>",
)


def make(target: Path, lesson: str, students: int, seed: int = 1) -> None:
    """Writes ``target/student_00001/NN_lesson/lesson.ipynb`` and so on."""
    rng = random.Random(seed)
    bank = {record.name: (right(record), wrong(record)) for record in in_lesson(lesson)}
    for number in range(1, students + 1):
        home = target / f"student_{number:05d}" / folder(lesson)
        home.mkdir(parents=True, exist_ok=True)
        kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        if kind != "nothing":
            (home / f"{lesson}.ipynb").write_bytes(submission(lesson, bank, kind, rng))


def submission(lesson: str, bank: dict, kind: str, rng: random.Random, template=learner) -> bytes:
    answers = {}
    for name, (good, bad) in bank.items() if kind != "blank" else ():
        choices = bad if kind == "mixed" and bad and rng.random() < 0.4 else good
        if choices and not (kind == "mixed" and rng.random() < 0.1):
            answers[name] = rng.choice(choices)
    data = json.dumps(filled(lesson, answers, template), indent=1).encode()
    return rng.choice(MANGLERS)(data, rng) if kind == "mangled" else data


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lesson", default="word_vectors")
    parser.add_argument("--students", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    make(chosen.folder, chosen.lesson, chosen.students, chosen.seed)
