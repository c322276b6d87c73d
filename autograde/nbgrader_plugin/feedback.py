"""nbgrader's ``generate_feedback``: without mark schemes and hidden tests, and without anything from another host."""

import re
from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader import preprocessors as stock
from nbgrader.converters import GenerateFeedback as StockGenerateFeedback
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import default
from traitlets.config import Config

from .restored_notebook import REFUSED

TEMPLATES = str(Path(__file__).parent / "templates")  # nbgrader's own, by the same name, is found beyond it
_REGIONS = [
    re.compile(rf"[ \t]*### BEGIN {region}.*?(?:### END {region}[ \t]*\n?|\Z)", re.DOTALL)
    for region in ("MARK SCHEME", "HIDDEN TESTS")
]


class ForLearners(NbGraderPreprocessor):
    """Takes out what only markers are to read; says first why a file could not be graded."""

    def preprocess(self, nb, resources):
        if nb.cells and nb.cells[0].source.startswith(REFUSED):
            resources["nbgrader"]["refused"] = nb.cells.pop(0).source
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, index):
        for region in _REGIONS:
            cell.source = region.sub("", cell.source).rstrip() if "### BEGIN" in cell.source else cell.source
        return cell, resources


class GenerateFeedback(StockGenerateFeedback):
    """With a template that begins with nbgrader's; one that the configuration names stays."""

    @default("preprocessors")
    def _preprocessors_default(self):
        return [stock.GetGrades, ForLearners, CSSHTMLHeaderPreprocessor]

    def __init__(self, coursedir=None, **more):
        super().__init__(coursedir=coursedir, **more)
        html, c = self.config.HTMLExporter, Config()
        c.HTMLExporter.extra_template_paths = [*html.extra_template_paths, *html.extra_template_basedirs]
        c.HTMLExporter.extra_template_basedirs = [TEMPLATES, *html.extra_template_basedirs]
        self.update_config(c)
