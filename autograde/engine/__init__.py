"""One answer in, one Report out. Pure: knows no lesson, no file and no process."""
