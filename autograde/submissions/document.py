"""The bytes of a submitted file in, its JSON document out, or a sentence that says why not.

Every front end, browser and sync tool has its own way to spoil a notebook. What can be repaired without
guessing is repaired in memory, with one line for each repair; what cannot is ``Unreadable``. Nothing here
knows about cells: see ``notebook``.
"""

import itertools
import json
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

LARGEST_FILE = 100 << 20  # bytes; a file above is not looked at, so that the judge stays small
LARGEST_TEXT = 8 << 20  # bytes that may remain without outputs; a lesson has 100 KB
MOST_TOKENS = 2_000_000  # texts and brackets of a file that is searched for its outputs
SLIM_ABOVE = 1 << 20  # bytes; a larger file loses its outputs before it is parsed

_HEAVY = (b'"outputs"', b'"widgets"')  # parts that are never looked at
LONGEST_KEY = 20  # bytes, with its quotes
_PICTURES = (b'"attachments"',)  # part of answers in words, and let go only where the file is too large with them
_TOKEN = re.compile(rb'"(?:[^"\\]+|\\.?)*+(?:"|\Z)|[][{}]', re.DOTALL)  # possessive: linear on any input
_DEPTH = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_OPENS_VALUE = re.compile(rb"\s*:\s*[\[{]")
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?$", re.MULTILINE)
_KINDS = (  # how files that are no notebooks begin
    (rb"PK\x03\x04", "a ZIP archive"),
    (rb"%PDF", "a PDF"),
    (rb"\x89PNG", "a picture"),
    (rb"\x1f\x8b", "a gzip archive"),
    (rb"version https://git-lfs", "a pointer of Git LFS"),
)


class Unreadable(Exception):
    """The file is no notebook, or a damaged one. ``reason`` is a sentence, ``line`` a line of the file or None."""

    def __init__(self, reason: str, line: int | None = None):
        super().__init__(reason)
        self.reason, self.line = reason, line


def load_bytes(path) -> bytes:
    """The content of a regular file. Links, folders, pipes and giants are refused.

    A link could show a file of the grader's machine, and reading a pipe would never end.
    """
    path = Path(path)
    try:
        kind = path.lstat()
        if stat.S_ISLNK(kind.st_mode):
            raise Unreadable("this is a symbolic link, not a file: hand in the notebook itself")
        if not stat.S_ISREG(kind.st_mode):
            raise Unreadable("this is not a file: hand in the notebook itself")
        if kind.st_size > LARGEST_FILE:
            raise Unreadable(f"the file is too large to be a notebook ({kind.st_size >> 20} MB): clear its outputs")
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
        with open(handle, "rb") as file:
            return file.read(kind.st_size)  # a file that grows meanwhile is read as it was
    except OSError as error:
        raise Unreadable(f"the file cannot be opened ({error.strerror or type(error).__name__})") from None


def printable(text: str, most: int = 100) -> str:
    """A name that somebody else chose, so that it can neither act on a terminal nor make lines of its own.

    >>> printable("mine\\x1b[2J\\n.ipynb")
    'mine\\\\x1b[2J\\\\n.ipynb'
    """
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text[:most])


def parse(data: bytes, notices: list[str]) -> dict:
    """The JSON object in ``data``. Repairs are added to ``notices``; raises ``Unreadable``.

    >>> parse(b'\\xef\\xbb\\xbf{"cells": []}', [])
    {'cells': []}
    """
    if not re.search(rb"[^ \t\r\n\0]", data):  # no copy is made of a large file, here and below
        raise Unreadable("unreadable: empty file" if not data.strip() else "unreadable: the file holds only zero bytes")
    _refuse_other_kinds(data)
    if len(data) > SLIM_ABOVE:
        data = _small(data, notices)
    try:
        document = _document(_decoded(data, notices), notices)
    except RecursionError:
        document = _without_deep_outputs(data, notices)
    if not isinstance(document, dict):
        raise Unreadable("this is JSON, but not a notebook")
    return document


def _refuse_other_kinds(data: bytes) -> None:
    for beginning, kind in _KINDS:
        if re.match(beginning, data):
            raise Unreadable(f"this is {kind}, not a notebook: hand in the .ipynb file")


def _small(data: bytes, notices: list[str]) -> bytes:
    """``data`` without what is heavy. Raises Unreadable where it is too large even so."""
    notices.append(f"outputs were dropped before reading (the file has {len(data) / 1e6:.1f} MB)")
    data = _without(_HEAVY, data)
    if len(data) > LARGEST_TEXT:
        data = _without(_PICTURES, data)
        notices.append("attached pictures were dropped before reading")
    if len(data) > LARGEST_TEXT:
        raise Unreadable(f"the file is too large: {len(data) >> 20} MB even without its outputs")
    return data


