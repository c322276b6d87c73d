"""Runs a submission's code in a process that holds no answers. Nothing is imported here: the worker starts from this package."""
