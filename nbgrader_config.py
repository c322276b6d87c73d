"""nbgrader's view of the course: solutions/ is its source, notebooks/ its release.

``autograde release`` reads this file too, so both make the same notebooks for learners.
"""

from autograde.nbgrader_plugin.preprocessors import configure

c = get_config()  # noqa: F821 - nbgrader puts it here

c.CourseDirectory.course_id = "attention"  # the exchange asks for a name, and a gradebook on PostgreSQL
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"

# Every other file of a source folder is handed to learners, and the scripts hold the solutions.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "*.py"]

# A cell that nobody has filled in still runs: `check` says that it is not attempted.
c.ClearSolutions.code_stub = {"python": "# your code here\npass"}

c.Execute.timeout = 300  # seconds a cell; the longest demonstration trains five small models

# `nbgrader autograde` and the formgrader's button then run submissions in the sandbox, and read what front ends
# have mangled. Without this line they work as nbgrader comes, with the same scores for honest work.
configure(c)
