"""A class's results in; the class page, CSV files and learning-system files out."""
