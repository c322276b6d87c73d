"""Lesson 1: the quizzes."""

from autograde.engine.exercise import Option, Quiz

ANSWER_LONGER = Quiz(
    name="answer_longer",
    lesson="word_vectors",
    question="u · v = 6, with lengths |u| = 2 and |v| = 6. Now v is replaced by −3 v. What are the new dot product "
    "and the new cosine?",
    options={
        "a": Option(
            "−18 and −1.5.", "A cosine never leaves −1 to 1: the length of v has grown threefold too, and is divided out."
        ),
        "b": Option(
            "−18 and −0.5.",
            "Every product is multiplied by −3. The cosine divides by the new length, 18, and keeps the change of sign.",
        ),
        "c": Option(
            "18 and 0.5.", "The minus sign turns the arrow round: both the dot product and the cosine change their sign."
        ),
    },
    right="b",
    hints=("The old cosine is 6 / (2 · 6). What happens to the top and to the bottom of that fraction?",),
)


ANSWER_ONE_HOT = Quiz(
    name="answer_one_hot",
    lesson="word_vectors",
    question="A shop gives each of its 5,000 articles a one-hot row. One more article is added. What does its row say about it?",
    options={
        "a": Option(
            "Which articles it is most like: they are nearest.",
            "It shares no 1 with any other row, so all of them are equally far from it.",
        ),
        "b": Option(
            "Nothing new: it can reuse the row of a like article, and the rows stay 5,000 long.",
            "Then the two could not be told apart any more, and telling apart is all that one-hot rows do.",
        ),
        "c": Option(
            "Only that it is another one: dot product 0 with all 5,000, and every row is a column longer.",
            "One-hot rows tell things apart, and nothing else; each new thing costs a column of its own.",
        ),
    },
    right="c",
    hints=("Write down three one-hot rows, then a fourth. What had to change in the first three?",),
)


ANSWER_NEAR = Quiz(
    name="answer_near",
    lesson="word_vectors",
    question="Vectors are learned from restaurant reviews, where delicious and disgusting stand in the same places. "
    "What will their cosine be?",
    options={
        "a": Option(
            "Large: they are used alike.",
            "The rows record which words stand around a word, and around these two they are the same.",
        ),
        "b": Option(
            "Near −1: they are opposites.",
            "Opposite meanings are not opposite directions: what is recorded is how a word is used.",
        ),
        "c": Option(
            "Near 0: they hardly ever stand in the same sentence.",
            "They need not meet. It is enough that they keep the same company.",
        ),
    },
    right="a",
    hints=("Think of good and bad in GloVe. What did their rows record?",),
)
