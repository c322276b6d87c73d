"""What the operating system is asked to hold back from a worker, without any privilege.

``Limits`` become rlimits (any POSIX system). On Linux Landlock leaves only some files readable and only the worker's
scratch folder writable, and seccomp (``seccomp.py``) only the system calls that NumPy and Python need. Each call
here works on the calling process, for good, and says whether it is in force.
"""

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

try:
    import resource
except ImportError:  # Windows, where the judge may still ask whether there is a layer
    resource = None  # type: ignore[assignment]

FILE_BYTES = 32 << 20  # of one file
LINUX = sys.platform.startswith("linux")

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
WRITE_FILE, READ_FILE, READ_DIR = 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REG, REFER, TRUNCATE = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 13, 1 << 14
READING = READ_FILE | READ_DIR
WRITING = READING | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER | TRUNCATE
RIGHTS_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}  # of files


class RulesetAttr(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # what _pack_ has always meant; Python 3.14 wants it said
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


_libc: Any = ctypes.CDLL(None, use_errno=True) if LINUX else None


def system_call(number: int, *args) -> int:
    """The call's result; raises OSError."""
    answer = _libc.syscall(ctypes.c_long(number), *args)
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


def prctl(option: int, *values: int) -> None:
    libc_call("prctl", option, *map(ctypes.c_ulong, (*values, 0, 0, 0)))


def libc_call(name: str, *args) -> None:
    """Raises OSError."""
    if getattr(_libc, name)(*args) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def drop_capabilities() -> None:
    """For good, in this process and its children."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    libc_call("capset", header, (ctypes.c_uint32 * 6)())


def hide_from_others() -> None:
    """No privilege is ever gained, and no other process can look into this one. Forks inherit it."""
    if LINUX:
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        prctl(PR_SET_DUMPABLE, 0)


def tie_to_parent() -> None:
    """The process dies with its parent."""
    if LINUX:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def set_rlimits(memory: int, seccomp: bool) -> bool:
    """Address space beyond what is in use, no large files, few descriptors, no core files. Forks inherit it."""
    if resource is None:
        return False
    wanted = {"FSIZE": FILE_BYTES, "CORE": 0, "NOFILE": 64, "AS": _address_space() + memory}
    if not seccomp:
        wanted["NPROC"] = 0  # forbids processes, but threads too, and does not bind root: only where nothing else does
    return all([_lower(name, value) for name, value in wanted.items()])


def set_cpu_limit(seconds: int) -> None:
    """For this process alone: the last resort behind the judge's clock."""
    if resource is not None:
        _lower("CPU", seconds)


def _lower(name: str, value: int) -> bool:
    kind = getattr(resource, f"RLIMIT_{name}")
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(kind, (value, value))
    except (ValueError, OSError):  # macOS refuses RLIMIT_AS
        return name == "AS"
    return True


def _address_space() -> int:
    with contextlib.suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


def landlock_version() -> int:
    """0 where the kernel has none."""
    try:
        return system_call(CREATE_RULESET, None, 0, 1)
    except OSError:
        return 0


def ruleset(
    readable: Iterable[str | Path], hidden: Iterable[str | Path], shown: Iterable[str | Path], scratch: Path
) -> int | None:
    """A Landlock ruleset: ``readable`` without ``hidden`` and ``shown`` can be read, only ``scratch`` can be written.

    A descriptor, or None where the kernel has no Landlock.
    """
    version = landlock_version()
    if not version:
        return None
    files = RIGHTS_BY_VERSION[max(key for key in RIGHTS_BY_VERSION if key <= version)]
    attr = RulesetAttr(files, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = system_call(CREATE_RULESET, ctypes.byref(attr), ctypes.c_size_t(size), 0)
    inside = _allowed(readable, [os.path.realpath(path) for path in hidden])
    for path, rights in (*inside, *_allowed(shown, []), (os.devnull, READ_FILE | WRITE_FILE), (str(scratch), WRITING)):
        descriptor = os.open(path, os.O_PATH)
        system_call(ADD_RULE, rules, 1, ctypes.byref(PathBeneath(rights & files, descriptor)), 0)
        os.close(descriptor)
    return rules


def _allowed(readable: Iterable[str | Path], hidden: list[str]) -> Iterator[tuple[str, int]]:
    """Paths and rights. Landlock can only allow: where something hidden lies inside a readable folder, the
    folder's other entries are allowed one by one, and the folder itself may be listed."""
    for path in map(os.path.realpath, readable):
        if path in hidden or not os.path.exists(path):
            continue
        if not os.path.isdir(path):
            yield path, READ_FILE
        elif any(secret.startswith(path + os.sep) for secret in hidden):
            yield path, READ_DIR
            yield from _allowed([Path(path, name) for name in sorted(os.listdir(path))], hidden)
        else:
            yield path, READING


def restrict(rules: int | None) -> str:
    """Puts a ruleset on this process. Returns "landlock N", or "" where there is none."""
    if rules is None:
        return ""
    system_call(RESTRICT_SELF, rules, 0)
    os.close(rules)
    return f"landlock {landlock_version()}"
