"""A notebook opened again, narrow, and by ear: what stands there when no Python answers, and what a screen reader is told."""

import nbformat
import pytest
from lab import Notebook

SHOW = "from course_utils.explorers import word_vectors as explore\nexplore.arrows()"
FIGURE = "from course_utils.figures import plots\nplots.bars({'cat': 0.88, 'car': 0.42}, 'Cosine with dog')"
STILL, LIVE = ".course-still img", ".course-live .explorer svg"
_SAVE = "() => jupyterapp.commands.execute('docmanager:save').then(() => 'saved')"
_RESTART = "() => jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.restart().then(() => 'done')"


def second_day(lab, name: str) -> Notebook:
    """Run, saved, and opened again on a new kernel, still trusted."""
    notebook = lab.open(name)
    notebook.run_all()
    lab.page.locator(LIVE).wait_for()
    assert lab.page.evaluate(_SAVE) == "saved"
    lab.leave()
    lab.page.goto("about:blank")
    return lab.open(name)


def test_on_the_second_day_the_picture_stands_there_and_no_error(lab):
    name = lab.write("second.ipynb", SHOW, FIGURE)
    notebook = second_day(lab, name)
    saved = nbformat.read(lab.root / name, 4)
    assert any("widget-view" in key for output in saved.cells[0].outputs for key in output.data)
    lab.page.locator(STILL).wait_for(state="visible")
    lab.page.wait_for_timeout(3000)  # JupyterLab looks for a widget's model for two seconds before it complains
    assert lab.page.locator(STILL).is_visible() and "Error displaying" not in notebook.text("cell-0")
    notebook.run("cell-0")
    lab.page.locator(LIVE).wait_for()
    assert not lab.page.locator(STILL).is_visible()


def test_a_picture_whose_python_has_gone_says_so(lab):
    notebook = lab.open(lab.write("restarted.ipynb", SHOW))
    notebook.run_all()
    stale = lab.page.locator(".course-live .stale")
    assert not stale.is_visible()
    assert lab.page.evaluate(_RESTART) == "done"
    stale.wait_for(state="visible", timeout=10_000)
    assert "Run this cell again" in stale.inner_text()


def test_figures_have_their_alternative_text_on_the_page(lab):
    notebook = lab.open(lab.write("figure.ipynb", FIGURE))
    notebook.run_all()
    image = lab.page.locator(".jp-OutputArea-output img")
    assert image.get_attribute("alt") == "Cosine with dog: cat 0.88; car 0.42."
    assert image.evaluate("node => node.complete && node.naturalWidth > 0")


def test_controls_have_names_and_changes_are_announced(lab):
    notebook = lab.open(lab.write("heard.ipynb", SHOW, "explore.features()"))
    notebook.run_all()
    lab.page.get_by_role("slider", name="Cat: length").first.wait_for()
    _, features = notebook.explorers()
    group = lab.page.get_by_role("group", name="Sliders move")
    assert group.get_by_role("button", pressed=True).inner_text() == "Cat"
    group.get_by_role("button", name="Truck").click()
    group.get_by_role("button", name="Truck", pressed=True).wait_for()
    lab.page.wait_for_function("() => document.querySelector('.course-heard').textContent.includes('Nearest to Truck')")
    assert features.label == lab.page.locator(".course-heard").inner_text()


@pytest.mark.parametrize("width", [360, 720, 844, 980])
def test_in_a_narrow_window_the_picture_scrolls_and_the_controls_stay(lab, width):
    lab.page.set_viewport_size({"width": width, "height": 860})
    try:
        notebook = lab.open(lab.write("narrow.ipynb", SHOW))
        notebook.run_all()
        lab.page.locator(LIVE).wait_for()
        (arrows,) = notebook.explorers()
        assert arrows.quarrels() == []
        size = arrows.place.locator("svg").evaluate(
            "svg => Math.min(...[...svg.querySelectorAll('text')].map(t => parseFloat(getComputedStyle(t).fontSize)))"
        )
        scale = arrows.place.locator("svg").evaluate("svg => svg.getBoundingClientRect().width / 980")
        assert size * scale >= 10
        box = arrows.place.locator(".course-live").first
        assert box.evaluate("node => node.scrollWidth <= node.clientWidth + 4")  # margins of what is inside
        for slider in lab.page.locator(".course-live .widget-slider").all():
            here, around = slider.bounding_box(), box.bounding_box()
            assert slider.locator(".noUi-base").bounding_box()["width"] >= 100
            assert here["x"] + here["width"] <= around["x"] + around["width"] + 1
    finally:
        lab.page.set_viewport_size({"width": 1180, "height": 860})
