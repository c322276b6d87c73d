"""Lesson 2: the quizzes."""

from autograde.engine.exercise import Option, Quiz

ANSWER_HALVED = Quiz(
    name="answer_halved",
    lesson="embedding_space",
    question="A second model gives the right word of every blank a tenth of the probability that the first model gave "
    "it. How much higher is its cross-entropy?",
    options={
        "a": Option("Ten times as high.", "−ln(p/10) is −ln p plus ln 10: an amount is added, whatever p was."),
        "b": Option(
            "By ln 10, about 2.30, whatever the probabilities were.",
            "−ln(p/10) = −ln p + ln 10 for every blank, and so for their mean.",
        ),
        "c": Option(
            "It depends on what it gives to the wrong words.",
            "Only the right word's probability enters. How the rest is shared out changes nothing.",
        ),
    },
    right="b",
    hints=("Compute −ln 0.5 and −ln 0.05, and look at the step between them.",),
)


ANSWER_TOGETHER = Quiz(
    name="answer_together",
    lesson="embedding_space",
    question="In some text doctor and surgeon never share a sentence, but the same words stand around both. How do "
    "their rows lie after training with CBOW?",
    options={
        "a": Option(
            "Far apart: the two never meet.",
            "Rows of the same context are not pulled together. What counts is which blanks a row helps to fill.",
        ),
        "b": Option(
            "As they began, at random: no sentence links them.",
            "Each of the two gets gradients from its own sentences, and those are alike.",
        ),
        "c": Option(
            "Near: they help to predict the same words, so their gradients are alike.",
            "A row is pulled by the words that it helps to predict, and these are the same for both.",
        ),
    },
    right="c",
    hints=("Which rows get a gradient from one blank, and what does it depend on?",),
)


ANSWER_QUEEN = Quiz(
    name="answer_queen",
    lesson="embedding_space",
    question="Two words a and b have exactly the same row. Which row is nearest to c − a + b when nothing is left out?",
    options={
        "a": Option("That of c.", "b − a is zero, so the sum is c itself. With real pairs the step is short, and c still wins."),
        "b": Option(
            "That of the word that is to c as b is to a.",
            "There is no step to take: with equal rows, a and b differ in nothing that could be added to c.",
        ),
        "c": Option("That of b.", "b comes in and a, its equal, goes out. Nothing of either is left."),
        "d": Option(
            "None: the sum is no word's row.",
            "The sum is exactly the row of c, and even where it is none, some row has the highest cosine.",
        ),
    },
    right="a",
    hints=("Compute b − a first.",),
)
