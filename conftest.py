"""What every run of pytest in this folder shares, ``pytest --nbval solutions`` among them."""

from pathlib import Path


def pytest_configure(config):
    """nbval compares pictures by their alternative text: their bytes depend on the versions of matplotlib and its fonts."""
    if getattr(config.option, "nbval", False) and not config.option.nbval_sanitize_with:
        config.option.nbval_sanitize_with = str(Path(__file__).parent / "tests" / "nbval_sanitize.cfg")
