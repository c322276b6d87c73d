"""A Report in the learner's words: as text for a terminal, as HTML for a notebook. The same sentences in both."""

from html import escape

from .exercise import Report, Status

RIGHT, WRONG, OPEN = "✓", "✗", "○"  # shape and word carry the meaning, colour only repeats it


def headline(report: Report, hidden: bool = False) -> str:
    if report.status == Status.NOT_ATTEMPTED:
        return f"{report.name}: not attempted yet ({counted(report.points, 'point')})"
    if report.status == Status.NOT_GRADABLE:
        return f"{report.name}: could not be graded"
    cases = " on the hidden cases" if hidden else ""
    return f"{report.name}: {of_points(report.score, report.points)}{cases}"


def lines(report: Report) -> list[tuple[str, str]]:
    """(mark, sentence) for every line below the headline."""
    if report.reason:
        own_name = report.reason.startswith(report.name)  # a name keeps its small letter
        return [("", f"{report.reason if own_name else report.reason[0].upper() + report.reason[1:]}.")]
    rows, later, said = [], 0, set()
    for check in report.checks:
        if not check.called:
            later += 1
            continue
        again = check.message in said and check.message.startswith("it raised")
        told = "the same error" if again else check.message
        said.add(check.message)
        mark = RIGHT if check.score == check.points else WRONG
        rows.append((mark, f"{check.name}: {told}" if told else check.name))
    if later:
        first = report.checks[0]
        which = "the first one holds" if first.score < first.points else "those above hold"
        rows.append((OPEN, f"{counted(later, 'more line')} will follow when {which}"))
    return rows + [("", sentence) for sentence in advice(report)]


def advice(report: Report) -> list[str]:
    """What the learner needs next: the named mistake, or the smallest failing input, and where to go on."""
    if report.passed or report.status != Status.SCORED:
        return []
    told = []
    if report.diagnosis:
        told.append(report.diagnosis.explanation)
    elif report.undecided:
        told.append("Several mistakes would look just like this. It is one of these:")
        told += [f"– {mistake.explanation}" for mistake in report.undecided]
    if report.example:
        told.append(f"The smallest input that shows it: {report.example}.")
    return told + [f'hint("{report.name}") goes one step further.']


def as_text(report: Report, hidden: bool = False) -> str:
    body = [f"{mark} {sentence}" if mark else f"  {sentence}" for mark, sentence in lines(report)]
    return "\n".join([headline(report, hidden), *body])


STYLE = (
    ".atg{--ok:#116b47;--no:#b3261e;--mut:#57606a;--line:#d0d7de;border-left:4px solid var(--line);padding:6px 14px;"
    "margin:4px 0;max-width:46rem;line-height:1.45;overflow-wrap:anywhere}"
    "[data-jp-theme-light='false'] .atg,.vscode-dark .atg{--ok:#4fd39a;--no:#ff8a80;--mut:#a9b2bd;--line:#3d444d}"
    ".atg.ok{border-color:var(--ok)}.atg.no{border-color:var(--no)}.atg ul{list-style:none;margin:4px 0;padding:0}"
    ".atg li{padding-left:1.5em;text-indent:-1.5em}.atg li b{display:inline-block;width:1.5em;text-indent:0}"
    ".atg p{margin:4px 0;white-space:pre-wrap}.atg .mut{color:var(--mut)}"
    ".atg li.ok b{color:var(--ok)}.atg li.no b{color:var(--no)}"
)
WORDS = {RIGHT: ("ok", "held"), WRONG: ("no", "not held"), OPEN: ("mut", "not looked at")}


def as_html(report: Report, hidden: bool = False) -> str:
    kind = "ok" if report.passed else "no" if report.status == Status.SCORED else "open"
    items, paragraphs = [], []
    for mark, sentence in lines(report):
        if mark:
            css, word = WORDS[mark]
            items.append(f'<li class="{css}"><b role="img" aria-label="{word}">{mark}</b>{escape(sentence)}</li>')
        else:
            paragraphs.append(f"<p>{escape(sentence)}</p>")
    title = f"<p><strong>{escape(headline(report, hidden))}</strong></p>"
    return (
        f'<style>{STYLE}</style><div class="atg {kind}" role="status">{title}<ul>{"".join(items)}</ul>{"".join(paragraphs)}</div>'
    )


def number(value: float) -> str:
    """3 for 3.0, 2.5 for 2.5."""
    return f"{value:g}"


def counted(value: float, word: str) -> str:
    """ "1 point", "2.5 points", "0 submissions"."""
    return f"{number(value)} {word}{'' if value == 1 else 's'}"


def of_points(score: float, most: float) -> str:
    """ "0 of 1 point", "2.5 of 5 points"."""
    return f"{number(score)} of {counted(most, 'point')}"
