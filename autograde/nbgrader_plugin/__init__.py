"""What nbgrader needs of us: preprocessors, its autograde command, gradebook rows, restored notebooks."""
