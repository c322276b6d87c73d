"""A submitted notebook and the release in, a notebook that nbgrader can go on with out.

nbgrader finds marks by the tags in a submission's cells, and every front end can lose, copy or delete a cell.
Here each cell of the release stands in the result exactly once: where the learner's copy of it is, tagged or
recognised by its text, or put back where it was. The learner's own cells stay where they are, and what was written
into a locked cell stays beside it.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import quote, unquote

from nbformat.notebooknode import NotebookNode, from_dict

from autograde.engine.exercise import Report, Status
from autograde.engine.report import as_html, as_text
from autograde.submissions.notebook import Cell

PUT_BACK = "put-back"
REFUSED = "# Not graded: a person has to look at this file"
NOTICES = "notices"  # id of the cell on top; the ids of all others are numbered
_MISSING = b64encode(
    b'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><text x="4" y="26" font-family="sans-serif" '
    b'font-size="16">This picture is not in the file.</text></svg>'
).decode()
_PICTURE = re.compile(r"<attachment:([^>\n]+)>|(?<!<)attachment:([^)\s\"'>\]]+)")
_CHECK = re.compile(r'check\(["\'](\w+)["\']\s*,[^\n]*\)\s*(?:### BEGIN HIDDEN.*)?', re.DOTALL)


@dataclass(frozen=True)
class Released:
    """A cell of the release, as the gradebook keeps it. ``points`` is None where none are given."""

    name: str
    cell_type: str
    source: str
    checksum: str | None
    locked: bool = False
    grade: bool = False
    solution: bool = False
    task: bool = False
    points: float | None = None

    @property
    def metadata(self) -> dict:
        marks = {
            "schema_version": 3,
            "grade_id": self.name,
            "grade": self.grade,
            "locked": self.locked,
            "solution": self.solution,
            "task": self.task,
            "cell_type": self.cell_type,
        }
        marks |= {"points": self.points} if self.points is not None else {}
        return {"nbgrader": marks | ({"checksum": self.checksum} if self.checksum else {})}


def restored(cells: Sequence[Cell], release: Sequence[Released], notices: list[str]) -> NotebookNode:
    """The notebook in format 4 with every cell of the release once, and without outputs."""
    place = _places(cells, release)
    owner = {position: released for released in release if (position := place.get(released.name)) is not None}
    made = [_nodes(cell, owner.get(position), notices) for position, cell in enumerate(cells)]
    after: dict[int, list] = {}
    position = -1
    for released in release:
        position = place.get(released.name, position)
        if released.name not in place:
            notices.append(f"the cell {released.name} was missing and was put back")
            after.setdefault(position, []).append(_put_back(released))
    return _notebook(after.get(-1, []) + [node for at, own in enumerate(made) for node in (*own, *after.get(at, []))])


def as_handed_in(cells: Sequence[Cell]) -> NotebookNode:
    """The cells as a notebook in format 4 with the marks they came with."""
    nodes = [_node(cell, None) for cell in cells]
    for node, cell in zip(nodes, cells):
        node.metadata.update({"nbgrader": cell.marks} if cell.marks else {})
    return _notebook(nodes)


def _places(cells: Sequence[Cell], release: Sequence[Released]) -> dict[str, int]:
    """Name -> position. Of several cells with one tag the last has it; then come cells known by their text.

    The tag of a locked cell, whose text is to be replaced, is not believed against the text.
    """
    named = {released.name: released for released in release}
    found: dict[str, int] = {}
    for position, cell in enumerate(cells):
        tag = cell.marks.get("grade_id")
        if not isinstance(tag, str):
            continue
        released = named.get(tag)
        others = [each for each in release if each is not released] if released and released.locked else []
        if released and not any(_is_copy(cell, other) for other in others):
            found[tag] = position
    for released in release:
        if released.name not in found:
            taken = set(found.values())
            copies = [at for at, cell in enumerate(cells) if at not in taken and _is_copy(cell, released)]
            found |= {released.name: copies[-1]} if copies else {}
    return found


def _is_copy(cell: Cell, released: Released) -> bool:
    if released.solution and cell.kind == "code":
        name = re.escape(released.name.removesuffix("-answer"))
        return bool(re.search(rf"^(?:async )?def {name}\b|^{name} *=(?!=)", cell.text, re.MULTILINE))
    if released.grade and cell.kind == "code":
        return _is_check(cell, released)
    return cell.text.strip() == _visible(released.source)


def _is_check(cell: Cell, released: Released) -> bool:
    match = _CHECK.fullmatch(cell.text.strip())
    return match is not None and match.group(1) == released.name


def _visible(source: str) -> str:
    return re.sub(r"### BEGIN MARK SCHEME.*?### END MARK SCHEME", "", source, flags=re.DOTALL).strip()


def _nodes(cell: Cell, released: Released | None, notices: list[str]) -> list[NotebookNode]:
    """The cell, after what its learner wrote into it where it is locked: that may be code that others need, or an answer."""
    node = _node(cell, released)
    if not released or not released.locked or cell.text.strip() in ("", _visible(released.source)) or _is_check(cell, released):
        return [node]
    notices.append(f"the locked cell {released.name} was changed: what was written into it stands above it")
    return [_node(cell, None), node]


def _put_back(released: Released) -> NotebookNode:
    """Tagged, since it is there to be seen: run after the learner's own it would undo an answer given elsewhere."""
    node = _made(released.cell_type, released.source, released)
    node.metadata["tags"] = [PUT_BACK]
    return node


