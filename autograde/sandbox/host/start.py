"""Starting a Python that holds no answers: what it may import and read, and what it is told."""

import contextlib
import functools
import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from autograde.exercises import LESSONS, UnknownExercise, find

from .link import Limits

HERE = Path(__file__).resolve().parents[2]  # the package autograde
COURSE_UTILS = HERE.parent / "course_utils"
UNTAUGHT = ("transformer",)  # references that no lesson grades yet: later than every lesson that does
START_SECONDS = 120  # matplotlib may build its list of fonts

BOOT = """
import json, socket, sys, types
start = json.load(sys.stdin)
sys.path[:] = start["path"]
package = sys.modules["autograde"] = types.ModuleType("autograde")
package.__path__ = [start["here"]]  # its own __init__ would import the judge
"""


class SandboxError(Exception):
    """The sandbox itself failed: nobody's answer is to blame."""


def beginning(limits: Limits) -> dict:
    """What every started process is told."""
    return {
        "path": _import_path(),
        "here": str(HERE),
        "readable": _readable(),
        "hidden": [str(HERE), str(COURSE_UTILS)],
        "course_utils": str(COURSE_UTILS),
        "memory": limits.memory,
        "cpu_seconds": int(2 * limits.submission),
    }


def start_python(then: str, start: dict, **options) -> subprocess.Popen:
    """A fresh interpreter that runs ``then`` after it was told ``start``."""
    process = subprocess.Popen(
        [sys.executable, "-s", "-P", "-c", BOOT + then],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=_environment(),
        cwd=os.path.abspath(os.sep),
        start_new_session=True,
        **options,
    )
    with contextlib.suppress(BrokenPipeError), process.stdin as stdin:
        stdin.write(json.dumps(start).encode())
    return process


def exit_reason(process: subprocess.Popen) -> str:
    """Ends a process that could not start. Why not, as far as it told."""
    process.kill()
    with process:
        told = process.stderr.read().decode(errors="replace").strip().splitlines()
    return told[-1] if told else "no reason was given"


def _environment() -> dict[str, str]:
    """Nothing of the judge's environment but where matplotlib keeps its list of fonts."""
    kept = {
        name: os.environ[name] for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "MPLCONFIGDIR") if name in os.environ
    }
    return kept | {
        "PATH": os.defpath,
        "LC_ALL": "C.UTF-8",
        "MPLBACKEND": "agg",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def _import_path() -> list[str]:
    """Where Python's and the installed packages are found; not the folder of an editable install, nor the current one."""
    home = [os.path.realpath(folder) for folder in (sys.prefix, sys.base_prefix, sys.exec_prefix)]
    inside = [
        path
        for path in sys.path
        if path and any(os.path.realpath(path).startswith(folder + os.sep) for folder in home) or path.endswith("-packages")
    ]
    return [path for path in inside if Path(path).resolve() != HERE.parent or path.endswith("-packages")]


def _readable() -> list[str]:
    """What Python needs when it imports or loads something late."""
    system = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/usr/share/fonts", "/dev/null", "/dev/urandom")
    return [*dict.fromkeys((*_import_path(), sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *system))]


@functools.cache
def course_modules(names: tuple[str, ...]) -> dict:
    """Modules of ``course_utils`` that the cells may import, with their files, and those that are withheld."""
    try:
        first = min((LESSONS.index(find(name).lesson) for name in names), default=0)
    except UnknownExercise:
        first = 0  # a name from elsewhere: all are withheld
    withheld = [f"course_utils.{lesson}" for lesson in (*LESSONS[first:], *UNTAUGHT)]
    files = {_module(path): str(path) for path in sorted(COURSE_UTILS.rglob("*.py")) if "data" not in path.parts}
    hidden = (*withheld, *(f"course_utils.explorers.{name}" for name in (*LESSONS, "live", "player")))
    shown = {
        name: path
        for name, path in files.items()
        if name not in withheld and not (name.startswith("course_utils.explorers.") and name.startswith(hidden))
    }
    return {"shown": shown, "withheld": withheld}


def _module(path: Path) -> str:
    """.../course_utils/explorers/kit/svg.py -> course_utils.explorers.svg"""
    parts = path.relative_to(COURSE_UTILS.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
