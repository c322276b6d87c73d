"""Colours and type of every explorer, as CSS variables that follow JupyterLab's and VS Code's theme.

Five hues were searched so that any two stay far apart for normal, protan, deutan and tritan vision, and
readable on the soft ground (``tests/course_utils/explorers/test_palette.py`` measures both). Hue is never the only sign:
everything coloured also carries its name. ``heat`` is how strong the strongest cell of a heat map may be, so that the
number on it stays readable.
"""

HUES = 5
WORDS = {"dog": 1, "cat": 2, "car": 4, "truck": 0}  # the hue of a word wherever it is drawn
LIGHT = {
    "fg": "#1b1f24",
    "mut": "#57606a",
    "line": "#d0d7de",
    "bg": "#ffffff",
    "soft": "#f6f8fa",
    "c0": "#4d4553",
    "c1": "#c41901",
    "c2": "#3745e5",
    "c3": "#a03eab",
    "c4": "#1d9e6b",
    "heat": "0.6",
}
DARK = {
    "fg": "#e6e9ee",
    "mut": "#a9b2bd",
    "line": "#444c56",
    "bg": "#111111",
    "soft": "#1c2128",
    "c0": "#8b9188",
    "c1": "#ff6010",
    "c2": "#1d96ff",
    "c3": "#fbc2fd",
    "c4": "#16fc88",
    "heat": "0.38",
}
DARK_THEME = '[data-jp-theme-light="false"] .explorer,.vscode-dark .explorer'

SIZES = {"": 14.0, "h": 15.5, "m": 12.5, "lab": 13.0, "n": 13.0, "sm": 11.5}  # px by text class; "lab" and "h" are bold
BOLD = ("h", "lab", "b")

_FONT = 'system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif'
_RULES = """
.explorer{font:14px/1.4 FONT;color:var(--fg);max-width:980px}
.explorer .pic{overflow-x:auto;overflow-y:hidden}
.explorer .pic>*{min-width:860px;max-width:980px}
.course-live .stale{display:none;font-weight:600;margin:0 0 8px;padding:6px 12px;border-left:4px solid}
.jupyter-widgets-disconnected .stale{display:block}
.explorer .trouble{background:var(--soft);border-radius:8px;padding:24px;box-sizing:border-box;font-size:15px}
.explorer .whose{color:var(--mut);font-size:13px;margin:4px 0 0 6px}
.explorer svg{display:block;width:100%;height:auto}
.explorer text{fill:var(--fg);font-size:14px}
.explorer .h{font-weight:600;font-size:15.5px}
.explorer .m{fill:var(--mut);font-size:12.5px}
.explorer .sm{font-size:11.5px}
.explorer .b{font-weight:600}
.explorer .n{font-size:13px}
.explorer .num{font-variant-numeric:tabular-nums}
.explorer .lab{font-weight:600;font-size:13px;paint-order:stroke;stroke:var(--soft);stroke-width:4px}
.explorer .lab{stroke-linejoin:round}
.explorer .ff{fill:var(--fg)}.explorer .sf{stroke:var(--fg)}
.explorer .fm{fill:var(--mut)}.explorer line.sm,.explorer path.sm{stroke:var(--mut)}
.explorer .fl{fill:var(--line)}.explorer .sl{stroke:var(--line)}
.explorer .fb{fill:var(--soft)}.explorer .sb{stroke:var(--soft)}
.explorer .no{fill:none}
.explorer .heat{opacity:var(--heat)}
"""


def _variables(colours: dict[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in colours.items())


def style() -> str:
    """The whole style sheet of explorers, on one line."""
    hues = "".join(f".explorer .f{i}{{fill:var(--c{i})}}.explorer .s{i}{{stroke:var(--c{i})}}" for i in range(HUES))
    rules = _RULES.replace("FONT", _FONT).replace("\n", "")
    return f".explorer{{{_variables(LIGHT)}}}{DARK_THEME}{{{_variables(DARK)}}}{rules}{hues}"
