"""A learning system's own list of students: read whatever its encoding, copied as it is, ids as text.

A byte order mark, semicolons, tabs and Excel's code page are understood; what had to be guessed is said. Students are
matched by a column of ids and by nothing else: names are not unique, and a mark given to the wrong person is worse than none.
"""

import csv
import io
import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from autograde.grading.errors import GradingError
from autograde.submissions.document import printable

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")  # Canvas knows its students by these
MOODLE = ("ID number", "Username", "Email address", "First name", "Surname", "Last name", "Institution", "Department")
IDS = ("SIS Login ID", "SIS User ID", "ID number", "Username", "ID", "Email address", "student", "student_id")


@dataclass(frozen=True)
class Matched:
    """students: number of the roster's row -> student. told: the column, and who is missing on either side."""

    students: dict[int, str]
    told: list[str]


@dataclass(frozen=True)
class Roster:
    """head: all columns. kept: numbers of the identity columns, in the file's order. notices: what had to be guessed."""

    head: tuple[str, ...]
    kept: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    notices: tuple[str, ...]

    @property
    def columns(self) -> list[str]:
        return [self.head[at] for at in self.kept]

    @property
    def is_canvas(self) -> bool:
        return "Student" in self.head and "ID" in self.head

    def identity(self, row: tuple[str, ...]) -> list[str]:
        return [row[at] for at in self.kept]

    def columns_of(self, lesson: str) -> list[str]:
        """The columns that the roster has for a lesson already, such as "01 word vectors (1234)"."""
        return [name for name in self.head if _lesson_in(name) == lesson]

    def matched(self, students: set[str], wanted: set[str]) -> Matched:
        """wanted: students who have a mark. Raises GradingError, by name, for a match that is none, double or unclear."""
        ids = [at for name in IDS for at, column in enumerate(self.head) if column == name]
        if not ids:
            raise GradingError(f"the roster has no column of ids; expected is one of {', '.join(IDS)}")
        mine = _by_key((student, student) for student in students)
        best = max(ids, key=lambda at: len(set(mine) & {key_of(row[at]) for row in self.rows}))
        theirs = _by_key((row[best], at) for at, row in enumerate(self.rows))
        both = set(mine) & set(theirs)
        if not both:
            examples = ", ".join(ascii(student) for student in sorted(wanted or students)[:3])
            columns = ", ".join(self.head[at] for at in ids)
            raise GradingError(f"nobody in the roster is one of the students ({examples}, …); looked at the columns {columns}")
        self._clear(best, [(mine[key], theirs[key]) for key in sorted(both)])
        found = {theirs[key][0]: mine[key][0] for key in both}
        told = [f"students matched by the column {self.head[best]!r}"]
        told += [f"in the results, not in the roster: {printable(name)}" for name in sorted(wanted - set(found.values()))]
        missing = [row[best] for at, row in enumerate(self.rows) if found.get(at) not in wanted]
        return Matched(found, told + [f"in the roster, without a result: {printable(name)}" for name in sorted(missing)])

    def _clear(self, column: int, pairs: list[tuple[list[str], list[int]]]) -> None:
        twice = [f"{students[0]} ({len(rows)} rows)" for students, rows in pairs if len(rows) > 1]
        alike = [" and ".join(students) for students, _ in pairs if len(students) > 1]
        if twice:
            raise GradingError(
                f"the roster's column {self.head[column]!r} names several people alike: {', '.join(twice)}. "
                "Leave one row for each in it"
            )
        if alike:
            raise GradingError(f"students whose ids differ in their letters' case alone: {', '.join(alike)}. Rename one folder")


def key_of(text: str) -> str:
    """What two spellings of one id have in common: composed or decomposed letters, small or large ones."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text.strip()).casefold())


def _by_key(pairs) -> dict[str, list]:
    found = defaultdict(list)
    for text, thing in pairs:
        if key := key_of(text):
            found[key].append(thing)
    return dict(found)


def _lesson_in(column: str) -> str:
    """The lesson's name in "01 word vectors (1234)", "Word vectors" or "01_word_vectors"."""
    name = re.sub(r"\s*\(\d+\)\s*$", "", column).strip().casefold()
    return re.sub(r"\W+", "_", re.sub(r"^\d+[\s_.-]+", "", name))


def read_roster(path: Path) -> Roster:
    """Raises GradingError, in words."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GradingError(f"the roster {path} cannot be read ({error.strerror})") from None
    notices: list[str] = []
    try:
        lines = _table(_decoded(data, path, notices))
    except csv.Error as error:
        raise GradingError(f"the roster {path} is no CSV file ({error})") from None
    if len(lines) < 2 or len(lines[0]) < 1:
        raise GradingError(f"the roster {path} has no line of column names with students below it")
    head = [name.strip() for name in lines[0]]
    kept = [at for at, name in enumerate(head) if name in CANVAS + MOODLE] or list(range(len(head)))
    rows = [
        tuple(field.strip() for field in [*line, *[""] * len(head)][: len(head)])
        for line in lines[1:]
        if any(map(str.strip, line))
    ]
    rows = [row for row in rows if "Points Possible" not in row[0]]
    return Roster(tuple(head), tuple(kept), tuple(rows), tuple(notices))


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
    shown = next((line for line in text.splitlines() if not line.isascii()), "")
    notices.append(f"the roster is not UTF-8; read with the Windows code page 1252, for instance: {printable(shown, 80)}")
    return text


def _table(text: str) -> list[list[str]]:
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
