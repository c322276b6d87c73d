"""The layers by themselves: what the filter decides, seen by an interpreter of its own, and what may be read."""

import errno
import os
import struct
import sys
from pathlib import Path

import pytest

from autograde.sandbox.host import fork_client
from autograde.sandbox.host.sandbox import Limits, Sandbox, Unprotected
from autograde.sandbox.worker.layers import READ_DIR, READ_FILE, _allowed
from autograde.sandbox.worker.seccomp import MACHINES, filter_program

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Landlock and seccomp are Linux's")
ALLOWED, KILLED = 0x7FFF0000, 0x80000000
REFUSED, UNKNOWN = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS


def decide(machine, number, *arguments, architecture=None):
    """A small interpreter of classic BPF (the four instructions that the filter uses) over struct seccomp_data."""
    data = struct.pack("=IIQ6Q", number, architecture or MACHINES[machine][1], 0, *arguments, *[0] * (6 - len(arguments)))
    program = list(struct.iter_unpack("HBBI", filter_program(machine)))
    accumulator, at = 0, 0
    while True:
        code, if_true, if_false, value = program[at]
        at += 1
        if code == 0x20:
            accumulator = struct.unpack_from("=I", data, value)[0]
        elif code == 0x15:
            at += if_true if accumulator == value else if_false
        elif code == 0x45:
            at += if_true if accumulator & value else if_false
        else:
            assert code == 0x06
            return value


