"""Starting what a browser test needs: the system's Chromium, and a JupyterLab of its own."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)  # nothing beyond this machine can be reached
NAMES = ("chromium", "chromium-browser", "google-chrome")
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True},
    "notebook-extension/tracker": {"windowingMode": "none"},  # every cell is in the page, seen or not
}


def _environment(home: Path) -> dict[str, str]:
    """No settings of the person who runs the tests, and no news pop-up over the page."""
    for name, values in SETTINGS.items():
        file = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(values))
    folders = {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    return {
        **os.environ,
        **folders,
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "OPENBLAS_NUM_THREADS": "1",
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_until_up(address: str, process, log: Path, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


class NotFound(Exception):
    """There is no browser here."""


@contextlib.contextmanager
def chromium_browser():
    """The system's Chromium, driven by Playwright; nothing is downloaded. Raises NotFound."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise NotFound("no Chromium on this machine: install the system's package (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield browser
        browser.close()


@contextlib.contextmanager
def jupyterlab(home: Path):
    """JupyterLab on a free port over ``home``/notebooks, with nobody's settings: (address, token).

    The folder may be a course of nbgrader's: its configuration is read from there.
    """
    port, token = _free_port(), secrets.token_hex(8)
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={home / 'notebooks'}",
        f"--IdentityProvider.token={token}",
        "--LabApp.expose_app_in_browser=True",
    ]
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=home / "notebooks", env=_environment(home), stdout=log, stderr=log, start_new_session=True
        )
    try:
        _wait_until_up(f"http://127.0.0.1:{port}/api/status?token={token}", process, home / "log")
        yield f"http://127.0.0.1:{port}", token
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)
