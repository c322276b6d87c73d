"""Lesson 5: three questions, each wrong option answered."""

from autograde.engine.exercise import Option, Quiz

ANSWER_SPREAD = Quiz(
    name="answer_spread",
    lesson="scaling",
    question="The scores 3547, 3200 and 3040 are divided by √64 = 8, which gives about 443, 400 and 380. What does "
    "softmax make of these?",
    options={
        "a": Option(
            "Soft weights: 443 is a manageable number.",
            "Softmax does not see how large scores are. Take 380 off each and the weights stay: what is left "
            "is about 63, 20 and 0: the second has e⁻⁴³ of the first's weight, which is nothing.",
        ),
        "b": Option(
            "One weight of 1, and nothing for the others: the scores are still tens apart.",
            "Only differences count, and exp(−43) is about 10⁻¹⁹. Dividing helps when it brings the "
            "spread of the scores down to about 1.",
        ),
        "c": Option(
            "An overflow: exp(443) is too large for float64.",
            "exp(443) still fits (the limit is near 709), and a softmax that takes off the maximum never "
            "computes it. The trouble is another.",
        ),
    },
    right="b",
    hints=("Take 380 off all three scores. Does any weight change?",),
)

ANSWER_WIDTH = Quiz(
    name="answer_width",
    lesson="scaling",
    question="A model of width 768 projects each word to queries and keys of width 64 and to values of width 128, and "
    "looks at 1,024 words. By what are the scores divided?",
    options={
        "a": Option(
            "√768 ≈ 27.7, the width of the embedding.",
            "A score never meets the 768 numbers: it adds up products of a query and a key. Divided by 27.7, "
            "weights would be far too even.",
        ),
        "b": Option(
            "√1024 = 32, since there are that many scores.",
            "How far scores spread does not depend on how many there are. It depends on how many products each adds up.",
        ),
        "c": Option(
            "√64 = 8, the width of a query and of a key.",
            "A score adds up 64 products, so its variance is 64 times that of one, and its spread 8 times.",
        ),
        "d": Option("√128 ≈ 11.3, the width of the values.", "Values come in after softmax. They have no part in the scores."),
    },
    right="c",
    hints=("How many products are added up in one score?",),
)

ANSWER_TWO_CURES = Quiz(
    name="answer_two_cures",
    lesson="scaling",
    question="Your softmax takes off the maximum of each row, so nothing overflows. Can the division by √d_k be left out?",
    options={
        "a": Option(
            "Yes: both keep the numbers small.",
            "Taking off the maximum changes no weight at all. A saturated softmax stays saturated, only without overflow.",
        ),
        "b": Option(
            "No: without it wide queries saturate softmax, and its gradients vanish.",
            "One is about numbers that fit into a float, the other about weights that can still learn. "
            "Neither does the other's work.",
        ),
        "c": Option(
            "Yes, in float64; float32 needs both.",
            "float64 only moves the overflow from 88 to 709. Saturation is the same in every precision.",
        ),
    },
    right="b",
    hints=("Which of the two changes the weights?",),
)
