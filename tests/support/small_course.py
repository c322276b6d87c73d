"""A course of one small lesson, built once, for the tests of the builder."""

import shutil
from pathlib import Path

import pytest
from paths import ROOT

from autograde import release

LESSON = "word_vectors"
SCRIPT = f"solutions/01_{LESSON}/{LESSON}.py"
SOLVED = f"solutions/01_{LESSON}/{LESSON}.ipynb"
LEARNER = f"notebooks/01_{LESSON}/{LESSON}.ipynb"

TINY = '''\
# %% [markdown]
# # Why must a word be a vector?
#
# Because one number is not enough.

# %%
import os

import ipywidgets as widgets
from IPython.display import display


def check(name, answer, hidden=False):
    return 2.0 if hidden else 1.0


print("seed", os.environ.get("AUTOGRADE_SEED"), "threads", os.environ["OPENBLAS_NUM_THREADS"])
display(widgets.IntSlider(3))

# %% tags=["raises-exception"]
raise ValueError("shown on purpose")

# %% answer: embed
def embed(ids, E):
    """Rows of E."""
    ### BEGIN SOLUTION
    return E[ids]
    ### END SOLUTION


# %% check: embed
check("embed", embed)

# %% [markdown] own words: why_cosine 2
# Why the cosine?
#
# ### BEGIN MARK SCHEME
# Length is not meaning.
# ### END MARK SCHEME

# %% [markdown]
# # Why must a word be a vector?
# Asked again.
'''


def course(folder: Path) -> Path:
    """The lesson's script and the configuration, nothing built."""
    (folder / SCRIPT).parent.mkdir(parents=True)
    (folder / SCRIPT).write_text(TINY, encoding="utf-8")
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    return folder


def built_course(folder: Path) -> Path:
    """The same, built in the presence of a secret seed."""
    root = course(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRADE_SEED", "4711")
        assert release.build([LESSON], root) == [SOLVED, LEARNER]
    return root


def current(root: Path) -> list[str]:
    """What is stale in the lesson, its unfinished state aside: TINY asks one exercise of the real lesson."""
    return [line for line in release.stale([LESSON], root) if "is never checked" not in line]
