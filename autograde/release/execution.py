"""Run a solved notebook in a kernel of this interpreter and keep outputs that come out the same each time."""

import asyncio
import contextlib
import functools
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import nbformat
from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from .layout import ReleaseError

CELL_SECONDS = 300
LESSON_SECONDS = 1200
WIDGET = "application/vnd.jupyter.widget-view+json"
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")

_CHANGING = {
    r" at 0x[0-9a-fA-F]+": "an object's address: print what matters about it",
    r"ipykernel_\d+": "a kernel's temporary file: no warning and no traceback may be shown",
}


class _ThisInterpreter(KernelSpecManager):
    """Whatever kernel a user has installed under the name python3, notebooks run in the Python that builds them."""

    def get_kernel_spec(self, kernel_name):
        return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict())


def run(notebook: nbformat.NotebookNode, script: Path) -> None:
    """Fill in execution counts and outputs. Raises ReleaseError, naming the script and the cell."""
    _build_font_cache()
    current = []
    client = NotebookClient(
        notebook,
        km=AsyncKernelManager(kernel_name="python3", kernel_spec_manager=_ThisInterpreter()),
        timeout=CELL_SECONDS,
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(script.parent)}},
        on_notebook_start=_interruptible,
        on_cell_start=lambda cell, **_: current.append(cell),
    )
    try:
        asyncio.run(_within_limit(client))
    except (CellExecutionError, DeadKernelError, TimeoutError) as error:
        where = f"{script}: {_name(current[-1])}" if current else f"{script}: before the first cell,"
        raise ReleaseError(f"{where} {_plainly(error)}") from None
    for cell in notebook.cells:
        if cell.cell_type == "code":
            _keep_what_stays(cell, script)


async def _within_limit(client: NotebookClient) -> None:
    limit = asyncio.timeout(LESSON_SECONDS)
    try:
        async with limit:
            await client.async_execute(cleanup_kc=True, env=_environment(), stderr=subprocess.DEVNULL)
    except DeadKernelError:  # also what nbclient makes of a cell that the limit cancelled
        if limit.expired():
            raise TimeoutError from None
        raise


def _interruptible(**_) -> None:
    """Ctrl-C ends the build. nbclient would only stop its kernel, and the next lesson would begin."""
    with contextlib.suppress(NotImplementedError):  # Windows has no such handlers
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)


def _plainly(error: Exception) -> str:
    if isinstance(error, CellExecutionError):
        return f"raised {error.ename}: {error.evalue}".splitlines()[0].rstrip(": ")
    if isinstance(error, CellTimeoutError):
        return f"was stopped after {CELL_SECONDS} seconds"
    if isinstance(error, DeadKernelError):
        return "ended its Python process"
    return f"was running when the lesson had used its {LESSON_SECONDS} seconds"


def _keep_what_stays(cell, script: Path) -> None:
    kept = []
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stderr":
            raise ReleaseError(f"{script}: {_name(cell)} wrote to stderr: {output.text.strip().splitlines()[-1]}")
        if "data" in output and output.data.pop(WIDGET, None) is not None and not output.data:
            continue
        for pattern, advice in _CHANGING.items():
            if found := re.search(pattern, str(output)):
                raise ReleaseError(f"{script}: {_name(cell)} shows {found[0].strip()!r}, {advice}")
        kept.append(output)
    cell.outputs = kept


def _name(cell) -> str:
    return f'cell "{cell.id}" ({cell.source.strip().splitlines()[0]})'


def _environment() -> dict[str, str]:
    """As nbval and a learner's machine will have it: no secret seed, and one thread, so that sums keep their order."""
    inherited = {key: value for key, value in os.environ.items() if key != "AUTOGRADE_SEED"}
    return inherited | dict.fromkeys(THREADS, "1")


@functools.cache
def _build_font_cache() -> None:
    """matplotlib builds it at its first import on a machine, and may say so on stderr."""
    subprocess.run([sys.executable, "-c", "import matplotlib.font_manager"], check=True, capture_output=True)
