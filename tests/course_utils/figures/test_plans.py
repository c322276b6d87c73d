"""The drawing of boxes: each in its place, arrows between, ways round where they are said to be."""

from course_utils.figures import plots


def test_boxes_shapes_and_ways_round():
    figure = plots.plan(["attend", "add", "layer\nnorm"], [(0, 1)], ["(n, d)"] * 4, "A block")
    (axes,) = figure.axes
    words = [text.get_text() for text in axes.texts]
    assert [word for word in words if word in ("attend", "add", "layer\nnorm")] == ["attend", "add", "layer\nnorm"]
    assert words.count("(n, d)") == 4
    (way,) = axes.lines
    start, end = way.get_xdata()[0], way.get_xdata()[-1]
    boxes = {text.get_text(): text.get_position()[0] for text in axes.texts if text.get_weight() == "bold"}
    assert start < boxes["attend"] < end == boxes["add"] < boxes["layer\nnorm"]
    assert figure.alt == "A block: attend, then add, then layer norm. What goes into attend (box 1) is added at box 2."
