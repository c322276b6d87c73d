"""Lesson 7: three questions, each wrong option answered."""

from autograde.engine.exercise import Option, Quiz

ANSWER_ORDER = Quiz(
    name="answer_order",
    lesson="transformer",
    question="A model of twelve layers was trained without positions. It reads “dog bites man” and then “man bites dog”. "
    "What does its last layer hold for “bites”?",
    options={
        "a": Option(
            "Nearly the same: twelve layers are enough to work out the order.",
            "No number of layers helps: a layer that gets the same rows in another order gives the same rows in that "
            "order, and so does the next. There is nothing to work it out from.",
        ),
        "b": Option(
            "Exactly the same in both sentences.",
            "“bites” sees the same two other words both times, and nothing says which came first. Each layer hands the "
            "same rows on.",
        ),
        "c": Option(
            "Two vectors that differ, because dog and man ask different questions.",
            "They do, but in both sentences the same ones. What changes is only who stands where, and no row says "
            "where it stands.",
        ),
    },
    right="b",
    hints=("What does one layer give when its rows are handed over in another order?",),
)

ANSWER_BIAS = Quiz(
    name="answer_bias",
    lesson="transformer",
    question="Somebody loses one of the four biases of attention, sets it to zero, and finds that no output of the model "
    "changes. Which one was it?",
    options={
        "a": Option(
            "b_q, the queries' bias.", "It adds b_q · k to each score, which differs from key to key: the weights change."
        ),
        "b": Option(
            "b_k, the keys' bias.",
            "It adds q · b_k to every score of a query, the same number for all keys. Softmax does not see what is added to "
            "a whole row.",
        ),
        "c": Option(
            "b_v, the values' bias.",
            "Weights sum to 1, so every token takes along the whole of b_v, through W_o. That is not nothing, though b_o "
            "could hold it as well.",
        ),
        "d": Option(
            "b_o, the bias after W_o.",
            "It is added to every token's row as it is. The norm after it takes off only a row's mean.",
        ),
    },
    right="b",
    hints=("Write out the score of query i for key j with both biases. Which terms differ from key to key?",),
)

ANSWER_PARAMETERS = Quiz(
    name="answer_parameters",
    lesson="transformer",
    question="A layer has width d = 1,024 and an inner width of 4 · d. Of its matrices, which part holds more numbers?",
    options={
        "a": Option(
            "Attention: it has four matrices, the feed-forward net only two.",
            "Count their sizes: four times d · d against two times d · 4d.",
        ),
        "b": Option(
            "Both the same, about 4 million.",
            "Attention has 4 · d² = 4.2 million. The feed-forward net's two matrices are d by 4d and 4d by d.",
        ),
        "c": Option(
            "The feed-forward net: twice as many as attention.",
            "2 · d · 4d = 8 · d² against 4 · d²: two thirds of a layer's matrices work on each token by itself.",
        ),
        "d": Option(
            "It depends on the number of heads.",
            "Heads share out the same four matrices: their number changes no count. You found that in lesson 6.",
        ),
    },
    right="c",
    hints=("Attention: W_q, W_k, W_v, W_o, each d by d. The net: d by 4d, and 4d by d.",),
)
