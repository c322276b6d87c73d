"""Many submissions in, a result file for each out."""
