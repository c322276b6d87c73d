"""A class's results as one page for the instructor: where the class stands, what it misunderstands, what is open.

Static HTML without script, font or picture from anywhere; light and dark; on paper too.
"""

from collections.abc import Iterable
from html import escape
from pathlib import Path

from autograde.engine.report import counted, number
from autograde.exercises import LESSONS
from autograde.grading.results import everything

from .tally import BINS, Tally, tallied

MISTAKES = 15  # rows of the table of misconceptions

STYLE = """
:root{--ink:#1f2328;--mut:#57606a;--line:#d0d7de;--bar:#0b6e99;--back:#fff;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--mut:#a9b2bd;--line:#3d444d;--bar:#58b4e0;--back:#0d1117}}
@media print{:root{--ink:#000;--mut:#333;--line:#999;--bar:#555;--back:#fff}tr,figure{break-inside:avoid}}
body{font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{border-bottom:1px solid var(--line);margin-top:2.5rem;padding-bottom:.3rem}
table{border-collapse:collapse;width:100%;margin:1.2rem 0}caption{text-align:left;font-weight:600;padding-bottom:.3rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--line);overflow-wrap:break-word}
td:last-child{overflow-wrap:anywhere}
th{color:var(--mut);font-weight:600}.n{text-align:right}.n,code{white-space:nowrap}code{font-size:.95em}a{color:var(--bar)}
svg text{fill:var(--ink);font:12px system-ui,sans-serif}svg .bar{fill:var(--bar)}svg .rest{fill:none;stroke:var(--line)}
svg .mut{fill:var(--mut)}figure{margin:1.2rem 0}figcaption{font-weight:600;padding-bottom:.3rem}.mut{color:var(--mut)}
"""


def write_page(out: Path, target: Path) -> None:
    """Writes the class page of all result files in ``out`` to ``target``."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(everything(out)), encoding="utf-8", errors="backslashreplace", newline="\n")


def page(results: Iterable[dict]) -> str:
    """The page of any number of results: the same bytes for the same results."""
    tallies = tallied(results)
    contents = "".join(f'<li><a href="#{lesson}">{_title(lesson)}</a></li>' for lesson in tallies)
    body = "".join(_section(lesson, tally) for lesson, tally in tallies.items()) or "<p>There are no results yet.</p>"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Class results</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{STYLE}</style></head>\n'
        f"<body><main><h1>Class results</h1><nav><ul>{contents}</ul></nav>\n{body}</main></body></html>\n"
    )


def _title(lesson: str) -> str:
    return f"Lesson {LESSONS.index(lesson) + 1}: {lesson.replace('_', ' ')}"


def _section(lesson: str, tally: Tally) -> str:
    return "\n".join(
        [
            f'<section id="{lesson}"><h2>{_title(lesson)}</h2>',
            _summary(tally),
            _histogram(tally),
            _exercises(tally),
            _mistakes(tally),
            _open(tally),
            "</section>",
        ]
    )


def _summary(tally: Tally) -> str:
    count = sum(tally.statuses.values())
    kinds = ", ".join(f"{found} {status}" for status, found in sorted(tally.statuses.items()))
    middle = (
        f" Mean {number(round(tally.mean, 1))} and median {number(tally.median)} of {counted(tally.points, 'point')}."
        if tally.scores
        else ""
    )
    layers = " and ".join(f"{found} under {layer or 'no protection'}" for layer, found in sorted(tally.layers.items()))
    return (
        f"<p>{counted(count, 'submission')}: {kinds}.{middle}</p>"
        f'<p class="mut">Run in the sandbox: {escape(layers or "none")}.</p>'
    )


def _histogram(tally: Tally) -> str:
    """Bars with their counts; the table of numbers is in the label, for those who cannot see the bars."""
    if not tally.scores:
        return ""
    counts, height, step = tally.distribution(), 120, 64
    told = ", ".join(f"{_range(at)} %: {count}" for at, count in enumerate(counts))
    parts = []
    for at, count in enumerate(counts):
        size = round(height * count / max(counts), 1)
        x = at * step
        parts.append(
            f'<rect class="bar" x="{x + 4}" y="{20 + height - size:g}" width="{step - 8}" height="{size:g}"/>'
            f'<text x="{x + step // 2}" y="{14 + height - size:g}" text-anchor="middle">{count}</text>'
            f'<text class="mut" x="{x + step // 2}" y="{38 + height}" text-anchor="middle">{_range(at)}</text>'
        )
    return (
        f'<figure><figcaption>Scores, in per cent of the points</figcaption><svg role="img" viewBox="0 0 {BINS * step} '
        f'{height + 46}" width="100%" aria-label="Submissions by score. {told}">{"".join(parts)}</svg></figure>'
    )


def _range(at: int) -> str:
    width = 100 // BINS
    return f"{at * width}–{(at + 1) * width}"


def _exercises(tally: Tally) -> str:
    rows = []
    for name, each in tally.exercises.items():
        share = each.passed / each.seen if each.seen else 0.0
        mean = number(round(each.gained / each.seen, 1)) if each.seen else "–"
        rows.append(
            f'<tr><td><code>{escape(name)}</code></td><td>{_bar(share)}</td><td class="n">{each.passed} of {each.seen}'
            f'</td><td class="n">{share:.0%}</td><td class="n">{each.attempted}</td><td class="n">{mean}</td>'
            f'<td class="n">{number(each.points)}</td></tr>'
        )
    return _table("Exercises: who has all points", ("exercise", "", "passed", "share", "attempted", "mean", "points"), rows)


def _bar(share: float) -> str:
    return (
        f'<svg aria-hidden="true" width="120" height="14"><rect class="rest" x="0.5" y="1.5" width="119" height="11"/>'
        f'<rect class="bar" y="1" width="{120 * share:.1f}" height="12"/></svg>'
    )


def _mistakes(tally: Tally) -> str:
    ordered = sorted(tally.mistakes.items(), key=lambda item: (-item[1], item[0]))
    rows = [
        f'<tr><td class="n">{count}</td><td><code>{escape(name)}</code></td><td><strong>{escape(mistake)}</strong><br>'
        f"{escape(words)}</td></tr>"
        for (name, mistake, words), count in ordered[:MISTAKES]
    ]
    head, left = ("learners", "exercise", "mistake, and what its learners were told"), len(ordered) - MISTAKES
    more = f'<p class="mut">and {left} rarer ones</p>' if left > 0 else ""
    return _table("Misconceptions, the most frequent first", head, rows) + more


def _open(tally: Tally) -> str:
    rows = [
        f"<tr><td>{escape(student)}</td><td>{f'<code>{escape(name)}</code>' if name else 'all answers'}</td>"
        f"<td>{escape(reason)}</td></tr>"
        for student, name, reason in tally.open
    ]
    return _table("Without a score: somebody has to look", ("student", "answer", "why"), rows)


def _table(caption: str, head: tuple[str, ...], rows: list[str]) -> str:
    if not rows:
        return ""
    numbers = ("passed", "share", "attempted", "mean", "points", "learners")
    cells = "".join(
        f'<th scope="col"{" class=n" if name in numbers else ""}>{name}</th>' if name else "<td></td>" for name in head
    )
    return f"<table><caption>{caption}</caption><thead><tr>{cells}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