# numbers from the kernel's own tables: (x86_64, aarch64), arguments, decision
DECISIONS = {
    "read": ((0, 63), (), ALLOWED),
    "mmap": ((9, 222), (), ALLOWED),
    "exit_group": ((231, 94), (), ALLOWED),
    "openat to read": ((257, 56), (0, 0, os.O_RDONLY | 0o2000000), ALLOWED),
    "openat to write": ((257, 56), (0, 0, os.O_WRONLY), ALLOWED),  # where, is Landlock's to say
    "openat to write anew": ((257, 56), (0, 0, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), ALLOWED),
    "openat to read and to empty": ((257, 56), (0, 0, os.O_RDONLY | os.O_TRUNC), REFUSED),  # which old Landlocks do not see
    "openat to read, write and empty": ((257, 56), (0, 0, os.O_RDWR | os.O_TRUNC), ALLOWED),
    "openat2": ((437, 437), (), REFUSED),
    "fork as clone": ((56, 220), (17,), REFUSED),
    "a thread as clone": ((56, 220), (0x3D0F00,), ALLOWED),
    "clone3, unseen": ((435, 435), (), UNKNOWN),
    "execve": ((59, 221), (), REFUSED),
    "execveat": ((322, 281), (), REFUSED),
    "kill": ((62, 129), (), REFUSED),
    "tgkill": ((234, 131), (), REFUSED),
    "ptrace": ((101, 117), (), REFUSED),
    "process_vm_readv": ((310, 270), (), REFUSED),
    "fchmodat": ((268, 53), (), REFUSED),
    "fchownat": ((260, 54), (), REFUSED),
    "utimensat": ((280, 88), (), REFUSED),
    "unlinkat": ((263, 35), (), ALLOWED),
    "linkat": ((265, 37), (), REFUSED),
    "symlinkat": ((266, 36), (), REFUSED),
    "mknodat": ((259, 33), (), REFUSED),
    "mount": ((165, 40), (), REFUSED),
    "setns": ((308, 268), (), REFUSED),
    "truncate": ((76, 45), (), REFUSED),
    "socket": ((41, 198), (2,), REFUSED),
    "connect": ((42, 203), (), REFUSED),
    "socketpair of this machine": ((53, 199), (1,), ALLOWED),
    "socketpair of another kind": ((53, 199), (2,), REFUSED),
    "sendto the other end": ((44, 206), (3, 0, 0, 0, 0), ALLOWED),
    "sendto an address in the low half": ((44, 206), (3, 0, 0, 0, 8), REFUSED),
    "sendto an address in the high half": ((44, 206), (3, 0, 0, 0, 1 << 40), REFUSED),
    "reading a limit": ((302, 261), (0, 7, 0), ALLOWED),
    "raising a limit": ((302, 261), (0, 7, 1 << 33), REFUSED),
    "naming a thread": ((157, 167), (15,), ALLOWED),
    "leaving the parent": ((157, 167), (1,), REFUSED),
    "signals by a descriptor": ((72, 25), (3, 8), REFUSED),
    "copying a descriptor": ((72, 25), (3, 0), ALLOWED),
    "asking for a terminal": ((16, 29), (3, 0x5401), ALLOWED),
    "typing into a terminal": ((16, 29), (3, 0x5412), REFUSED),
    "io_uring_setup": ((425, 425), (), REFUSED),
    "memfd_create": ((319, 279), (), REFUSED),
    "unshare": ((272, 97), (), REFUSED),
    "giving memory back": ((28, 233), (0, 4096, 4), ALLOWED),
    "spoiling a page of the machine": ((28, 233), (0, 4096, 100), REFUSED),
    "taking a page from the machine": ((28, 233), (0, 4096, 101), REFUSED),
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("what", DECISIONS)
def test_what_the_filter_decides(machine, what):
    numbers, arguments, decision = DECISIONS[what]
    assert decide(machine, numbers[MACHINES[machine][0]], *arguments) == decision


def test_calls_of_another_architecture_end_the_process():
    assert decide("x86_64", 0, architecture=0x40000003) == KILLED  # i386, whose numbers mean other calls
    assert decide("aarch64", 63, architecture=MACHINES["x86_64"][1]) == KILLED
    assert decide("x86_64", 0x40000000 | 1) == REFUSED  # x32: the same architecture, other numbers


def test_no_filter_for_an_unknown_machine():
    assert filter_program("riscv64") == b""


def test_what_lies_beside_something_hidden_is_allowed_one_by_one(tmp_path):
    for name in ("site/numpy/core.py", "site/autograde/exercises/a.py", "site/six.py", "lib/os.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    found = list(_allowed([tmp_path / "site", tmp_path / "lib", tmp_path / "absent"], [str(tmp_path / "site/autograde")]))
    assert [(str(Path(path).relative_to(tmp_path)), rights) for path, rights in found] == [
        ("site", READ_DIR),
        ("site/numpy", READ_FILE | READ_DIR),
        ("site/six.py", READ_FILE),
        ("lib", READ_FILE | READ_DIR),
    ]


@LINUX
@pytest.mark.parametrize(
    ("without", "attack"),
    [
        ("landlock", "open('$canary').read()"),  # seccomp alone lets files be read
        ("seccomp", "__import__('os').chmod('$canary', 0o777) or 'changed'"),  # Landlock alone lets rights be changed
    ],
)
def test_each_layer_holds_back_what_the_other_does_not(without, attack, tmp_path, monkeypatch):
    canary = tmp_path / "canary"
    canary.write_text("untouched")
    cell = f"got = {attack.replace('$canary', str(canary))}"
    with Sandbox() as sandbox, sandbox.open([cell], ["got"]) as submission:
        assert submission.value("got") is None
    switch_off(monkeypatch, without)
    with Sandbox() as sandbox, pytest.raises(Unprotected, match=without):
        sandbox.open([cell], ["got"])
    assert canary.stat().st_mode & 0o777 != 0o777
    with Sandbox(Limits(), unprotected=True) as sandbox, sandbox.open([cell], ["got"]) as submission:
        assert submission.value("got") in ("untouched", "changed")
        assert without not in " ".join(submission.layers)


def switch_off(monkeypatch, layer):
    """In the fork server, as on a kernel that has no such layer."""
    off = {
        "landlock": "autograde.sandbox.worker.layers.landlock_version = lambda: 0",
        "seccomp": "autograde.sandbox.worker.fork_server.filter_program = lambda: b''",
    }[layer]
    imports = "import autograde.sandbox.worker.layers, autograde.sandbox.worker.fork_server\n"
    last = "from autograde.sandbox.worker.fork_server import serve"
    assert last in fork_client.BOOT
    monkeypatch.setattr(fork_client, "BOOT", fork_client.BOOT.replace(last, f"{imports}{off}\n{last}"))
