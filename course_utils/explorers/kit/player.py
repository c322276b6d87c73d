"""Explorers without Python: one HTML output that holds every position, for pages that have no kernel.

First a still ``<img>``, which untrusted notebooks and paper keep; then a script that puts sliders in its place. The
script swaps attributes and knows nothing of attention, so there is no second copy of any mathematics.
"""

import hashlib
import json
from functools import cache
from importlib.resources import files

from .controls import Choice, Slider, Switch, Typed
from .explorer import Explorer
from .frames import FIRST, actions, frames, table
from .palette import style

_STYLE = """
.explorer .bar{display:flex;flex-wrap:wrap;gap:8px 24px;align-items:center;margin:0 0 8px}
.explorer .row{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.explorer .row[role=group]{flex-basis:100%}
.explorer .row label{display:flex;gap:8px;align-items:center}
.explorer .row label span{min-width:140px}
.explorer input[type=range]{width:220px;accent-color:var(--c2)}
.explorer output{min-width:4em;font-weight:600;font-variant-numeric:tabular-nums}
.explorer button{font:inherit;padding:5px 13px;border:1px solid var(--mut);border-radius:8px;background:var(--bg);
color:var(--fg);cursor:pointer}
.explorer button[aria-pressed=true]{background:var(--fg);color:var(--bg);border-color:var(--fg)}
.explorer button:focus-visible,.explorer input:focus-visible{outline:3px solid var(--c2);outline-offset:2px}
.explorer .heard{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
"""
_ALONE = "This page runs without Python: moving one slider puts the others back. In the notebook all move freely."


@cache
def _script() -> str:
    return files(__package__).joinpath("player.js").read_text(encoding="utf-8")


def player(explorer: Explorer) -> str:
    """One HTML string that needs neither Python nor a network; the same bytes every time."""
    shown = frames(explorer)
    controls = [
        {
            "kind": _kind(control),
            "label": control.label,
            "stops": [control.readout(stop) for stop in stops],
            **({"play": 700} if getattr(control, "play", False) else {}),
        }
        for control, stops in zip(explorer.movable, shown.stops, strict=True)
    ]
    data = {
        "controls": controls,
        "at": shown.at,
        "start": shown.states.index(explorer.start),
        **table([explorer.body(state) for state in shown.states]),
        "first": FIRST,
        "actions": actions(explorer, shown),
        "note": "" if shown.crossed else _ALONE,
    }
    packed = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    name = "explorer-" + hashlib.sha256(packed.encode()).hexdigest()[:10]
    script = _script().replace("@ID", name).replace("@DATA", packed)
    still = explorer.image(explorer.start)
    return f'<style>{style()}{_STYLE}</style><div class="explorer" id="{name}">{still}</div><script>{script}</script>'


def _kind(control) -> str:
    if isinstance(control, (Choice, Switch, Typed)):
        return "buttons"
    return "slider" if isinstance(control, Slider) else "pick"


def bundles(explorer: Explorer) -> tuple[dict]:
    return ({"text/html": player(explorer), "text/plain": explorer.summary},)
