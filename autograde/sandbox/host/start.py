"""Starting a Python that holds no answers: what it may import and read, and what it is started with."""

import contextlib
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from .watch import Limits

HERE = Path(__file__).resolve().parents[2]  # the package autograde
COURSE_UTILS = HERE.parent / "course_utils"
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


def settings(limits: Limits) -> dict:
    """What every process is started with."""
    return {
        "path": _import_path(),
        "here": str(HERE),
        "readable": _readable(),
        "hidden": [str(HERE), str(COURSE_UTILS)],
        "course_utils": str(COURSE_UTILS),
        "memory": limits.memory,
        "cpu_seconds": int(2 * limits.submission),
    }


def scratch_folder() -> tempfile.TemporaryDirectory:
    """In memory where there is such a place. Where workers write; they see it under a name that says nothing."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None
    return tempfile.TemporaryDirectory(prefix="scratch-", dir=memory, ignore_cleanup_errors=True)


def start_python(then: str, start: dict, **options) -> subprocess.Popen:
    """A fresh interpreter that runs ``then``, which finds ``start`` under that name."""
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
    assert process.stdin
    with contextlib.suppress(BrokenPipeError), process.stdin as stdin:
        stdin.write(json.dumps(start).encode())
    return process


def exit_reason(process: subprocess.Popen) -> str:
    """Ends a process that could not start. Why not, as far as it said."""
    process.kill()
    with process:
        said = process.stderr.read().decode(errors="replace").strip().splitlines() if process.stderr else []
    return said[-1] if said else "no reason was given"


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
    system = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/usr/share/fonts", "/dev/urandom")
    return [*dict.fromkeys((*_import_path(), sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *system))]
