"""What the operating system is asked to hold back from a worker, without any privilege.

``Limits`` become rlimits (any POSIX system). On Linux Landlock leaves only some files readable and none
writable, and seccomp (``sandbox_seccomp``) only the system calls that NumPy and Python need. Each call here
works on the calling process, for good, and tells whether it is in force.
"""

import contextlib
import ctypes
import os
import sys
from pathlib import Path

LINUX = sys.platform.startswith("linux")

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
READ_FILE, READ_DIR = 1 << 2, 1 << 3
RIGHTS_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}  # of files


class RulesetAttr(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # what _pack_ has always meant; Python 3.14 wants it said
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


_libc = ctypes.CDLL(None, use_errno=True) if LINUX else None


def system_call(number: int, *args) -> int:
    """The call's result; raises OSError."""
    answer = _libc.syscall(ctypes.c_long(number), *args)
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


def prctl(option: int, *values: int) -> None:
    if _libc.prctl(option, *map(ctypes.c_ulong, (*values, 0, 0, 0))) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def tie_to_parent() -> None:
    """The worker dies with its parent, gains no privilege, and no other process can look into it."""
    if LINUX:
        import signal

        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        prctl(PR_SET_DUMPABLE, 0)


def set_rlimits(cpu_seconds: int, memory: int, seccomp: bool) -> bool:
    """CPU time, address space beyond what is in use, no file growth, few descriptors, no core files."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    wanted = {"CPU": cpu_seconds, "FSIZE": 0, "CORE": 0, "NOFILE": 64, "AS": _address_space() + memory}
    if not seccomp:
        wanted["NPROC"] = 0  # forbids processes, but threads too, and does not bind root: only where nothing else does
    for name, value in wanted.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with contextlib.suppress(ValueError, OSError):  # macOS refuses RLIMIT_AS
            resource.setrlimit(kind, (value, value))
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


def openings(readable: list[Path], hidden: list[Path]) -> list[tuple[int, int]]:
    """(descriptor, rights) for Landlock: everything under ``readable`` apart from what is ``hidden``.

    Landlock can only allow. Where something hidden lies inside a readable folder, the folder's other
    entries are allowed one by one, and the folder itself may be listed.
    """
    found = []
    for path in map(os.path.realpath, readable):
        inside = [str(secret) for secret in hidden if str(secret).startswith(path + os.sep)]
        if path in map(str, hidden) or not os.path.exists(path):
            continue
        if inside:
            found.append((os.open(path, os.O_PATH), READ_DIR))
            found += openings([Path(path, name) for name in sorted(os.listdir(path))], hidden)
        else:
            found.append((os.open(path, os.O_PATH), READ_FILE | READ_DIR if os.path.isdir(path) else READ_FILE))
    return found


def landlock(allowed: list[tuple[int, int]]) -> str:
    """Restricts the process to reading what ``allowed`` names. Returns "landlock N", or "" if not in force."""
    version = landlock_version()
    if not version:
        return ""
    files = RIGHTS_BY_VERSION[max(key for key in RIGHTS_BY_VERSION if key <= version)]
    attr = RulesetAttr(files, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = system_call(CREATE_RULESET, ctypes.byref(attr), ctypes.c_size_t(size), 0)
    for descriptor, rights in allowed:
        rule = PathBeneath(rights, descriptor)
        system_call(ADD_RULE, ruleset, 1, ctypes.byref(rule), 0)
    system_call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return f"landlock {version}"
