"""Explorers in a running JupyterLab, on a small notebook: a learner's function draws, fails, and draws again."""

from course_utils.explorers import decoder
from course_utils.explorers import word_vectors as explore

HEAD = "from course_utils.explorers import word_vectors as explore"
OWN = """
def cosine_similarity(u, v):
    if v @ v > 24:
        raise ValueError("too long")
    return u @ v / (u @ u * (v @ v)) ** 0.5
"""
CELLS = (HEAD, OWN, "explore.arrows()", "explore.arrows(cosine_similarity=cosine_similarity)", "explore.features()")


def test_sliders_move_pictures_by_keyboard(lab):
    notebook = lab.open(lab.write("small.ipynb", *CELLS))
    notebook.run_all()
    assert notebook.errors() == []
    arrows, own, features = notebook.explorers()

    reference = explore.arrows()
    assert arrows.label == reference.describe(reference.start)
    assert arrows.slide(3, "ArrowLeft") == reference.describe(reference.start.put("cat_length", 3.5))
    assert arrows.slide(0, "Home") == reference.describe(reference.start.put("cat_length", 3.5).put("dog_angle", -180))
    assert arrows.quarrels() == []

    table = explore.features()
    assert features.label == table.describe(table.start)
    features.place.get_by_role("button", name="Truck").focus()
    lab.page.keyboard.press("Space")
    truck = table.start.put("word", "Truck")
    lab.page.wait_for_function(
        "([e, label]) => e.querySelector('svg').getAttribute('aria-label') === label",
        arg=[features.place.element_handle(), table.describe(truck)],
    )
    assert features.slide(0, "ArrowRight") == table.describe(truck.put("animality", 0.02))

    height = own.place.bounding_box()["height"]
    own.press(1, "End")
    trouble = own.place.locator(".trouble")
    trouble.wait_for()
    assert trouble.inner_text() == "Your cosine_similarity raised ValueError: too long"
    assert own.place.bounding_box()["height"] == height
    own.press(1, "ArrowLeft")
    own.place.locator("svg").wait_for()
    assert own.label == reference.describe(reference.start.put("dog_length", 4.5))
    assert notebook.errors() == []


def test_a_beginning_is_typed_and_letters_are_no_shortcuts(lab):
    """JupyterLab deletes a cell at d d, and cuts one at x, where nothing is being typed."""
    notebook = lab.open(lab.write("typed.ipynb", "from course_utils.explorers import decoder", "decoder.writer()"))
    notebook.run_all()
    (shown,) = notebook.explorers()
    field = shown.place.get_by_label("Beginning", exact=True)
    field.fill("")
    lab.page.keyboard.type("add dx")
    lab.page.keyboard.press("Enter")
    reference = decoder.writer()
    typed = reference.start.put("beginning", "add dx")
    lab.page.wait_for_function(
        "([e, label]) => e.querySelector('svg').getAttribute('aria-label') === label",
        arg=[shown.place.element_handle(), reference.describe(typed)],
    )
    assert shown.slide(0, "ArrowRight") == reference.describe(typed.put("words", 1)) and shown.quarrels() == []
    assert notebook.errors() == [] and len(notebook.code()) == 2


def test_nothing_beyond_this_machine_can_be_reached(page):
    """So that a picture that needed the network would be missing here too."""
    page.set_content("<p>here</p>")
    ask = "fetch('http://example.org', {mode: 'no-cors'}).then(() => 'reached', () => 'refused')"
    assert page.evaluate(ask) == "refused"
