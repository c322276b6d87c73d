"""Which version of the course decided about a mark: what the judge of a lesson really imports, and NumPy.

The modules are found by reading import statements, from the lesson's exercises, the marking and the worker on: a change
in any of them changes the version, and a regrade renews the marks. What decides nothing (the class page, the pool,
the explorers) is not among them.
"""

import ast
import functools
import hashlib
from importlib.metadata import version
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("autograde", "course_utils")
MARKING = ("autograde.grading.marking", "autograde.sandbox.worker.fork_server")  # the second is started by its name


@functools.cache
def exercises_version(lesson: str) -> str:
    """Changes with the package, with NumPy, and with every file that decides about this lesson's scores."""
    return f"{version('attention-course')}+numpy{np.__version__}.{digest(ROOT, lesson)}"


def digest(root: Path, lesson: str) -> str:
    found = hashlib.sha256()
    for path in deciding(root, lesson):
        name = path.relative_to(root).as_posix()
        found.update(name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return found.hexdigest()[:12]


def deciding(root: Path, lesson: str) -> list[Path]:
    """The files of all modules that the judge of a lesson imports, directly or by way of others."""
    references = [f"course_utils.{path.stem}" for path in root.glob("course_utils/*.py")]  # what cells may import, or may not
    waiting, found = [f"autograde.exercises.{lesson}", *MARKING, *references], {}
    while waiting:
        name = waiting.pop()
        if name in found or (path := _file(root, name)) is None:
            continue
        found[name] = path
        waiting += _imported(path, name)
        package = name.rpartition(".")[0]
        waiting += [package] if package not in ("", *PACKAGES) else []  # what a package's __init__ does comes first
    return sorted(found.values())


def _file(root: Path, name: str) -> Path | None:
    """None for what is no module of ours, for instance a name inside one."""
    place = root.joinpath(*name.split("."))
    files = (place.with_suffix(".py"), place / "__init__.py")
    return next((path for path in files if name.partition(".")[0] in PACKAGES and path.is_file()), None)


def _imported(path: Path, name: str) -> list[str]:
    """Every name that could be a module, of every import statement, those inside functions too."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            found += [origin, *(f"{origin}.{alias.name}" for alias in node.names)]
    return found
