"""One JupyterLab and one Chromium for all browser tests; each is started when first needed, and ended with them.

Playwright keeps an event loop running, which other tests must not meet.
"""

import os
import shutil
from pathlib import Path

import pytest
from browser_server import NotFound, chromium_browser, jupyterlab
from lab import Lab

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def chromium():
    try:
        with chromium_browser() as browser:
            yield browser
    except NotFound as reason:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(reason))


@pytest.fixture(scope="package")
def window(chromium):
    """What all pages share, JupyterLab's cached scripts above all."""
    context = chromium.new_context(viewport={"width": 1180, "height": 860})
    context.set_default_timeout(30_000)
    yield context
    context.close()


@pytest.fixture
def page(window):
    page = window.new_page()
    yield page
    page.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    """JupyterLab on a copy of the learner's notebooks."""
    home = tmp_path_factory.mktemp("lab")
    shutil.copytree(NOTEBOOKS, home / "notebooks")
    with jupyterlab(home) as (address, token):
        yield Lab(address, token, home / "notebooks")


@pytest.fixture
def lab(server, page):
    """``lab.open("x.ipynb")`` gives a notebook that is ready to run; its kernel goes when the test ends."""
    yield server.on(page)
    server.leave()
