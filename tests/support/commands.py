"""The command line in this process, as the tests of several rooms use it."""

import contextlib
import io

from autograde import cli
from autograde.grading.results import everything


def autograde(*words, said=None):
    """(exit code, what was said on both channels). said: a stream of one's own to say it to."""
    said = said or io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = cli.main([str(word) for word in words])
    assert "Traceback" not in said.getvalue()
    return code, said.getvalue()


def grade(submitted, out, *flags, said=None, **options):
    """``autograde grade`` with options such as ``jobs=1``."""
    options = {"jobs": 1, **options}
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    return autograde("grade", submitted, "--out", out, *flags, *words, said=said)


def all_results(out):
    """Every result of a folder; none may be damaged."""
    notices = []
    found = list(everything(out, notices))
    assert notices == []
    return found
