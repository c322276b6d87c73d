"""How an explorer is shown as the last line of a cell: the one place that knows the hosts."""

import os
from collections.abc import Callable

from . import live, player
from .explorer import Explorer

HOSTS: dict[str, Callable[[Explorer], tuple[dict, ...]]] = {"live": live.bundles, "player": player.bundles}
_chosen = "live"


def host(name: str) -> None:
    """Choose how explorers are shown from now on: "live" (widgets that talk to Python) or "player" (a page without
    Python). The environment variable ``COURSE_EXPLORERS`` sets it from outside."""
    global _chosen
    if name not in HOSTS:
        raise ValueError(f"no host is called {name!r}; choose one of {', '.join(map(repr, HOSTS))}")
    _chosen = name


def outputs(explorer: Explorer) -> tuple[dict, ...]:
    """What a notebook stores and shows, one after another: MIME type → content."""
    return HOSTS[_chosen](explorer)


def show(explorer: Explorer) -> None:
    """Show it below the cell that is running."""
    from IPython.display import display

    for output in outputs(explorer):
        display(output, raw=True)


def register() -> None:
    """Tell IPython, where it runs, that an explorer is shown by ``show``."""
    host(os.environ.get("COURSE_EXPLORERS", "live"))
    try:
        from IPython import get_ipython
    except ImportError:
        return
    shell = get_ipython()
    if shell is not None:
        shell.display_formatter.ipython_display_formatter.for_type(Explorer, show)
