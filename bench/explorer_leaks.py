"""What 500 updates leave behind: memory of the kernel, and heap and nodes of the page, for every explorer.

Each explorer stands in a notebook of its own cell, live, in one JupyterLab. Its first slider walks to and fro by
keyboard, and every step waits for the new picture; a first walk over the same positions is not counted.
"""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "browser")]

from browser_server import NotFound
from explorer_cases import constructors, source
from lab import notebook_of

WARM, UPDATES = 60, 500
COLLECT = "import gc, os\nprint(gc.collect() >= 0 and os.getpid())"
# Presses an arrow key on the slider `count` times, each time once the picture of the time before is there.
WALK = """([output, count]) => new Promise((done, fail) => {
  const handle = output.querySelector(".noUi-handle"), look = () => output.querySelector("svg[aria-label]").ariaLabel;
  const at = name => Number(handle.getAttribute(`aria-value${name}`));
  let key = "ArrowRight", before = look(), left = count, late;
  const press = () => {
    if (left-- === 0) { watch.disconnect(); return done(); }
    if (at("now") >= at("max")) key = "ArrowLeft";
    if (at("now") <= at("min")) key = "ArrowRight";
    late = setTimeout(() => fail(new Error("no new picture in 10 s")), 10000);
    handle.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true})); };
  const watch = new MutationObserver(() => {
    if (!output.querySelector("svg[aria-label]") || look() === before) return;
    clearTimeout(late); before = look(); setTimeout(press); });
  watch.observe(output, {subtree: true, childList: true, attributes: true, attributeFilter: ["aria-label"]});
  handle.focus(); press(); })"""


class Memory:
    """What a kernel and a page hold, rubbish collected before."""

    def __init__(self, notebook, cell: str):
        self.notebook, self.cell = notebook, cell
        self.session = notebook.page.context.new_cdp_session(notebook.page)
        self.session.send("Performance.enable")

    def kernel(self) -> float:
        """Megabytes of its process. A cell is run for it, and JupyterLab keeps some 500 nodes of each run."""
        self.notebook.run(self.cell)
        status = Path(f"/proc/{self.notebook.text(self.cell).strip()}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) / 1024

    def page(self) -> tuple[float, int]:
        """Megabytes of its heap, and its nodes."""
        self.session.send("HeapProfiler.collectGarbage")
        metrics = {metric["name"]: metric["value"] for metric in self.session.send("Performance.getMetrics")["metrics"]}
        return metrics["JSHeapUsedSize"] / 2**20, int(metrics["Nodes"])


def walks() -> None:
    names = list(constructors())
    with notebook_of(*map(source, names), COLLECT) as notebook:
        memory = Memory(notebook, f"cell-{len(names)}")
        print(f"{f'{UPDATES} updates':28} {'kernel MB':>18} {'page heap MB':>18} {'nodes':>18}")
        for cell, name in enumerate(names):
            output = notebook.page.locator(".jp-Notebook .jp-Cell").nth(cell).locator(".jp-Cell-outputArea")
            output.locator("svg[aria-label]").wait_for()
            output.scroll_into_view_if_needed()
            notebook.page.evaluate(WALK, [output.element_handle(), WARM])
            kernel = memory.kernel()
            notebook.page.evaluate(WALK, [output.element_handle(), WARM])  # what running a cell left comes to rest
            heap, nodes = memory.page()
            notebook.page.evaluate(WALK, [output.element_handle(), UPDATES])
            heap_then, nodes_then = memory.page()
            found = (f"{kernel:.1f} → {memory.kernel():.1f}", f"{heap:.1f} → {heap_then:.1f}", f"{nodes} → {nodes_then}")
            print(f"{name:28}", *(f"{words:>18}" for words in found), flush=True)


if __name__ == "__main__":
    try:
        walks()
    except NotFound as reason:
        print(f"what updates leave behind: not measured, {reason}")
