"""One JupyterLab and one Chromium for all browser tests; each is started when first needed."""

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

import pytest
from lab import Lab

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium, driven by Playwright; nothing is downloaded."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say("no Chromium on this machine: install the system's package (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    """An empty page that may not reach beyond this machine."""
    context = chromium.new_context(viewport={"width": 1180, "height": 860})
    context.set_default_timeout(30_000)
    context.route("**", lambda route: route.continue_() if _local(route.request.url) else route.abort())
    yield context.new_page()
    context.close()


def _local(url: str) -> bool:
    return url.startswith(("http://127.0.0.1", "data:", "blob:", "about:"))


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """JupyterLab on a free port, on a copy of the learner's notebooks, with settings of its own: (address, folder)."""
    home = tmp_path_factory.mktemp("lab")
    root = home / "notebooks"
    shutil.copytree(NOTEBOOKS, root) if NOTEBOOKS.exists() else root.mkdir()
    port, token = _free_port(), secrets.token_hex(8)
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}",
               "--ServerApp.port_retries=0", f"--ServerApp.root_dir={root}", f"--IdentityProvider.token={token}",
               "--LabApp.expose_app_in_browser=True"]
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(command, env=_environment(home), stdout=log, stderr=log, start_new_session=True)
    try:
        _wait_until_up(f"http://127.0.0.1:{port}/api/status?token={token}", process, home / "log")
        yield Lab(f"http://127.0.0.1:{port}", token, root)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)


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
    return {**os.environ, **folders, "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"), "IPYTHONDIR": str(home / "ipython"),
            "OPENBLAS_NUM_THREADS": "1"}


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
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


@pytest.fixture
def lab(server, page):
    """``lab.open("x.ipynb")`` gives a notebook that is ready to run; its kernel goes when the test ends."""
    yield server.on(page)
    server.leave()
