"""Feedback pages: made for everybody, with the reason on top, and without what only markers or the judge may know."""

import json
import re

import pytest
from small_gradebook import ASSIGNMENT, CONFIG, LESSON, RIGHT, WITH_OUR_CLASSES, graded, hand_in, nbgrader

WRONG = "def one_hot(ids, vocab_size):\n    return np.eye(vocab_size)[ids] + 0.125"  # explained by no known mistake
LOST = "Why?\n\n![plan](attachment:plan.png) ![two](<attachment:two words.png>) ![odd](attachment:odd%20one.png) [a](b.png)"


@pytest.fixture(params=["grade", "nbgrader"])
def pages(request, home):
    """student -> the page, by either entry point with our classes."""
    hand_in(home, "ada", RIGHT | {"one_hot": WRONG}, words=LOST)
    hand_in(home, "bob", {})
    hand_in(home, "eve", RIGHT, words="Why? Here it is: ![kept](attachment:kept.png)")
    (home / "submitted" / "bob" / ASSIGNMENT / f"{LESSON}.ipynb").write_bytes(b"%PDF-1.7")
    attach(home / "submitted" / "eve" / ASSIGNMENT / f"{LESSON}.ipynb", "kept.png", "a2VwdA==")
    (home / "nbgrader_config.py").write_text(CONFIG.format(home=home) + WITH_OUR_CLASSES)
    if request.param == "grade":
        graded(home)
    else:
        nbgrader(home, "autograde", ASSIGNMENT, fails=True)  # for bob
    nbgrader(home, "generate_feedback", ASSIGNMENT)
    return {name: (home / "feedback" / name / ASSIGNMENT / f"{LESSON}.html").read_text() for name in ("ada", "bob", "eve")}


def attach(path, name, base64):
    document = json.loads(path.read_text())
    for cell in document["cells"]:
        if name in "".join(cell["source"]):
            cell["attachments"] = {name: {"image/png": base64}}
    path.write_text(json.dumps(document))


def test_all_of_it(pages):
    ada, bob, eve = pages["ada"], pages["bob"], pages["eve"]
    assert ada.count("data:image/svg+xml;base64,") == 3 and "data:image/png;base64,a2VwdA==" in eve
    assert "Because." not in "".join(pages.values()) and "MARK SCHEME" not in ada and "HIDDEN TESTS" not in ada
    assert "one_hot: 0 of 5 points" in ada and "smallest input" not in ada
    body = re.sub(r"<style.*?</style>", "", bob, flags=re.DOTALL)
    assert body.index("Not graded: a person has to look at this file") < body.index("a PDF") < body.index("Score: ")
    assert "No response." not in bob
    for page in pages.values():
        assert re.findall(r"""(?:src|href)=["']?(?:https?:)?//[^"'> ]+""", page) == []
        assert "@import" not in page and "cdnjs" not in page
