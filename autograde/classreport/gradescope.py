"""Marks in the form of Gradescope's results.json: one document a submission.

https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format
"""

import json

from autograde.grading.marks import Mark


def results_json(mark: Mark) -> str:
    """A test without a known score has none, and then the submission has none either."""
    tests = [
        {"name": each.name, "max_score": each.points, "status": "passed" if each.score == each.points else "failed"}
        | ({} if each.score is None else {"score": each.score})
        for each in mark.exercises
        if each.score is not None or not each.waiting
    ]
    content = {"output": f"{mark.lesson}: {mark.status}", "tests": tests, "extra_data": {"late_penalty": mark.penalty}}
    score = {} if mark.score is None else {"score": mark.score}
    return json.dumps(score | content, indent=1, ensure_ascii=False) + "\n"
