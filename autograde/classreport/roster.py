"""A learning system's own list of students: read whatever its encoding, copied as it is, ids as text.

A byte order mark, semicolons, tabs and Excel's code page are understood; what had to be guessed is said.
"""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from autograde.grading.errors import GradingError

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")  # Canvas knows its students by these
MOODLE = ("ID number", "Username", "Email address", "First name", "Surname", "Last name", "Institution", "Department")
_IDS = ("SIS Login ID", "SIS User ID", "ID number", "Username", "ID", "Email address", "Student", "student")


@dataclass(frozen=True)
class Roster:
    """columns: the identity columns, in the file's order. rows: texts by column. notices: what had to be guessed."""

    columns: tuple[str, ...]
    rows: tuple[dict[str, str], ...]
    notices: tuple[str, ...]

    @property
    def is_canvas(self) -> bool:
        return "Student" in self.columns and "ID" in self.columns

    def by_student(self, students: set[str]) -> tuple[str, dict[str, dict[str, str]]]:
        """The column that names most of the students, and student -> row."""
        columns = [column for column in (*_IDS, *self.columns) if column in self.columns]
        best = max(columns, key=lambda column: len(students & {row[column] for row in self.rows}))
        return best, {row[best]: row for row in self.rows if row[best]}


def read_roster(path: Path) -> Roster:
    """Raises GradingError, in words."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GradingError(f"the roster {path} cannot be read ({error.strerror})") from None
    notices: list[str] = []
    lines = _table(_decoded(data, path, notices))
    if len(lines) < 2 or len(lines[0]) < 1:
        raise GradingError(f"the roster {path} has no line of column names with students below it")
    head = [name.strip() for name in lines[0]]
    kept = [name for name in head if name in CANVAS + MOODLE] or head
    rows = [dict(zip(head, [*line, *[""] * len(head)])) for line in lines[1:] if any(field.strip() for field in line)]
    rows = [{name: row[name].strip() for name in kept} for row in rows if "Points Possible" not in row[head[0]]]
    return Roster(tuple(kept), tuple(rows), tuple(notices))


def _decoded(data: bytes, path: Path, notices: list[str]) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        raise GradingError(f"the roster {path} is neither UTF-8 nor of the Windows code page: save it as CSV UTF-8") from None
    strange = next((line for line in text.splitlines() if not line.isascii()), "")
    notices.append(f"the roster is not UTF-8; read with the Windows code page 1252, for instance: {strange[:80]}")
    return text


def _table(text: str) -> list[list[str]]:
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