def _node(cell: Cell, released: Released | None) -> NotebookNode:
    """The cell, as the release has it where it is locked."""
    kind = released.cell_type if released else cell.kind
    node = _made(kind, released.source if released and released.locked else cell.text, released)
    pictures = cell.attachments | _stand_ins(node.source, cell.attachments) if kind != "code" else {}
    if pictures:
        node["attachments"] = pictures
    return node


def _stand_ins(text: str, attachments: dict) -> dict:
    """A picture that says so for each that the text shows and the file has lost: nbgrader would make no page at all."""
    shown = {name for names in _PICTURE.findall(text) for name in names if name}
    shown |= {quote(name) for name in shown}  # as nbconvert will ask for it
    return {
        name: attachments.get(unquote(name)) or {"image/svg+xml": _MISSING} for name in sorted(shown) if not attachments.get(name)
    }


def _made(kind: str, text: str, released: Released | None) -> NotebookNode:
    return _new_cell(kind, text, released.metadata if released else {})


def _new_cell(kind: str, text: str, metadata: dict, name: str = "") -> NotebookNode:
    """As nbformat makes it, whose own functions validate each cell against a schema: half the time of a class."""
    cell = {"id": name, "cell_type": kind if kind in ("code", "markdown") else "raw", "metadata": metadata, "source": text}
    return from_dict(cell | ({"execution_count": None, "outputs": []} if kind == "code" else {}))


def _notebook(nodes: list[NotebookNode]) -> NotebookNode:
    """With ids that are the same in every run."""
    for number, node in enumerate(nodes, start=1):
        node["id"] = f"cell-{number}"
    notebook = from_dict(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {
                "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
                "language_info": {"name": "python"},
            },
        }
    )
    notebook["cells"] = nodes
    return notebook


def show_reports(notebook: NotebookNode, reports: dict[str, Report]) -> None:
    """Puts what ``check`` would have said into the check cells, and their scores where there are any."""
    for cell in notebook.cells:
        tag = cell.metadata.get("nbgrader", {})
        if tag.get("grade") and cell.cell_type == "code":
            cell.outputs = outputs(reports[tag["grade_id"]]) if tag["grade_id"] in reports else []


def show_notices(notebook: NotebookNode, notices: Sequence[str], refused: str = "") -> None:
    """On top, for the marker and the learner, below those that stand there already. They hold names that a learner
    chose: as text, not as markup. refused: why nothing could be graded, in large letters above all."""
    told = [f"* {escape(notice, quote=False)}" for notice in ([refused] if refused else []) + list(notices)]
    if refused:
        told = [
            "# Not graded: a person has to look at this file",
            "",
            told[0],
            "* Any score of 0 on this page means this.",
            *told[1:],
        ]
    if told and notebook.cells and notebook.cells[0].id == NOTICES:
        notebook.cells[0].source = "\n".join([notebook.cells[0].source, *told])
    elif told:
        notebook.cells.insert(0, _new_cell("markdown", "\n".join(told), {}, NOTICES))


def outputs(report: Report) -> list[NotebookNode]:
    """nbgrader takes a cell's last value as its points, and a cell without value or error as right."""
    shown = {"output_type": "display_data", "metadata": {}, "data": {"text/html": as_html(report), "text/plain": as_text(report)}}
    if report.status == Status.NOT_GRADABLE:
        why = report.reason
        value: dict[str, object] = {"output_type": "error", "ename": "NotGradable", "evalue": why, "traceback": [why]}
    else:
        data = {"text/plain": repr(report.score)}
        value = {"output_type": "execute_result", "metadata": {}, "execution_count": 1, "data": data}
    return [from_dict(shown), from_dict(value)]
