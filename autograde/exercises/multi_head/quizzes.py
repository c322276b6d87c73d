"""Lesson 6: the quizzes."""

from autograde.engine.exercise import Option, Quiz

ANSWER_TWO_PLACES = Quiz(
    name="answer_two_places",
    lesson="multi_head",
    question="One head must find two facts at once, in two different places. What can it do?",
    options={
        "a": Option("Give both places a weight of 1.", "Its weights sum to 1. What one place gets, the other cannot have."),
        "b": Option(
            "Share its weight between the two places, and hand over a mixture of what lies there.",
            "It has one set of weights and one output: both facts arrive added together, and which was which is lost.",
        ),
        "c": Option(
            "Look at one place now and at the other in the next step.",
            "There is no next step within one layer: each query is answered once, by one set of weights.",
        ),
    },
    right="b",
    hints=("What do the weights of one query sum to?",),
)

ANSWER_RESHAPE = Quiz(
    name="answer_reshape",
    lesson="multi_head",
    question="X has shape (n, d). Why is X.reshape(h, n, d // h) not the same as split_heads(X, h)?",
    options={
        "a": Option(
            "It reads the numbers in another order: the first head would get whole tokens, not a part of each.",
            "reshape keeps the reading order, row by row. The first block is filled from the first tokens, to their full width.",
        ),
        "b": Option(
            "It has another shape.", "The shape is the same, which is why the mistake is so hard to see: nothing complains."
        ),
        "c": Option("reshape changes the numbers.", "No number changes. They land in other places."),
    },
    right="a",
    hints=("Try it on the lettered table with n = 2, d = 4, h = 2.",),
)

ANSWER_BUDGET = Quiz(
    name="answer_budget",
    lesson="multi_head",
    question="A layer goes from 1 head to 12 heads and keeps its width. What happens to its parameters?",
    options={
        "a": Option(
            "They grow twelvefold: each head has matrices of its own.",
            "Each head has columns of its own, a twelfth of each matrix. Together they are the same matrices.",
        ),
        "b": Option(
            "They stay as many: each head gets a twelfth of the width.",
            "The four matrices keep their size. Heads share the columns out among themselves.",
        ),
        "c": Option("They shrink to a twelfth: each head is narrower.", "Each head is narrower, but there are twelve of them."),
    },
    right="b",
    hints=("Compare head_budget(768, 1) with head_budget(768, 12).",),
)
