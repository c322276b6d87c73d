"""Lesson 4: three questions, each wrong option answered."""

from autograde.engine.exercise import Option, Quiz

ANSWER_REST = Quiz(
    name="answer_rest",
    lesson="query_key_value",
    question="iPhone 55 %, released 30 %, new 10 %, a 1 %: the weights of “apple” sum to 96 %. Whose is the rest?",
    options={
        "a": Option(
            "Nobody's: it is lost to rounding.",
            "Four numbers rounded to whole percents can lose 2 points in all, never 4. And softmax gives every key a share.",
        ),
        "b": Option(
            "The query's: it needs a share to stay what it is.",
            "A query takes no weight; weights belong to keys and say how much of each value is mixed in.",
        ),
        "c": Option(
            "That of “apple” itself: a word is among the keys that it looks at.",
            "The sentence has five words, and softmax spreads the whole of the attention over all "
            "five, the word itself included.",
        ),
    },
    right="c",
    hints=("Count the words of the sentence, and the rows of K.",),
)

ANSWER_LOOKS_AT = Quiz(
    name="answer_looks_at",
    lesson="query_key_value",
    question="In a head of a trained model, “he” gives “doctor” more weight than “patient”. What follows?",
    options={
        "a": Option(
            "The model takes “he” to be the doctor.",
            "Swap the two words, and the weight follows the place, not the meaning. Weight is not understanding.",
        ),
        "b": Option(
            "More of the doctor's value is mixed into “he” in this head; what that does later is open.",
            "A weight says how much is taken along, in one head of one layer. What it means has to be "
            "tested, by changing the sentence.",
        ),
        "c": Option(
            "Nothing at all: attention weights are random.",
            "They are far from random: swap the two words, and the larger weight moves to the other. They show "
            "association, which is something, and not proof.",
        ),
    },
    right="b",
    hints=("What exactly is computed with a weight, one line after softmax?",),
)

ANSWER_SYMMETRIC = Quiz(
    name="answer_symmetric",
    lesson="query_key_value",
    question="Every word is one vector x, and scores are x · y. Scissors shall score paper high, and paper shall score "
    "scissors low. For which vectors can that be?",
    options={
        "a": Option(
            "For some: they must be chosen well.",
            "x · y and y · x are the same number whatever the vectors are. No choice helps.",
        ),
        "b": Option(
            "For none: if scissors score paper high, paper scores scissors just as high.",
            "One vector in both roles makes the scores symmetric. With q = x W_q and k = y W_k they need not be.",
        ),
        "c": Option("For some, if all have length 1.", "Then the score is a cosine, and cosines are symmetric too."),
    },
    right="b",
    hints=("Write down the score of (scissors, paper) and the score of (paper, scissors).",),
)