def _without(keys: tuple[bytes, ...], data: bytes) -> bytes:
    """``data`` with nothing in the values of these keys, found without parsing the rest. Raises Unreadable."""
    kept, start, at, budget = [], 0, 0, itertools.count()
    while token := _next_token(data, at, budget):
        at = token.end()
        if at - token.start() > LONGEST_KEY or token.group() not in keys:
            continue
        opening = _OPENS_VALUE.match(data, at)
        if opening:
            at = _end_of_value(data, opening.end() - 1, budget)
            lines = data.count(b"\n", opening.end(), at)  # kept, so that a fault further on has its line
            kept += [data[start : opening.end() - 1], b"[", b"\n" * lines, b"]"]
            start = at
    return b"".join([*kept, data[start:]])


def _end_of_value(data: bytes, opening: int, budget: Iterator[int]) -> int:
    depth, at = 0, opening
    while token := _next_token(data, at, budget):
        at = token.end()
        depth += _DEPTH.get(data[token.start()], 0)
        if depth == 0:
            return at
    return len(data)


def _next_token(data: bytes, at: int, budget: Iterator[int]) -> re.Match | None:
    if next(budget) == MOST_TOKENS:
        raise Unreadable(f"the file is too large: more than {MOST_TOKENS:,} texts and brackets; clear its outputs")
    return _TOKEN.search(data, at)


def _decoded(data: bytes, notices: list[str]) -> str:
    encoding = json.detect_encoding(data)
    if encoding != "utf-8":
        notices.append("a byte order mark was removed" if encoding == "utf-8-sig" else f"read as {encoding}")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        notices.append("the file is not UTF-8: read with the Windows code page 1252")
        text = data.decode("cp1252", errors="replace")
    if text.rstrip().endswith("\0"):
        notices.append("zero bytes at the end were removed")
    return text.rstrip(" \t\r\n\0")


def _without_deep_outputs(data: bytes, notices: list[str]):
    try:
        return _document(_decoded(_small(data, notices), []), notices)
    except RecursionError:
        raise Unreadable("this is JSON nested too deeply to be a notebook") from None


def _document(text: str, notices: list[str]):
    try:
        return json.loads(text, parse_int=_integer)
    except json.JSONDecodeError as error:
        strict = error
    try:
        document = json.loads(text, parse_int=_integer, strict=False)
    except json.JSONDecodeError as error:
        raise _words_for(text, error) from None
    notices.append(f"control characters inside a text were accepted (line {strict.lineno} of the file)")
    return document


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) < 20 else float(digits)  # int() raises for one of 5,000 digits


def _words_for(text: str, error: json.JSONDecodeError) -> Unreadable:
    conflict = _CONFLICT.search(text)
    if conflict:
        line = text.count("\n", 0, conflict.start()) + 1
        return Unreadable(
            f"unreadable: unresolved merge conflict, {conflict.group()[:40]!r} at line {line}: "
            "choose one side, save and hand in again",
            line,
        )
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        return Unreadable("this is a web page, not a notebook: download it again")
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        script = re.search(r"^(?:import|from|def|# %%)\b", text, re.MULTILINE)
        return Unreadable(
            "this is a Python script, not a notebook: hand in the .ipynb file"
            if script
            else "unreadable: this is not a notebook (it does not begin as JSON does)",
            1,
        )
    if error.msg.startswith("Unterminated") or _cut_off(text[error.pos :].strip()):
        line = text.count("\n") + 1
        return Unreadable(f"unreadable: JSON ends early at line {line}: the file was cut off, hand it in again", line)
    if error.msg == "Extra data":
        return Unreadable(
            f"unreadable: a complete notebook, then more after its end (line {error.lineno}): "
            "delete what follows and hand in again",
            error.lineno,
        )
    return Unreadable(f"unreadable: damaged JSON at line {error.lineno} ({error.msg})", error.lineno)


def _cut_off(rest: str) -> bool:
    """Whether what stands at the fault is nothing, or the beginning of a literal or an escape."""
    literals = ("true", "false", "null", "-Infinity", "NaN")
    return not rest or any(word.startswith(rest) for word in literals) or bool(re.fullmatch("u[0-9a-fA-F]{0,3}", rest))
