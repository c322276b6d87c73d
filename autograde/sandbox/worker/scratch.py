"""The folders in which workers may write: in memory, bounded, and gone with the worker.

Where the system lets a process have mounts of its own (as root, or in a user namespace), the folders lie in a file
system that nobody else sees, whose size and number of files are fixed, and that ends with the fork server. Elsewhere
they lie in shared memory or a temporary folder, and the fork server looks at them and ends a worker that passes the
bounds.
"""

import contextlib
import itertools
import os
import secrets
from pathlib import Path

from .layers import LINUX, drop_capabilities, libc_call

BYTES, FILES = 64 << 20, 1000  # of all files of a worker
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_NOSUID_NODEV_NOEXEC, MS_REC_PRIVATE = 2 | 4 | 8, 0x4000 | 1 << 18


class Scratch:
    """Folders inside ``home``, an empty one. bounded: whether the system itself keeps the bounds."""

    def __init__(self, home: str):
        self.home = Path(home)
        self.bounded = LINUX and mount_privately(home)
        self.taken: set[Path] = set()

    def take(self) -> Path:
        """An empty folder. The same ones are used again, so that rules about them stay true."""
        folder = next(path for path in map(self.home.joinpath, map(str, itertools.count())) if path not in self.taken)
        folder.mkdir(mode=0o700, exist_ok=True)
        self.taken.add(folder)
        return folder

    def give_back(self, folder: Path) -> None:
        empty(folder)
        self.taken.discard(folder)


def mount_privately(home: str) -> bool:
    """Puts a bounded file system in memory on ``home``, for this process and its children alone."""
    user, group = os.geteuid(), os.getegid()
    for namespace in (CLONE_NEWNS, CLONE_NEWUSER | CLONE_NEWNS):
        with contextlib.suppress(OSError):
            libc_call("unshare", namespace)
            if namespace & CLONE_NEWUSER:
                Path("/proc/self/setgroups").write_text("deny")
                Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
                Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
            libc_call("mount", b"none", b"/", None, MS_REC_PRIVATE, None)
            size = f"size={BYTES},nr_inodes={FILES},mode=700".encode()
            libc_call("mount", b"tmpfs", os.fsencode(home), b"tmpfs", MS_NOSUID_NODEV_NOEXEC, size)
            if namespace & CLONE_NEWUSER:
                drop_capabilities()  # those of the namespace, which no worker needs
            return True
    return False


def over(folder: Path) -> bool:
    """Whether more lies in it than may. Looks at no more entries than may be there."""
    size = found = 0
    folders = [folder]
    while folders:
        with contextlib.suppress(OSError), os.scandir(folders.pop()) as entries:  # it may go while we look
            for entry in entries:
                found += 1
                if found > FILES or size > BYTES:
                    return True
                size += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    folders.append(Path(entry.path))
    return size > BYTES


def empty(folder: Path) -> None:
    """Removes what lies in it. Without recursion or long paths: a tree may be as deep as it has folders."""
    names = (f"{secrets.token_hex(8)}-{number}" for number in itertools.count())
    while entries := list(os.scandir(folder)):
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry)
                continue
            os.chmod(entry, 0o700)  # it may have been made unreadable
            for inner in list(os.scandir(entry)):
                os.rename(inner, folder / next(names))
            os.rmdir(entry)
