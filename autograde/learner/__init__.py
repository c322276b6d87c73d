"""What a learner's notebook imports: check, hint, yours, predict, and functions carried over from earlier lessons."""
