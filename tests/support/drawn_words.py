"""The words of a static figure with the boxes that they take when it is drawn."""

from itertools import combinations

from matplotlib.text import Text


def check_words(figure, monkeypatch) -> int:
    """How many words the figure shows. Fails where one covers another or leaves the picture."""
    drawn, draw = {}, Text.draw

    def draw_and_note(text, renderer):
        if text.get_visible() and text.get_text().strip():
            drawn[id(text)] = (text.get_text(), text.get_window_extent(renderer))
        draw(text, renderer)

    monkeypatch.setattr(Text, "draw", draw_and_note)
    figure.draw_without_rendering()  # the first drawing lays out; what counts is where words then are
    drawn.clear()
    figure.draw_without_rendering()
    wide, high = figure.get_size_inches() * figure.dpi
    for word, box in drawn.values():
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= wide and box.y1 <= high, word
    for (one, a), (other, b) in combinations(drawn.values(), 2):
        assert not (a.x0 < b.x1 and b.x0 < a.x1 and a.y0 < b.y1 and b.y0 < a.y1), (one, other)
    return len(drawn)
