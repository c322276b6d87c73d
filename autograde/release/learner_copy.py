"""The learner's copy of a solved notebook, made by nbgrader's own preprocessors under the course's configuration.

So ``nbgrader generate_assignment`` gives the same cells, and nothing about clearing is said twice. Left out
is SaveCells alone, which writes into a gradebook.
"""

import copy
from pathlib import Path

import nbformat
from nbgrader.converters import GenerateAssignment
from nbgrader.nbgraderformat import ValidationError
from nbgrader.preprocessors import SaveCells
from traitlets.config import Config, ConfigFileNotFound, PyFileConfigLoader

from .layout import ReleaseError

CONFIGURATION = "nbgrader_config.py"


def learner_copy(solved: nbformat.NotebookNode, root: Path) -> nbformat.NotebookNode:
    """A new notebook without solutions, hidden tests, mark schemes and outputs; ids stay. Raises ReleaseError."""
    config = _configuration(root)
    notebook: nbformat.NotebookNode = copy.deepcopy(solved)
    resources: dict = {}
    for step in GenerateAssignment(config=config).preprocessors:
        if step is not SaveCells:
            try:
                notebook, resources = step(config=config).preprocess(notebook, resources)
            except (RuntimeError, ValidationError) as error:
                raise ReleaseError(f"nbgrader's {step.__name__} refuses the notebook: {error}") from None
    return notebook


def _configuration(root: Path) -> Config:
    try:
        return PyFileConfigLoader(CONFIGURATION, path=str(root)).load_config()
    except ConfigFileNotFound:
        raise ReleaseError(f"{root / CONFIGURATION} is missing: call the command in the course's folder") from None
