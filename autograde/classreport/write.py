"""Everything that a class's results give, as files in ``OUT/report/``."""

from dataclasses import dataclass
from pathlib import Path

from autograde.grading.results import everything, write_bytes

from .csv_files import for_roster, grades_csv
from .page import page
from .roster import read_roster
from .tally import tallied


@dataclass(frozen=True)
class Written:
    """notices: what had to be guessed, and who is missing. damaged: a sentence for each result file that is none."""

    paths: tuple[Path, ...]
    notices: tuple[str, ...]
    damaged: tuple[str, ...]


def write_reports(out: Path, roster: Path | None = None) -> Written:
    """Writes class.html, grades.csv, and canvas.csv or moodle.csv from a roster. Raises GradingError, in words."""
    folder = out / "report"
    notices: list[str] = []
    damaged: list[str] = []
    again: list[str] = []  # the same sentences, when the files are read once more
    texts: dict[str, str] = {}
    if roster:
        known = read_roster(roster)
        text, told = for_roster(everything(out, again), known)
        texts["canvas.csv" if known.is_canvas else "moodle.csv"] = text
        notices += [*known.notices, *told]
    texts = {"grades.csv": grades_csv(everything(out, again)), **texts}
    _write(folder / "class.html", page(tallied(everything(out, damaged))), "utf-8")
    for name, text in texts.items():  # Excel would garble names that are not English without a byte order mark
        _write(folder / name, text, "utf-8-sig")
    return Written(tuple(folder / name for name in ("class.html", *texts)), tuple(notices), tuple(damaged))


def _write(path: Path, text: str, encoding: str) -> None:
    write_bytes(path, text.encode(encoding, "backslashreplace"))
