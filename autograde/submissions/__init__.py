"""A class's folder in; each submission's bytes, and its code cells, out."""
