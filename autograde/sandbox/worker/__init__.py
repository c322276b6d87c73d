"""The learner's side: a process that holds one submission and no answers."""
