"""A notebook in a running JupyterLab, as a person has it: cells, sliders, pictures, reports."""

import contextlib
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

import nbformat
from browser_server import chromium_browser, jupyterlab

SECONDS = 180  # a lesson trains small models while it runs
_CONNECTED = """() => {
  const panel = window.jupyterapp && jupyterapp.shell.currentWidget, session = panel?.context?.sessionContext;
  return !!(session?.isReady && panel.context.isReady && document.querySelector('.jp-NotebookPanel .jp-CodeCell')
    && session.session?.kernel?.connectionStatus === 'connected' && session.session.kernel.status === 'idle'); }"""
_RUN_ALL = """seconds => Promise.race([jupyterapp.commands.execute('notebook:run-all-cells').then(() => 'done'),
  new Promise(go => setTimeout(() => go('late'), 1000 * seconds))])"""
_RUN_ONE = """([cell, source, seconds]) => {
  const book = jupyterapp.shell.currentWidget.content;
  book.activeCellIndex = cell; book.deselectAll();
  if (source !== null) book.activeCell.model.sharedModel.setSource(source);
  return Promise.race([jupyterapp.commands.execute('notebook:run-cell').then(() => 'done'),
    new Promise(go => setTimeout(() => go('late'), 1000 * seconds))]); }"""
_SHUT_DOWN = "() => jupyterapp.shell.currentWidget?.context?.sessionContext?.shutdown()"
_SOURCES = """() => jupyterapp.shell.currentWidget.content.widgets.map(
  cell => cell.model.type === "code" ? cell.model.sharedModel.getSource() : null)"""
_OUTPUTS = """cell => {
  const outputs = jupyterapp.shell.currentWidget.content.widgets[cell].model.toJSON().outputs || [];
  return JSON.stringify(outputs); }"""


@dataclass
class Lab:
    address: str
    token: str
    root: Path
    page: object = None

    def on(self, page) -> "Lab":
        self.page = page
        return self

    def write(self, name: str, *cells: str) -> str:
        """A notebook of code cells in the server's folder."""
        book = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(cells)]
        )
        book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(book, self.root / name)
        return name

    def open(self, path: str) -> "Notebook":
        self.page.goto(f"{self.address}/doc/tree/{path}?token={self.token}&reset", wait_until="domcontentloaded")
        self.page.wait_for_function(_CONNECTED, timeout=1000 * SECONDS)
        source = nbformat.read(self.root / path, 4)
        return Notebook(self.page, [cell.id for cell in source.cells])

    def leave(self) -> None:
        self.page.evaluate(_SHUT_DOWN)


@dataclass
class Notebook:
    page: object
    ids: list[str]  # of the cells, in their order

    def run_all(self) -> None:
        assert self.page.evaluate(_RUN_ALL, SECONDS) == "done", "the notebook did not finish"

    def run(self, cell: str, source: str | None = None) -> None:
        """Run the cell with this id, after replacing its text if another is given."""
        assert self.page.evaluate(_RUN_ONE, [self.ids.index(cell), source, SECONDS]) == "done", f"{cell} did not finish"

    def code(self) -> dict[str, str]:
        """The text of each code cell by its id, in their order."""
        return {cell: source for cell, source in zip(self.ids, self.page.evaluate(_SOURCES)) if source is not None}

    def outputs(self, cell: str) -> list[dict]:
        return json.loads(self.page.evaluate(_OUTPUTS, self.ids.index(cell)))

    def text(self, cell: str) -> str:
        """What a reader sees below a cell."""
        shown = self.page.locator(".jp-Notebook .jp-Cell").nth(self.ids.index(cell))
        return shown.locator(".jp-Cell-outputArea").inner_text()

    def errors(self) -> list[str]:
        """Every traceback in the notebook, by cell."""
        return [
            f"{cell}: {output['ename']}: {output['evalue']}"
            for cell in self.ids
            for output in self.outputs(cell)
            if output["output_type"] == "error"
        ]

    def explorers(self) -> list["Shown"]:
        """Every live explorer of the notebook, from top to bottom."""
        count = self.page.locator(".jp-OutputArea-output:has(.explorer .pic)").count()
        return [Shown(self.page, i) for i in range(count)]


@contextlib.contextmanager
def notebook_of(*cells: str):
    """A notebook of these cells, named cell-0 and on, run in a JupyterLab and a browser of its own. Raises NotFound."""
    with contextlib.ExitStack() as open_now:
        home = Path(open_now.enter_context(tempfile.TemporaryDirectory()))
        (home / "notebooks").mkdir()
        page = open_now.enter_context(chromium_browser()).new_page()
        lab = Lab(*open_now.enter_context(jupyterlab(home)), home / "notebooks").on(page)
        notebook = lab.open(lab.write("cells.ipynb", *cells))
        open_now.callback(lab.leave)
        notebook.run_all()
        assert notebook.errors() == []
        yield notebook


@dataclass
class Shown:
    """One explorer in the page."""

    page: object
    number: int

    @property
    def place(self):
        return self.page.locator(".jp-OutputArea-output:has(.explorer .pic)").nth(self.number)

    @property
    def label(self) -> str:
        return self.place.locator(".explorer svg").get_attribute("aria-label")

    def press(self, slider: int, key: str) -> None:
        self.place.locator(".noUi-handle").nth(slider).focus()
        self.page.keyboard.press(key)

    def slide(self, slider: int, key: str) -> str:
        """Press a key on a slider; the picture's new label, once it is there."""
        before = self.place.locator(".pic").inner_html()
        self.press(slider, key)
        self.page.wait_for_function(
            "([element, before]) => element.querySelector('.pic').innerHTML !== before", arg=[self.place.element_handle(), before]
        )
        return self.label

    def quarrels(self) -> list[str]:
        """Labels that overlap or leave the picture."""
        return self.place.locator(".explorer svg").evaluate(f"svg => ({QUARRELS})(svg)")


# Words of a drawing that overlap or leave it. A text's box has room for the font's tallest signs: a little is spared.
QUARRELS = """svg => {
  const frame = svg.getBoundingClientRect(), found = [];
  const boxes = [...svg.querySelectorAll("text")].filter(t => t.textContent.trim()).map(t => {
    const b = t.getBoundingClientRect(), spare = 0.12 * b.height;
    return {words: t.textContent, left: b.left, right: b.right, top: b.top + spare, bottom: b.bottom - spare}; });
  boxes.forEach((a, i) => {
    if (a.left < frame.left || a.right > frame.right || a.top < frame.top || a.bottom > frame.bottom)
      found.push(`${a.words} leaves the picture`);
    for (const b of boxes.slice(i + 1))
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        found.push(`${a.words} overlaps ${b.words}`); });
  return found; }"""
