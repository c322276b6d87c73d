"""Each lesson as a learner has it: run, moved by keyboard, answered wrongly and rightly, in a running JupyterLab."""

import inspect
from pathlib import Path

import nbformat
import pytest
from explorer_cases import constructors, made
from lab import Notebook, Shown
from needed import needed

from autograde.exercises import LESSONS, folder, in_lesson
from course_utils.explorers import Choice, Explorer, Switch, Typed

ROOT = Path(__file__).parents[2]
BUILT = [lesson for lesson in LESSONS if (ROOT / "notebooks" / folder(lesson) / f"{lesson}.ipynb").exists()]


def run_what_is_needed(notebook: Notebook, exercise: str) -> None:
    """The cells that show an explorer or check the exercise, and those that make what they use: a model that none of
    them shows is not trained."""
    code = notebook.code()
    cells, sources = list(code), list(code.values())
    wanted = {i for i, source in enumerate(sources) if "explore." in source and "import" not in source}
    for i in needed(sources, wanted | {cells.index(exercise)}):
        notebook.run(cells[i])


def test_there_are_lessons():
    assert BUILT, "notebooks/ holds no lesson: run `make notebooks`"


@pytest.mark.parametrize("everything", [False, pytest.param(True, marks=pytest.mark.soak)])
@pytest.mark.parametrize("lesson", BUILT)
def test_a_learner_can_run_move_and_answer(lesson, everything, lab):
    """``test_nbval.py`` runs every cell of a learner's copy, without a browser; here only a soak does."""
    notebook = lab.open(f"{folder(lesson)}/{lesson}.ipynb")
    name, wrong, explanation = mistake(lesson)
    notebook.run_all() if everything else run_what_is_needed(notebook, name)
    assert notebook.errors() == []

    known = [made(name) for name in constructors() if name.startswith(f"{lesson}.")]
    agreed = [shown_moves(shown, known) for shown in notebook.explorers()]
    assert any(agreed), "no explorer of this notebook starts where its module says"

    points = sum(check.points for check in next(e for e in in_lesson(lesson) if e.name == name).checks)
    report = answer(notebook, name, wrong)
    assert explanation in report and f"{points:g} of {points:g} points" not in report
    report = answer(notebook, name, solution(lesson, name))
    assert f"{points:g} of {points:g} points" in report
    assert notebook.errors() == []


def shown_moves(shown: Shown, known: list[Explorer]) -> bool:
    """Every slider moves the picture, and no words collide. True when the numbers could be held against the reference:
    an explorer that starts with a learner's own values cannot be."""
    explorer = next((e for e in known if e.describe(e.start) == shown.label), None)
    assert shown.quarrels() == []
    if explorer is None:
        before = shown.label
        assert shown.slide(0, "ArrowRight") != before and shown.quarrels() == []
        return False
    state = explorer.start
    sliders = [control for control in explorer.movable if not isinstance(control, (Choice, Switch, Typed))]
    for i, control in enumerate(sliders):
        positions = control.positions()
        here = positions.index(getattr(state, control.name))
        step = 1 if here + 1 < len(positions) else -1
        state = state.put(control.name, positions[here + step])
        assert shown.slide(i, "ArrowRight" if step > 0 else "ArrowLeft") == explorer.describe(state)
        assert shown.quarrels() == []
    return True


def answer(notebook: Notebook, name: str, source: str) -> str:
    """Fill in an exercise, run its check, and read the report."""
    notebook.run(f"{name}-answer", source)
    notebook.run(name)
    return notebook.text(name)


def mistake(lesson: str) -> tuple[str, str, str]:
    """A known mistake that can be typed into a cell as it stands: (exercise, its text, what the report must say)."""
    for exercise in in_lesson(lesson):
        for known in getattr(exercise, "misconceptions", ()):
            if not inspect.isfunction(known.function) or known.function.__name__ == "<lambda>":
                continue
            needs = inspect.getclosurevars(known.function)
            if not needs.nonlocals and set(needs.globals) <= {"np"}:
                text = inspect.getsource(known.function)
                own = text.replace(f"def {known.function.__name__}(", f"def {exercise.name}(")
                return exercise.name, own, known.explanation
    raise AssertionError(f"{lesson} has no mistake that stands alone")


def solution(lesson: str, name: str) -> str:
    solved = nbformat.read(ROOT / "solutions" / folder(lesson) / f"{lesson}.ipynb", 4)
    return next(cell.source for cell in solved.cells if cell.id == f"{name}-answer")
