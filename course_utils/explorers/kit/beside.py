"""A widget with its still picture beside it, so that there is something to see wherever the widget cannot live.

Two outputs: an ``<img>`` or a few words, and the widget. In JupyterLab the first gives way to the second while that
lives; a notebook opened again on a new kernel, GitHub and paper keep the first. (One output that carries both would
not do: JupyterLab prefers the widget and then says that its model is not found.)
"""

from functools import cache
from importlib.resources import files

LIVE = "course-live"  # the class of every widget of ours: what the style and the script look for
VIEW = "application/vnd.jupyter.widget-view+json"
_ROW, _STILL = ".jp-OutputArea-child", ":has(.course-still)"
STYLE = (
    f"{_ROW}{_STILL}:has(+{_ROW} .{LIVE}),{_ROW}{_STILL}+{_ROW}:not(:has(.{LIVE}))"
    ",.vscode-light .course-still,.vscode-dark .course-still{display:none}"
    f".{LIVE},.{LIVE} .widget-box,.{LIVE} .widget-html,.{LIVE} .widget-html-content,.{LIVE} .widget-slider"
    "{max-width:100%;min-width:0;box-sizing:border-box}"
    f".{LIVE} .widget-html-content{{width:100%}}.{LIVE} .widget-slider{{margin-left:0;margin-right:0}}"
    f".{LIVE}{{overflow:hidden}}.{LIVE} .widget-toggle-buttons{{flex-wrap:wrap;height:auto}}"
    f"@media (max-width:640px){{.{LIVE} .widget-slider{{flex-wrap:wrap;height:auto}}"
    f".{LIVE} .widget-slider .widget-label{{width:100%!important;text-align:left}}}}"
    ".course-heard{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}"
)


@cache
def _script() -> str:
    return files(__package__).joinpath("live.js").read_text(encoding="utf-8")


def bundles(still: str, words: str, widget) -> tuple[dict, dict]:
    """The two outputs, MIME type → content. still: HTML; words: the same for readers of text alone."""
    widget.add_class(LIVE)
    page = f'<style>{STYLE}</style><div class="course-still">{still}</div><script>{_script()}</script>'
    return {"text/html": page, "text/plain": words}, {VIEW: widget._repr_mimebundle_()[VIEW]}
