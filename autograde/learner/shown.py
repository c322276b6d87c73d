"""What a learner is shown: the same words as HTML in a notebook and as text elsewhere."""

from html import escape

QUIET = (
    "<style>.jp-OutputArea-child:has(.atg-score){display:none}</style>"
    '<span class="atg-score" hidden></span>'
)  # in place of the number: the row of the page that would hold it is left out


class Shown:
    """Something said to the learner: HTML in a notebook, the same words as text elsewhere."""

    def __init__(self, text: str, html: str):
        self.text, self.html = text, html

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        return self.html


def say(*sentences: str) -> None:
    """Each sentence as a paragraph of its own."""
    paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    show(Shown("\n".join(sentences), f'<div class="atg">{paragraphs}</div>'))


def show(shown: Shown) -> None:
    """IPython's display where there is a notebook, print elsewhere."""
    if shell() is None:
        print(shown.text)
    else:
        from IPython.display import display

        display(shown)


def shell():
    """The running IPython, or None where there is no notebook."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    return get_ipython()


def without_number(score: float) -> float:
    """``score`` itself. As the value of the cell that runs now it is stored as text, where nbgrader reads its points,
    but on the page nothing stands for it: the report above has said it in words."""
    notebook = shell()
    if notebook is not None:
        now = notebook.execution_count

        def quiet(value):
            return QUIET if value is score and notebook.execution_count == now else None

        notebook.display_formatter.formatters["text/html"].for_type(float, quiet)
    return score
