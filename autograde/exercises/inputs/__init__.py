"""Valid arguments of every hard family, a module for each kind: what exercises draw from and what ``verify`` compares on.

A family is numbers on which some wrong answer and the right one part: a vector that looks like zero and is not, a score
of exactly 0, a far larger entry behind the first, a view that runs backwards through memory.
"""
