"""The attempt that counts, kept beside its result: what ``submitted/`` holds may be another one by then.

Code, reports, score and time stamp of a submission are those of one attempt, in gradebook, feedback and pages.
"""

import gzip
import hashlib
import zlib
from pathlib import Path

from autograde.submissions.document import Unreadable, load_bytes
from autograde.submissions.folders import Submission

from .records import Result
from .results import write_bytes


def keep(path: Path, result: Result, submission: Submission) -> None:
    """Keeps the submitted file beside the result file ``path``, if it is (still) the one that was marked."""
    stored = _stored(path)
    try:
        file, _ = submission.file()
        data = load_bytes(file) if file else b""
    except Unreadable:
        data = b""
    if hashlib.sha256(data).hexdigest() == result.submission_sha256 and kept(path, result) is None:
        write_bytes(stored, gzip.compress(data, compresslevel=1, mtime=0))


def kept(path: Path, result: Result) -> bytes | None:
    """The bytes of the attempt that was marked; None where they were not kept."""
    try:
        data = gzip.decompress(_stored(path).read_bytes())
    except (OSError, EOFError, zlib.error):
        return None
    return data if hashlib.sha256(data).hexdigest() == result.submission_sha256 else None


def forget(path: Path) -> None:
    _stored(path).unlink(missing_ok=True)


def _stored(path: Path) -> Path:
    return path.with_suffix(".ipynb.gz")
