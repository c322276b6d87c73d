"""A prediction in a running JupyterLab: chosen with a button, locked, compared; and no bare number below a report."""

CELLS = (
    "from autograde import check, predict",
    'guess = predict("Is dog nearer to cat?", "nearer", "farther")',
    'guess.compare("farther")',
    'check("embed", lambda ids, E: E[list(ids)])',
)


def test_a_choice_is_locked_then_compared(lab):
    notebook = lab.open(lab.write("predict.ipynb", *CELLS))
    notebook.run_all()
    assert "You made no prediction this time" in notebook.text("cell-2")
    nearer, farther = (lab.page.get_by_role("button", name=name) for name in ("nearer", "farther"))
    nearer.focus()
    lab.page.keyboard.press("Enter")
    lab.page.get_by_text("Locked:").wait_for()
    assert nearer.is_disabled() and farther.is_disabled()
    notebook.run("cell-1")  # again: the choice stays
    lab.page.get_by_text("Locked:").wait_for()
    notebook.run("cell-2")
    assert "You predicted nearer. The result: farther." in notebook.text("cell-2")


def test_the_points_are_stored_and_no_number_stands_on_the_page(lab):
    notebook = lab.open(lab.write("score.ipynb", *CELLS))
    notebook.run_all()
    (result,) = [o for o in notebook.outputs("cell-3") if o["output_type"] == "execute_result"]
    assert float("".join(result["data"]["text/plain"])) == 5.0
    lab.page.get_by_text("embed: 5 of 5 points").wait_for()
    assert "5.0" not in notebook.text("cell-3") and not notebook.text("cell-3").rstrip().endswith("]:")
    rows = lab.page.locator(".jp-Cell").nth(3).locator(".jp-OutputArea-child")
    assert [row.is_visible() for row in rows.all()] == [True, False]
