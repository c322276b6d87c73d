"""The system calls that a worker keeps, as a seccomp filter built by hand.

Everything else fails with "operation not permitted": starting processes, signals, the network, changing the rights
or the times of a file, looking into other processes. Landlock alone leaves chmod, chown, utime, kill and fork open;
which files can be written is Landlock's to say.
"""

import ctypes
import errno
import os
import struct
import sys

from .layers import LINUX, prctl

PR_SET_SECCOMP, MODE_FILTER = 22, 2
KILL, ALLOW, ERRNO = 0x80000000, 0x7FFF0000, 0x00050000
LOAD, JUMP_EQUAL, JUMP_BITS, RETURN = 0x20, 0x15, 0x45, 0x06
NUMBER, ARCHITECTURE, ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data

CLONE_THREAD, PR_SET_NAME, AF_UNIX = 0x10000, 15, 1
WRITING, EMPTYING = os.O_WRONLY | os.O_RDWR, getattr(os, "O_TRUNC", 0)
SPOILING = (100, 101)  # MADV_HWPOISON, MADV_SOFT_OFFLINE: with them root takes pages from the whole machine
SIGNALLING = (8, 10, 15, 1024, 1026)  # F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY

# name: (x86_64, aarch64); None where the architecture has no such call
CALLS = {
    # files: where they may be written is Landlock's to say (openat and open are looked at below)
    "read": (0, 63),
    "write": (1, 64),
    "pread64": (17, 67),
    "readv": (19, 65),
    "writev": (20, 66),
    "lseek": (8, 62),
    "close": (3, 57),
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "getdents64": (217, 61),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "getcwd": (79, 17),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "fadvise64": (221, 223),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "eventfd2": (290, 19),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "close_range": (436, 436),
    "pwrite64": (18, 68),
    "ftruncate": (77, 46),
    "msync": (26, 227),
    "fsync": (74, 82),
    "fdatasync": (75, 83),
    "sendfile": (40, 71),
    "copy_file_range": (326, 285),
    "chdir": (80, 49),
    "fchdir": (81, 50),
    "umask": (95, 166),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "rmdir": (84, None),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    # memory
    "mmap": (9, 222),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "mprotect": (10, 226),
    "brk": (12, 214),
    "membarrier": (324, 283),
    # threads and signals of this process
    "futex": (202, 98),
    "futex_waitv": (449, 449),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "set_robust_list": (273, 99),
    "set_tid_address": (218, 96),
    "rseq": (334, 293),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "getcpu": (309, 168),
    "restart_syscall": (219, 128),
    "exit": (60, 93),
    "exit_group": (231, 94),
    # who and when
    "getpid": (39, 172),
    "getppid": (110, 173),
    "gettid": (186, 178),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getpgrp": (111, None),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "getrusage": (98, 165),
    "getrlimit": (97, 163),
    "sysinfo": (99, 179),
    "uname": (63, 160),
    "getitimer": (36, 102),
    "setitimer": (38, 103),
    "getrandom": (318, 278),
    # sockets that are open (asyncio wakes itself through one)
    "recvfrom": (45, 207),
    "getsockopt": (55, 209),
    "setsockopt": (54, 208),
    "getsockname": (51, 204),
    "shutdown": (48, 210),
}
OPEN, OPENAT, CLONE, CLONE3, PRCTL, IOCTL, FCNTL, PRLIMIT, SENDTO, SOCKETPAIR, MADVISE = (
    (2, None),
    (257, 56),
    (56, 220),
    (435, 435),
    (157, 167),
    (16, 29),
    (72, 25),
    (302, 261),
    (44, 206),
    (53, 199),
    (28, 233),
)
IOCTLS = (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def filter_program(machine: str = "") -> bytes:
    """The filter for "x86_64" or "aarch64" (default: this machine), as an array of struct sock_filter.

    Empty where the system or the machine has none.
    """
    machine = machine or (os.uname().machine if LINUX and sys.maxsize > 1 << 32 else "")
    if machine not in MACHINES:
        return b""
    column, architecture = MACHINES[machine]
    refuse, unknown = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS
    program = [_op(LOAD, ARCHITECTURE), _op(JUMP_EQUAL, architecture, 1, 0), _op(RETURN, KILL), _op(LOAD, NUMBER)]

    def rule(call, *body):
        if call[column] is not None:
            program.extend((_op(JUMP_EQUAL, call[column], 0, len(body)), *body))

    for call in CALLS.values():
        rule(call, _op(RETURN, ALLOW))
    rule(CLONE3, _op(RETURN, unknown))  # its flags lie in memory, unseen: the C library goes on with clone
    rule(CLONE, *_if_bits(0, CLONE_THREAD, ALLOW, refuse))
    rule(OPEN, *_unless_emptied_unseen(1, refuse))
    rule(OPENAT, *_unless_emptied_unseen(2, refuse))
    rule(PRCTL, *_if_equal(0, (PR_SET_NAME,), ALLOW, refuse))
    rule(IOCTL, *_if_equal(1, IOCTLS, ALLOW, refuse))
    rule(FCNTL, *_if_equal(1, SIGNALLING, refuse, ALLOW))
    rule(MADVISE, *_if_equal(2, SPOILING, refuse, ALLOW))
    rule(PRLIMIT, *_if_null(2))  # reading limits only
    rule(SENDTO, *_if_null(4))  # to the other end only, never to an address
    rule(SOCKETPAIR, *_if_equal(0, (AF_UNIX,), ALLOW, refuse))
    program.append(_op(RETURN, refuse))
    return b"".join(program)


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


def _if_bits(argument: int, bits: int, then: int, otherwise: int) -> list[bytes]:
    return [_op(LOAD, ARGUMENT + 8 * argument), _op(JUMP_BITS, bits, 0, 1), _op(RETURN, then), _op(RETURN, otherwise)]


def _unless_emptied_unseen(argument: int, refuse: int) -> list[bytes]:
    """A file that is opened to be read can be emptied at once, which early versions of Landlock do not see."""
    return [
        _op(LOAD, ARGUMENT + 8 * argument),
        _op(JUMP_BITS, EMPTYING, 0, 2),
        _op(JUMP_BITS, WRITING, 1, 0),
        _op(RETURN, refuse),
        _op(RETURN, ALLOW),
    ]


def _if_equal(argument: int, values: tuple[int, ...], then: int, otherwise: int) -> list[bytes]:
    tests = [_op(JUMP_EQUAL, value, len(values) - i, 0) for i, value in enumerate(values)]
    return [_op(LOAD, ARGUMENT + 8 * argument), *tests, _op(RETURN, otherwise), _op(RETURN, then)]


def _if_null(argument: int) -> list[bytes]:
    """Allowed if a pointer, 64 bits in two halves, is null."""
    return [
        _op(LOAD, ARGUMENT + 8 * argument),
        _op(JUMP_EQUAL, 0, 0, 2),
        _op(LOAD, ARGUMENT + 8 * argument + 4),
        _op(JUMP_EQUAL, 0, 1, 0),
        _op(RETURN, ERRNO | errno.EPERM),
        _op(RETURN, ALLOW),
    ]


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def install_filter(program: bytes) -> str:
    """Puts a filter on the calling process. Returns "seccomp", or "" if it is not in force."""
    if not program:
        return ""
    buffer = ctypes.create_string_buffer(program, len(program))
    attr = Program(len(program) // 8, ctypes.addressof(buffer))
    try:
        prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.addressof(attr))
    except OSError:
        return ""
    return "seccomp"
